import { Decimal, greatest, least } from './decimal.ts';
import type { AssetCode } from './pair.ts';
import { refusal, type Refusal } from './refusal.ts';
import { SECOND_MS } from './time.ts';

/** Instant exchange: one coin for another at a firm quote from the index, its spread and its fee apart. */

/** What the rate lies below the index in calm hours and at most, and what is taken off the amount received. */
export const CONVERT_SPREAD = Decimal.parse('0.001');
export const CONVERT_SPREAD_MAX = Decimal.parse('0.05');
export const CONVERT_FEE = Decimal.parse('0.001');
/** How long a quote is firm. */
export const QUOTE_MS = 10 * SECOND_MS;
/** What one exchange may be worth, in USDT at the index. */
export const CONVERT_MIN_USDT = Decimal.parse('1');
export const CONVERT_MAX_USDT = Decimal.parse('50000');
const RATE_PLACES = 18;

/** A side of an exchange: the coin, its digits, and the index in USDT per coin. */
export interface ConvertSide {
  readonly asset: AssetCode;
  readonly digits: number;
  readonly index: Decimal;
}

/** What is paid and received, exactly. */
export interface ConvertTerms {
  /** What the rate lies below the index, as a fraction. */
  readonly spread: Decimal;
  /** Units received per unit paid, below the index by the spread, before the fee. */
  readonly rate: Decimal;
  readonly fromAmount: Decimal;
  /** What arrives, after the fee. */
  readonly toAmount: Decimal;
  /** In the coin received. */
  readonly fee: Decimal;
}

/**
 * The spread where the index of the two coins moves by these parts, on average, in the time that a quote is firm. A quote is an
 * option that costs nothing: without this premium whoever waits its ten seconds gains what the index moved meanwhile.
 */
export function spreadOf(fromMove: Decimal, toMove: Decimal): Decimal {
  return least(greatest(fromMove.plus(toMove), CONVERT_SPREAD), CONVERT_SPREAD_MAX);
}

/** Units of `to` per unit of `from`: index ÷ index × (1 − spread), 18 digits, down. */
export function convertRate(from: ConvertSide, to: ConvertSide, spread = CONVERT_SPREAD): Decimal {
  const index = from.index.over(to.index, 'down', RATE_PLACES);
  return index.times(Decimal.one.minus(spread), 'down', RATE_PLACES);
}

/** The terms for an amount paid: received is rounded down and the fee up, to the digits of the coin received. */
export function termsOfPaid(
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
 * The terms for an amount wanted: what has to be paid, rounded up to the digits of the coin paid, so that at least
 * the wanted amount arrives. Undefined where the rate is too small to be written.
 */
export function termsOfWanted(
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
  return termsOfPaid(from, to, gross.over(rate, 'up', from.digits), spread);
}

/** Why nobody gives a quote for these terms; undefined where they are good. */
export function convertProblem(
  from: ConvertSide,
  { fromAmount, toAmount }: ConvertTerms,
): Refusal | undefined {
  const worth = fromAmount.times(from.index, 'down', 8);
  const unit = from.asset;
  const value = fromAmount.toString();
  const inCoin = (usdt: Decimal, rounding: 'up' | 'down') =>
    usdt.over(from.index, rounding, from.digits).toString();
  const least = inCoin(CONVERT_MIN_USDT, 'up');
  if (worth.isLess(CONVERT_MIN_USDT) || !toAmount.isPositive())
    return refusal('belowMinimum', 'l.amount_min', { field: 'fromAmount', limit: least, value, unit });
  if (!worth.isMore(CONVERT_MAX_USDT)) return undefined;
  const limit = inCoin(CONVERT_MAX_USDT, 'down');
  return refusal('aboveMaximum', 'l.amount_max', { field: 'fromAmount', limit, value, unit });
}
