import { Decimal, least, sum } from '@exchange/core/decimal.ts';
import { shortOf } from '@exchange/core/funds.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import {
  GRID_OPEN_MAX,
  gridAllInBase,
  gridOrdersProblem,
  gridPlan,
  gridPurchaseRequest,
  gridSaleBound,
  type GridPlan,
} from '@exchange/core/spot-grid.ts';
import type { Step } from '../../platform/sequencer/step.ts';
import { userAddress } from '../ledger/index.ts';
import type { CancelGridInput, GridInput, PlacementContext } from './command-inputs.ts';
import type { Grid } from './domain/grid.ts';
import type { SpotOrder } from './domain/order.ts';
import { algoChanged } from './events.ts';
import type { ExchangeState, SpotMarket } from './exchange-state.ts';
import { endWithOrders, openOrdersOf, saleContext } from './grid-ends.ts';
import { placeInCell, recordGridOrder } from './grid-orders.ts';
import { sellForEndedGrids } from './grid-sales.ts';
import { bestFor, place, prepareMarket, viewOf } from './placing.ts';
import { gridWriter } from './writers.ts';

/**
 * Starts a grid: buys the coins for its sales at once, within the slippage, and places all its orders.
 * Refuses, without any change, an invalid request, more than `GRID_OPEN_MAX` running grids of the account,
 * more open orders than the pair permits, a balance below the investment, and a book that cannot fill the
 * purchase at once.
 */
export function startGrid(state: ExchangeState, step: Step, input: GridInput): Grid {
  const market = state.market(input.symbol);
  const { pair, filters } = market;
  const { owner, request, rates } = input;
  prepareMarket(state, step, market);
  const [bid, ask] = [bestFor(market, 'sell'), bestFor(market, 'buy')];
  const view = { ...viewOf(market, step, input.reference, ask), bid, ask, rates };
  const { resting } = state.orders.countsOf(owner, pair.symbol);
  const problem = gridOrdersProblem(pair, filters, request, view, resting);
  if (problem !== undefined) throw new Refused(problem);
  if (state.grids.countOf(owner) >= GRID_OPEN_MAX) throw new Refused(tooMany());
  const available = state.ledger.balance(userAddress(owner, 'spot', 'available'), pair.quote);
  const shortage = shortOf({ needed: request.investment, available, asset: pair.quote, field: 'investment' });
  if (shortage !== undefined) throw new Refused(shortage);
  const plan = gridPlan(pair, request, view)!;
  const context = { ...contextOf(input), clientId: step.newId() };
  const purchase = plan.purchase.isZero() ? undefined : buyAtStart(state, step, context, plan);
  step.forbidRefusal();
  const grid = newGrid(step, input, plan, { id: context.clientId, ask: ask!, purchase });
  state.grids.add(grid);
  if (purchase !== undefined) recordGridOrder(step, grid, purchase);
  placeOrders(state, step, market, { grid, plan, context });
  state.changedLevels.publish(step, market);
  step.write(gridWriter, grid);
  step.publish(algoChanged, { owner, id: grid.id, hasNotice: false });
  return grid;
}

/**
 * Buys the coins for the sales of a grid, all or nothing. Refuses when the book does not offer all of them
 * within the plan's price limit (slippage).
 */
function buyAtStart(state: ExchangeState, step: Step, context: PlacementContext, plan: GridPlan): SpotOrder {
  try {
    const request = gridPurchaseRequest(plan);
    return place(state, step, { ...context, request }, { parentId: context.clientId });
  } catch (cause) {
    if (!(cause instanceof Refused) || cause.refusal.key !== 'l.fok_unfilled') throw cause;
    throw new Refused(refusal('closed', 'l.grid_liquidity', { field: 'slippage' }));
  }
}

/**
 * The values of a new grid besides its request and its plan: its id, and the best ask and the purchase at its
 * start.
 */
interface GridStart {
  readonly id: string;
  /** The best ask before the grid's purchase at its start. */
  readonly ask: Decimal;
  readonly purchase: SpotOrder | undefined;
}

