import { Decimal, greatest, least, sum } from './decimal.ts';
import { feeOn, type FeeRates } from './fee.ts';
import { rangeProblem, wholeProblem } from './field-range.ts';
import type { Pair, PairFilters, Side } from './pair.ts';
import { refusal, type Refusal } from './refusal.ts';
import { restingProblem } from './spot-book-rules.ts';
import {
  amountProblem,
  gridProblem,
  leastAmount,
  limitPriceProblem,
  percentOfTrail,
  statusProblem,
  type MarketView,
  type OrderRequest,
} from './spot.ts';

/** Minimum and maximum number of prices (levels) of a trading grid. */
export const GRID_LEVELS_MIN = 2;
export const GRID_LEVELS_MAX = 50;
/** Maximum number of a user's grids that run at the same time, on all pairs together. */
export const GRID_OPEN_MAX = 10;
/** Minimum and maximum of the slippage of a grid, in per cent. */
export const GRID_SLIPPAGE_PCT_MIN = '0.05';
export const GRID_SLIPPAGE_PCT_MAX = '5';
/** Maximum number of decimals of a trading grid's slippage in per cent. */
export const GRID_SLIPPAGE_PLACES = 2;
/** Maximum number of decimals of a grid's investment, which is in the quote coin. */
export const GRID_INVESTMENT_PLACES = 8;
const HALF = Decimal.parse('0.5');

/** How the prices of a grid are spaced: by `equal` differences, or by an equal `ratio` of neighbouring prices. */
export const GRID_SPACINGS = ['equal', 'ratio'] as const;
export type GridSpacing = (typeof GRID_SPACINGS)[number];

/**
 * A trading grid: limit orders at fixed prices (levels). A completely filled purchase is followed by a sale at the next
 * higher level, and that sale by a purchase at the level below.
 */
export interface GridRequest {
  readonly lowerPrice: Decimal;
  readonly upperPrice: Decimal;
  /** Number of levels, from `GRID_LEVELS_MIN` to `GRID_LEVELS_MAX`, including the lower and the upper price. */
  readonly levels: number;
  readonly spacing: GridSpacing;
  /** Maximum amount in the quote coin that the grid may use at its start. */
  readonly investment: Decimal;
  /**
   * Slippage as a fraction. The purchase at the start executes at most this far above the best ask, and the sale at the
   * end at most this far below the price at the end.
   */
  readonly slippage: Decimal;
  /** Stop-loss price, below `lowerPrice`: a trade at this price or a lower one ends the grid. Undefined for none. */
  readonly stopLoss?: Decimal | undefined;
  /** Take-profit price, above `upperPrice`: a trade at this price or a higher one ends the grid. Undefined for none. */
  readonly takeProfit?: Decimal | undefined;
  /**
   * True if the grid sells its coins when its stop-loss or take-profit price ends it. Otherwise the user keeps the
   * coins.
   */
  readonly sellsAtEnd?: boolean | undefined;
}

/** The state of a pair's market and the fee rates with which a grid is checked. `best` is not used. */
export interface GridMarket extends MarketView {
  readonly bid: Decimal | undefined;
  readonly ask: Decimal | undefined;
  /** The fee rates of the user to whom the grid belongs. */
  readonly rates: FeeRates;
}

/** A resting order of a grid at its start. Prices in the quote coin, amounts in the base coin. */
export interface GridOrder {
  /**
   * Index of the lower one of the two neighbouring levels at which this order and the orders that follow it buy and
   * sell.
   */
  readonly level: number;
  readonly side: Side;
  readonly price: Decimal;
  readonly amount: Decimal;
}

