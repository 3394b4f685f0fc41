import type { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import {
  LIMIT_DAY_MS,
  REFUSAL_REASONS,
  RETURN_REASONS,
  findCoinNetwork,
  LIMIT_MONTH_MS,
  requestsProblem,
} from '@exchange/core/network.ts';
import { refusal, Refused, invalidChoice } from '@exchange/core/refusal.ts';
import { later } from '@exchange/core/time.ts';
import * as z from 'zod/mini';
import { sqlCommand } from '../../platform/sequencer/command.ts';
import { idOf, decimal, instantField } from '../../platform/sequencer/input-fields.ts';
import { houseAddress, userAddress, worldAddress, type Ledger, type Posting } from '../ledger/index.ts';
import type { Reader } from '../../platform/database/database.ts';
import type { SqlStep } from '../../platform/sequencer/step.ts';
import { addressCommands, isSameDestination } from './address-commands.ts';
import {
  mayLeaveAt,
  exitProblem,
  onePersonProblem,
  CANCELLATION_MS,
  unknownProblem,
  feeProblem,
  figuresOf,
  keyLimitProblem,
  requestProblem,
  whitelistAt,
  type AddressEntry,
  type Withdrawal,
  type WithdrawalStatus,
} from './domain.ts';
import {
  enqueueNotice,
  withdrawalsByIds,
  countDuration,
  approvedByOneSince,
  insertWithdrawal,
  requestsSince,
  usedSince,
  changeWithdrawal,
  isOrderNameUsed,
  isTxidUsed,
  storeExit,
  usedByKey,
  type Change,
} from './repository.ts';
import { addressesOf, addressKnownAt, storedWhitelist } from './addresses-repository.ts';
import { withdrawalChanged } from './feed.ts';

const owner = idOf<UserId>();
const id = idOf<string>();
const decideInput = z.object({
  id,
  owner,
  verdict: z.union([z.literal('approve'), z.enum(REFUSAL_REASONS)]),
  by: z.string(),
  /**
   * Number of operators who made the decision. Absent in journal inputs from before approvals by one operator were
   * limited.
   */
  persons: z.optional(z.union([z.literal(1), z.literal(2)])),
});

const exitInput = z.object({
  id,
  owner,
  by: z.string(),
  exit: z.union([
    z.object({ kind: z.literal('return'), reason: z.enum(RETURN_REASONS), txid: z.optional(z.string()) }),
    z.object({ kind: z.literal('paid'), txid: z.optional(z.string()) }),
  ]),
});

/** Returns all commands of the module withdrawals. */
export function withdrawalCommands(ledger: Ledger) {
  return {
    ...addressCommands(),
    ...requestCommands(ledger),
    ...decideCommands(ledger),
    ...wayCommands(ledger),
    ...exitCommands(ledger),
  };
}

function decideCommands(ledger: Ledger) {
  return {
    /**
     * Applies an operator's decision on a pending withdrawal: approval, or rejection with a listed reason,
     * which returns the amount and queues an inbox message to the owner. Refuses a withdrawal that is not
     * pending, an approval while the address does not count as known, and an approval by a single operator
     * above the value that single operators may approve for an account in 24 hours.
     */
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
    /**
     * Approves a pending withdrawal that needs no review once its cancellation period is over. Does nothing while the
     * period lasts or the coin is halted.
     */
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

    /**
     * Stores the transaction ID of a withdrawal and the block that contains it. If another ID is stored already, it is
     * replaced only if the network has replaced the earlier transaction by this one. Does nothing unless the withdrawal
     * is approved and has not ended.
     */
    sent: sqlCommand({
      name: 'withdrawals.sent',
      input: z.object({
        id,
        txid: z.string(),
        block: z.optional(z.int()),
        isReplacement: z.optional(z.boolean()),
      }),
      run: async (step, { id, txid, block, isReplacement }) => {
        const [withdrawal] = await withdrawalsByIds(step.sql, [id]);
        if (withdrawal?.status !== 'processing') return;
        const isOther = withdrawal.txid !== undefined && withdrawal.txid !== txid;
        if (isOther && isReplacement !== true) return;
        const isKnown = withdrawal.txid === txid && (block === undefined || withdrawal.block === block);
        if (isKnown) return;
        await applyChange(step, withdrawal, { status: 'processing', sent: { txid, block } });
      },
    }),

    /**
     * Approves a pending withdrawal that turns out to be paid already, after a restore from backup. Its signed
     * transaction is then tracked until it is confirmed or fails. Returns false if the withdrawal is not pending.
     */
    followPaid: sqlCommand({
      name: 'withdrawals.followPaid',
      input: z.object({ id, by: z.string() }),
      run: async (step, { id, by }) => {
        const [withdrawal] = await withdrawalsByIds(step.sql, [id]);
        if (withdrawal?.status !== 'pending') return false;
        await applyChange(step, withdrawal, { status: 'processing', by });
        return true;
      },
    }),

    /**
     * Settles a withdrawal whose transaction is confirmed: posts the owner's frozen amount to the account of
     * the outside world, except the fee, which goes to the fees account of the exchange. The caller has
     * checked the confirmations. Does nothing if the withdrawal is not approved or is in no block yet, or if
     * its coin is halted.
     */
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
        await finishWithdrawal(step, ledger, withdrawal);
      },
    }),

    /**
     * Returns the amount to the owner of a withdrawal whose transaction the network has finally rejected, and
     * queues an inbox message to the owner. Does nothing if the withdrawal has ended or has another
     * transaction than `txid`, or if its coin is halted.
     */
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

