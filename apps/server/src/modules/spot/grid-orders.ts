import { least, sum, type Decimal } from '@exchange/core/decimal.ts';
import type { Side } from '@exchange/core/pair.ts';
import { gridOrderRequest, gridPriceAt } from '@exchange/core/spot-grid.ts';
import { leastAmount } from '@exchange/core/spot.ts';
import type { Step } from '../../platform/sequencer/step.ts';
import { userAddress } from '../ledger/index.ts';
import type { PlacementContext } from './command-inputs.ts';
import type { Grid, GridCell } from './domain/grid.ts';
import type { SpotOrder } from './domain/order.ts';
import type { ExchangeState, SpotMarket } from './exchange-state.ts';
import { cellOf, countRound, leaveEmpty } from './grid-progress.ts';
import { contextOfFormer, newOrder, placeHold, restOnBook } from './resting.ts';
import { gridLevelWriter, gridOrderWriter, gridWriter } from './writers.ts';

/**
 * Places the next order for each order of a grid that the step has filled: a sale at the grid's next higher price after
 * a filled purchase, or a purchase at its next lower price after a filled sale. Must be called at the end of a
 * placement, when matching is complete. The filled orders were all on one side, and every opposite order at their
 * prices or better has traded, so the new orders cannot trade at once. The funds of a new order are what the filled
 * order received.
 */
export function continueGrids(state: ExchangeState, step: Step, market: SpotMarket): void {
  const filled = state.filledGridOrders.splice(0);
  for (const [index, order] of filled.entries()) {
    const grid = state.grids.get(order.parentId)!;
    const later = filled.slice(index + 1).filter(({ parentId }) => parentId === grid.id);
    const reserved = sum(later.map(receivedBy));
    continueCell(state, step, market, { grid, cell: cellOf(grid, order), order, reserved });
  }
}

/** What a filled order received after its fee: base coin for a purchase, quote coin for a sale. */
function receivedBy({ side, filledAmount, filledTotal, fee }: SpotOrder): Decimal {
  return (side === 'buy' ? filledAmount : filledTotal).minus(fee);
}

interface FilledOrder {
  readonly grid: Grid;
  readonly cell: GridCell;
  readonly order: SpotOrder;
  /**
   * Amount after fees that those filled orders of the grid have received that are processed after this one;
   * it is reserved for the orders that follow them.
   */
  readonly reserved: Decimal;
}

function continueCell(
  state: ExchangeState,
  step: Step,
  market: SpotMarket,
  { grid, cell, order, reserved }: FilledOrder,
): void {
  const { pair, filters } = market;
  countRound(step, grid, order);
  const side: Side = order.side === 'buy' ? 'sell' : 'buy';
  const price = gridPriceAt(pair, grid, side === 'sell' ? cell.level + 1 : cell.level);
  const amount = nextAmount(state, market, grid, { side, price, reserved });
  if (amount.isLess(leastAmount(pair, filters, price))) {
    leaveEmpty(state, step, grid, cell, 'rest');
    return;
  }
  cell.purchase = side === 'buy' ? undefined : { cost: order.filledTotal, bought: receivedBy(order) };
  placeInCell(state, step, market, {
    grid,
    cell,
    context: contextOfFormer(order),
    side,
    price,
    amount,
  });
}

interface NewGridOrder {
  readonly grid: Grid;
  readonly cell: GridCell;
  readonly context: PlacementContext;
  readonly side: Side;
  readonly price: Decimal;
  readonly amount: Decimal;
}

/**
 * Places an order of a grid on the book and makes it the order of its cell (pair of neighbouring grid prices). The
 * caller must publish the changed price levels of the book.
 */
export function placeInCell(
  state: ExchangeState,
  step: Step,
  market: SpotMarket,
  { grid, cell, context, side, price, amount }: NewGridOrder,
): void {
  const order = newOrder(step, market.pair, context, gridOrderRequest({ side, price, amount }), {
    parentId: grid.id,
  });
  placeHold(state, step, order, side === 'buy' ? price.timesExact(amount) : amount);
  restOnBook(state, step, market, order);
  cell.orderId = order.id;
  cell.turn = state.nextGridTurn(step);
  step.write(gridLevelWriter, cell);
  recordGridOrder(step, grid, order);
}

/** Stores that an order was placed by a grid, and counts the order among the placed ones of the grid. */
export function recordGridOrder(step: Step, grid: Grid, order: SpotOrder): void {
  step.write(gridOrderWriter, { grid: grid.id, position: grid.placed, orderId: order.id });
  grid.placed += 1;
  grid.updatedAt = step.now;
  step.write(gridWriter, grid);
}

/**
 * The amount of the next order of a grid: the amount of its orders at the start, limited by what the grid has outside
 * its open orders and by the owner's available balance. `reserved`, which other new orders need, is subtracted from
 * both limits. Rounded down to the pair's amount step.
 */
function nextAmount(
  state: ExchangeState,
  { pair }: SpotMarket,
  grid: Grid,
  { side, price, reserved }: { readonly side: Side; readonly price: Decimal; readonly reserved: Decimal },
): Decimal {
  const asset = side === 'buy' ? pair.quote : pair.base;
  let free = side === 'buy' ? grid.quote : grid.base;
  for (const { orderId } of grid.cells) {
    const order = orderId === undefined ? undefined : state.orders.get(orderId);
    if (order?.side === side) free = free.minus(order.held);
  }
  const available = state.ledger.balance(userAddress(grid.owner, 'spot', 'available'), asset);
  const funds = least(free, available).minus(reserved);
  const affordable =
    side === 'buy' ? funds.over(price, 'down', pair.amountDigits) : funds.rounded(pair.amountDigits, 'down');
  return least(grid.amount, affordable);
}
