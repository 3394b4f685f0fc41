import type { Side } from '@exchange/core/pair.ts';
import type { Decimal } from '@exchange/core/decimal.ts';
import type { Step } from '../../platform/sequencer/step.ts';
import {
  gridEndingFor,
  openCount,
  roundProfit,
  type Grid,
  type GridCell,
  type GridEnding,
} from './domain/grid.ts';
import type { SpotOrder } from './domain/order.ts';
import { algoChanged } from './events.ts';
import type { ExchangeState } from './exchange-state.ts';
import { algoNoticeWriter, gridLevelWriter, gridWriter } from './writers.ts';

/** Amount, total and fee of one fill of an order. */
export interface FillFigures {
  readonly amount: Decimal;
  readonly total: Decimal;
  readonly fee: Decimal;
}

/** Adds a fill of a grid's order to the grid's holdings and fees. */
export function addFillToGrid(step: Step, grid: Grid, side: Side, fill: FillFigures): void {
  if (side === 'buy') {
    grid.base = grid.base.plus(fill.amount).minus(fill.fee);
    grid.quote = grid.quote.minus(fill.total);
    grid.baseFee = grid.baseFee.plus(fill.fee);
  } else {
    grid.base = grid.base.minus(fill.amount);
    grid.quote = grid.quote.plus(fill.total).minus(fill.fee);
    grid.quoteFee = grid.quoteFee.plus(fill.fee);
  }
  grid.updatedAt = step.now;
  step.write(gridWriter, grid);
}

/**
 * Must be called when an order of a grid has ended. A filled order is queued for `continueGrids`, which places the next
 * order. After any other end its cell (pair of neighbouring grid prices) stays without an order, and the grid ends if
 * it has no other open order.
 */
export function followEndOfGridOrder(state: ExchangeState, step: Step, order: SpotOrder): void {
  const grid = state.grids.get(order.parentId);
  if (grid === undefined) return;
  if (order.state === 'filled') state.filledGridOrders.push(order);
  else leaveEmpty(state, step, grid, cellOf(grid, order), gridEndingFor(order.reason));
}

/**
 * Removes an ended order from its cell (pair of neighbouring grid prices) without a next order, and ends the grid if it
 * has no other open order.
 */
export function leaveEmpty(
  state: ExchangeState,
  step: Step,
  grid: Grid,
  cell: GridCell,
  ending: GridEnding,
): void {
  cell.orderId = undefined;
  cell.purchase = undefined;
  step.write(gridLevelWriter, cell);
  if (openCount(grid) === 0) endGrid(state, step, grid, ending, state.market(grid.symbol).last);
}

/**
 * Counts a completed round and its profit if the filled order is a sale that followed a purchase of the grid. Must be
 * called once for each filled order, before its cell gets another order.
 */
export function countRound(step: Step, grid: Grid, order: SpotOrder): void {
  const { purchase } = cellOf(grid, order);
  if (order.side !== 'sell' || purchase === undefined) return;
  const sale = { sold: order.filledAmount, received: order.filledTotal.minus(order.fee) };
  grid.rounds += 1;
  grid.roundProfit = grid.roundProfit.plus(roundProfit(purchase, sale));
  step.write(gridWriter, grid);
}

/**
 * Ends a grid and notifies its owner unless the owner ended it. The grid's orders must have ended, or the
 * caller must cancel them next. `price` is the last price of the pair, or that of the trade that reached the
 * grid's stop-loss or take-profit price; undefined if the pair has never traded.
 */
export function endGrid(
  state: ExchangeState,
  step: Step,
  grid: Grid,
  ending: GridEnding,
  price: Decimal | undefined,
): void {
  grid.ending = ending;
  grid.endPrice = price ?? grid.startPrice;
  grid.updatedAt = step.now;
  state.grids.remove(grid);
  step.write(gridWriter, grid);
  const hasNotice = ending !== 'user';
  if (hasNotice) step.write(algoNoticeWriter, { id: grid.id, algo: grid.id, kind: 'gridEnded' });
  step.publish(algoChanged, { owner: grid.owner, id: grid.id, hasNotice });
}

/**
 * The cell (pair of neighbouring prices) of a grid that contains an open or just ended order. Throws if no cell
 * contains the order.
 */
export function cellOf({ id, cells }: Grid, order: SpotOrder): GridCell {
  const cell = cells.find(({ orderId }) => orderId === order.id);
  if (cell === undefined) throw new Error(`the grid ${id} does not know its order ${order.id}`);
  return cell;
}
