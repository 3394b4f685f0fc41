import { Decimal } from '@exchange/core/decimal.ts';
import type { Pair } from '@exchange/core/pair.ts';

/**
 * In which whole units a pair's market is counted: prices in ticks, amounts in lots, turnover in units of
 * 10^-turnoverDigits of the quote coin. Candles hold these as 64-bit integers.
 */
export interface PairScale {
  readonly priceDigits: number;
  readonly amountDigits: number;
  readonly turnoverDigits: number;
}

/** Leaves ten whole digits for a week's turnover in a stable coin, six in any other. */
const TURNOVER_DIGITS_STABLE = 8;
const TURNOVER_DIGITS_OTHER = 12;

/** The scale of a pair. Turnover is exact unless price and amount digits together exceed 8 (USDT) or 12. */
export function scaleOf(pair: Pair): PairScale {
  const { priceDigits, amountDigits } = pair;
  const most = pair.quote === 'USDT' ? TURNOVER_DIGITS_STABLE : TURNOVER_DIGITS_OTHER;
  return { priceDigits, amountDigits, turnoverDigits: Math.min(priceDigits + amountDigits, most) };
}

/** ticks × lots in turnover units; what is finer is cut off. */
export function turnoverOf(scale: PairScale, ticks: bigint, lots: bigint): bigint {
  return (ticks * lots) / 10n ** BigInt(scale.priceDigits + scale.amountDigits - scale.turnoverDigits);
}

export function priceOf(scale: PairScale, ticks: bigint): Decimal {
  return Decimal.ofScaled(ticks, scale.priceDigits);
}
