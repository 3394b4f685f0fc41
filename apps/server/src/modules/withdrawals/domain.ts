import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import {
  addressProblem,
  ADDRESS_WAIT_MS,
  receivedAmount,
  PROMISED_MS,
  usdtValue,
  withdrawalProblem,
  type CoinNetwork,
  type ReturnReason,
  type WithdrawalState,
  type WithdrawalStage,
} from '@exchange/core/network.ts';
import { refusal, type Refusal } from '@exchange/core/refusal.ts';
import type { SendingStage } from '../chains/index.ts';
import { HOUR_MS, later, SECOND_MS, type Instant } from '@exchange/core/time.ts';

export type WithdrawalStatus =
  | 'pending'
  | 'finished'
  | 'rejected'
  | 'processing'
  | 'failed'
  | 'cancelled'
  | 'returned';

/**
 * The way in which operators end a withdrawal that is not sent any more: its amount is returned to the owner, or
 * operators pay it by hand and it is finished with their transaction. The exit takes effect when it is certain that no
 * transaction that was signed for the withdrawal can be mined.
 */
export type WithdrawalExit = {
  readonly by: string;
  readonly at: Instant;
  /**
   * The instant since which it is certain that the withdrawal's own transaction cannot be mined, so that it may be paid
   * by hand; undefined while that is not certain.
   */
  readonly readyAt: Instant | undefined;
} & (
  | {
      readonly kind: 'return';
      readonly reason: ReturnReason;
      /**
       * Id of a transaction that used the nonce of the withdrawal's own transaction but was not signed for the
       * withdrawal; undefined if the operators named none.
       */
      readonly txid: string | undefined;
    }
  | {
      readonly kind: 'paid';
      /** Id of the transaction with which operators paid the withdrawal by hand; undefined until they name it. */
      readonly txid: string | undefined;
    }
);

const ORIGIN_START = 'withdrawal ';

/**
 * Milliseconds after a request during which a withdrawal that needs no review is not approved yet, so that its owner
 * can cancel it.
 */
export const CANCELLATION_MS = 10 * SECOND_MS;
/**
 * Total value in USDT of an account's withdrawals that a single operator may approve within any 24 hours; beyond it a
 * second operator must approve.
 */
const ONE_PERSON = Decimal.parse('10000');

/** An entry of a user's address book. */
export interface AddressEntry {
  readonly id: string;
  readonly owner: UserId;
  readonly asset: string;
  readonly network: string;
  readonly address: string;
  readonly memo: string | undefined;
  readonly remark: string | undefined;
  readonly activeAt: Instant;
  readonly createdAt: Instant;
}

/** The API key by which a withdrawal is requested. */
export interface RequestingKey {
  readonly id: string;
  readonly name: string;
}

export interface Withdrawal {
  readonly id: string;
  readonly owner: UserId;
  readonly asset: string;
  readonly network: string;
  readonly address: string;
  readonly memo: string | undefined;
  /** Amount debited from the owner's balance, in units of the coin; it includes `fee`. */
  readonly amount: Decimal;
  readonly fee: Decimal;
  /** Value of `amount` in USDT at the time of the request. */
  readonly value: Decimal;
  readonly remark: string | undefined;
  /** The API key that requested the withdrawal, with its name; undefined for a request from the apps. */
  readonly key: RequestingKey | undefined;
  /** The name that an API program chose for the withdrawal (`withdrawOrderId`); unique within the account. */
  readonly orderName: string | undefined;
  readonly isAuto: boolean;
  readonly status: WithdrawalStatus;
  readonly reason: ReturnReason | undefined;
  readonly txid: string | undefined;
  readonly block: number | undefined;
  readonly confirmations: number;
  /**
   * The `withdrawalDigest` of what the owner confirmed (id, owner, network, coin, address, memo and arriving
   * amount); undefined for withdrawals older than digests.
   */
  readonly digest: string | undefined;
  readonly exit: WithdrawalExit | undefined;
  /**
   * Name of the operator who decided on the withdrawal, followed by the name of the approving operator if there was
   * one; undefined if no operator decided.
   */
  readonly decidedBy: string | undefined;
  /**
   * The instant from which the withdrawal may be sent, because its address then counts as known; undefined for old
   * withdrawals, which may be sent at once.
   */
  readonly knownAt: Instant | undefined;
  readonly createdAt: Instant;
  readonly finishedAt: Instant | undefined;
}

/**
 * State of a user's whitelist: whether the user may withdraw only to addresses in the user's address book
 * (`isOn`).
 */
