import { Decimal, greatest, sum } from './decimal.ts';
import { shortOf } from './funds.ts';
import { INDEX_EXTRA_DIGITS } from './index-price.ts';
import { refusal, type Refusal } from './refusal.ts';
import { instant, later, SECOND_MS, type Instant } from './time.ts';

/** Version of the rules of the seconds contract. A position keeps the version that was current when it opened. */
export const SECONDS_VERSION = 'sc-1';
/** Number of decimals to which profits and fees of the seconds contract are rounded. */
export const SECONDS_PLACES = 8;
/**
 * Lower bound in USDT of the stake of every position of the seconds contract (the published terms can set a
 * higher minimum for each duration), and minimum amount of a transfer to or from the seconds account.
 */
export const LEAST_AMOUNT: Decimal = Decimal.parse('0.00001');
/**
 * Maximum difference in milliseconds between the time of the latest index point and the server's clock at
 * which a position can open. If the point is older or newer by more, the position is refused.
 */
export const ADMISSION_MAX_AGE_MS = 2_000;
/** Maximum duration of a position of the seconds contract, in seconds. */
export const DURATION_MAX = 600;
/**
 * Maximum number of seconds between the first and the last line of the index tape that one request reads. A request for
 * a longer period is refused.
 */
export const TAPE_SECONDS_MAX = 3_600;
/**
 * Coin of all stakes in seconds contracts. Limits, reserve and daily loss are amounts in this coin, so the contract is
 * offered only on pairs whose quote coin it is.
 */
export const SECONDS_COIN = 'USDT';
/** Maximum length, in milliseconds, of an index period that the exchange can declare void in one operation. */
export const VOID_PERIOD_MAX_MS = 86_400_000;
/**
 * Limits of a user's positions in seconds contracts: maximum number of open positions, minimum milliseconds
 * between two openings, maximum stake of a position, and maximum net loss in a UTC day, for which the stakes
 * and fees of open positions count as lost. Users can set lower values of `stake` and `dayLoss` for
 * themselves. Amounts are in `SECONDS_COIN`.
 */
export const SECONDS_LIMITS = {
  openOrders: 20,
  gapMs: 1_000,
  stake: Decimal.ofWhole(500),
  dayLoss: Decimal.ofWhole(1_000),
} as const;

export type Direction = 'up' | 'down';
export type SecondsResult = 'win' | 'lose' | 'draw' | 'void';
/** Reasons for which a position in a seconds contract is void, so that its stake is returned. */
export type VoidReason = 'noEntryPoint' | 'noSettlementPoint' | 'interval';

/**
 * Returns the second whose index point is the entry price of a position accepted at `at`: the first full second after
 * `at`, never `at` itself.
 */
export function entrySecond(at: Instant): Instant {
  return instant((Math.floor(at / SECOND_MS) + 1) * SECOND_MS);
}

/**
 * Returns the number of seconds whose index points are averaged to the settlement price of a position with a
 * duration of `seconds` seconds. It is 1 below 60 seconds, 3 below 300 seconds, and otherwise 5. The last of
 * them is the second of the expiry.
 */
export function windowOf(seconds: number): 1 | 3 | 5 {
  if (seconds < 60) return 1;
  return seconds < 300 ? 3 : 5;
}

/**
 * Returns the seconds whose index points are averaged to the settlement price, oldest first. The last of the `window`
 * seconds is that of the expiry.
 */
export function settlementSeconds(expireAt: Instant, window: number): Instant[] {
  return Array.from({ length: window }, (_, at) => later(expireAt, (at - window + 1) * SECOND_MS));
}

/**
 * Returns the number of decimals of a pair's index prices. Entry and settlement prices are rounded to it before they
 * are compared.
 */
export function indexDigits(priceDigits: number): number {
  return priceDigits + INDEX_EXTRA_DIGITS;
}

/**
 * The index points that determine the result of a position. A point is null if the index had no price in that second.
 */
export interface SettlementPoints {
  readonly entry: Decimal | null;
  readonly window: readonly (Decimal | null)[];
}

