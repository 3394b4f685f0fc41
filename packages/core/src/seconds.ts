import { Decimal, greatest, sum } from './decimal.ts';
import { shortOf } from './funds.ts';
import { INDEX_EXTRA_DIGITS } from './index-price.ts';
import { refusal, type Refusal } from './refusal.ts';
import { instant, later, SECOND_MS, type Instant } from './time.ts';

/** Version of the rules of seconds contracts; fixed for a position when it opens. */
export const SECONDS_VERSION = 'sc-1';
/** Amounts have this many decimals; the rounding direction is documented for each function. */
export const SECONDS_PLACES = 8;
/** Smallest accepted stake of a seconds contract, and smallest transfer to or from the seconds account. */
export const LEAST_AMOUNT: Decimal = Decimal.parse('0.00001');
/** Milliseconds after which the latest index point is too old for a position to open. */
export const ADMISSION_MAX_AGE_MS = 2_000;
/** Greatest duration of a seconds contract, in seconds. */
export const DURATION_MAX = 600;
/** Greatest number of seconds of the index tape in one request. */
export const TAPE_SECONDS_MAX = 3_600;
/**
 * Coin of all stakes in seconds contracts. Limits, reserve and daily loss are amounts in this coin, so only
 * pairs with this quote coin are offered.
 */
export const SECONDS_COIN = 'USDT';
/** Greatest length, in milliseconds, of an index period that the exchange can declare void at once. */
export const VOID_PERIOD_MAX_MS = 86_400_000;
/**
 * Limits of a user's seconds contracts; users can set a lower `stake` and `dayLoss`. Amounts are in
 * `SECONDS_COIN`.
 */
export const SECONDS_LIMITS = {
  openOrders: 20,
  gapMs: 1_000,
  stake: Decimal.ofWhole(500),
  dayLoss: Decimal.ofWhole(1_000),
} as const;

export type Direction = 'up' | 'down';
export type SecondsResult = 'win' | 'lose' | 'draw' | 'void';
/** Why the stake of a seconds contract is returned without a result. */
export type VoidReason = 'noEntryPoint' | 'noSettlementPoint' | 'interval';

/** The second whose index point is the entry price of a position accepted at `at`: the next whole second. */
export function entrySecond(at: Instant): Instant {
  return instant((Math.floor(at / SECOND_MS) + 1) * SECOND_MS);
}

/**
 * Number of seconds, ending with the expiry, whose index points are averaged to the settlement price of a
 * position of `seconds` seconds.
 */
export function windowOf(seconds: number): 1 | 3 | 5 {
  if (seconds < 60) return 1;
  return seconds < 300 ? 3 : 5;
}

/** The seconds whose index points are averaged to the settlement price, oldest first. */
export function settlementSeconds(expireAt: Instant, window: number): Instant[] {
  return Array.from({ length: window }, (_, at) => later(expireAt, (at - window + 1) * SECOND_MS));
}

/**
 * Decimals of a pair's index prices; entry and settlement prices are rounded to them before they are
 * compared.
 */
export function indexDigits(priceDigits: number): number {
  return priceDigits + INDEX_EXTRA_DIGITS;
}

/** The index points that decide a position; null where the index has no price. */
export interface SettlementPoints {
  readonly entry: Decimal | null;
  readonly window: readonly (Decimal | null)[];
}

export type PriceResult =
  | { readonly result: 'win' | 'lose' | 'draw'; readonly entry: Decimal; readonly settle: Decimal }
  | { readonly result: 'void'; readonly reason: VoidReason };

/**
 * Decides a seconds contract: compares the mean of the settlement points (rounded half to even) strictly with
 * the entry price. Void if any point is missing.
 */
export function resultOf(
  direction: Direction,
  { entry, window }: SettlementPoints,
  digits: number,
): PriceResult {
  if (entry === null) return { result: 'void', reason: 'noEntryPoint' };
  const points = window.filter((point) => point !== null);
  if (points.length < window.length || points.length === 0)
    return { result: 'void', reason: 'noSettlementPoint' };
  const settle = sum(points).over(Decimal.ofWhole(points.length), 'halfEven', digits);
  const order = settle.compare(entry);
  if (order === 0) return { result: 'draw', entry, settle };
  return { result: order > 0 === (direction === 'up') ? 'win' : 'lose', entry, settle };
}

/** Profit of a win in addition to the stake, rounded down to 8 decimals. */
export function profitOf(stake: Decimal, profitRate: Decimal): Decimal {
  return stake.times(profitRate, 'down', SECONDS_PLACES);
}

