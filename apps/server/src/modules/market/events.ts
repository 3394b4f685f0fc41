import type { Decimal } from '@exchange/core/decimal.ts';
import type { Side } from '@exchange/core/pair.ts';
import type { Instant } from '@exchange/core/time.ts';
import type { EventKind } from '../../platform/events.ts';
import type { SidedLevel } from './domain/public-book.ts';

/** A trade on our own order book. */
export interface Deal {
  readonly symbol: string;
  readonly tradeId: string;
  readonly price: Decimal;
  /** Amount in the base coin. */
  readonly amount: Decimal;
  readonly takerSide: Side;
  /** Id of the incoming order that matched a resting one; several trades in a row can have the same id. */
  readonly takerOrder: string;
  readonly at: Instant;
  /**
   * Sequence number that increases with each trade of any pair; used to count each trade exactly
   * once.
   */
  readonly sequence: number;
}

export interface LevelsMoved {
  readonly symbol: string;
  /** Sequence number of the journal step that changed the levels. */
  readonly step: number;
  readonly levels: readonly SidedLevel[];
  readonly at: Instant;
}

/**
 * Event of a trade, published in order, after the commit, by the module that runs the order books.
 */
export const dealt: EventKind<Deal> = { name: 'market.dealt' };
/**
 * Event of changed price levels with their new amounts, published after the commit and after the trades of the same
 * step and pair.
 */
export const levelsMoved: EventKind<LevelsMoved> = { name: 'market.levelsMoved' };
