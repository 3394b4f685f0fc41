import type { UserId } from '@exchange/core/ids.ts';
import {
  addressProblem,
  findCoinNetwork,
  LIMIT_DAY_MS,
  LIMIT_MONTH_MS,
  REFUSAL_REASONS,
  usdtValue,
  withdrawalProblem,
} from '@exchange/core/network.ts';
import { notAmong, refusal, Refused } from '@exchange/core/refusal.ts';
import { later } from '@exchange/core/time.ts';
import * as z from 'zod/mini';
import { sqlCommand } from '../../platform/sequencer/command.ts';
import { decimal, idOf, instantField } from '../../platform/sequencer/input-fields.ts';
import type { SqlStep } from '../../platform/sequencer/step.ts';
import { houseAddress, userAddress, worldAddress, type Ledger, type Posting } from '../ledger/index.ts';
import { addressCommands, isSame } from './address-commands.ts';
import { addressesOf, storedWhitelist } from './addresses-repository.ts';
import {
  destinationProblem,
  goesByItself,
  SECOND_THOUGHTS_MS,
  whitelistAt,
  type KeptAddress,
  type Withdrawal,
  type WithdrawalStatus,
} from './domain.ts';
import { withdrawalChanged } from './events.ts';
import {
  changeWithdrawal,
  insertWithdrawal,
  leaveNotice,
  usedSince,
  withdrawalsByIds,
  type Change,
} from './repository.ts';
import { countTook } from './times-repository.ts';

const owner = idOf<UserId>();
const id = idOf<string>();
const text = z.optional(z.string());
const submitInput = z.object({
  ...{ owner, asset: z.string(), network: z.string(), amount: decimal, remark: text },
  ...{ addressId: z.optional(id), address: text, memo: text },
  /** As they were when it was asked for: the index in USDT, the level's limits, a hold on the account. */
  ...{ price: z.optional(decimal), holdUntil: instantField },
  limits: z.object({ day: decimal, month: decimal, auto: decimal }),
  /** As many as the network's channel asks for; the network's own without it. */
  confirmations: z.optional(z.int()),
});
const decideInput = z.object({
  id,
  owner,
  verdict: z.union([z.literal('approve'), z.enum(REFUSAL_REASONS)]),
  by: z.string(),
});

/** Everything that may be done with withdrawals. */
export function withdrawalCommands(ledger: Ledger) {
  return { ...addressCommands(), ...askCommands(ledger), ...decideCommands(ledger), ...wayCommands(ledger) };
}

function askCommands(ledger: Ledger) {
  return {
    /** Holds an amount that is to be sent; every limit is checked here, one request after the other. */
    submit: sqlCommand({
      name: 'withdrawals.submit',
      input: submitInput,
      prepare: (input) => ledger.prepare(input.owner),
      run: async (step, input) => {
        const { owner: of, asset, network, amount, remark, price, holdUntil, limits, ...to } = input;
        const coin = findCoinNetwork(asset, network);
        if (coin === undefined) throw notAmong('network', network);
        const { address, memo, kept } = await destination(step, of, { asset, network, ...to });
        const given = {
          address,
          ...(memo === undefined ? {} : { memo }),
          ...(remark === undefined ? {} : { remark }),
        };
        const wrong = addressProblem(coin, given);
        if (wrong !== undefined) throw new Refused(wrong);
        const whitelist = whitelistAt(await storedWhitelist(step.sql, of), step.now);
        const barred = destinationProblem(kept, whitelist, step.now);
        if (barred !== undefined) throw new Refused(barred);
        const used = await usedSince(step.sql, of, {
          day: later(step.now, -LIMIT_DAY_MS),
          month: later(step.now, -LIMIT_MONTH_MS),
        });
        const available = ledger.balance(userAddress(of, 'spot', 'available'), asset);
        const state = { available, limits, ...used, price, holdUntil };
        const problem = withdrawalProblem(coin, amount, state, step.now);
        if (problem !== undefined) throw new Refused(problem);
        const value = usdtValue(amount, price!);
        const withdrawal: Withdrawal = {
          ...{ id: step.newId(), owner: of, asset, network, address, memo },
          ...{ amount, fee: coin.fee, value, remark },
          isAuto: goesByItself(kept, used.autoUsed.plus(value), limits.auto),
          ...{ status: 'pending', reason: undefined },
          ...{ txid: undefined, block: undefined, decidedBy: undefined },
          confirmations: input.confirmations ?? coin.network.confirmations,
          ...{ createdAt: step.now, finishedAt: undefined },
        };
        ledger.post(step, 'withdrawal.held', withdrawal.id, [move(withdrawal, 'available', 'frozen')]);
        await insertWithdrawal(step.sql, withdrawal);
        await leaveNotice(step.sql, step.newId(), withdrawal.id, 'held');
        tell(step, withdrawal);
        return { id: withdrawal.id };
      },
    }),

    /** Gives back what is still pending; once more changes nothing. */
    cancel: sqlCommand({
      name: 'withdrawals.cancel',
      input: z.object({ owner, id }),
      prepare: (input) => ledger.prepare(input.owner),
      run: async (step, { owner: of, id: which }) => {
        const [found] = await withdrawalsByIds(step.sql, [which]);
        if (found?.owner !== of) throw new Refused(refusal('generic', 'l.not_found'));
        if (found.status === 'cancelled') return { id: which };
        requireStatus(found, 'pending');
        await giveBack(step, ledger, found, { status: 'cancelled' });
        return { id: which };
      },
    }),
  };
}

