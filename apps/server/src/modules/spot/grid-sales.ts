import { least, type Decimal } from '@exchange/core/decimal.ts';
import { gridSaleRequest } from '@exchange/core/spot-grid.ts';
import { leastAmount } from '@exchange/core/spot.ts';
import type { Step } from '../../platform/sequencer/step.ts';
import { userAddress } from '../ledger/index.ts';
import type { ExternalInputs } from './command-inputs.ts';
import type { Grid } from './domain/grid.ts';
import type { SpotOrder } from './domain/order.ts';
import type { ExchangeState, GridSale, SpotMarket } from './exchange-state.ts';
import { recordGridOrder } from './grid-orders.ts';
import { addFillToGrid } from './grid-progress.ts';
import { incomingOf, newOrder, placeHold } from './resting.ts';
import { priceOf } from './settlement.ts';
import { enterBook } from './trading.ts';

/**
 * The values from outside the exchange state that a sale uses: the USDT value of the quote asset, and the
 * maximum number of stop orders to mark as due.
 */
type Outside = Pick<ExternalInputs, 'quoteValue' | 'mostMarked'>;

/**
 * Sells the coins of the grids that the step has ended, one grid after the other. Must be called at the end of each
 * command that may trade, after all orders of the command are placed, because a sale can fill orders of other grids,
 * which then place next orders. A sale that reaches the stop-loss price of another grid ends that grid too, in the same
 * step.
 */
export function sellForEndedGrids(state: ExchangeState, step: Step, outside: Outside): void {
  for (let sale = state.gridSales.shift(); sale !== undefined; sale = state.gridSales.shift())
    sellCoins(state, step, sale, outside);
}

/**
 * Sells the coins that a grid holds and that are still available, by orders at the price `bound` that do not rest, each
 * of at most the pair's maximum amount. Coins remain unsold if the book has no bid at the bound or above, when a sale
 * meets an order of the same person, if their amount is below the pair's minimum, or if the pair does not trade.
 */
function sellCoins(
  state: ExchangeState,
  step: Step,
  { grid, context, bound }: GridSale,
  outside: Outside,
): void {
  const market = state.market(grid.symbol);
  if (market.status !== 'open' || state.isHalted(market.pair)) return;
  // Stops that the sale triggers are marked by further commands, before any other command trades on the pair.
  const mostMarked = outside.mostMarked === undefined ? undefined : 0;
  const outsideOfSale = { quoteValue: outside.quoteValue, mostMarked };
  for (;;) {
    const amount = amountToSell(state, market, grid);
    if (!canSell(market, amount, bound)) return;
    const request = gridSaleRequest(bound, amount);
    const order = newOrder(step, market.pair, context, request, { parentId: grid.id });
    placeHold(state, step, order, amount);
    enterBook(state, { step, market, order, outside: outsideOfSale }, incomingOf(order, undefined));
    addSale(step, grid, order);
    if (order.state !== 'filled') return;
  }
}

function amountToSell(state: ExchangeState, { pair, filters }: SpotMarket, { owner, base }: Grid): Decimal {
  const available = state.ledger.balance(userAddress(owner, 'spot', 'available'), pair.base);
  return least(least(base, available).rounded(pair.amountDigits, 'down'), filters.maxAmount);
}

function canSell({ book, pair, filters }: SpotMarket, amount: Decimal, bound: Decimal): boolean {
  const best = book.best('buy');
  if (best === null || priceOf(pair, best.price).isLess(bound)) return false;
  return bound.isPositive() && !amount.isLess(leastAmount(pair, filters, bound));
}

/** Adds an executed order of a sale to the holdings, fees and sale totals of its grid. */
function addSale(step: Step, grid: Grid, order: SpotOrder): void {
  const { filledAmount: amount, filledTotal: total, fee } = order;
  addFillToGrid(step, grid, 'sell', { amount, total, fee });
  grid.soldBase = grid.soldBase.plus(amount);
  grid.soldQuote = grid.soldQuote.plus(total).minus(fee);
  recordGridOrder(step, grid, order);
}