export interface Whitelist {
  readonly isOn: boolean;
  /** Instant at which the whitelist will be disabled; undefined if that is not scheduled. */
  readonly offAt: Instant | undefined;
}

/**
 * Returns a user's whitelist at `now`: on if it was enabled and its end is not scheduled or not reached. It
 * stays on for 24 hours after the user disables it.
 */
export function whitelistAt(
  stored: { readonly offAt: Instant | undefined } | undefined,
  now: Instant,
): Whitelist {
  if (stored === undefined || (stored.offAt !== undefined && stored.offAt <= now))
    return { isOn: false, offAt: undefined };
  return { isOn: true, offAt: stored.offAt };
}

/**
 * Returns the refusal of a withdrawal to a destination: the whitelist is on and the address book does not
 * contain it, or the waiting time of its entry still runs. Undefined if the destination is allowed. `entry`
 * is undefined if the address is not in the book.
 */
export function destinationProblem(
  entry: AddressEntry | undefined,
  { isOn }: Whitelist,
  now: Instant,
): Refusal | undefined {
  if (entry === undefined)
    return isOn ? refusal('securityHold', 'l.address_unlisted', { field: 'address' }) : undefined;
  return unknownProblem(entry.activeAt, now);
}

/**
 * Returns the refusal to send to an address that counts as known only from `knownAt` on, if this is after
 * `now`. Undefined if the address counts as known at `now`, or if `knownAt` is undefined.
 */
export function unknownProblem(knownAt: Instant | undefined, now: Instant): Refusal | undefined {
  if (knownAt === undefined || knownAt <= now) return undefined;
  return refusal('securityHold', 'l.address_waits', {
    field: 'address',
    limit: String(knownAt),
    value: String(now),
    hours: String(Math.ceil((knownAt - now) / HOUR_MS)),
  });
}

/** Input of the rules for withdrawals. The preview of a withdrawal and its request are checked by the same rules. */
export interface WithdrawalRequest {
  readonly coin: CoinNetwork;
  readonly amount: Decimal;
  readonly address: string;
  readonly memo: string | undefined;
  readonly remark: string | undefined;
  /** Whether the user confirmed that the receiving wallet needs no memo. */
  readonly withoutMemo: boolean;
  /** The user's address book entry with the same destination; undefined if there is none. */
  readonly entry: AddressEntry | undefined;
  readonly whitelist: Whitelist;
  readonly state: WithdrawalState;
}

/**
 * Returns the refusal of a withdrawal request at `now` because of its destination, its amount or the account;
 * undefined if the request is allowed.
 */
export function requestProblem(request: WithdrawalRequest, now: Instant): Refusal | undefined {
  const { coin, amount, address, memo, remark, withoutMemo, entry, whitelist, state } = request;
  const destination = {
    address,
    ...(memo === undefined ? {} : { memo }),
    ...(remark === undefined ? {} : { remark }),
    // An address book entry without a memo needs no confirmation again: its owner confirmed the missing memo when
    // storing it.
    withoutMemo: (entry !== undefined && memo === undefined) || withoutMemo,
  };
  return (
    addressProblem(coin, destination) ??
    destinationProblem(entry, whitelist, now) ??
    withdrawalProblem(coin, amount, state, now)
  );
}

/**
 * Returns the refusal of a withdrawal with which an API key would exceed its `limit`; undefined if the limit
 * suffices. `used` is the value that the key withdrew in the last 24 hours. All values are in USDT.
 */
export function keyLimitProblem(limit: Decimal, used: Decimal, value: Decimal): Refusal | undefined {
  const total = used.plus(value);
  if (!total.isMore(limit)) return undefined;
  return refusal('aboveMaximum', 'l.withdraw_key_limit', {
    limit: limit.toString(),
    value: total.toString(),
  });
}

/**
 * Returns the refusal of a withdrawal whose fee is higher than the fee that its owner saw; undefined if it is
 * not, or if none was shown. Fees are in units of the coin.
 */
export function feeProblem({ asset, fee }: CoinNetwork, shown: Decimal | undefined): Refusal | undefined {
  if (shown === undefined || !fee.isMore(shown)) return undefined;
  return refusal('closed', 'l.withdraw_fee_changed', {
    limit: fee.toString(),
    value: shown.toString(),
    unit: asset,
  });
}

/**
 * Computed values of a withdrawal: `fee` and the arriving amount `arrival` in units of the coin, `value` in
 * USDT, and whether it needs no review (`isAuto`).
 */