function exitCommands(ledger: Ledger) {
  return {
    /**
     * Stores the way (exit) in which two operators end an approved withdrawal that is not sent any more; the exit
     * `paid` (by hand) is also possible for a pending one, which is thereby approved. A later exit replaces an earlier
     * one that has not taken effect. Refuses a withdrawal in another status, and a transaction that another withdrawal
     * has.
     */
    exit: sqlCommand({
      name: 'withdrawals.exit',
      input: exitInput,
      run: async (step, { id, by, exit }) => {
        const [withdrawal] = await withdrawalsByIds(step.sql, [id]);
        if (withdrawal === undefined) throw new Refused(refusal('generic', 'l.not_found'));
        const problem = exitProblem(withdrawal, exit.kind);
        if (problem !== undefined) throw new Refused(problem);
        if (
          exit.kind === 'paid' &&
          exit.txid !== undefined &&
          (await isTxidUsed(step.sql, withdrawal, exit.txid))
        )
          throw new Refused(refusal('duplicate', 'l.withdraw_txid_used', { field: 'txid' }));
        const chosen = { by, at: step.now, readyAt: undefined };
        await storeExit(
          step.sql,
          id,
          exit.kind === 'return'
            ? { kind: 'return', reason: exit.reason, txid: exit.txid, ...chosen }
            : { kind: 'paid', txid: exit.txid, ...chosen },
        );
        publishChange(step, { ...withdrawal, status: 'processing' });
      },
    }),

    /**
     * Stores that the withdrawal's own transaction cannot be mined any more, so that operators may pay the withdrawal
     * by hand. Does nothing if this is stored already, the withdrawal is not in processing, or its exit is no payment
     * by hand.
     */
    exitReady: sqlCommand({
      name: 'withdrawals.exitReady',
      input: z.object({ id }),
      run: async (step, { id }) => {
        const [withdrawal] = await withdrawalsByIds(step.sql, [id]);
        const exit = withdrawal?.exit;
        if (withdrawal?.status !== 'processing' || exit?.kind !== 'paid' || exit.readyAt !== undefined)
          return;
        await storeExit(step.sql, id, { ...exit, readyAt: step.now });
      },
    }),

    /**
     * Returns the amount to the owner of a withdrawal that operators chose to return and whose own
     * transaction cannot be mined any more, and queues an inbox message to the owner. Does nothing if the
     * withdrawal has ended or has another exit, or if its coin is halted.
     */
    return: sqlCommand({
      name: 'withdrawals.return',
      input: z.object({ id, owner }),
      prepare: (input) => ledger.prepare(input.owner),
      run: async (step, { id }) => {
        const [withdrawal] = await withdrawalsByIds(step.sql, [id]);
        const exit = withdrawal?.exit;
        if (
          withdrawal?.status !== 'processing' ||
          exit?.kind !== 'return' ||
          ledger.isHalted(withdrawal.asset)
        )
          return;
        await returnHold(step, ledger, withdrawal, { status: 'returned', reason: exit.reason, by: exit.by });
        await enqueueNotice(step.sql, step.newId(), id, 'returned');
      },
    }),

    /**
     * Settles a withdrawal that operators have paid by hand and whose own transaction cannot be mined any more. Does
     * nothing if the withdrawal has ended, if its exit is not a payment by this transaction, or if its coin is halted.
     */
    finishPaid: sqlCommand({
      name: 'withdrawals.finishPaid',
      input: z.object({ id, owner, txid: z.string(), block: z.int() }),
      prepare: (input) => ledger.prepare(input.owner),
      run: async (step, { id, txid, block }) => {
        const [withdrawal] = await withdrawalsByIds(step.sql, [id]);
        const exit = withdrawal?.exit;
        if (withdrawal?.status !== 'processing' || exit?.kind !== 'paid' || exit.txid !== txid) return;
        if (ledger.isHalted(withdrawal.asset)) return;
        await finishWithdrawal(step, ledger, { ...withdrawal, txid, block }, { txid, block });
      },
    }),
  };
}

