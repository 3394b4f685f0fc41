import type { UserId } from '@exchange/core/ids.ts';
import { LIMIT_DAY_MS, REFUSAL_REASONS } from '@exchange/core/network.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { later } from '@exchange/core/time.ts';
import * as z from 'zod/mini';
import { sqlCommand } from '../../platform/sequencer/command.ts';
import { idOf } from '../../platform/sequencer/input-fields.ts';
import { houseAddress, userAddress, worldAddress, type Ledger, type Posting } from '../ledger/index.ts';
import { addressCommands } from './address-commands.ts';
import { askCommands } from './asking.ts';
import { mayLeaveAt, onePersonProblem, SECOND_THOUGHTS_MS, unknownProblem } from './domain.ts';
import { leaveNotice, withdrawalsByIds } from './repository.ts';
import { change, giveBack, requireStatus } from './step-parts.ts';
import { countTook } from './times-repository.ts';
import { oneApprovedSince } from './use-repository.ts';

const owner = idOf<UserId>();
const id = idOf<string>();
const decideInput = z.object({
  id,
  owner,
  verdict: z.union([z.literal('approve'), z.enum(REFUSAL_REASONS)]),
  by: z.string(),
  /** How many persons stand behind it. What was decided before this was asked is held to nothing more. */
  persons: z.optional(z.union([z.literal(1), z.literal(2)])),
});

/** Everything that may be done with withdrawals. */
export function withdrawalCommands(ledger: Ledger) {
  return { ...addressCommands(), ...askCommands(ledger), ...decideCommands(ledger), ...wayCommands(ledger) };
}

function decideCommands(ledger: Ledger) {
  return {
    /** An operator's word on one that is pending: it goes out, or is refused for one of the reasons there are. */
    decide: sqlCommand({
      name: 'withdrawals.decide',
      input: decideInput,
      prepare: (input) => ledger.prepare(input.owner),
      run: async (step, { id: which, verdict, by, persons }) => {
        const [found] = await withdrawalsByIds(step.sql, [which]);
        if (found === undefined) throw new Refused(refusal('generic', 'l.not_found'));
        requireStatus(found, 'pending');
        if (verdict === 'approve') {
          const isNew = unknownProblem(found.knownAt, step.now);
          if (isNew !== undefined) throw new Refused(isNew);
          const isAlone = persons === 1;
          if (isAlone) {
            const { owner: of, value } = found;
            const since = later(step.now, -LIMIT_DAY_MS);
            const problem = onePersonProblem(value, (await oneApprovedSince(step.sql, [of], since)).get(of));
            if (problem !== undefined) throw new Refused(problem);
          }
          await change(step, found, {
            status: 'processing',
            by,
            ...(isAlone ? { oneApprovedAt: step.now } : {}),
          });
        } else {
          await giveBack(step, ledger, found, { status: 'rejected', reason: verdict, by });
          await leaveNotice(step.sql, step.newId(), which, 'rejected');
        }
        return { id: which };
      },
    }),
  };
}

function wayCommands(ledger: Ledger) {
  return {
    /** Lets one go that goes by itself, after the time for second thoughts. */
    release: sqlCommand({
      name: 'withdrawals.release',
      input: z.object({ id }),
      run: async (step, { id: which }) => {
        const [found] = await withdrawalsByIds(step.sql, [which]);
        if (found?.status !== 'pending' || !found.isAuto) return;
        if (step.now < later(found.createdAt, SECOND_THOUGHTS_MS) || ledger.isHalted(found.asset)) return;
        await change(step, found, { status: 'processing' });
      },
    }),

    /** Keeps what the network calls the transfer; the first word stays. Its block, where it has one already, may change. */
    sent: sqlCommand({
      name: 'withdrawals.sent',
      input: z.object({ id, txid: z.string(), block: z.optional(z.int()) }),
      run: async (step, { id: which, txid, block }) => {
        const [found] = await withdrawalsByIds(step.sql, [which]);
        if (found?.status !== 'processing' || (found.txid ?? txid) !== txid) return;
        if (found.txid !== undefined && (block === undefined || found.block === block)) return;
        await change(step, found, { status: 'processing', sent: { txid, block } });
      },
    }),

    /** Settles one that the network has confirmed: the amount leaves, the fee is the house's. */
    finish: sqlCommand({
      name: 'withdrawals.finish',
      input: z.object({ id, owner }),
      prepare: (input) => ledger.prepare(input.owner),
      run: async (step, { id: which }) => {
        const [found] = await withdrawalsByIds(step.sql, [which]);
        if (found?.status !== 'processing' || found.block === undefined || ledger.isHalted(found.asset))
          return;
        const { owner: of, asset, network, amount, fee } = found;
        const source = userAddress(of, 'spot', 'frozen');
        const postings: Posting[] = [
          { source, destination: worldAddress(asset, network), asset, amount: amount.minus(fee) },
          { source, destination: houseAddress('fees'), asset, amount: fee },
        ];
        ledger.post(
          step,
          'withdrawal.sent',
          which,
          postings.filter((posting) => posting.amount.isPositive()),
        );
        await change(step, found, { status: 'finished', endedAt: step.now });
        await countTook(step.sql, found, { createdAt: mayLeaveAt(found), endedAt: step.now });
        await leaveNotice(step.sql, step.newId(), which, 'finished');
      },
    }),

    /** Gives back one whose transaction the network has refused for good, once. */
    fail: sqlCommand({
      name: 'withdrawals.fail',
      input: z.object({ id, owner, txid: z.string() }),
      prepare: (input) => ledger.prepare(input.owner),
      run: async (step, { id: which, txid }) => {
        const [found] = await withdrawalsByIds(step.sql, [which]);
        if (found?.status !== 'processing' || found.txid !== txid || ledger.isHalted(found.asset)) return;
        await giveBack(step, ledger, found, { status: 'failed' });
        await leaveNotice(step.sql, step.newId(), which, 'failed');
      },
    }),
  };
}

export type WithdrawalCommands = ReturnType<typeof withdrawalCommands>;

/** Withdrawals without their service, for a replay. */
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
