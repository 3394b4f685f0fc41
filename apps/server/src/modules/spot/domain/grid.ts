import type { Decimal } from '@exchange/core/decimal.ts';
import type { OrderId, UserId } from '@exchange/core/ids.ts';
import type { GridHoldings, GridRequest } from '@exchange/core/spot-grid.ts';
import type { Instant } from '@exchange/core/time.ts';
import type { EndReason } from './order.ts';

/**
 * How a grid ended, when its last order had ended: `user`: its owner cancelled it or its orders; `selfTrade`:
 * self-trade prevention removed its last order; `countdown`: a program's countdown ran out; `rest`: what its last order
 * had received is too small for an order; `stopLoss`, `takeProfit`: a trade of the pair reached this price of the grid.
 */
export type GridEnding = 'user' | 'selfTrade' | 'countdown' | 'rest' | 'stopLoss' | 'takeProfit';

/** The ending of a grid whose last order ended, before it was filled, for this reason. */
export function gridEndingFor(reason: EndReason): GridEnding {
  if (reason === 'user') return 'user';
  return reason === 'countdown' ? 'countdown' : 'selfTrade';
}

/** A trading grid with its progress. The fields below `createdAt` change. */
export interface Grid extends GridRequest, GridHoldings {
  readonly id: string;
  readonly owner: UserId;
  readonly symbol: string;
  /** The fee rates of all orders of the grid. */
  readonly makerRate: Decimal;
  readonly takerRate: Decimal;
  /** The amount of each resting order at the start, in the base coin, which later orders do not exceed. */
  readonly amount: Decimal;
  /** The middle between the best bid and the best ask at the start. */
  readonly startPrice: Decimal;
  /** The total of the purchase at the start, in the quote coin. */
  readonly startCost: Decimal;
  readonly createdAt: Instant;
  base: Decimal;
  quote: Decimal;
  /** Fees so far, in the base coin for purchases and in the quote coin for sales. */
  baseFee: Decimal;
  quoteFee: Decimal;
  /** Number of sales that followed a purchase of the grid, and the profit of both after their fees. */
  rounds: number;
  roundProfit: Decimal;
  /** Number of orders that the grid has placed. */
  placed: number;
  /** One entry for each pair of neighbouring prices, lowest first. */
  readonly cells: readonly GridCell[];
  /** How the grid ended; undefined while it runs. */
  ending: GridEnding | undefined;
  /** The price of the pair at the end; undefined while the grid runs. */
  endPrice: Decimal | undefined;
  /** What the sale of its coins at the end has sold, and what that received after fees, in the quote coin. */
  soldBase: Decimal;
  soldQuote: Decimal;
  updatedAt: Instant;
}

/** The open order between two neighbouring prices of a grid: a purchase at the lower or a sale at the upper one. */
export interface GridCell {
  readonly grid: string;
  /** The index of the lower price. */
  readonly level: number;
  /** Undefined if the order has ended and no order follows it. */
  orderId: OrderId | undefined;
  /** Number of the order among those that the same step placed for grids. */
  turn: number;
  /**
   * The cost in the quote coin of the purchase before a sale, and the amount that it delivered after its fee. Undefined
   * for a purchase, and for a sale of coins that were bought at the start.
   */
  purchase: { readonly cost: Decimal; readonly bought: Decimal } | undefined;
}

/** An order of a grid and its position among them. */
export interface GridPlace {
  readonly grid: string;
  readonly position: number;
  readonly orderId: OrderId;
}

/** Number of open orders of a grid. */
export function openCount({ cells }: Pick<Grid, 'cells'>): number {
  return cells.filter(({ orderId }) => orderId !== undefined).length;
}

/**
 * The profit of a sale that followed a purchase, in the quote coin: what it received after its fee, minus the part of
 * the purchase's cost that belongs to the sold amount. The cost is rounded up to 18 decimals.
 */
export function roundProfit(
  { cost, bought }: NonNullable<GridCell['purchase']>,
  { sold, received }: { readonly sold: Decimal; readonly received: Decimal },
): Decimal {
  return received.minus(cost.times(sold, 'up').over(bought, 'up'));
}