export type PriceResult =
  | { readonly result: 'win' | 'lose' | 'draw'; readonly entry: Decimal; readonly settle: Decimal }
  | { readonly result: 'void'; readonly reason: VoidReason };

/**
 * Determines the result of a position in a seconds contract. The mean of the settlement points, rounded half
 * to even to `digits` decimals, is compared with the entry price. Equal prices are a draw. If the entry price
 * or any settlement point is missing, the position is void.
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

/**
 * Returns the profit that a winning position gets in addition to its stake, in the coin of the stake, rounded
 * down to 8 decimals.
 */
export function profitOf(stake: Decimal, profitRate: Decimal): Decimal {
  return stake.times(profitRate, 'down', SECONDS_PLACES);
}

/**
 * Returns the fee on a stake in the coin of the stake, rounded up to 8 decimals. It is charged when a
 * position opens, and returned if the result is a draw or void.
 */
export function secondsFee(stake: Decimal, feeRate: Decimal): Decimal {
  return stake.times(feeRate, 'up', SECONDS_PLACES);
}

/**
 * Returns the amount that a user is credited for the result of a position, and the user's profit or loss including the
 * fee (`net`). Both are in the coin of the stake. A draw and a void position return stake and fee.
 */
export function settlementOf(
  result: SecondsResult,
  { stake, profit, fee }: { readonly stake: Decimal; readonly profit: Decimal; readonly fee: Decimal },
): { readonly credited: Decimal; readonly net: Decimal } {
  const paid = stake.plus(fee);
  const credited = result === 'win' ? stake.plus(profit) : result === 'lose' ? Decimal.zero : paid;
  return { credited, net: credited.minus(paid) };
}

/**
 * Sums of the stakes and of the possible profits, in `SECONDS_COIN`, of all positions that the same index
 * points settle; separately for the positions with direction `up` and `down`.
 */
export interface Bucket {
  readonly upStake: Decimal;
  readonly upProfit: Decimal;
  readonly downStake: Decimal;
  readonly downProfit: Decimal;
}

/**
 * Returns the maximum amount, in `SECONDS_COIN`, that the exchange can lose on positions that are settled
 * together, not counting its fees. If one side wins, the exchange pays its profits and keeps the stakes of
 * the other side. The amount is that of the worse of the two results, at least zero.
 */
export function reserveOf({ upStake, upProfit, downStake, downProfit }: Bucket): Decimal {
  return greatest(greatest(upProfit.minus(downStake), downProfit.minus(upStake)), Decimal.zero);
}

/**
 * Returns the share of wins among a user's won and lost positions at which the user neither gains nor loses: (1 + fee
 * rate) / (1 + profit rate), as a fraction rounded up to 18 decimals.
 */
export function breakEvenRate(profitRate: Decimal, feeRate: Decimal = Decimal.zero): Decimal {
  return Decimal.one.plus(feeRate).over(Decimal.one.plus(profitRate), 'up');
}

/**
 * Returns a user's expected result per unit of stake if half of the positions win and half lose: (profit rate − 1) / 2
 * − fee rate.
 */
export function expectedValue(profitRate: Decimal, feeRate: Decimal = Decimal.zero): Decimal {
  return profitRate.minus(Decimal.one).over(Decimal.ofWhole(2), 'down').minus(feeRate);
}

/** Limits with which the stake of a position in a seconds contract is checked. Amounts are in the coin `asset`. */
export interface StakeLimits {
  readonly asset: string;
  readonly digits: number;
  readonly minimum: Decimal;
  readonly maximum: Decimal;
  readonly feeRate: Decimal;
  /**
   * The user's available balance in the coin `asset`, on the account from which the amount is paid. Undefined
   * if unknown; it is then not checked.
   */
  readonly available: Decimal | undefined;
}

/**
 * Returns a refusal if the stake is missing, outside its limits or has too many decimals, or if stake plus fee exceed
 * the balance (if that is known); otherwise undefined. Screens and server both use this check.
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

/**
 * Returns a refusal if the amount of a transfer between the user's spot account and seconds account is missing, below
 * the minimum, has too many decimals, or exceeds `available` (not checked if undefined); otherwise undefined.
 */
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