/** The orders of a grid at its start: a purchase that executes immediately, and limit orders that rest in the book. */
export interface GridPlan {
  readonly prices: readonly Decimal[];
  /** The price at which the grid starts: the mean of the best bid and the best ask. */
  readonly price: Decimal;
  /** The amount of each resting order, in the base coin. */
  readonly amount: Decimal;
  /**
   * The amount in the base coin that the grid buys immediately at its start, so that it has the coins for its sell
   * orders; zero if it starts without sell orders.
   */
  readonly purchase: Decimal;
  /**
   * Limit price of the immediate purchase: above the best ask by at most the slippage, and below the lowest sell order.
   */
  readonly worstPrice: Decimal;
  /**
   * The resting orders, from the lowest price to the highest. There is no order at the level nearest to the start
   * price.
   */
  readonly orders: readonly GridOrder[];
  /**
   * Maximum cost, in the quote coin, of the immediate purchase and all resting buy orders together. It is at most the
   * investment.
   */
  readonly invested: Decimal;
}

type GridShape = Pick<GridRequest, 'lowerPrice' | 'upperPrice' | 'levels' | 'spacing'>;

/**
 * Returns the price of a level of a grid; level 0 has the lower price. The prices between the lower and the upper price
 * are rounded down to the pair's price step. A price of a grid with equal ratios is computed as an exact integer root.
 */
export function gridPriceAt(
  { priceDigits }: Pick<Pair, 'priceDigits'>,
  { lowerPrice, upperPrice, levels, spacing }: GridShape,
  level: number,
): Decimal {
  const lower = lowerPrice.toScaled(priceDigits);
  const upper = upperPrice.toScaled(priceDigits);
  const [place, steps] = [BigInt(level), BigInt(levels - 1)];
  const ticks =
    spacing === 'equal'
      ? lower + ((upper - lower) * place) / steps
      : rootBetween(lower, upper, lower ** (steps - place) * upper ** place, steps);
  return Decimal.ofScaled(ticks, priceDigits);
}

/** Returns the prices of a grid, lowest first. */
export function gridPrices(pair: Pick<Pair, 'priceDigits'>, shape: GridShape): readonly Decimal[] {
  return Array.from({ length: shape.levels }, (_, level) => gridPriceAt(pair, shape, level));
}

/** Returns the greatest integer from `lower` to `upper` whose power with the exponent `degree` is at most `value`. */
function rootBetween(lower: bigint, upper: bigint, value: bigint, degree: bigint): bigint {
  let [from, to] = [lower, upper];
  while (from < to) {
    const middle = (from + to + 1n) / 2n;
    if (middle ** degree > value) to = middle - 1n;
    else from = middle;
  }
  return from;
}

/** The index of the price nearest to `price`; of two equally near prices the lower one. */
function nearestTo(prices: readonly Decimal[], price: Decimal): number {
  let nearest = 0;
  for (const [index, candidate] of prices.entries()) {
    const distance = candidate.minus(price).absolute();
    if (distance.isLess(prices[nearest]!.minus(price).absolute())) nearest = index;
  }
  return nearest;
}

/** The price at which a grid starts: the mean of the best bid and ask; undefined if a side of the book is empty. */
export function gridStartPrice({ bid, ask }: Pick<GridMarket, 'bid' | 'ask'>): Decimal | undefined {
  return bid && ask && bid.plus(ask).timesExact(HALF);
}

/**
 * Returns the orders with which a grid starts. Returns undefined if a side of the book is empty, or if the investment
 * is too small for one amount step per order. The request must have valid levels, prices and investment. All resting
 * orders have the same amount: the greatest one with which the resting buy orders and the immediate purchase, at its
 * limit price, cost at most the investment.
 */