function decideCommands(ledger: Ledger) {
  return {
    /** An operator's word on one that is pending: it goes out, or is refused for one of the reasons there are. */
    decide: sqlCommand({
      name: 'withdrawals.decide',
      input: decideInput,
      prepare: (input) => ledger.prepare(input.owner),
      run: async (step, { id: which, verdict, by }) => {
        const [found] = await withdrawalsByIds(step.sql, [which]);
        if (found === undefined) throw new Refused(refusal('generic', 'l.not_found'));
        requireStatus(found, 'pending');
        if (verdict === 'approve') {
          await change(step, found, { status: 'processing', by });
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
        await countTook(step.sql, found, { createdAt: found.createdAt, endedAt: step.now });
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

interface Wanted {
  readonly asset: string;
  readonly network: string;
  readonly addressId?: string | undefined;
  readonly address?: string | undefined;
  readonly memo?: string | undefined;
}

/** Where it goes, and the entry of the address book that says so, where there is one. */
async function destination(
  step: SqlStep,
  of: UserId,
  { asset, network, addressId, address, memo }: Wanted,
): Promise<{ address: string; memo: string | undefined; kept: KeptAddress | undefined }> {
  const book = await addressesOf(step.sql, of);
  if (addressId !== undefined) {
    const kept = book.find((one) => one.id === addressId && one.asset === asset && one.network === network);
    if (kept === undefined)
      throw new Refused(refusal('invalidField', 'l.address_required', { field: 'addressId' }));
    return { address: kept.address, memo: kept.memo, kept };
  }
  if (address === undefined)
    throw new Refused(refusal('invalidField', 'l.address_required', { field: 'address' }));
  return { address, memo, kept: book.find((one) => isSame(one, { asset, network, address, memo })) };
}

function move(
  { owner: of, asset, amount }: Withdrawal,
  from: 'available' | 'frozen',
  to: 'available' | 'frozen',
): Posting {
  return { source: userAddress(of, 'spot', from), destination: userAddress(of, 'spot', to), asset, amount };
}

async function giveBack(
  step: SqlStep,
  ledger: Ledger,
  withdrawal: Withdrawal,
  how: Pick<Change, 'reason' | 'by'> & { readonly status: 'cancelled' | 'rejected' | 'failed' },
): Promise<void> {
  ledger.post(step, 'withdrawal.returned', withdrawal.id, [move(withdrawal, 'frozen', 'available')]);
  await change(step, withdrawal, { ...how, endedAt: step.now });
}

async function change(step: SqlStep, before: Withdrawal, to: Change): Promise<void> {
  await changeWithdrawal(step.sql, before.id, to);
  tell(step, { ...before, status: to.status });
}

function requireStatus({ status }: Withdrawal, wanted: WithdrawalStatus): void {
  if (status === wanted) return;
  throw new Refused(refusal('closed', 'l.withdraw_not_pending', { limit: wanted, value: status }));
}

function tell(step: SqlStep, { owner: of, id: which, status, confirmations }: Withdrawal): void {
  const confirm = status === 'finished' ? confirmations : 0;
  step.publish(withdrawalChanged, { owner: of, id: which, status, confirm });
}

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
