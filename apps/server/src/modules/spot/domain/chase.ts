import type { Decimal } from '@exchange/core/decimal.ts';
import type { OrderId, UserId } from '@exchange/core/ids.ts';
import type { ChaseRequest } from '@exchange/core/spot-chase.ts';
import type { Instant } from '@exchange/core/time.ts';
import type { AlgoEnding } from './algo-ending.ts';

/** A chase order. Its progress is that of its order. The fields below `createdAt` change. */
export interface Chase extends ChaseRequest {
  readonly id: string;
  readonly owner: UserId;
  readonly symbol: string;
  /** The best price of its side at the start. */
  readonly startPrice: Decimal;
  /** The worst price of the order. */
  readonly worstPrice: Decimal;
  readonly orderId: OrderId;
  readonly createdAt: Instant;
  /** How often the price has changed, and when it did last. */
  moves: number;
  movedAt: Instant;
  /** Undefined while it runs. */
  ending: AlgoEnding | undefined;
  updatedAt: Instant;
}

/** A chase order with the figures of its order. */
export interface ChaseProgress extends Chase {
  /** The price of its order: the present one, or the last one when it has ended. */
  readonly price: Decimal;
  /** Filled amount in the base coin, and its total in the quote coin. */
  readonly filledAmount: Decimal;
  readonly filledTotal: Decimal;
  /** Fees in the coin that the order receives. */
  readonly fee: Decimal;
}

/**
 * Why the order of a running chase order does not follow at present: trading is stopped, the price is outside of the pair's
 * price band, the balance is too small, what remains is too small for an order, or the price has changed too often.
 */
export type ChaseWait = 'halted' | 'band' | 'funds' | 'rest' | 'moves';