export function gridPlan(
  pair: Pair,
  request: GridRequest,
  market: Pick<GridMarket, 'bid' | 'ask' | 'rates'>,
): GridPlan | undefined {
  const frame = frameOf(pair, request, market);
  if (frame === undefined) return undefined;
  let [from, to] = [
    0n,
    request.investment.over(request.lowerPrice, 'up', pair.amountDigits).toScaled(pair.amountDigits),
  ];
  while (from < to) {
    const middle = (from + to + 1n) / 2n;
    if (frame.costOf(Decimal.ofScaled(middle, pair.amountDigits)).isMore(request.investment))
      to = middle - 1n;
    else from = middle;
  }
  if (from === 0n) return undefined;
  const amount = Decimal.ofScaled(from, pair.amountDigits);
  return {
    prices: frame.prices,
    price: frame.price,
    amount,
    purchase: frame.purchaseOf(amount),
    worstPrice: frame.worstPrice,
    orders: frame.cells.map(({ level, side, price }) => ({ level, side, price, amount })),
    invested: frame.costOf(amount),
  };
}

/**
 * Computes the parts of a grid's plan that do not depend on the amount of its orders; undefined if a side of the book
 * is empty.
 */
function frameOf(
  pair: Pair,
  request: GridRequest,
  { bid, ask, rates: { taker } }: Pick<GridMarket, 'bid' | 'ask' | 'rates'>,
) {
  const price = gridStartPrice({ bid, ask });
  if (price === undefined) return undefined;
  const prices = gridPrices(pair, request);
  const empty = nearestTo(prices, price);
  const cells = prices.slice(1).map((_, level) => {
    const side: Side = level < empty ? 'buy' : 'sell';
    return { level, side, price: prices[side === 'buy' ? level : level + 1]! };
  });
  const sales = Decimal.ofWhole(prices.length - 1 - empty);
  const bound = ask!.times(Decimal.one.plus(request.slippage), 'down', pair.priceDigits);
  // The immediate purchase never executes at or above the price of the lowest sell order. Orders that other grids place
  // after the purchase can therefore not trade with the sell orders.
  const firstSale = prices[empty + 1];
  const worstPrice =
    firstSale === undefined ? bound : least(bound, firstSale.minus(Decimal.ofScaled(1n, pair.priceDigits)));
  const resting = sum(prices.slice(0, empty));
  const purchaseOf = (amount: Decimal): Decimal =>
    amount.timesExact(sales).over(Decimal.one.minus(taker), 'up', pair.amountDigits);
  const costOf = (amount: Decimal): Decimal =>
    resting.timesExact(amount).plus(worstPrice.timesExact(purchaseOf(amount)));
  return {
    prices,
    price,
    cells,
    worstPrice,
    purchaseOf,
    costOf,
  };
}

/** Returns the immediate purchase at a grid's start: a limit order that is filled completely or not at all. */
export function gridPurchaseRequest({ purchase, worstPrice }: GridPlan): OrderRequest {
  return {
    side: 'buy',
    type: 'limit',
    price: worstPrice,
    amount: purchase,
    timeInForce: 'FOK',
    postOnly: false,
  };
}

/**
 * Returns the lowest price at which the coins of a grid may be sold at its end: the price at the end less the slippage
 * (a fraction), rounded up to the price step.
 */
export function gridSaleBound(
  { priceDigits }: Pick<Pair, 'priceDigits'>,
  { slippage }: Pick<GridRequest, 'slippage'>,
  price: Decimal,
): Decimal {
  return price.times(Decimal.one.minus(slippage), 'up', priceDigits);
}

/**
 * Returns the order that sells coins of an ended grid immediately, at `price` or higher. Its unfilled part is
 * cancelled.
 */
export function gridSaleRequest(price: Decimal, amount: Decimal): OrderRequest {
  return {
    side: 'sell',
    type: 'limit',
    price,
    amount,
    timeInForce: 'IOC',
    postOnly: false,
  };
}

/** Returns a resting order of a grid: a post-only limit order without expiry. */
export function gridOrderRequest({ side, price, amount }: Omit<GridOrder, 'level'>): OrderRequest {
  return {
    side,
    type: 'limit',
    price,
    amount,
    timeInForce: 'GTC',
    postOnly: true,
  };
}

