import { Decimal } from '@exchange/core/decimal.ts';
import type { Pair } from '@exchange/core/pair.ts';

/**
 * The integer units of a pair's market data: prices in ticks, amounts in lots, turnover in units of
 * 10^-turnoverDigits of the quote coin. Candles store these as 64-bit integers.
 */
export interface PairScale {
  readonly priceDigits: number;
  readonly amountDigits: number;
  readonly turnoverDigits: number;
}

/**
 * Maximum decimal digits of turnover, for pairs quoted in USDT and for other pairs. A 64-bit turnover of a week then
 * has room for ten integer digits in USDT and six in any other coin.
 */
const TURNOVER_DIGITS_STABLE = 8;
const TURNOVER_DIGITS_OTHER = 12;

/**
 * The integer units of a pair's market data. Turnover is exact unless price and amount digits
 * together exceed 8 (USDT) or 12 (other coins).
 */
export function scaleOf(pair: Pair): PairScale {
  const { priceDigits, amountDigits } = pair;
  const maxTurnoverDigits = pair.quote === 'USDT' ? TURNOVER_DIGITS_STABLE : TURNOVER_DIGITS_OTHER;
  return {
    priceDigits,
    amountDigits,
    turnoverDigits: Math.min(priceDigits + amountDigits, maxTurnoverDigits),
  };
}

/** Multiplies ticks by lots and returns turnover units, rounded down. */
export function turnoverOf(scale: PairScale, ticks: bigint, lots: bigint): bigint {
  return (ticks * lots) / 10n ** BigInt(scale.priceDigits + scale.amountDigits - scale.turnoverDigits);
}

export function priceOf(scale: PairScale, ticks: bigint): Decimal {
  return Decimal.ofScaled(ticks, scale.priceDigits);
}
