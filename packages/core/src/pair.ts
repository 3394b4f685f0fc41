import type { Decimal } from './decimal.ts';

/** A coin by its ticker in capitals, e.g. `BTC`. */
export type AssetCode = string;

/** What is traded against what, and the finest steps in which it is. */
export interface Pair {
  /** Base plus quote in lower case, e.g. `btcusdt`. */
  readonly symbol: string;
  readonly base: AssetCode;
  readonly quote: AssetCode;
  readonly priceDigits: number;
  readonly amountDigits: number;
}

/** The limits an order on a pair must keep; what the ticket previews and the server enforces. */
export interface PairFilters {
  readonly minAmount: Decimal;
  readonly maxAmount: Decimal;
  /** In the quote asset. */
  readonly minTotal: Decimal;
  /** How far a limit price may lie from the index, as a fraction: 0.2 is 20 %. */
  readonly priceBand: Decimal;
  /** How much worse than the best opposite price a market order may execute, as a fraction. */
  readonly marketGuard: Decimal;
  readonly maxOpenOrders: number;
  /** Waiting stops, an OCO's stop leg among them. */
  readonly maxStopOrders: number;
  /** Smallest and greatest distance of a trailing stop, as fractions. */
  readonly minTrail: Decimal;
  readonly maxTrail: Decimal;
  /** How far ahead a GTT order may expire. */
  readonly maxLifetimeMs: number;
}

/** `open` trades, `cancelOnly` lets orders leave, `closed` does neither. */
export type PairStatus = 'open' | 'cancelOnly' | 'closed';

/** Where the liquidity of a pair comes from; shown wherever the pair is. */
export type LiquiditySource = 'own' | 'mirrored' | 'simulated';

export type Side = 'buy' | 'sell';

export function oppositeSide(side: Side): Side {
  return side === 'buy' ? 'sell' : 'buy';
}

/** The wire's name of a pair: base plus quote, lower case. */
export function pairSymbol(base: AssetCode, quote: AssetCode): string {
  return (base + quote).toLowerCase();
}

/** The symbol of a pair, however it was typed: `BTC/USDT`, `BTC_USDT` and `btcusdt` are the same. */
export function symbolOfName(typed: string): string {
  return typed.replaceAll(/[/_]/g, '').toLowerCase();
}

/** Price digits + amount digits ≤ 18, so that price × amount is exact and matching never rounds. */
export function isExactPair(pair: Pair): boolean {
  return pair.priceDigits + pair.amountDigits <= 18;
}