/**
 * Returns the profit of a purchase at a level and the sale at the next one, after the maker fees of both, as fractions
 * of the price of the purchase: the smallest and the greatest one of all neighbouring levels. Rounded down to eight
 * decimals.
 */
export function gridStepProfits(
  prices: readonly Decimal[],
  { maker }: Pick<FeeRates, 'maker'>,
): { readonly lowest: Decimal; readonly highest: Decimal } {
  const left = Decimal.one.minus(maker);
  const profits = prices
    .slice(1)
    .map((price, level) =>
      price
        .times(left, 'down')
        .times(left, 'down')
        .over(prices[level]!, 'down')
        .minus(Decimal.one)
        .rounded(8, 'down'),
    );
  return { lowest: profits.reduce(least), highest: profits.reduce(greatest) };
}

/**
 * Returns the smallest investment, in the quote coin, for which each order of the grid satisfies the pair's
 * minimum amount and total.
 */
function leastInvestment(
  pair: Pair,
  filters: PairFilters,
  request: GridRequest,
  market: GridMarket,
): Decimal {
  const frame = frameOf(pair, request, market)!;
  // The fee of a purchase is subtracted from the bought coins, so the sale that follows has a smaller amount. The
  // amount of a purchase must therefore be so large that the sale still satisfies the minimum.
  const amount = leastAmount(pair, filters, request.lowerPrice)
    .over(Decimal.one.minus(market.rates.maker), 'up', pair.amountDigits)
    .plus(Decimal.ofScaled(1n, pair.amountDigits));
  return frame.costOf(amount).rounded(pair.priceDigits, 'up');
}

/**
 * Returns a refusal for the first rule that a grid violates; otherwise undefined. The rules: the pair is open, the
 * numbers are valid, both sides of the book have orders, the prices rise from level to level and are within the price
 * band, the present price is between the lower and the upper price, the stop-loss price is below the lower and the last
 * price and the take-profit price above the upper and the last price, each step earns more than its fees, each order
 * satisfies the limits of the pair, and the orders do not exceed the maximum number on the pair together with the
 * owner's `resting` orders. The balance is not checked here.
 */
export function gridOrdersProblem(
  pair: Pair,
  filters: PairFilters,
  request: GridRequest,
  market: GridMarket,
  resting = 0,
): Refusal | undefined {
  const shape = statusProblem(market.status) ?? shapeProblem(pair, request);
  if (shape !== undefined) return shape;
  const price = gridStartPrice(market);
  if (price === undefined) return refusal('closed', 'l.grid_no_price');
  const prices = gridPrices(pair, request);
  return (
    rangeOfPrices(pair, request, prices, price) ??
    exitPricesProblem(pair, request, market.last) ??
    bandProblem(pair, filters, request, market.reference) ??
    feesProblem(prices, market.rates) ??
    amountsProblem(pair, filters, request, market) ??
    restingProblem(filters, resting + request.levels - 2)
  );
}

function shapeProblem(pair: Pair, request: GridRequest): Refusal | undefined {
  const { lowerPrice, upperPrice, levels, investment, slippage } = request;
  return (
    gridProblem(pair, 'lowerPrice', lowerPrice) ??
    gridProblem(pair, 'upperPrice', upperPrice) ??
    wholeProblem('levels', levels, GRID_LEVELS_MIN, GRID_LEVELS_MAX) ??
    rangeProblem('slippage', percentOfTrail(slippage), {
      places: GRID_SLIPPAGE_PLACES,
      min: GRID_SLIPPAGE_PCT_MIN,
      max: GRID_SLIPPAGE_PCT_MAX,
    }) ??
    investmentProblem(pair, investment)
  );
}

function investmentProblem({ quote }: Pair, investment: Decimal): Refusal | undefined {
  const details = { field: 'investment', unit: quote, value: investment.toString() };
  if (!investment.isPositive()) return refusal('invalidField', 'l.field_positive', details);
  if (investment.fits(GRID_INVESTMENT_PLACES)) return undefined;
  return refusal('invalidField', 'l.field_decimals', { ...details, limit: String(GRID_INVESTMENT_PLACES) });
}