export interface WithdrawalFigures {
  readonly fee: Decimal;
  readonly arrival: Decimal;
  readonly value: Decimal;
  readonly isAuto: boolean;
}

/**
 * Returns the fee, the arriving amount and the value in USDT of a withdrawal, and whether it needs no review.
 * `price` is the coin's price in USDT; `autoUsed` is the value in USDT of the account's withdrawals without
 * review in the last 24 hours, without this one.
 */
export function figuresOf(
  { coin, amount, entry, state }: Pick<WithdrawalRequest, 'coin' | 'amount' | 'entry' | 'state'>,
  price: Decimal,
  autoUsed: Decimal,
): WithdrawalFigures {
  const value = usdtValue(amount, price);
  return {
    fee: coin.fee,
    arrival: receivedAmount(coin, amount),
    value,
    isAuto: needsNoReview(entry, autoUsed.plus(value), state.limits.auto),
  };
}

/**
 * Returns whether a withdrawal needs no review by an operator: its address is in the owner's address book,
 * and `dayByItself` is at most the automatic limit `auto` of the verification level. `dayByItself` is the
 * value of the owner's withdrawals without review in the last 24 hours including this one, so splitting does
 * not avoid the limit. Both values are in USDT.
 */
export function needsNoReview(entry: AddressEntry | undefined, dayByItself: Decimal, auto: Decimal): boolean {
  return entry !== undefined && !dayByItself.isMore(auto);
}

/**
 * Returns the refusal of an approval of `value` (in USDT) by a single operator; undefined if a single
 * operator suffices. `approved` is the value that single operators approved for the account in the last 24
 * hours.
 */
export function onePersonProblem(value: Decimal, approved: Decimal = Decimal.zero): Refusal | undefined {
  if (!approved.plus(value).isMore(ONE_PERSON)) return undefined;
  const parameters = { limit: ONE_PERSON.toString(), value: value.toString(), unit: 'USDT' };
  return refusal('aboveMaximum', 'l.withdraw_second_person', { ...parameters, before: approved.toString() });
}

/**
 * Returns the instant by which the exchange promises to complete a withdrawal: 24 hours after the instant
 * from which it may be sent.
 */
export function promisedAt(withdrawal: Pick<Withdrawal, 'createdAt' | 'knownAt'>): Instant {
  return later(mayLeaveAt(withdrawal), PROMISED_MS);
}

/**
 * Returns the instant from which a withdrawal may be sent: the time of its request, or the time from which
 * its address counts as known if that is later.
 */
export function mayLeaveAt({
  createdAt,
  knownAt = createdAt,
}: Pick<Withdrawal, 'createdAt' | 'knownAt'>): Instant {
  return knownAt > createdAt ? knownAt : createdAt;
}

/** Returns the name of a withdrawal's payment, by which its network and its signer recognize a repetition. */
export function originOf({ id }: Pick<Withdrawal, 'id'>): string {
  return `${ORIGIN_START}${id}`;
}

/**
 * Returns the id of the withdrawal whose payment has this name; undefined if the payment belongs to no
 * withdrawal.
 */
export function withdrawalIdOf(origin: string): string | undefined {
  return origin.startsWith(ORIGIN_START) ? origin.slice(ORIGIN_START.length) : undefined;
}

/**
 * Returns the amount that arrives at the destination, in units of the coin: the debited amount minus the fee.
 */
export function arrivalOf({ amount, fee }: Pick<Withdrawal, 'amount' | 'fee'>): Decimal {
  return amount.minus(fee);
}

/**
 * Returns the refusal to end a withdrawal by an exit of this kind (return, or payment by hand); undefined if
 * it is approved, or if it is pending and operators pay it by hand.
 */
export function exitProblem(
  { status }: Pick<Withdrawal, 'status'>,
  kind: WithdrawalExit['kind'],
): Refusal | undefined {
  if (status === 'processing' || (status === 'pending' && kind === 'paid')) return undefined;
  return refusal('closed', 'l.withdraw_not_pending', { limit: 'processing', value: status });
}

/** Conditions that delay the sending of a withdrawal. */
export interface SendingDelays {
  /**
   * Whether withdrawals of the coin on the withdrawal's network are not signed at the moment
   * (`SendingStops.isPaused`).
   */
  readonly isPaused: boolean;
  /**
   * Whether the receiver or the coin's contract refused the withdrawal's payment at the last attempt to send
   * it.
   */
  readonly isRefused: boolean;
}

