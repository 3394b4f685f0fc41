import type { Decimal } from '@exchange/core/decimal.ts';
import type { OrderId, UserId } from '@exchange/core/ids.ts';
import type { ChaseRequest } from '@exchange/core/spot-chase.ts';
import type { Instant } from '@exchange/core/time.ts';
import type { AlgoEnding } from './algo-ending.ts';

/**
 * A chase order. It has a single order, whose fills are its fills. Only `moves`, `movedAt`, `ending` and `updatedAt`
 * change while it runs and when it ends.
 */
export interface Chase extends ChaseRequest {
  readonly id: string;
  readonly owner: UserId;
  readonly symbol: string;
  /** The best price on the chase order's side of the book at the start. */
  readonly startPrice: Decimal;
  /** The worst price to which the chase order may follow the market. */
  readonly worstPrice: Decimal;
  readonly orderId: OrderId;
  readonly createdAt: Instant;
  /** Number of price changes so far, and the time of the last one; before the first, the time of the start. */
  moves: number;
  movedAt: Instant;
  /** How the chase order ended; undefined while it runs. */
  ending: AlgoEnding | undefined;
  updatedAt: Instant;
}

/** A chase order with the price, fills and fees of its order. */
export interface ChaseProgress extends Chase {
  /** The current price of the chase order's order; after its end, the last price. */
  readonly price: Decimal;
  /** Filled amount in the base coin, and the total of the fills in the quote coin. */
  readonly filledAmount: Decimal;
  readonly filledTotal: Decimal;
  /** Fees so far in the coin that the order receives. */
  readonly fee: Decimal;
}

/**
 * Why the price of a running chase order cannot follow the market now: trading is stopped, the new price is outside the
 * pair's price band, the balance is too small, the remaining amount is too small for an order, or the price has changed
 * too often.
 */
export type ChaseWait = 'halted' | 'band' | 'funds' | 'rest' | 'moves';