/**
 * Returns a refusal if the prices do not rise from level to level, or the present price is not between the
 * outer levels; otherwise undefined.
 */
function rangeOfPrices(
  pair: Pair,
  { lowerPrice, upperPrice, levels }: GridRequest,
  prices: readonly Decimal[],
  price: Decimal,
): Refusal | undefined {
  const isRising = prices.slice(1).every((next, level) => next.isMore(prices[level]!));
  if (!isRising)
    return refusal('invalidField', 'l.grid_range', { field: 'upperPrice', value: String(levels) });
  const isBelow = !price.isMore(lowerPrice);
  if (!isBelow && price.isLess(upperPrice)) return undefined;
  return refusal('invalidField', 'l.grid_outside', {
    field: isBelow ? 'lowerPrice' : 'upperPrice',
    unit: pair.quote,
    limit: price.rounded(pair.priceDigits, 'halfEven').toPlaces(pair.priceDigits),
  });
}

/**
 * Returns a refusal if the stop-loss price is not below the lower price and the last price, if the
 * take-profit price is not above the upper price and the last price, or if one of them is no multiple of the
 * price step; otherwise undefined.
 */
function exitPricesProblem(
  pair: Pair,
  { lowerPrice, upperPrice, stopLoss, takeProfit }: GridRequest,
  last: Decimal | undefined,
): Refusal | undefined {
  const detailsOf = (field: string, value: Decimal, limit: Decimal) => ({
    field,
    unit: pair.quote,
    limit: limit.toPlaces(pair.priceDigits),
    value: value.toString(),
  });
  if (stopLoss !== undefined) {
    const problem = gridProblem(pair, 'stopLossPrice', stopLoss);
    if (problem !== undefined) return problem;
    const limit = last === undefined ? lowerPrice : least(lowerPrice, last);
    if (!stopLoss.isLess(limit))
      return refusal('aboveMaximum', 'l.grid_stop_loss', detailsOf('stopLossPrice', stopLoss, limit));
  }
  if (takeProfit === undefined) return undefined;
  const problem = gridProblem(pair, 'takeProfitPrice', takeProfit);
  if (problem !== undefined) return problem;
  const limit = last === undefined ? upperPrice : greatest(upperPrice, last);
  if (takeProfit.isMore(limit)) return undefined;
  return refusal('belowMinimum', 'l.grid_take_profit', detailsOf('takeProfitPrice', takeProfit, limit));
}

function bandProblem(
  pair: Pair,
  filters: PairFilters,
  { lowerPrice, upperPrice }: GridRequest,
  reference: Decimal | undefined,
): Refusal | undefined {
  const lower = limitPriceProblem(pair, filters, lowerPrice, reference);
  if (lower !== undefined) return atField(lower, 'lowerPrice');
  const upper = limitPriceProblem(pair, filters, upperPrice, reference);
  return upper && atField(upper, 'upperPrice');
}

/**
 * Returns a refusal if a step between two levels does not earn more than the fees of its purchase and its
 * sale; otherwise undefined.
 */
function feesProblem(prices: readonly Decimal[], rates: FeeRates): Refusal | undefined {
  const { lowest } = gridStepProfits(prices, rates);
  if (lowest.isPositive()) return undefined;
  return refusal('invalidField', 'l.grid_fees', {
    field: 'levels',
    value: percentOfTrail(lowest).rounded(3, 'up').toString(),
  });
}

