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
 * How operators end a withdrawal that is not sent any more: they return its amount to the owner, or finish it with a
 * transaction that was paid by hand. The exit takes effect when it is certain that no transaction that was signed for
 * the withdrawal can be mined.
 */
export type WithdrawalExit = {
  readonly by: string;
  readonly at: Instant;
  /**
   * The instant from which it is certain that the withdrawal's own transaction cannot be mined, so that it may be paid
   * by hand.
   */
  readonly readyAt: Instant | undefined;
} & (
  | {
      readonly kind: 'return';
      readonly reason: ReturnReason;
      /**
       * A transaction that used the nonce of the withdrawal's own transaction but was not signed for it;
       * undefined if the operators named none.
       */
      readonly txid: string | undefined;
    }
  | {
      readonly kind: 'paid';
      /**
       * The transaction with which operators paid the withdrawal by hand; undefined until then.
       */
      readonly txid: string | undefined;
    }
);

const ORIGIN_START = 'withdrawal ';

/** Milliseconds after a request during which the owner can cancel any withdrawal. */
export const CANCELLATION_MS = 10 * SECOND_MS;
/**
 * Value in USDT that one operator alone may approve for an account in any 24 hours; more needs a second
 * operator.
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

/** An API key that requests withdrawals. */
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
  /** Amount debited from the balance, including `fee`. */
  readonly amount: Decimal;
  readonly fee: Decimal;
  /** Value in USDT at the time of the request. */
  readonly value: Decimal;
  readonly remark: string | undefined;
  /**
   * The API key that requested the withdrawal, with its name; undefined for a request of the app.
   */
  readonly key: RequestingKey | undefined;
  /** The program's `withdrawOrderId` of the withdrawal; unique within the account. */
  readonly orderName: string | undefined;
  readonly isAuto: boolean;
  readonly status: WithdrawalStatus;
  readonly reason: ReturnReason | undefined;
  readonly txid: string | undefined;
  readonly block: number | undefined;
  readonly confirmations: number;
  /** `withdrawalDigest` of what the owner confirmed; undefined for old rows. */
  readonly digest: string | undefined;
  readonly exit: WithdrawalExit | undefined;
  /**
   * Name of the operator who decided the withdrawal, followed by that of the approver if there was one;
   * undefined if no operator decided it.
   */
  readonly decidedBy: string | undefined;
  /** The instant from which it may be sent, because its address counts as known then; undefined for old rows. */
  readonly knownAt: Instant | undefined;
  readonly createdAt: Instant;
  readonly finishedAt: Instant | undefined;
}

/** Whether a user may withdraw only to addresses in the address book. */
export interface Whitelist {
  readonly isOn: boolean;
  /**
   * Instant at which a scheduled deactivation of the whitelist takes effect; undefined if none is scheduled.
   */
  readonly offAt: Instant | undefined;
}

/** The whitelist state at `now`. After it is turned off it stays in force for 24 hours. */
export function whitelistAt(
  stored: { readonly offAt: Instant | undefined } | undefined,
  now: Instant,
): Whitelist {
  if (stored === undefined || (stored.offAt !== undefined && stored.offAt <= now))
    return { isOn: false, offAt: undefined };
  return { isOn: true, offAt: stored.offAt };
}

/**
 * Why the whitelist or the waiting period blocks a destination. `entry` is undefined if the address is not in the book.
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

/** Why nothing may be sent to a new address yet; undefined if the address is known by `now`. */
export function unknownProblem(knownAt: Instant | undefined, now: Instant): Refusal | undefined {
  if (knownAt === undefined || knownAt <= now) return undefined;
  return refusal('securityHold', 'l.address_waits', {
    field: 'address',
    limit: String(knownAt),
    value: String(now),
    hours: String(Math.ceil((knownAt - now) / HOUR_MS)),
  });
}

/** Input to the withdrawal rules. Quotes and submissions share them. */
export interface WithdrawalRequest {
  readonly coin: CoinNetwork;
  readonly amount: Decimal;
  readonly address: string;
  readonly memo: string | undefined;
  readonly remark: string | undefined;
  /** The user confirmed that the receiving wallet needs no memo. */
  readonly withoutMemo: boolean;
  /** The matching address book entry, if there is one. */
  readonly entry: AddressEntry | undefined;
  readonly whitelist: Whitelist;
  readonly state: WithdrawalState;
}