/** Fee charged at opening and returned on a draw or void; rounded up to 8 decimals. */
export function secondsFee(stake: Decimal, feeRate: Decimal): Decimal {
  return stake.times(feeRate, 'up', SECONDS_PLACES);
}

/**
 * The amount credited for the result of a seconds contract, and the user's profit or loss, fee included; both
 * in the coin of the stake.
 */
export function settlementOf(
  result: SecondsResult,
  { stake, profit, fee }: { readonly stake: Decimal; readonly profit: Decimal; readonly fee: Decimal },
): { readonly credited: Decimal; readonly net: Decimal } {
  const paid = stake.plus(fee);
  const credited = result === 'win' ? stake.plus(profit) : result === 'lose' ? Decimal.zero : paid;
  return { credited, net: credited.minus(paid) };
}

/** Sums of stakes and profits over positions that are settled by the same index points. */
export interface Bucket {
  readonly upStake: Decimal;
  readonly upProfit: Decimal;
  readonly downStake: Decimal;
  readonly downProfit: Decimal;
}

/**
 * The exchange's greatest possible loss on positions settled together, without the fees that it earns: the
 * profits of the side that wins less the stakes of the other, for the worse result, at least zero.
 */
export function reserveOf({ upStake, upProfit, downStake, downProfit }: Bucket): Decimal {
  return greatest(greatest(upProfit.minus(downStake), downProfit.minus(upStake)), Decimal.zero);
}

/**
 * The share of wins among won and lost seconds contracts at which a user neither gains nor loses, as a fraction
 * rounded up to 18 decimals: (1 + fee rate) / (1 + profit rate).
 */
export function breakEvenRate(profitRate: Decimal, feeRate: Decimal = Decimal.zero): Decimal {
  return Decimal.one.plus(feeRate).over(Decimal.one.plus(profitRate), 'up');
}

/**
 * A user's expected result per unit of stake if half of the contracts win and half lose: (profit rate − 1) / 2 −
 * fee rate.
 */
export function expectedValue(profitRate: Decimal, feeRate: Decimal = Decimal.zero): Decimal {
  return profitRate.minus(Decimal.one).over(Decimal.ofWhole(2), 'down').minus(feeRate);
}

/** Limits against which the stake of a seconds contract is checked; amounts are in `asset`. */
export interface StakeLimits {
  readonly asset: string;
  readonly digits: number;
  readonly minimum: Decimal;
  readonly maximum: Decimal;
  readonly feeRate: Decimal;
  /** The user's available balance on the seconds account; undefined if unknown. */
  readonly available: Decimal | undefined;
}

/**
 * Returns a refusal if the stake is missing, outside its limits, has too many decimals, or exceeds with its
 * fee the balance (if known). Screens and server both use this check.
 */
export function stakeProblem(stake: Decimal | undefined, limits: StakeLimits): Refusal | undefined {
  const { asset, digits, minimum, maximum, feeRate, available } = limits;
  if (stake === undefined || stake.isLess(LEAST_AMOUNT))
    return refusal('invalidField', 'l.c_enteropenamt', {
      field: 'openAmount',
      limit: LEAST_AMOUNT.toString(),
      ...(stake === undefined ? {} : { value: stake.toString() }),
    });
  const details = { field: 'openAmount', value: stake.toString(), unit: asset };
  if (stake.isLess(minimum))
    return refusal('belowMinimum', 'l.u_limit_min_low', { ...details, limit: minimum.toString() });
  if (!stake.fits(digits))
    return refusal('invalidField', 'l.amount_decimals', { ...details, limit: String(digits) });
  if (stake.isMore(maximum))
    return refusal('aboveMaximum', 'l.amount_max', { ...details, limit: maximum.toString() });
  if (available === undefined) return undefined;
  return shortOf({ needed: stake.plus(secondsFee(stake, feeRate)), available, asset, field: 'openAmount' });
}

/** Returns a refusal if the amount cannot be transferred between the coin account and the seconds account. */
export function transferProblem(
  amount: Decimal | undefined,
  { asset, digits, available }: Pick<StakeLimits, 'asset' | 'digits' | 'available'>,
): Refusal | undefined {
  if (amount === undefined || amount.isLess(LEAST_AMOUNT))
    return refusal('invalidField', 'l.c_a_transferTip', {
      field: 'amount',
      limit: LEAST_AMOUNT.toString(),
      ...(amount === undefined ? {} : { value: amount.toString() }),
    });
  if (!amount.fits(digits))
    return refusal('invalidField', 'l.amount_decimals', {
      field: 'amount',
      value: amount.toString(),
      unit: asset,
      limit: String(digits),
    });
  return available === undefined ? undefined : shortOf({ needed: amount, available, asset, field: 'amount' });
}
