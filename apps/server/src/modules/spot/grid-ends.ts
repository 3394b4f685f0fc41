import type { Decimal } from '@exchange/core/decimal.ts';
import { gridSaleBound } from '@exchange/core/spot-grid.ts';
import type { Step } from '../../platform/sequencer/step.ts';
import { cancelOrder, endWhenMoving } from './cancellation.ts';
import type { PlacementContext } from './command-inputs.ts';
import type { Grid, GridEnding } from './domain/grid.ts';
import type { SpotOrder } from './domain/order.ts';
import type { ExchangeState, SpotMarket } from './exchange-state.ts';
import { countRound, endGrid } from './grid-progress.ts';
import { contextOfFormer } from './resting.ts';
import { gridLevelWriter } from './writers.ts';

/**
 * Ends the grids whose stop-loss or take-profit price a trade of the step has reached, cancels their orders, and queues
 * the sale of the coins of those grids that sell at their end. Must be called after the matching of an order and before
 * `continueGrids`, because filled orders of an ended grid are followed by no further order.
 */
export function endReachedGrids(state: ExchangeState, step: Step, market: SpotMarket): void {
  const { pair } = market;
  for (const { grid, ending, price } of state.reachedGrids.splice(0)) {
    // Another order of the step may have ended the grid already, which is then skipped.
    if (state.grids.get(grid.id) === undefined) continue;
    const context = saleContext(state, grid);
    for (const order of takeFilled(state, grid)) countRound(step, grid, order);
    endWithOrders(state, step, grid, ending, price);
    if (grid.sellsAtEnd === true)
      state.gridSales.push({ grid, context, bound: gridSaleBound(pair, grid, price) });
  }
}

/**
 * Ends a grid and cancels its open orders. Orders whose held coin is halted stay open and end when the halt
 * is lifted; returns their number. `price` is the last price of the pair, or that of the trade that reached
 * the grid's stop-loss or take-profit price. Afterwards the command must not be refused, because this change
 * cannot be undone. The caller must publish the changed price levels.
 */
export function endWithOrders(
  state: ExchangeState,
  step: Step,
  grid: Grid,
  ending: GridEnding,
  price: Decimal,
): number {
  step.forbidRefusal();
  const open = openOrdersOf(state, grid);
  // The grid is ended before its orders are cancelled, so that the end of each order does not update the grid.
  endGrid(state, step, grid, ending, price);
  for (const cell of grid.cells) {
    cell.orderId = undefined;
    step.write(gridLevelWriter, cell);
  }
  let haltedCount = 0;
  for (const order of open) {
    if (state.ledger.isHalted(order.heldAsset)) {
      haltedCount += 1;
      order.parentId = '';
      endWhenMoving(state, step, order);
    } else cancelOrder(state, step, order, ending === 'user' ? 'user' : 'grid');
  }
  return haltedCount;
}

/** The open orders of a running grid, from the lowest price to the highest. */
export function openOrdersOf({ orders }: ExchangeState, { cells }: Grid): readonly SpotOrder[] {
  return cells.flatMap(({ orderId }) => {
    const order = orderId === undefined ? undefined : orders.get(orderId);
    return order === undefined ? [] : [order];
  });
}

/**
 * The context of the orders that sell the coins of a running grid: the fee rates of the grid, and the self-trade
 * prevention `cancelTaker`, so that a sale that meets another order of its owner ends and that order stays.
 */
export function saleContext(state: ExchangeState, grid: Grid): PlacementContext {
  const former =
    openOrdersOf(state, grid)[0] ?? state.filledGridOrders.find(({ parentId }) => parentId === grid.id);
  if (former === undefined) throw new Error(`the running grid ${grid.id} has no order`);
  const { owner, master, symbol, clientId } = contextOfFormer(former);
  return {
    owner,
    master,
    symbol,
    selfTrade: 'cancelTaker',
    rates: { maker: grid.makerRate, taker: grid.takerRate },
    clientId,
  };
}

/**
 * Removes the filled orders of a grid from the queue of filled orders that are to be followed by a next order, and
 * returns them.
 */
function takeFilled(state: ExchangeState, { id }: Grid): readonly SpotOrder[] {
  const all = state.filledGridOrders.splice(0);
  state.filledGridOrders.push(...all.filter(({ parentId }) => parentId !== id));
  return all.filter(({ parentId }) => parentId === id);
}