/**
 * Ends a withdrawal as paid: posts the owner's frozen amount to the account of the outside world, except the
 * fee, which goes to the exchange's fees account. Counts the duration in the statistics, and queues an inbox
 * message to the owner.
 */
async function finishWithdrawal(
  step: SqlStep,
  ledger: Ledger,
  withdrawal: Withdrawal,
  sent?: Change['sent'],
): Promise<void> {
  const { id, owner, asset, network, amount, fee } = withdrawal;
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
  const finished = { status: 'finished', endedAt: step.now } as const;
  await applyChange(step, withdrawal, sent === undefined ? finished : { ...finished, sent });
  await countDuration(step.sql, withdrawal, { createdAt: mayLeaveAt(withdrawal), endedAt: step.now });
  await enqueueNotice(step.sql, step.newId(), id, 'finished');
}

export type WithdrawalCommands = ReturnType<typeof withdrawalCommands>;

/**
 * Returns the commands of withdrawals, and the queries of the tables that a replay compares with the
 * original.
 */
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

const text = z.optional(z.string());
const submitInput = z.object({
  owner,
  asset: z.string(),
  network: z.string(),
  amount: decimal,
  remark: text,
  addressId: z.optional(id),
  address: text,
  memo: text,
  /**
   * Values at the time of the request: the coin's index price in USDT, the end of the account's security
   * hold, and the limits in USDT of the owner's verification level: per day, per month, and per day without
   * review (`auto`).
   */
  price: z.optional(decimal),
  holdUntil: instantField,
  limits: z.object({ day: decimal, month: decimal, auto: decimal }),
  /**
   * The current withdrawal fee, and the fee that the owner saw, in units of the coin; both are absent in old
   * journal inputs.
   */
  fee: z.optional(decimal),
  shownFee: z.optional(decimal),
  /**
   * Maximum number of the owner's withdrawal requests in any 24 hours; absent in old journal inputs, which had no
   * limit.
   */
  requestsMost: z.optional(z.int()),
  /** Number of confirmations that the withdrawal needs; absent if the network's default applies. */
  confirmations: z.optional(z.int()),
  /**
   * Whether the withdrawal is sent only when its address counts as known: 24 hours after the owner first stored it or
   * withdrew to it. Absent in old journal inputs, whose withdrawals did not wait for that.
   */
  isAged: z.optional(z.boolean()),
  /** Whether the user confirmed that the receiving wallet needs no memo. */
  withoutMemo: z.optional(z.boolean()),
  /**
   * The id of the withdrawal, and the digest of the fields that its owner confirmed; both are absent in old journal
   * inputs.
   */
  id: z.optional(id),
  digest: z.optional(z.string()),
  /**
   * The API key by which the withdrawal is requested, with the key's limit: the value in USDT that it may withdraw in
   * any 24 hours. Absent for a request from the apps.
   */
  key: z.optional(z.object({ id, name: z.string(), limit: decimal })),
  /** The name that an API program chose for the withdrawal (`withdrawOrderId`); absent if it chose none. */
  orderName: z.optional(z.string()),
});

