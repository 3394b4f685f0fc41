import { Decimal, least } from './decimal.ts';
import type { ExitsRequest, OrderRequest } from './order-request.ts';
import type { Pair, PairFilters } from './pair.ts';
import { refusal, type Refusal } from './refusal.ts';
import { gridProblem, limitPriceProblem, type MarketView, smallTotalProblem } from './spot.ts';

/**
 * Why the exits of a buy cannot be promised; undefined when they can. The take-profit lies above the entry price and the
 * stop-loss below it: of a limit order its price, of a market order the best price on offer. What the entry will
 * have bought is sold at the one or the other, so that has to be worth the pair's minimum.
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
  if (side !== 'buy' || (type !== 'limit' && type !== 'market'))
    return refusal('invalidField', 'l.exits_order', { field: first });
  if (stopLoss === undefined && stopLossLimit === undefined && takeProfit === undefined)
    return refusal('invalidField', 'l.exits_required', { field: 'takeProfitPrice' });
  if (stopLoss === undefined && stopLossLimit !== undefined)
    return refusal('invalidField', 'l.stop_price_required', { field: 'stopLossPrice' });
  const entry = request.price ?? market.best!;
  return (
    takeProfitProblem(pair, filters, entry, takeProfit) ??
    stopLossProblem(pair, entry, market.last, stopLoss) ??
    stopLossLimitProblem(pair, filters, stopLoss, stopLossLimit) ??
    worthProblem(pair, filters, request, entry)
  );
}

const EXIT_PRICES = ['takeProfit', 'stopLoss', 'stopLossLimit'] as const;

/**
 * The exits that a buy has after a change of them; undefined for none. What the change leaves out stays, and a price of
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
  entry: Decimal,
  price: Decimal | undefined,
): Refusal | undefined {
  if (price === undefined) return undefined;
  const field = 'takeProfitPrice';
  const problem =
    gridProblem(pair, field, price) ?? named(limitPriceProblem(pair, filters, price, entry), field);
  // Below the band is below the entry, and that is the plainer thing to say.
  if (problem !== undefined && problem.key !== 'l.price_band_low') return problem;
  if (price.isMore(entry)) return undefined;
  const limit = entry.toPlaces(pair.priceDigits);
  return refusal('belowMinimum', 'l.take_profit_side', {
    ...{ field, unit: pair.quote, limit, value: price.toPlaces(pair.priceDigits) },
  });
}

function stopLossProblem(
  pair: Pair,
  entry: Decimal,
  last: Decimal | undefined,
  price: Decimal | undefined,
): Refusal | undefined {
  if (price === undefined) return undefined;
  const field = 'stopLossPrice';
  const grid = gridProblem(pair, field, price);
  if (grid !== undefined) return grid;
  // A limit above the market buys at the market, where the stop must not have been reached.
  const lowest = last === undefined ? entry : least(entry, last);
  if (price.isLess(lowest)) return undefined;
  const limit = lowest.toPlaces(pair.priceDigits);
  return refusal('aboveMaximum', 'l.stop_loss_side', {
    ...{ field, unit: pair.quote, limit, value: price.toPlaces(pair.priceDigits) },
  });
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

/** A stop-loss sells for less than the entry paid, which may be too little for an order. */
function worthProblem(
  pair: Pair,
  filters: PairFilters,
  { amount, total, exits }: Pick<OrderRequest, 'amount' | 'total' | 'exits'>,
  entry: Decimal,
): Refusal | undefined {
  const price = exits!.stopLossLimit ?? exits!.stopLoss;
  if (price === undefined) return undefined;
  const bought = amount ?? total!.over(entry, 'down', pair.amountDigits);
  return smallTotalProblem(pair, filters, price.timesExact(bought), 'stopLossPrice');
}

function named(problem: Refusal | undefined, field: string): Refusal | undefined {
  return problem && { ...problem, parameters: { ...problem.parameters, field } };
}