/** Why a withdrawal is refused at `now`, by its destination or amount; undefined if it is allowed. */
export function requestProblem(request: WithdrawalRequest, now: Instant): Refusal | undefined {
  const { coin, amount, address, memo, remark, withoutMemo, entry, whitelist, state } = request;
  const destination = {
    address,
    ...(memo === undefined ? {} : { memo }),
    ...(remark === undefined ? {} : { remark }),
    // Address book entries without a memo were stored that way deliberately.
    withoutMemo: (entry !== undefined && memo === undefined) || withoutMemo,
  };
  return (
    addressProblem(coin, destination) ??
    destinationProblem(entry, whitelist, now) ??
    withdrawalProblem(coin, amount, state, now)
  );
}

/**
 * Refusal if an API key would exceed its `limit` with this withdrawal; `used` is what it withdrew in the last
 * 24 hours. All values in USDT. Undefined if it would not.
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
 * Refusal if the fee changed since it was shown, in the coin's units; undefined if it is the same or none was
 * shown.
 */
export function feeProblem({ asset, fee }: CoinNetwork, shown: Decimal | undefined): Refusal | undefined {
  if (shown === undefined || shown.equals(fee)) return undefined;
  return refusal('closed', 'l.withdraw_fee_changed', {
    limit: fee.toString(),
    value: shown.toString(),
    unit: asset,
  });
}

/** Figures of a withdrawal: `fee` and `arrival` in the coin, `value` in USDT. */
export interface WithdrawalFigures {
  readonly fee: Decimal;
  readonly arrival: Decimal;
  readonly value: Decimal;
  readonly isAuto: boolean;
}

/**
 * Figures of an accepted withdrawal. `price` is in USDT; `autoUsed` is the value in USDT of the account's
 * withdrawals without review in the last 24 hours.
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
 * Whether a withdrawal needs no review: its address is in the book, and the value of all unreviewed
 * withdrawals of the last 24 hours, including this one, stays within the level's automatic limit. Splitting a
 * withdrawal does not avoid the limit.
 */
export function needsNoReview(entry: AddressEntry | undefined, dayByItself: Decimal, auto: Decimal): boolean {
  return entry !== undefined && !dayByItself.isMore(auto);
}

/**
 * Why one operator alone may not approve `value`, given the value that single operators approved for the
 * account in the last 24 hours; undefined if they may.
 */
export function onePersonProblem(value: Decimal, approved: Decimal = Decimal.zero): Refusal | undefined {
  if (!approved.plus(value).isMore(ONE_PERSON)) return undefined;
  const parameters = { limit: ONE_PERSON.toString(), value: value.toString(), unit: 'USDT' };
  return refusal('aboveMaximum', 'l.withdraw_second_person', { ...parameters, before: approved.toString() });
}

/** The promised instant of completion: 24 hours after the instant from which the withdrawal may be sent. */
export function promisedAt(withdrawal: Pick<Withdrawal, 'createdAt' | 'knownAt'>): Instant {
  return later(mayLeaveAt(withdrawal), PROMISED_MS);
}

/**
 * Instant from which a withdrawal may be sent: the later of its submission and the instant its
 * address became known.
 */
export function mayLeaveAt({
  createdAt,
  knownAt = createdAt,
}: Pick<Withdrawal, 'createdAt' | 'knownAt'>): Instant {
  return knownAt > createdAt ? knownAt : createdAt;
}

/** The idempotency key of a withdrawal's payment on its network. */
export function originOf({ id }: Pick<Withdrawal, 'id'>): string {
  return `${ORIGIN_START}${id}`;
}

/** The id of the withdrawal with this idempotency key; undefined for other payments. */
export function withdrawalIdOf(origin: string): string | undefined {
  return origin.startsWith(ORIGIN_START) ? origin.slice(ORIGIN_START.length) : undefined;
}

/** The amount that arrives, in units of the asset. */
export function arrivalOf({ amount, fee }: Pick<Withdrawal, 'amount' | 'fee'>): Decimal {
  return amount.minus(fee);
}

/** Why operators may not end a withdrawal in this way; undefined if they may. */
export function exitProblem(
  { status }: Pick<Withdrawal, 'status'>,
  kind: WithdrawalExit['kind'],
): Refusal | undefined {
  if (status === 'processing' || (status === 'pending' && kind === 'paid')) return undefined;
  return refusal('closed', 'l.withdraw_not_pending', { limit: 'processing', value: status });
}

