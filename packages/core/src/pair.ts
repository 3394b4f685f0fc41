import type { Decimal } from './decimal.ts';

/** Ticker of a coin in capitals, e.g. `BTC`. */
export type AssetCode = string;

/** A trading pair: base and quote coin, and the decimals of its prices and amounts. */
export interface Pair {
  /** Base plus quote in lower case, e.g. `btcusdt`. */
  readonly symbol: string;
  readonly base: AssetCode;
  readonly quote: AssetCode;
  readonly priceDigits: number;
  readonly amountDigits: number;
}

/** Limits of orders on a pair; previewed by the order ticket and enforced by the server. */
export interface PairFilters {
  readonly minAmount: Decimal;
  readonly maxAmount: Decimal;
  /** Smallest total of an order, in the quote asset. */
  readonly minTotal: Decimal;
  /**
   * Greatest distance of a limit price from the index price, or without an index from the last price, as a
   * fraction: 0.2 is 20 %.
   */
  readonly priceBand: Decimal;
  /**
   * Greatest distance of a market order's execution price from the better of the best opposite price and the
   * index price, as a fraction.
   */
  readonly marketGuard: Decimal;
  readonly maxOpenOrders: number;
  /** Greatest number of waiting stops of a user on the pair, including stop legs of OCOs. */
  readonly maxStopOrders: number;
  /** Smallest and greatest distance of a trailing stop, as fractions. */
  readonly minTrail: Decimal;
  readonly maxTrail: Decimal;
  /** Greatest time from the placement to the expiry of a GTT order, in milliseconds. */
  readonly maxLifetimeMs: number;
}

/** `cancelOnly` accepts only cancellations; `closed` accepts neither orders nor cancellations. */
export type PairStatus = 'open' | 'cancelOnly' | 'closed';

/** Origin of a pair's liquidity: users' orders, orders copied from another exchange, or simulated orders. */
export type LiquiditySource = 'own' | 'mirrored' | 'simulated';

export type Side = 'buy' | 'sell';

export function oppositeSide(side: Side): Side {
  return side === 'buy' ? 'sell' : 'buy';
}

/** The wire's name of a pair: base plus quote in lower case. */
export function pairSymbol(base: AssetCode, quote: AssetCode): string {
  return (base + quote).toLowerCase();
}

/** Converts a pair name to its symbol: `BTC/USDT`, `BTC_USDT` and `btcusdt` are equal, in any case of letters. */
export function symbolOfName(typed: string): string {
  return typed.replaceAll(/[/_]/g, '').toLowerCase();
}

/** Price digits + amount digits ≤ 18, so that price × amount is exact and matching never rounds. */
export function isExactPair(pair: Pair): boolean {
  return pair.priceDigits + pair.amountDigits <= 18;
}
