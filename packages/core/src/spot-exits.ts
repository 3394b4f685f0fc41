import { Decimal, greatest, least } from './decimal.ts';
import type { ExitsRequest, OrderRequest } from './order-request.ts';
import type { Pair, PairFilters, Side } from './pair.ts';
import { refusal, type Refusal } from './refusal.ts';
import { gridProblem, guardPrice, limitPriceProblem, type MarketView, smallTotalProblem } from './spot.ts';

/**
 * Why the exits of an order cannot be promised; undefined when they can. On the side where the market brings a profit
 * lies the take-profit, on the other one the stop-loss: of a buy above and below its entry price, of a sale below and
 * above it. The entry price is the price of a limit order, and for a market order the best price on offer. What the
 * entry will have brought is sold or bought back at the one or the other, so that has to be worth the pair's minimum.
 */
export function exitsProblem(
  pair: Pair,
  filters: PairFilters,
  request: Pick<OrderRequest, 'side' | 'type' | 'price' | 'amount' | 'total' | 'exits'>,
  market: Pick<MarketView, 'best' | 'last'>,
): Refusal | undefined {
  const { side, type, exits } = request;
  if (exits === undefined) return undefined;
  const { takeProfit, stopLoss, stopLossLimit } = exits;
  const first = takeProfit === undefined ? 'stopLossPrice' : 'takeProfitPrice';
  if (type !== 'limit' && type !== 'market')
    return refusal('invalidField', 'l.exits_order', { field: first });
  if (stopLoss === undefined && stopLossLimit === undefined && takeProfit === undefined)
    return refusal('invalidField', 'l.exits_required', { field: 'takeProfitPrice' });
  if (stopLoss === undefined && stopLossLimit !== undefined)
    return refusal('invalidField', 'l.stop_price_required', { field: 'stopLossPrice' });
  const entry = request.price ?? market.best!;
  return (
    takeProfitProblem(pair, filters, side, entry, takeProfit) ??
    stopLossProblem(pair, side, entry, market.last, stopLoss) ??
    stopLossLimitProblem(pair, filters, stopLoss, stopLossLimit) ??
    worthProblem(pair, filters, request, entry)
  );
}

/** What a filled sale has to spend on its exits. */
export interface SaleResult {
  /** In the base coin. */
  readonly sold: Decimal;
  /** In the quote coin, after the fee. */
  readonly proceeds: Decimal;
}

/**
 * How much the exits of a sale buy back at `price`, in the base coin on the pair's step: at most what was sold, and no
 * more than the proceeds pay for, so that nothing else of the owner is touched.
 */
export function boughtBack({ amountDigits }: Pair, { sold, proceeds }: SaleResult, price: Decimal): Decimal {
  return least(sold, proceeds.over(price, 'down', amountDigits));
}

/**
 * The highest price that the exits of a sale may pay: of a stop-loss its limit, or at market the guard beyond it; the
 * take-profit where there is no stop-loss.
 */
export function dearestExit(
  pair: Pair,
  filters: PairFilters,
  { takeProfit, stopLoss, stopLossLimit }: ExitsRequest,
): Decimal {
  if (stopLoss === undefined) return takeProfit!;
  return stopLossLimit ?? guardPrice(pair, filters, 'buy', stopLoss, undefined);
}

const EXIT_PRICES = ['takeProfit', 'stopLoss', 'stopLossLimit'] as const;

/**
 * The exits that an order has after a change of them; undefined for none. What the change leaves out stays, and a price of
 * zero takes one away: with the stop-loss its limit goes, too.
 */
export function amendedExits(
  exits: ExitsRequest | undefined,
  change: ExitsRequest | undefined,
): ExitsRequest | undefined {
  if (change === undefined) return exits;
  const after = (now: Decimal | undefined, wanted: Decimal | undefined) =>
    wanted === undefined ? now : wanted.isZero() ? undefined : wanted;
  const takeProfit = after(exits?.takeProfit, change.takeProfit);
  const stopLoss = after(exits?.stopLoss, change.stopLoss);
  const limitNow = stopLoss === undefined ? undefined : exits?.stopLossLimit;
  const next = { takeProfit, stopLoss, stopLossLimit: after(limitNow, change.stopLossLimit) };
  return EXIT_PRICES.every((name) => next[name] === undefined) ? undefined : next;
}

