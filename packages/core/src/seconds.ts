import { Decimal, greatest, sum } from './decimal.ts';
import { shortOf } from './funds.ts';
import { INDEX_EXTRA_DIGITS } from './index-price.ts';
import { refusal, type Refusal } from './refusal.ts';
import { instant, later, SECOND_MS, type Instant } from './time.ts';

/** The version of these rules; frozen in every position. */
export const SECONDS_VERSION = 'sc-1';
/** Amounts of money are cut to so many decimals in the person's favor or not, as each function says. */
export const SECONDS_PLACES = 8;
/** Less than this is no amount at all. */
export const LEAST_AMOUNT: Decimal = Decimal.parse('0.00001');
/** A position is refused when the last point of the index is older. */
export const ADMISSION_MAX_AGE_MS = 2_000;
/** The longest position that terms can offer, in seconds. */
export const DURATION_MAX = 600;
/** How long a stretch of the tape one call gives. */
export const TAPE_SECONDS_MAX = 3_600;
/** The coin of every stake: limits, the reserve and a day's loss are amounts of it, so no pair with another quote is offered. */
export const SECONDS_COIN = 'USDT';
/** How long a period one declaration can make void, in milliseconds. */
export const VOID_PERIOD_MAX_MS = 86_400_000;
/** What one person may do unless they set less. Amounts are in `SECONDS_COIN`. */
export const SECONDS_LIMITS = {
  openOrders: 20,
  gapMs: 1_000,
  stake: Decimal.ofWhole(500),
  dayLoss: Decimal.ofWhole(1_000),
} as const;

export type Direction = 'up' | 'down';
export type SecondsResult = 'win' | 'lose' | 'draw' | 'void';
/** Why a position was given back without a result. */
export type VoidReason = 'noEntryPoint' | 'noSettlementPoint' | 'interval';

/** The entry second of a position accepted at `at`: the first whole second after it. */
export function entrySecond(at: Instant): Instant {
  return instant((Math.floor(at / SECOND_MS) + 1) * SECOND_MS);
}

/** Of how many seconds, the last one the expiry, the settlement price is the mean. */
export function windowOf(seconds: number): 1 | 3 | 5 {
  if (seconds < 60) return 1;
  return seconds < 300 ? 3 : 5;
}

/** The seconds whose points make the settlement price, oldest first. */
export function settlementSeconds(expireAt: Instant, window: number): Instant[] {
  return Array.from({ length: window }, (_, at) => later(expireAt, (at - window + 1) * SECOND_MS));
}

/** Digits of a pair's index, in which prices are compared. */
export function indexDigits(priceDigits: number): number {
  return priceDigits + INDEX_EXTRA_DIGITS;
}

/** What a position is settled by: the points of the tape, null where the tape has none. */
export interface SettlementPoints {
  readonly entry: Decimal | null;
  readonly window: readonly (Decimal | null)[];
}

export type PriceResult =
  | { readonly result: 'win' | 'lose' | 'draw'; readonly entry: Decimal; readonly settle: Decimal }
  | { readonly result: 'void'; readonly reason: VoidReason };

/** What the tape says of a position: strict comparison, half-even mean, nothing where a point is missing. */
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

/** What a win brings besides the stake: cut to 8 decimals. */
export function profitOf(stake: Decimal, profitRate: Decimal): Decimal {
  return stake.times(profitRate, 'down', SECONDS_PLACES);
}

/** Taken at the opening and kept on a win or a loss only: rounded up to 8 decimals. */
export function secondsFee(stake: Decimal, feeRate: Decimal): Decimal {
  return stake.times(feeRate, 'up', SECONDS_PLACES);
}

/** What a result leaves in its owner's account of stake and fee, and what it makes of them, both in the stake's coin. */
export function settlementOf(
  result: SecondsResult,
  { stake, profit, fee }: { readonly stake: Decimal; readonly profit: Decimal; readonly fee: Decimal },
): { readonly credited: Decimal; readonly net: Decimal } {
  const paid = stake.plus(fee);
  const credited = result === 'win' ? stake.plus(profit) : result === 'lose' ? Decimal.zero : paid;
  return { credited, net: credited.minus(paid) };
}

/** Positions that are settled by the same points. */
export interface Bucket {
  readonly upStake: Decimal;
  readonly upProfit: Decimal;
  readonly downStake: Decimal;
  readonly downProfit: Decimal;
}

/** What the house loses at worst on a bucket: the profit of one side less the stakes of the other. */
export function reserveOf({ upStake, upProfit, downStake, downProfit }: Bucket): Decimal {
  return greatest(greatest(upProfit.minus(downStake), downProfit.minus(upStake)), Decimal.zero);
}

/** How often somebody has to be right to lose nothing, fee included, as a fraction: (1 + f) / (1 + r). */
export function breakEvenRate(profitRate: Decimal, feeRate: Decimal = Decimal.zero): Decimal {
  return Decimal.one.plus(feeRate).over(Decimal.one.plus(profitRate), 'up');
}

/** What a fair coin brings on average per unit of stake: (r − 1) / 2 − f. */
export function expectedValue(profitRate: Decimal, feeRate: Decimal = Decimal.zero): Decimal {
  return profitRate.minus(Decimal.one).over(Decimal.ofWhole(2), 'down').minus(feeRate);
}

/** What a stake is checked against; amounts in `asset`. */
export interface StakeLimits {
  readonly asset: string;
  readonly digits: number;
  readonly minimum: Decimal;
  readonly maximum: Decimal;
  readonly feeRate: Decimal;
  /** Of the seconds account; undefined while it is not known. */
  readonly available: Decimal | undefined;
}

/** Why a stake cannot be opened, or undefined. Screens and the server ask the same. */
export function stakeProblem(stake: Decimal | undefined, limits: StakeLimits): Refusal | undefined {
  const { asset, digits, minimum, maximum, feeRate, available } = limits;
  if (stake === undefined || stake.isLess(LEAST_AMOUNT))
    return refusal('invalidField', 'l.c_enteropenamt', {
      field: 'openAmount',
      limit: LEAST_AMOUNT.toString(),
      ...(stake === undefined ? {} : { value: stake.toString() }),
    });
  const about = { field: 'openAmount', value: stake.toString(), unit: asset };
  if (stake.isLess(minimum))
    return refusal('belowMinimum', 'l.u_limit_min_low', { ...about, limit: minimum.toString() });
  if (!stake.fits(digits))
    return refusal('invalidField', 'l.amount_decimals', { ...about, limit: String(digits) });
  if (stake.isMore(maximum))
    return refusal('aboveMaximum', 'l.amount_max', { ...about, limit: maximum.toString() });
  if (available === undefined) return undefined;
  return shortOf({ needed: stake.plus(secondsFee(stake, feeRate)), available, asset, field: 'openAmount' });
}

/** Why an amount cannot be moved between the coin and the seconds account, or undefined. */
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