function amountsProblem(
  pair: Pair,
  filters: PairFilters,
  request: GridRequest,
  market: GridMarket,
): Refusal | undefined {
  const needed = leastInvestment(pair, filters, request, market);
  if (request.investment.isLess(needed)) {
    return refusal('belowMinimum', 'l.grid_small', {
      field: 'investment',
      unit: pair.quote,
      limit: needed.toString(),
      value: request.investment.toString(),
    });
  }
  const { amount, purchase } = gridPlan(pair, request, market)!;
  const tooLarge = amountProblem(pair, filters, { amount: greatest(amount, purchase) });
  return tooLarge && atField(tooLarge, 'investment');
}

function atField(problem: Refusal, field: string): Refusal {
  const parameters = new Map(Object.entries(problem.parameters)).set('field', field);
  return { ...problem, parameters: Object.fromEntries(parameters) };
}

/**
 * Amounts from which the results of a grid are computed: those of the grid itself, and for comparison those of a user
 * who holds the grid's initial amounts, and of one who buys the base coin for the whole investment at the start.
 */
export interface GridHoldings {
  /**
   * Cost of the grid's immediate purchase plus the amount that its resting buy orders reserved at the start, in the
   * quote coin.
   */
  readonly invested: Decimal;
  /**
   * Amounts of both coins that the grid has now, including those that its open orders reserve. Fees are already
   * subtracted.
   */
  readonly base: Decimal;
  readonly quote: Decimal;
  /**
   * Amounts of both coins that the grid had after its start. A user who holds them without trading still has the same
   * amounts.
   */
  readonly startBase: Decimal;
  readonly startQuote: Decimal;
  /** Amount of the base coin that `invested` would have bought at the start, after the fee. */
  readonly allInBase: Decimal;
}

/**
 * A result at a price: value and profit in the quote coin, and the profit as a fraction of `invested` (see
 * `GridHoldings`).
 */
export interface GridResult {
  readonly value: Decimal;
  readonly profit: Decimal;
  readonly rate: Decimal;
}

/**
 * Returns three results at a price: of the grid, of holding the grid's initial amounts without further trades, and of
 * buying the base coin for the whole investment at the start. Values are rounded down to eight decimals, rates
 * half-even to six.
 */
export function gridResults(
  { invested, base, quote, startBase, startQuote, allInBase }: GridHoldings,
  price: Decimal,
): { readonly grid: GridResult; readonly holding: GridResult; readonly allIn: GridResult } {
  const resultOf = (coins: Decimal, money: Decimal): GridResult => {
    const value = coins.times(price, 'down', 8).plus(money);
    const profit = value.minus(invested);
    return { value, profit, rate: profit.over(invested, 'halfEven', 6) };
  };
  return {
    grid: resultOf(base, quote),
    holding: resultOf(startBase, startQuote),
    allIn: resultOf(allInBase, Decimal.zero),
  };
}

/** Returns what an amount of the quote coin buys at a price after the taker fee, in the base coin. */
export function gridAllInBase(
  invested: Decimal,
  price: Decimal,
  { taker }: Pick<FeeRates, 'taker'>,
): Decimal {
  const bought = invested.over(price, 'down', 8);
  return bought.minus(feeOn(bought, taker));
}

/**
 * A price that the market could reach, and the results at that price: of the grid, of holding the grid's initial
 * amounts, and of buying the base coin for the whole investment.
 */
export interface GridOutcome extends ReturnType<typeof gridResults> {
  readonly case: 'lower' | 'half' | 'upper' | 'stopLoss' | 'takeProfit';
  readonly price: Decimal;
}

/** The stop-loss and take-profit price of a grid, and the terms of the sale of its coins when one of them ends it. */
type GridExits = Pick<GridRequest, 'stopLoss' | 'takeProfit' | 'sellsAtEnd' | 'slippage'>;

/**
 * Returns the results of a planned grid at the lower price, at half of it, at the upper price, and at the stop-loss and
 * take-profit price of `exits`. The price is assumed to move there in one direction, so that each order is filled at
 * most once. The purchase at the start and the sale at the end are assumed to execute at their worst prices. If the
 * stop-loss price is not below half of the lower price and the grid sells its coins at its end, the result at half of
 * the lower price is computed with the sale at the stop-loss price.
 */