/**
 * Returns the stage of an approved withdrawal: that of its exit (return, or payment by hand) if operators
 * chose one, what delays its sending, or the stage that its channel reports (without a report `sent` if it
 * has a transaction id, otherwise `approved`). A pending withdrawal has a stage only while sending is paused.
 * Undefined in all other cases.
 */
export function stageOf(
  { status, txid, exit }: Pick<Withdrawal, 'status' | 'txid' | 'exit'>,
  sending: SendingStage | undefined,
  { isPaused, isRefused }: SendingDelays,
): WithdrawalStage | undefined {
  if (status === 'pending') return isPaused ? 'paused' : undefined;
  if (status !== 'processing') return undefined;
  if (exit?.kind === 'return') return 'returning';
  if (exit?.kind === 'paid') return 'byHand';
  if (txid === undefined && sending === undefined && isPaused) return 'paused';
  if (txid === undefined && isRefused) return 'refused';
  return sending ?? (txid === undefined ? 'approved' : 'sent');
}

/**
 * What the operator who approves a withdrawal sees about its address, and about the number and value of the
 * owner's requests in the last 24 hours.
 */
export interface WithdrawalContext {
  /**
   * When the owner first stored the withdrawal's address or requested a withdrawal to it, this one included.
   */
  readonly addressSeenAt: Instant;
  readonly finishedToAddress: number;
  readonly requestsWithinDay: number;
  /**
   * Value in USDT of all withdrawal requests of the owner in the last 24 hours, this one included, whatever became of
   * them.
   */
  readonly requestedWithinDayUsdt: Decimal;
}

export function activeFrom(now: Instant): Instant {
  return later(now, ADDRESS_WAIT_MS);
}

/**
 * Inclusive upper bounds, in seconds, of the buckets in which durations of withdrawals are counted. Durations
 * above the last bound count in the last bucket.
 */
export const TIME_STEPS: readonly number[] = [
  10, 15, 20, 30, 40, 50, 60, 75, 90, 120, 150, 180, 240, 300, 360, 420, 480, 540, 600, 720, 900, 1200, 1500,
  1800, 2400, 3000, 3600, 4500, 5400, 7200, 9000, 10_800, 14_400, 18_000, 21_600, 28_800, 36_000, 43_200,
  57_600, 72_000, 86_400, 129_600, 172_800, 259_200, 604_800,
];

/**
 * Number of the finished withdrawals of a coin on a network whose durations fall into the same bucket
 * (`count`); `late` counts those that took more than the promised 24 hours.
 */
export interface DurationCount {
  readonly asset: string;
  readonly network: string;
  /** The inclusive upper bound of the bucket, in seconds. */
  readonly seconds: number;
  readonly count: number;
  readonly late: number;
  readonly slowestMs: number;
}

/**
 * Statistics of withdrawal durations. At least half of the withdrawals took at most `medianSeconds`, and at
 * least 90% took at most `p90Seconds`; `late` is the number of those that took more than the promised 24
 * hours.
 */
export interface DurationStats {
  readonly finished: number;
  readonly medianSeconds: number;
  readonly p90Seconds: number;
  readonly slowestSeconds: number;
  readonly late: number;
}

export interface RouteDurations extends DurationStats {
  readonly asset: string;
  readonly network: string;
}

/**
 * Returns the upper bound, in seconds, of the bucket in which a duration in milliseconds is counted; the last
 * bound if the duration exceeds it.
 */
export function stepOf(ms: number): number {
  return TIME_STEPS.find((seconds) => ms <= seconds * SECOND_MS) ?? TIME_STEPS.at(-1)!;
}

export function isLate(ms: number): boolean {
  return ms > PROMISED_MS;
}

/**
 * Returns statistics over the given buckets of durations. Each duration counts as its bucket's upper bound,
 * so the published durations are not shorter than the real ones unless these exceed the last bound.
 */
export function timesOf(buckets: readonly DurationCount[]): DurationStats {
  const finished = total(buckets, ({ count }) => count);
  const slowestSeconds = slowestSecondsOf(buckets);
  const lateCount = total(buckets, (bucket) => bucket.late);
  return {
    finished,
    medianSeconds: percentileOf(buckets, 0.5),
    p90Seconds: percentileOf(buckets, 0.9),
    slowestSeconds,
    late: lateCount,
  };
}

function slowestSecondsOf(buckets: readonly DurationCount[]): number {
  return Math.ceil(Math.max(0, ...buckets.map((bucket) => bucket.slowestMs)) / SECOND_MS);
}

