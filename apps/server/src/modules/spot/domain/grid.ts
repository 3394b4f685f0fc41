import type { Decimal } from '@exchange/core/decimal.ts';
import type { OrderId, UserId } from '@exchange/core/ids.ts';
import type { GridHoldings, GridRequest } from '@exchange/core/spot-grid.ts';
import type { Instant } from '@exchange/core/time.ts';
import type { EndReason } from './order.ts';

/**
 * How a grid ended. `user`: its owner cancelled it or its last open order. `selfTrade`: self-trade prevention removed
 * its last open order. `countdown`: its owner's countdown, which cancels orders of a program that no longer responds,
 * ended. `rest`: its last open order was filled, and what it received is too small for a next order. `stopLoss`,
 * `takeProfit`: a trade of the pair reached this price of the grid.
 */
export type GridEnding = 'user' | 'selfTrade' | 'countdown' | 'rest' | 'stopLoss' | 'takeProfit';

/**
 * The ending of a grid whose last open order ended for `reason` before it was filled: `user` and `countdown`
 * for the reasons of the same names, `selfTrade` for any other reason.
 */
export function gridEndingFor(reason: EndReason): GridEnding {
  if (reason === 'user') return 'user';
  return reason === 'countdown' ? 'countdown' : 'selfTrade';
}

/** A trading grid with its progress: its holdings, fees, profit, counts, cells and ending change while it runs. */
export interface Grid extends GridRequest, GridHoldings {
  readonly id: string;
  readonly owner: UserId;
  readonly symbol: string;
  /** The fee rates of all orders of the grid, as fractions of the traded value. */
  readonly makerRate: Decimal;
  readonly takerRate: Decimal;
  /** The amount of each resting order at the start, in the base coin, which later orders do not exceed. */
  readonly amount: Decimal;
  /** The middle between the best bid and the best ask at the start. */
  readonly startPrice: Decimal;
  /** The total of the purchase at the start, in the quote coin; zero if the grid started without one. */
  readonly startCost: Decimal;
  readonly createdAt: Instant;
  base: Decimal;
  quote: Decimal;
  /** Fees so far, in the base coin for purchases and in the quote coin for sales. */
  baseFee: Decimal;
  quoteFee: Decimal;
  /**
   * Number of completed rounds, each a purchase by an order of the grid and the sale that followed it, and their total
   * profit after fees, in the quote coin.
   */
  rounds: number;
  roundProfit: Decimal;
  /** Number of orders that the grid has placed. */
  placed: number;
  /** The cells of the grid, one for each pair of neighbouring prices, lowest first. */
  readonly cells: readonly GridCell[];
  /** How the grid ended; undefined while it runs. */
  ending: GridEnding | undefined;
  /**
   * The last price of the pair at the end, or the price of the trade that reached the stop-loss or take-profit price;
   * `startPrice` if the pair never traded. Undefined while the grid runs.
   */
  endPrice: Decimal | undefined;
  /**
   * The amount of the base coin that was sold at the end of the grid, and what the sale received after fees, in the
   * quote coin; both zero if no coins were sold.
   */
  soldBase: Decimal;
  soldQuote: Decimal;
  updatedAt: Instant;
}

/**
 * A pair of neighbouring prices of a grid with its open order: a purchase at the lower price or a sale at the upper
 * one.
 */
export interface GridCell {
  readonly grid: string;
  /**
   * The index of the cell's lower price among the prices of the grid; the grid's lowest price has the index
   * 0.
   */
  readonly level: number;
  /**
   * Id of the open order of the cell; undefined if the order has ended and no order follows it, and in an
   * ended grid.
   */
  orderId: OrderId | undefined;
  /**
   * Number of the open order among the orders that its step placed for grids, from 1; it determines their sequence on
   * the book after a restart.
   */
  turn: number;
  /**
   * For a sale that followed a purchase of the grid: the cost of that purchase in the quote coin, and the amount bought
   * after its fee. Undefined for an open purchase, and for a sale of coins that were bought at the start.
   */
  purchase: { readonly cost: Decimal; readonly bought: Decimal } | undefined;
}

/**
 * The ids of a grid and of an order that it has placed, and the position of the order, from 0, among all
 * orders that the grid has placed.
 */
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