/** Whether exits name the same prices. */
export function sameExits(one: ExitsRequest | undefined, other: ExitsRequest | undefined): boolean {
  return EXIT_PRICES.every((name) => (one?.[name] ?? Decimal.zero).equals(other?.[name] ?? Decimal.zero));
}

function takeProfitProblem(
  pair: Pair,
  filters: PairFilters,
  side: Side,
  entry: Decimal,
  price: Decimal | undefined,
): Refusal | undefined {
  if (price === undefined) return undefined;
  const field = 'takeProfitPrice';
  const problem =
    gridProblem(pair, field, price) ?? named(limitPriceProblem(pair, filters, price, entry), field);
  // Beyond the band on the side of a loss is on the wrong side of the entry, and that is the plainer thing to say.
  const wrongSide = side === 'buy' ? 'l.price_band_low' : 'l.price_band_high';
  if (problem !== undefined && problem.key !== wrongSide) return problem;
  const about = {
    field,
    unit: pair.quote,
    limit: entry.toPlaces(pair.priceDigits),
    value: price.toPlaces(pair.priceDigits),
  };
  if (side === 'buy') {
    return price.isMore(entry) ? undefined : refusal('belowMinimum', 'l.take_profit_side', about);
  }
  return price.isLess(entry) ? undefined : refusal('aboveMaximum', 'l.take_profit_side_sell', about);
}

function stopLossProblem(
  pair: Pair,
  side: Side,
  entry: Decimal,
  last: Decimal | undefined,
  price: Decimal | undefined,
): Refusal | undefined {
  if (price === undefined) return undefined;
  const field = 'stopLossPrice';
  const grid = gridProblem(pair, field, price);
  if (grid !== undefined) return grid;
  // A limit beyond the market trades at the market, where the stop must not have been reached.
  const bound = last === undefined ? entry : side === 'buy' ? least(entry, last) : greatest(entry, last);
  const about = {
    field,
    unit: pair.quote,
    limit: bound.toPlaces(pair.priceDigits),
    value: price.toPlaces(pair.priceDigits),
  };
  if (side === 'buy') {
    return price.isLess(bound) ? undefined : refusal('aboveMaximum', 'l.stop_loss_side', about);
  }
  return price.isMore(bound) ? undefined : refusal('belowMinimum', 'l.stop_loss_side_sell', about);
}

function stopLossLimitProblem(
  pair: Pair,
  filters: PairFilters,
  stopLoss: Decimal | undefined,
  price: Decimal | undefined,
): Refusal | undefined {
  if (price === undefined) return undefined;
  return named(limitPriceProblem(pair, filters, price, stopLoss), 'stopLossLimitPrice');
}

/** The exit at the lower price is worth less than the entry, which may be too little for an order. */
function worthProblem(
  pair: Pair,
  filters: PairFilters,
  { side, amount, total, exits }: Pick<OrderRequest, 'side' | 'amount' | 'total' | 'exits'>,
  entry: Decimal,
): Refusal | undefined {
  const traded = amount ?? total!.over(entry, 'down', pair.amountDigits);
  const { takeProfit, stopLoss, stopLossLimit } = exits!;
  const field = side === 'buy' || takeProfit === undefined ? 'stopLossPrice' : 'takeProfitPrice';
  const price = side === 'buy' ? (stopLossLimit ?? stopLoss) : (takeProfit ?? stopLossLimit);
  if (price === undefined) return undefined;
  const result = { sold: traded, proceeds: entry.timesExact(traded) };
  const exitAmount = side === 'buy' ? traded : boughtBack(pair, result, dearestExit(pair, filters, exits!));
  return smallTotalProblem(pair, filters, price.timesExact(exitAmount), field);
}

function named(problem: Refusal | undefined, field: string): Refusal | undefined {
  return problem && { ...problem, parameters: { ...problem.parameters, field } };
}
