import { Decimal } from '@exchange/core/decimal.ts';
import type { Pair } from '@exchange/core/pair.ts';

/** Between decimals and the book's integers: ticks of price, lots of amount, and their product for totals. */
export function ticksOf(pair: Pair, price: Decimal): bigint {
  return price.toScaled(pair.priceDigits);
}

export function lotsOf(pair: Pair, amount: Decimal): bigint {
  return amount.toScaled(pair.amountDigits);
}

export function totalUnitsOf(pair: Pair, total: Decimal): bigint {
  return total.toScaled(pair.priceDigits + pair.amountDigits);
}

export function totalOf(pair: Pair, units: bigint): Decimal {
  return Decimal.ofScaled(units, pair.priceDigits + pair.amountDigits);
}

export function priceOf(pair: Pair, ticks: bigint): Decimal {
  return Decimal.ofScaled(ticks, pair.priceDigits);
}

export function amountOf(pair: Pair, lots: bigint): Decimal {
  return Decimal.ofScaled(lots, pair.amountDigits);
}