function newGrid(
  step: Step,
  { owner, symbol, request, rates }: GridInput,
  { prices, orders, amount, price: startPrice }: GridPlan,
  { id, ask, purchase }: GridStart,
): Grid {
  const startBase = purchase === undefined ? Decimal.zero : purchase.filledAmount.minus(purchase.fee);
  const startCost = purchase?.filledTotal ?? Decimal.zero;
  const resting = orders.filter(({ side }) => side === 'buy');
  const startQuote = sum(resting.map(({ price }) => price.timesExact(amount)));
  const invested = startCost.plus(startQuote);
  const bought = purchase?.filledAmount;
  const average = bought === undefined ? ask : startCost.over(bought, 'up');
  return {
    id,
    owner,
    symbol,
    lowerPrice: request.lowerPrice,
    upperPrice: request.upperPrice,
    levels: request.levels,
    spacing: request.spacing,
    investment: request.investment,
    slippage: request.slippage,
    stopLoss: request.stopLoss,
    takeProfit: request.takeProfit,
    sellsAtEnd: request.sellsAtEnd,
    makerRate: rates.maker,
    takerRate: rates.taker,
    amount,
    startPrice,
    startBase,
    startCost,
    startQuote,
    invested,
    allInBase: gridAllInBase(invested, average, rates),
    createdAt: step.now,
    base: startBase,
    quote: startQuote,
    baseFee: purchase?.fee ?? Decimal.zero,
    quoteFee: Decimal.zero,
    rounds: 0,
    roundProfit: Decimal.zero,
    placed: 0,
    cells: prices.slice(1).map((_, level) => ({
      grid: id,
      level,
      orderId: undefined,
      turn: 0,
      purchase: undefined,
    })),
    ending: undefined,
    endPrice: undefined,
    soldBase: Decimal.zero,
    soldQuote: Decimal.zero,
    updatedAt: step.now,
  };
}

/**
 * Places the resting orders of a new grid. The last sale may be smaller than planned, because the fee of each fill of
 * the purchase at the start is rounded up.
 */
function placeOrders(
  state: ExchangeState,
  step: Step,
  market: SpotMarket,
  {
    grid,
    plan,
    context,
  }: { readonly grid: Grid; readonly plan: GridPlan; readonly context: PlacementContext },
): void {
  let unsold = grid.startBase.rounded(market.pair.amountDigits, 'down');
  for (const { level, side, price, amount: planned } of plan.orders) {
    const amount = side === 'buy' ? planned : least(planned, unsold);
    if (side === 'sell') unsold = unsold.minus(amount);
    placeInCell(state, step, market, { grid, cell: grid.cells[level]!, context, side, price, amount });
  }
}

/**
 * The result of cancelling a grid: `count` is 1 if it was running, otherwise 0; `soldBase` is the amount of its coins
 * that was sold.
 */
export interface CancelledGrid {
  readonly count: number;
  /** Number of the grid's orders that stay open and end when the halt of their held coin is lifted. */
  readonly haltedOrders: number;
  readonly soldBase: Decimal;
  /** What the sale received after fees, in the quote coin. */
  readonly soldQuote: Decimal;
}

/**
 * Ends a grid and cancels its open orders. With `sells` it also sells the grid's coins at once, at most the slippage of
 * the grid below the best bid; coins remain if the pair accepts cancellations only, a coin of it is halted, or the book
 * has no bid for them. Orders whose held coin is halted end when the halt is lifted. Refuses when the pair is closed, and
 * while the halt of a coin that an open order holds is not stored yet. Changes nothing if the grid has ended.
 */
export function cancelGrid(state: ExchangeState, step: Step, input: CancelGridInput): CancelledGrid {
  const grid = state.grids.ofOwner(input);
  if (grid === undefined)
    return { count: 0, haltedOrders: 0, soldBase: Decimal.zero, soldQuote: Decimal.zero };
  const market = state.market(grid.symbol);
  const { pair } = market;
  if (market.status === 'closed') throw new Refused(refusal('closed', 'l.pair_closed'));
  // The halts are checked before the first cancellation, because a cancellation cannot be undone.
  for (const { heldAsset } of openOrdersOf(state, grid))
    if (!state.ledger.isHalted(heldAsset)) state.ledger.halts.requireNotHalted(heldAsset);
  const sells = input.sells === true && market.status === 'open' && !state.isHalted(pair);
  if (sells) prepareMarket(state, step, market);
  else state.changedLevels.clear();
  const context = saleContext(state, grid);
  const haltedOrders = endWithOrders(state, step, grid, 'user', market.last ?? grid.startPrice);
  state.changedLevels.publish(step, market);
  const bid = bestFor(market, 'sell');
  if (sells && bid !== undefined) {
    state.gridSales.push({ grid, context, bound: gridSaleBound(pair, grid, bid) });
    sellForEndedGrids(state, step, input);
  }
  return { count: 1, haltedOrders, soldBase: grid.soldBase, soldQuote: grid.soldQuote };
}

/**
 * The context of a grid's orders. It lacks the time at which the request arrived, which is stored only for orders that
 * a user requests.
 */
function contextOf(input: GridInput): PlacementContext {
  return {
    owner: input.owner,
    master: input.master,
    symbol: input.symbol,
    selfTrade: input.selfTrade,
    rates: input.rates,
    clientId: input.clientId,
    reference: input.reference,
    quoteValue: input.quoteValue,
    mostMarked: input.mostMarked,
  };
}

function tooMany() {
  return refusal('aboveMaximum', 'l.grid_max', {
    limit: String(GRID_OPEN_MAX),
    value: String(GRID_OPEN_MAX + 1),
  });
}