/**
 * Returns the number of seconds within which at least `share` (0 to 1) of the withdrawals were finished: the
 * upper bound of a bucket, but at most the duration of the slowest withdrawal, which is known exactly.
 */
function percentileOf(buckets: readonly DurationCount[], share: number): number {
  const ordered = buckets.toSorted((left, right) => left.seconds - right.seconds);
  const finished = total(buckets, ({ count }) => count);
  let counted = 0;
  const bucket = ordered.find(({ count }) => (counted += count) >= share * finished);
  return Math.min(bucket?.seconds ?? 0, slowestSecondsOf(buckets));
}

/**
 * Statistics of the durations of the finished withdrawals on one network. The percentiles are rounded up to
 * bounds of buckets, so they are not too short unless they exceed the last bound.
 */
export interface NetworkDurations {
  readonly network: string;
  readonly finished: number;
  readonly medianSeconds: number;
  readonly p95Seconds: number;
}

/**
 * Returns statistics of withdrawal durations by network, ordered by the network's code; those of a network
 * include all its coins.
 */
export function networkTimesOf(buckets: readonly DurationCount[]): NetworkDurations[] {
  const names = [...new Set(buckets.map(({ network }) => network))].toSorted();
  return names
    .map((network) => ({ network, rows: buckets.filter((bucket) => bucket.network === network) }))
    .map(({ network, rows }) => ({
      network,
      finished: total(rows, ({ count }) => count),
      medianSeconds: percentileOf(rows, 0.5),
      p95Seconds: percentileOf(rows, 0.95),
    }));
}

/**
 * Returns statistics of withdrawal durations by coin and network, in the order in which the coins and
 * networks first occur in `buckets`.
 */
export function routeTimesOf(buckets: readonly DurationCount[]): RouteDurations[] {
  const routes = new Map<string, DurationCount[]>();
  for (const bucket of buckets) {
    const key = `${bucket.asset} ${bucket.network}`;
    routes.set(key, [...(routes.get(key) ?? []), bucket]);
  }
  return [...routes.values()].map((rows) => {
    const { asset, network } = rows[0]!;
    return { asset, network, ...timesOf(rows) };
  });
}

function total(buckets: readonly DurationCount[], valueOf: (bucket: DurationCount) => number): number {
  return buckets.reduce((sum, bucket) => sum + valueOf(bucket), 0);
}

/** Reasons why a withdrawal waits for the decision of an operator, the most serious first. */
export const WAIT_REASONS = [
  'sanctions hit',
  'differs from what the owner confirmed',
  'amount',
  'first withdrawal',
  'new address',
  'new device',
  'security change',
  'in and out within a day',
] as const;
export type WaitReason = (typeof WAIT_REASONS)[number];

/** What `waitReasons` derives the reasons for the review of a pending withdrawal from. */
export interface WaitFacts {
  readonly hasSanctionsHit: boolean;
  readonly isChanged: boolean | undefined;
  readonly needsSecondPerson: boolean;
  /**
   * Whether the account has a finished withdrawal, and how many finished ones, of whatever coin, went to the
   * same network, address and memo as this one.
   */
  readonly hasWithdrawn: boolean;
  readonly finishedToAddress: number;
  /**
   * How many devices signed in, since 24 hours before the request, that had not signed in during the 90 days
   * before; and how often password, trade password, email address, authenticator, recovery codes or passkeys
   * were changed, or a recovery code was used, in the same time.
   */
  readonly newDevices: number;
  readonly securityChanges: number;
  /** Whether a deposit was credited to the account less than 24 hours before the request, or after it. */
  readonly hasFreshDeposit: boolean;
}

/**
 * Returns the reasons why a withdrawal waits for an operator, the most serious first. An address counts as
 * new if no withdrawal of the account to it, with the same memo, has finished.
 */
export function waitReasons(facts: WaitFacts): readonly WaitReason[] {
  const holds: Readonly<Record<WaitReason, boolean>> = {
    'sanctions hit': facts.hasSanctionsHit,
    'differs from what the owner confirmed': facts.isChanged === true,
    amount: facts.needsSecondPerson,
    'first withdrawal': !facts.hasWithdrawn,
    'new address': facts.finishedToAddress === 0,
    'new device': facts.newDevices > 0,
    'security change': facts.securityChanges > 0,
    'in and out within a day': facts.hasFreshDeposit,
  };
  return WAIT_REASONS.filter((reason) => holds[reason]);
}