/** What delays the sending of a withdrawal. */
export interface SendingDelays {
  /** Whether sending of the coin or on the network is paused. */
  readonly isPaused: boolean;
  /** Whether the network refused the payment at the last attempt. */
  readonly isRefused: boolean;
}

/**
 * The stage of a withdrawal in processing; `sent` where its network reports no details. One that is
 * not approved yet has a stage only while sending is paused.
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

/** Facts about a withdrawal's address and about its owner's requests in the last 24 hours, for the approval. */
export interface WithdrawalContext {
  /** When the owner first stored the address or withdrew to it. */
  readonly addressSeenAt: Instant;
  readonly finishedToAddress: number;
  readonly requestsWithinDay: number;
  /** Value in USDT of all requests within 24 hours, whatever their outcome. */
  readonly requestedWithinDayUsdt: Decimal;
}

export function activeFrom(now: Instant): Instant {
  return later(now, ADDRESS_WAIT_MS);
}

/** Upper bounds, in seconds, of the histogram buckets for durations; longer ones count in the last bucket. */
export const TIME_STEPS: readonly number[] = [
  10, 15, 20, 30, 40, 50, 60, 75, 90, 120, 150, 180, 240, 300, 360, 420, 480, 540, 600, 720, 900, 1200, 1500,
  1800, 2400, 3000, 3600, 4500, 5400, 7200, 9000, 10_800, 14_400, 18_000, 21_600, 28_800, 36_000, 43_200,
  57_600, 72_000, 86_400, 129_600, 172_800, 259_200, 604_800,
];

/** Withdrawals of one coin and network in one duration bucket. */
export interface DurationCount {
  readonly asset: string;
  readonly network: string;
  /** The upper bound of the bucket. */
  readonly seconds: number;
  readonly count: number;
  readonly late: number;
  readonly slowestMs: number;
}

/** Duration statistics; `medianSeconds` and `p90Seconds` are upper bounds for 50% and 90%. */
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

/** The histogram bucket of a duration in milliseconds, as its upper bound in seconds. */
export function stepOf(ms: number): number {
  return TIME_STEPS.find((seconds) => ms <= seconds * SECOND_MS) ?? TIME_STEPS.at(-1)!;
}

export function isLate(ms: number): boolean {
  return ms > PROMISED_MS;
}

/**
 * Statistics over all buckets of durations. Durations round up to the bucket's bound, so no figure
 * is better than reality.
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

/** The seconds within which a share of the durations ended. The slowest one is known exactly and caps it. */
function percentileOf(buckets: readonly DurationCount[], share: number): number {
  const ordered = buckets.toSorted((left, right) => left.seconds - right.seconds);
  const finished = total(buckets, ({ count }) => count);
  let counted = 0;
  const bucket = ordered.find(({ count }) => (counted += count) >= share * finished);
  return Math.min(bucket?.seconds ?? 0, slowestSecondsOf(buckets));
}

/** Durations of the finished withdrawals on one network; percentiles are upper bounds. */
export interface NetworkDurations {
  readonly network: string;
  readonly finished: number;
  readonly medianSeconds: number;
  readonly p95Seconds: number;
}

/** Withdrawal durations by network, over all coins. */
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

/** Withdrawal durations by coin and network, in the order of their first row. */
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

/** Why a withdrawal waits for an operator before it is sent. */
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

/** Facts about a pending withdrawal, its address and its account. */
export interface WaitFacts {
  readonly hasSanctionsHit: boolean;
  readonly isChanged: boolean | undefined;
  readonly needsSecondPerson: boolean;
  /** Whether the account has a finished withdrawal, and how many of them went to the same address. */
  readonly hasWithdrawn: boolean;
  readonly finishedToAddress: number;
  /**
   * Counts since 24 hours before the request: devices that signed in and had not done so in the 90 days before, and
   * changes of passwords, email address and authenticator.
   */
  readonly newDevices: number;
  readonly securityChanges: number;
  /**
   * Whether the account's latest credited deposit was credited later than a day before the request; it may be
   * later than the request.
   */
  readonly hasFreshDeposit: boolean;
}

/**
 * Why a withdrawal waits for an operator, the most serious reason first. An address without an
 * earlier payment counts as new.
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
