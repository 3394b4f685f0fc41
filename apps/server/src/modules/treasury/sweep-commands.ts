import { refusal, Refused } from '@exchange/core/refusal.ts';
import * as z from 'zod/mini';
import { sqlCommand } from '../../platform/sequencer/command.ts';
import { decimal, idOf } from '../../platform/sequencer/input-fields.ts';
import { OPEN_SWEEP_STATES, type OpenSweepState } from './sweep-domain.ts';
import { changeSweep, endSweepPause, insertSweep, insertSweepPause } from './sweep-repository.ts';

const id = idOf<string>();
const network = z.string();
const by = z.string();
const reason = z.string();
const whole = z.string().check(z.regex(/^\d{1,30}$/));

/**
 * Returns the commands for sweeps: transfers from deposit addresses to the hot wallet. They post no ledger
 * entries, because both addresses belong to the exchange; network fees are booked as payments of the fees
 * account.
 */
export function sweepCommands() {
  return {
    /**
     * Plans a sweep of a deposit address. Returns the id of the sweep, or no id if the address has a sweep that has not
     * ended.
     */
    planSweep: sqlCommand({
      name: 'treasury.planSweep',
      input: z.object({
        network,
        asset: z.string(),
        index: z.int(),
        address: z.string(),
        destination: z.string(),
        amount: decimal,
        gasLimit: whole,
        mostFee: whole,
        gas: z.optional(decimal),
      }),
      run: async (step, { gasLimit, mostFee, gas, ...plan }) => {
        const sweepId = step.newId();
        const isStored = await insertSweep(step.sql, {
          ...plan,
          id: sweepId,
          gasLimit: BigInt(gasLimit),
          mostFee: BigInt(mostFee),
          gas,
          createdAt: step.now,
        });
        return isStored ? { id: sweepId } : {};
      },
    }),

    /**
     * Stores the state of a sweep that has not ended, and its transactions, which can change until the sweep
     * ends. Stores neither and returns false if the given state is earlier than the stored one, or the sweep
     * is unknown or has ended.
     */
    moveSweep: sqlCommand({
      name: 'treasury.moveSweep',
      input: z.object({
        id,
        state: z.enum(OPEN_SWEEP_STATES),
        gasTxid: z.optional(z.string()),
        txid: z.optional(z.string()),
        block: z.optional(z.int()),
      }),
      run: (step, { id: sweepId, ...change }) =>
        changeSweep(step.sql, sweepId, statesUpTo(change.state), change),
    }),

    /**
     * Ends a sweep as `confirmed` (its transaction is final), `failed` (its transaction or the payment of its
     * gas has failed) or `dropped` (its signature was never requested and it is outdated). Returns false if
     * the sweep has ended already or, for `dropped`, has a signed transaction.
     */
    endSweep: sqlCommand({
      name: 'treasury.endSweep',
      input: z.object({
        id,
        state: z.enum(['confirmed', 'failed', 'dropped']),
        txid: z.optional(z.string()),
        block: z.optional(z.int()),
        reason: z.optional(z.string()),
      }),
      run: (step, { id: sweepId, ...change }) => {
        const from = change.state === 'dropped' ? statesUpTo('funded') : OPEN_SWEEP_STATES;
        return changeSweep(step.sql, sweepId, from, { ...change, closedAt: step.now });
      },
    }),

    /**
     * Pauses the sweeps of a network: nothing new is planned or signed. Refuses a network whose sweeps are paused
     * already.
     */
    pauseSweeps: sqlCommand({
      name: 'treasury.pauseSweeps',
      input: z.object({ network, by, reason }),
      run: async (step, pause) => {
        if (!(await insertSweepPause(step.sql, step.newId(), { ...pause, since: step.now })))
          throw new Refused(refusal('closed', 'l.sweeps_paused'));
      },
    }),

    /** Resumes the sweeps of a network. Refuses a network whose sweeps are not paused. */
    resumeSweeps: sqlCommand({
      name: 'treasury.resumeSweeps',
      input: z.object({ network, by, reason }),
      run: async (step, { network: code, ...resumption }) => {
        if (!(await endSweepPause(step.sql, code, { ...resumption, now: step.now })))
          throw new Refused(refusal('generic', 'l.not_found'));
      },
    }),
  };
}

export type SweepCommands = ReturnType<typeof sweepCommands>;

function statesUpTo(state: OpenSweepState): readonly OpenSweepState[] {
  return OPEN_SWEEP_STATES.slice(0, OPEN_SWEEP_STATES.indexOf(state) + 1);
}