/** Returns a new withdrawal, in the status `pending`. */
function pendingWithdrawal(
  requested: Omit<Withdrawal, 'status' | 'reason' | 'txid' | 'block' | 'exit' | 'decidedBy' | 'finishedAt'>,
): Withdrawal {
  return {
    ...requested,
    status: 'pending',
    reason: undefined,
    txid: undefined,
    block: undefined,
    exit: undefined,
    decidedBy: undefined,
    finishedAt: undefined,
  };
}

/** Returns the commands that a user issues: submit and cancel a withdrawal. */
export function requestCommands(ledger: Ledger) {
  return {
    /**
     * Validates a withdrawal request against its limits, the whitelist and the address, and refuses it if it
     * violates one; otherwise freezes its amount and queues an inbox message to the owner. Commands run one
     * at a time, so concurrent requests cannot exceed a limit together.
     */
    submit: sqlCommand({
      name: 'withdrawals.submit',
      input: submitInput,
      prepare: (input) => ledger.prepare(input.owner),
      run: async (step, input) => {
        const { owner, asset, network, amount, remark, price, holdUntil, limits } = input;
        if (input.requestsMost !== undefined) await requireRequestLeft(step, owner, input.requestsMost);
        const terms = findCoinNetwork(asset, network);
        if (terms === undefined) throw invalidChoice('network', network);
        const coin = { ...terms, fee: input.fee ?? terms.fee };
        const changed = feeProblem(coin, input.shownFee);
        if (changed !== undefined) throw new Refused(changed);
        const { address, memo, entry } = await destinationOf(step.sql, owner, input);
        const whitelist = whitelistAt(await storedWhitelist(step.sql, owner), step.now);
        const used = await usedSince(step.sql, owner, {
          day: later(step.now, -LIMIT_DAY_MS),
          month: later(step.now, -LIMIT_MONTH_MS),
        });
        const available = ledger.balance(userAddress(owner, 'spot', 'available'), asset);
        const state = { available, limits, ...used, price, holdUntil };
        const withoutMemo = input.withoutMemo === true;
        const request = { coin, amount, address, memo, remark, withoutMemo, entry, whitelist, state };
        const problem = requestProblem(request, step.now);
        if (problem !== undefined) throw new Refused(problem);
        const { fee, value, isAuto } = figuresOf(request, price!, used.autoUsed);
        await requireByKey(step, input, value);
        const withdrawal = pendingWithdrawal({
          id: input.id ?? step.newId(),
          digest: input.digest,
          owner,
          asset,
          network,
          address,
          memo,
          amount,
          fee,
          value,
          remark,
          key: input.key && { id: input.key.id, name: input.key.name },
          orderName: input.orderName,
          isAuto,
          knownAt:
            input.isAged === true
              ? await addressKnownAt(step.sql, { owner, network, address, memo }, step.now)
              : undefined,
          confirmations: input.confirmations ?? coin.network.confirmations,
          createdAt: step.now,
        });
        ledger.post(step, 'withdrawal.held', withdrawal.id, [
          bucketPosting(withdrawal, 'available', 'frozen'),
        ]);
        await insertWithdrawal(step.sql, withdrawal);
        await enqueueNotice(step.sql, step.newId(), withdrawal.id, 'held');
        publishChange(step, withdrawal);
        return withdrawal;
      },
    }),

    /**
     * Cancels a pending withdrawal and returns its amount to the owner's available balance. A repetition has no effect.
     * Refuses a withdrawal of another user, and one that is neither pending nor cancelled.
     */
    cancel: sqlCommand({
      name: 'withdrawals.cancel',
      input: z.object({ owner, id }),
      prepare: (input) => ledger.prepare(input.owner),
      run: async (step, { owner, id }) => {
        const [withdrawal] = await withdrawalsByIds(step.sql, [id]);
        if (withdrawal?.owner !== owner) throw new Refused(refusal('generic', 'l.not_found'));
        if (withdrawal.status === 'cancelled') return withdrawal;
        requireStatus(withdrawal, 'pending');
        await returnHold(step, ledger, withdrawal, { status: 'cancelled' });
        const cancelled: Withdrawal = { ...withdrawal, status: 'cancelled', finishedAt: step.now };
        return cancelled;
      },
    }),
  };
}

