import type { Decimal } from './decimal.ts';

/** Code of a coin in capitals, e.g. `BTC`. */
export type AssetCode = string;

/** A trading pair: its base and quote coin, and the number of decimals of its prices and amounts. */
export interface Pair {
  /** Code of the pair: base coin plus quote coin in lower case, e.g. `btcusdt`. */
  readonly symbol: string;
  readonly base: AssetCode;
  readonly quote: AssetCode;
  readonly priceDigits: number;
  readonly amountDigits: number;
}

/** Limits of orders on a pair. The order form shows them, and the server enforces them. */
export interface PairFilters {
  readonly minAmount: Decimal;
  readonly maxAmount: Decimal;
  /** Minimum total of an order, in the quote coin. */
  readonly minTotal: Decimal;
  /**
   * Maximum distance of a limit price from the index price, as a fraction (0.2 is 20 %). Without an index price the
   * distance is measured from the last price.
   */
  readonly priceBand: Decimal;
  /**
   * Maximum distance, as a fraction, of a market order's execution price from a reference price: the best opposite
   * price or the index price, whichever is better for the order's owner.
   */
  readonly marketGuard: Decimal;
  readonly maxOpenOrders: number;
  /**
   * Maximum number of a user's orders on the pair that wait for a trigger: stop, take-profit and trailing orders, and
   * stop legs of OCOs.
   */
  readonly maxStopOrders: number;
  /** Minimum and maximum distance (`trail`) of a trailing stop, as fractions. */
  readonly minTrail: Decimal;
  readonly maxTrail: Decimal;
  /** Maximum time in milliseconds from the placement of a GTT order to its expiry. */
  readonly maxLifetimeMs: number;
}

/**
 * Trading status of a pair. An `open` pair accepts orders and cancellations, a `cancelOnly` pair only cancellations,
 * and a `closed` pair neither.
 */
export type PairStatus = 'open' | 'cancelOnly' | 'closed';

/**
 * Origin of the orders in a pair's book: users' orders (`own`), orders copied from another exchange, or simulated
 * orders.
 */
export type LiquiditySource = 'own' | 'mirrored' | 'simulated';

export type Side = 'buy' | 'sell';

export function oppositeSide(side: Side): Side {
  return side === 'buy' ? 'sell' : 'buy';
}

/** Returns a pair's code in the API: base coin plus quote coin in lower case. */
export function pairSymbol(base: AssetCode, quote: AssetCode): string {
  return (base + quote).toLowerCase();
}

/**
 * Converts a pair name that a user entered to the pair's code: `BTC/USDT`, `BTC_USDT` and `btcusdt`, in any case of
 * letters, all become `btcusdt`.
 */
export function symbolOfName(typed: string): string {
  return typed.replaceAll(/[/_]/g, '').toLowerCase();
}

/**
 * Returns whether price × amount is exact on the pair, so that matching never rounds: price digits + amount digits ≤
 * 18.
 */
export function isExactPair(pair: Pair): boolean {
  return pair.priceDigits + pair.amountDigits <= 18;
}