export function gridOutcomes(
  pair: Pick<Pair, 'priceDigits' | 'amountDigits'>,
  plan: GridPlan,
  rates: FeeRates,
  exits?: GridExits,
): readonly GridOutcome[] {
  const { prices, orders, purchase, worstPrice, invested } = plan;
  const startBase = purchase.minus(feeOn(purchase, rates.taker));
  const startQuote = invested.minus(worstPrice.timesExact(purchase));
  const start = { invested, startBase, startQuote, allInBase: gridAllInBase(invested, worstPrice, rates) };
  const bought = orders
    .filter(({ side }) => side === 'buy')
    .map(({ amount }) => amount.minus(feeOn(amount, rates.maker)));
  const sales = orders.filter(({ side }) => side === 'sell');
  const received = sales.map(({ price, amount }) => {
    const total = price.timesExact(amount);
    return total.minus(feeOn(total, rates.maker));
  });
  const allBought = {
    ...start,
    base: startBase.plus(sum(bought)),
    quote: Decimal.zero,
  };
  const allSold = {
    ...start,
    base: startBase.minus(sum(sales.map(({ amount }) => amount))),
    quote: startQuote.plus(sum(received)),
  };
  const [lower, upper] = [prices[0]!, prices.at(-1)!];
  const half = lower.timesExact(HALF);
  const outcomes: GridOutcome[] = [
    outcomeOf('lower', lower, allBought),
    outcomeOf('half', half, endedAt(pair, rates, allBought, exits, half)),
    outcomeOf('upper', upper, allSold),
  ];
  if (exits?.stopLoss !== undefined) {
    const ended = endedAt(pair, rates, allBought, exits, exits.stopLoss);
    outcomes.push(outcomeOf('stopLoss', exits.stopLoss, ended));
  }
  if (exits?.takeProfit !== undefined) {
    const ended = exits.sellsAtEnd === true ? soldAt(pair, rates, allSold, exits, exits.takeProfit) : allSold;
    outcomes.push(outcomeOf('takeProfit', exits.takeProfit, ended));
  }
  return outcomes;
}

function outcomeOf(name: GridOutcome['case'], price: Decimal, holdings: GridHoldings): GridOutcome {
  const { grid, holding, allIn } = gridResults(holdings, price);
  return {
    case: name,
    price,
    grid,
    holding,
    allIn,
  };
}

/**
 * Returns the amounts of a grid that sold its coins at its stop-loss price while the market price fell to
 * `price`. Returns `holdings` unchanged if there is no stop-loss price, if `price` is above it, or if the
 * grid does not sell its coins at its end.
 */
function endedAt(
  pair: Pick<Pair, 'priceDigits' | 'amountDigits'>,
  rates: FeeRates,
  holdings: GridHoldings,
  exits: GridExits | undefined,
  price: Decimal,
): GridHoldings {
  if (exits?.stopLoss === undefined || exits.sellsAtEnd !== true || exits.stopLoss.isLess(price))
    return holdings;
  return soldAt(pair, rates, holdings, exits, exits.stopLoss);
}

/**
 * Returns the amounts of a grid that ended at `price` and sold its coins at the lowest price that its slippage permits.
 */
function soldAt(
  pair: Pick<Pair, 'priceDigits' | 'amountDigits'>,
  { taker }: Pick<FeeRates, 'taker'>,
  { invested, base, quote, startBase, startQuote, allInBase }: GridHoldings,
  exits: GridExits,
  price: Decimal,
): GridHoldings {
  const sold = base.rounded(pair.amountDigits, 'down');
  const total = gridSaleBound(pair, exits, price).timesExact(sold);
  return {
    invested,
    base: base.minus(sold),
    quote: quote.plus(total).minus(feeOn(total, taker)),
    startBase,
    startQuote,
    allInBase,
  };
}
