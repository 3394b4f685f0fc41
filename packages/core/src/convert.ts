import { Decimal, greatest, least } from './decimal.ts';
import type { AssetCode } from './pair.ts';
import { refusal, type Refusal } from './refusal.ts';
import { SECOND_MS } from './time.ts';

/**
 * Instant conversion between two coins at a firm quote. The quote is the index rate minus a spread. A fee is charged in
 * addition.
 */

/**
 * The minimum spread, the maximum spread and the fee of conversions, all as fractions. A spread is the
 * fraction by which the quoted rate is below the index rate. The fee is a fraction of the amount that the
 * user would receive without it.
 */
export const CONVERT_SPREAD = Decimal.parse('0.001');
export const CONVERT_SPREAD_MAX = Decimal.parse('0.05');
export const CONVERT_FEE = Decimal.parse('0.001');
/** Milliseconds for which the quoted rate of a conversion stays valid. A later acceptance is refused. */
export const QUOTE_MS = 10 * SECOND_MS;
/** Minimum and maximum value of a conversion in USDT at the index price. */
export const CONVERT_MIN_USDT = Decimal.parse('1');
export const CONVERT_MAX_USDT = Decimal.parse('50000');
const RATE_PLACES = 18;

/**
 * One of the two coins of a conversion: its code, the number of decimals of its amounts, and its index price in USDT.
 */
export interface ConvertSide {
  readonly asset: AssetCode;
  readonly digits: number;
  readonly index: Decimal;
}

/** Rate, amounts and fee of a conversion from one coin (`from`) to another (`to`). */
export interface ConvertTerms {
  /** Fraction by which the quoted rate is below the index rate. */
  readonly spread: Decimal;
  /**
   * Coins received for one coin paid, with decimals: the index rate less the spread. The fee is not
   * subtracted yet.
   */
  readonly rate: Decimal;
  readonly fromAmount: Decimal;
  /** Amount in the coin `to` that the user receives, after the fee. */
  readonly toAmount: Decimal;
  /** Fee of the conversion, in the received coin. */
  readonly fee: Decimal;
}

/**
 * Returns the spread of a quote. `fromMove` and `toMove` are the fractions by which the index prices of the two coins
 * move, on average, while a quote is valid. The spread is their sum, at least `CONVERT_SPREAD` and at most
 * `CONVERT_SPREAD_MAX`. Without it a user could wait until the end of the quote and gain the movement of the index.
 */
export function spreadOf(fromMove: Decimal, toMove: Decimal): Decimal {
  return least(greatest(fromMove.plus(toMove), CONVERT_SPREAD), CONVERT_SPREAD_MAX);
}

/**
 * Returns how many coins of `to` are received for one coin of `from` before the fee: the ratio of the index prices × (1
 * − spread), rounded down to 18 decimals.
 */
export function convertRate(from: ConvertSide, to: ConvertSide, spread = CONVERT_SPREAD): Decimal {
  const index = from.index.over(to.index, 'down', RATE_PLACES);
  return index.times(Decimal.one.minus(spread), 'down', RATE_PLACES);
}

/**
 * Computes the conversion of a given amount to pay. The received amount is rounded down and the fee up, to the digits
 * of the received coin.
 */
export function termsForPayment(
  from: ConvertSide,
  to: ConvertSide,
  fromAmount: Decimal,
  spread = CONVERT_SPREAD,
): ConvertTerms {
  const rate = convertRate(from, to, spread);
  const gross = fromAmount.times(rate, 'down', to.digits);
  const fee = gross.times(CONVERT_FEE, 'up', to.digits);
  return { spread, rate, fromAmount, toAmount: gross.minus(fee), fee };
}

/**
 * Computes the conversion in which the user receives at least `wanted` after the fee. The amount to pay is rounded up
 * to the digits of the paid coin. Returns undefined if the rate rounds to zero.
 */
export function termsForReceipt(
  from: ConvertSide,
  to: ConvertSide,
  wanted: Decimal,
  spread = CONVERT_SPREAD,
): ConvertTerms | undefined {
  const rate = convertRate(from, to, spread);
  if (!rate.isPositive()) return undefined;
  const step = Decimal.ofScaled(1n, to.digits);
  let gross = wanted.over(Decimal.one.minus(CONVERT_FEE), 'up', to.digits);
  while (gross.minus(gross.times(CONVERT_FEE, 'up', to.digits)).isLess(wanted)) gross = gross.plus(step);
  return termsForPayment(from, to, gross.over(rate, 'up', from.digits), spread);
}

/**
 * Returns a refusal if the paid amount is worth less than `CONVERT_MIN_USDT` or more than `CONVERT_MAX_USDT` at the
 * index price, or if the received amount rounds to zero. Otherwise returns undefined.
 */
export function convertProblem(
  from: ConvertSide,
  { fromAmount, toAmount }: ConvertTerms,
): Refusal | undefined {
  const worth = fromAmount.times(from.index, 'down', 8);
  const unit = from.asset;
  const value = fromAmount.toString();
  const inCoin = (usdt: Decimal, rounding: 'up' | 'down') =>
    usdt.over(from.index, rounding, from.digits).toString();
  const minimum = inCoin(CONVERT_MIN_USDT, 'up');
  if (worth.isLess(CONVERT_MIN_USDT) || !toAmount.isPositive())
    return refusal('belowMinimum', 'l.amount_min', { field: 'fromAmount', limit: minimum, value, unit });
  if (!worth.isMore(CONVERT_MAX_USDT)) return undefined;
  const limit = inCoin(CONVERT_MAX_USDT, 'down');
  return refusal('aboveMaximum', 'l.amount_max', { field: 'fromAmount', limit, value, unit });
}
