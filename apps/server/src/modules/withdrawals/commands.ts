import type { UserId } from '@exchange/core/ids.ts';
import { LIMIT_DAY_MS, REFUSAL_REASONS } from '@exchange/core/network.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { later } from '@exchange/core/time.ts';
import * as z from 'zod/mini';
import { sqlCommand } from '../../platform/sequencer/command.ts';
import { idOf } from '../../platform/sequencer/input-fields.ts';
import { houseAddress, userAddress, worldAddress, type Ledger, type Posting } from '../ledger/index.ts';
import { addressCommands } from './address-commands.ts';
import { requestCommands } from './request-commands.ts';
import { mayLeaveAt, onePersonProblem, CANCELLATION_MS, unknownProblem } from './domain.ts';
import { enqueueNotice, withdrawalsByIds } from './repository.ts';
import { applyChange, returnHold, requireStatus } from './step-parts.ts';
import { countDuration } from './times-repository.ts';
import { approvedByOneSince } from './usage-repository.ts';

const owner = idOf<UserId>();
const id = idOf<string>();
const decideInput = z.object({
  id,
  owner,
  verdict: z.union([z.literal('approve'), z.enum(REFUSAL_REASONS)]),
  by: z.string(),
  /** Number of operators behind the decision. Absent in old journal inputs, which had no approval limit. */
  persons: z.optional(z.union([z.literal(1), z.literal(2)])),
});

/** All commands for withdrawals. */
export function withdrawalCommands(ledger: Ledger) {
  return {
    ...addressCommands(),
    ...requestCommands(ledger),
    ...decideCommands(ledger),
    ...wayCommands(ledger),
  };
}

function decideCommands(ledger: Ledger) {
  return {
    /** An operator's decision on a pending withdrawal: approve, or reject with a listed reason. */
    decide: sqlCommand({
      name: 'withdrawals.decide',
      input: decideInput,
      prepare: (input) => ledger.prepare(input.owner),
      run: async (step, { id, verdict, by, persons }) => {
        const [withdrawal] = await withdrawalsByIds(step.sql, [id]);
        if (withdrawal === undefined) throw new Refused(refusal('generic', 'l.not_found'));
        requireStatus(withdrawal, 'pending');
        if (verdict === 'approve') {
          const addressProblem = unknownProblem(withdrawal.knownAt, step.now);
          if (addressProblem !== undefined) throw new Refused(addressProblem);
          const isAlone = persons === 1;
          if (isAlone) {
            const { owner, value } = withdrawal;
            const since = later(step.now, -LIMIT_DAY_MS);
            const problem = onePersonProblem(
              value,
              (await approvedByOneSince(step.sql, [owner], since)).get(owner),
            );
            if (problem !== undefined) throw new Refused(problem);
          }
          await applyChange(step, withdrawal, {
            status: 'processing',
            by,
            ...(isAlone ? { oneApprovedAt: step.now } : {}),
          });
        } else {
          await returnHold(step, ledger, withdrawal, { status: 'rejected', reason: verdict, by });
          await enqueueNotice(step.sql, step.newId(), id, 'rejected');
        }
        return { id };
      },
    }),
  };
}

function wayCommands(ledger: Ledger) {
  return {
    /** Releases a withdrawal that needs no review, after its cancellation period. */
    release: sqlCommand({
      name: 'withdrawals.release',
      input: z.object({ id }),
      run: async (step, { id }) => {
        const [withdrawal] = await withdrawalsByIds(step.sql, [id]);
        if (withdrawal?.status !== 'pending' || !withdrawal.isAuto) return;
        if (step.now < later(withdrawal.createdAt, CANCELLATION_MS) || ledger.isHalted(withdrawal.asset))
          return;
        await applyChange(step, withdrawal, { status: 'processing' });
      },
    }),

    /** Stores the transaction ID of a transfer; the first ID is final, but its block may change. */
    sent: sqlCommand({
      name: 'withdrawals.sent',
      input: z.object({ id, txid: z.string(), block: z.optional(z.int()) }),
      run: async (step, { id, txid, block }) => {
        const [withdrawal] = await withdrawalsByIds(step.sql, [id]);
        if (withdrawal?.status !== 'processing' || (withdrawal.txid ?? txid) !== txid) return;
        if (withdrawal.txid !== undefined && (block === undefined || withdrawal.block === block)) return;
        await applyChange(step, withdrawal, { status: 'processing', sent: { txid, block } });
      },
    }),

    /** Settles a confirmed withdrawal: the amount leaves the ledger and the exchange keeps the fee. */
    finish: sqlCommand({
      name: 'withdrawals.finish',
      input: z.object({ id, owner }),
      prepare: (input) => ledger.prepare(input.owner),
      run: async (step, { id }) => {
        const [withdrawal] = await withdrawalsByIds(step.sql, [id]);
        if (
          withdrawal?.status !== 'processing' ||
          withdrawal.block === undefined ||
          ledger.isHalted(withdrawal.asset)
        )
          return;
        const { owner, asset, network, amount, fee } = withdrawal;
        const source = userAddress(owner, 'spot', 'frozen');
        const postings: Posting[] = [
          { source, destination: worldAddress(asset, network), asset, amount: amount.minus(fee) },
          { source, destination: houseAddress('fees'), asset, amount: fee },
        ];
        ledger.post(
          step,
          'withdrawal.sent',
          id,
          postings.filter((posting) => posting.amount.isPositive()),
        );
        await applyChange(step, withdrawal, { status: 'finished', endedAt: step.now });
        await countDuration(step.sql, withdrawal, { createdAt: mayLeaveAt(withdrawal), endedAt: step.now });
        await enqueueNotice(step.sql, step.newId(), id, 'finished');
      },
    }),

    /** Returns the amount of a withdrawal whose transaction the network finally rejected, once. */
    fail: sqlCommand({
      name: 'withdrawals.fail',
      input: z.object({ id, owner, txid: z.string() }),
      prepare: (input) => ledger.prepare(input.owner),
      run: async (step, { id, txid }) => {
        const [withdrawal] = await withdrawalsByIds(step.sql, [id]);
        if (
          withdrawal?.status !== 'processing' ||
          withdrawal.txid !== txid ||
          ledger.isHalted(withdrawal.asset)
        )
          return;
        await returnHold(step, ledger, withdrawal, { status: 'failed' });
        await enqueueNotice(step.sql, step.newId(), id, 'failed');
      },
    }),
  };
}

export type WithdrawalCommands = ReturnType<typeof withdrawalCommands>;

/** Commands and state queries for a journal replay, without the service. */
export function withdrawalsReplay({ ledger }: { readonly ledger: Ledger }) {
  return {
    commands: Object.values(withdrawalCommands(ledger)),
    state: {
      withdrawals: 'select w::text as row, w.id as turn from withdrawal w',
      addresses: 'select a::text as row, a.id as turn from withdrawal_address a',
      times: 'select t::text as row, (t.day, t.asset, t.network, t.seconds) as turn from withdrawal_time t',
      whitelists: 'select w::text as row, w.owner as turn from withdrawal_whitelist w',
    },
  };
}