interface Wanted {
  readonly asset: string;
  readonly network: string;
  readonly addressId?: string | undefined;
  readonly address?: string | undefined;
  readonly memo?: string | undefined;
}

/** Refuses a withdrawal request if the user has made `most` requests in the last 24 hours, whatever became of them. */
async function requireRequestLeft(step: SqlStep, owner: UserId, most: number): Promise<void> {
  const requests = await requestsSince(step.sql, owner, { since: later(step.now, -LIMIT_DAY_MS), most });
  const problem = requestsProblem(requests, most);
  if (problem !== undefined) throw new Refused(problem);
}

/**
 * Refuses a withdrawal whose value (in USDT) exceeds the remaining limit of the API key, or whose `withdrawOrderId`
 * another withdrawal of the owner has.
 */
async function requireByKey(
  step: SqlStep,
  { owner, key, orderName }: Pick<z.output<typeof submitInput>, 'owner' | 'key' | 'orderName'>,
  value: Decimal,
): Promise<void> {
  if (orderName !== undefined && (await isOrderNameUsed(step.sql, owner, orderName)))
    throw new Refused(refusal('duplicate', 'l.withdraw_name_used', { field: 'withdrawOrderId' }));
  if (key === undefined) return;
  const used = await usedByKey(step.sql, key.id, later(step.now, -LIMIT_DAY_MS));
  const problem = keyLimitProblem(key.limit, used, value);
  if (problem !== undefined) throw new Refused(problem);
}

/**
 * Returns the destination of a withdrawal request, and the matching entry of the user's address book if there
 * is one. Refuses an id that is not in the book for this coin and network, and a request without an address.
 */
export async function destinationOf(
  reader: Reader,
  owner: UserId,
  { asset, network, addressId, address, memo }: Wanted,
): Promise<{ address: string; memo: string | undefined; entry: AddressEntry | undefined }> {
  const book = await addressesOf(reader, owner);
  if (addressId !== undefined) {
    const entry = book.find(
      (known) => known.id === addressId && known.asset === asset && known.network === network,
    );
    if (entry === undefined)
      throw new Refused(refusal('invalidField', 'l.address_required', { field: 'addressId' }));
    return { address: entry.address, memo: entry.memo, entry };
  }
  if (address === undefined)
    throw new Refused(refusal('invalidField', 'l.address_required', { field: 'address' }));
  return {
    address,
    memo,
    entry: book.find((known) => isSameDestination(known, { asset, network, address, memo })),
  };
}

export function bucketPosting(
  { owner, asset, amount }: Withdrawal,
  from: 'available' | 'frozen',
  to: 'available' | 'frozen',
): Posting {
  return {
    source: userAddress(owner, 'spot', from),
    destination: userAddress(owner, 'spot', to),
    asset,
    amount,
  };
}

export async function returnHold(
  step: SqlStep,
  ledger: Ledger,
  withdrawal: Withdrawal,
  outcome: Pick<Change, 'reason' | 'by'> & {
    readonly status: 'cancelled' | 'rejected' | 'failed' | 'returned';
  },
): Promise<void> {
  ledger.post(step, 'withdrawal.returned', withdrawal.id, [bucketPosting(withdrawal, 'frozen', 'available')]);
  await applyChange(step, withdrawal, { ...outcome, endedAt: step.now });
}

export async function applyChange(step: SqlStep, withdrawal: Withdrawal, changes: Change): Promise<void> {
  await changeWithdrawal(step.sql, withdrawal.id, changes);
  publishChange(step, { ...withdrawal, status: changes.status });
}

export function requireStatus({ status }: Withdrawal, required: WithdrawalStatus): void {
  if (status === required) return;
  throw new Refused(refusal('closed', 'l.withdraw_not_pending', { limit: required, value: status }));
}

export function publishChange(step: SqlStep, { owner, id, status, confirmations }: Withdrawal): void {
  const confirm = status === 'finished' ? confirmations : 0;
  step.publish(withdrawalChanged, { owner, id, status, confirm });
}
