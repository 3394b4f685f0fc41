import { Decimal, greatest, least } from './decimal.ts';
import type { ExitsRequest, OrderRequest } from './order-request.ts';
import type { Pair, PairFilters, Side } from './pair.ts';
import { refusal, type Refusal } from './refusal.ts';
import { gridProblem, guardPrice, limitPriceProblem, type MarketView, smallTotalProblem } from './spot.ts';

/**
 * Returns a refusal if the exits of an order are invalid. The take-profit must lie on the profitable side of
 * the entry price and the stop-loss on the other: above and below it for a buy, the reverse for a sale. The
 * entry price is the limit price, or the best opposite price for a market order. The exits trade what the
 * entry brings in, so that their total must reach the pair's minimum.
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
    exitTotalProblem(pair, filters, request, entry)
  );
}

/** Result of a filled sale that its exits can spend. */
export interface SaleResult {
  /** In the base coin. */
  readonly sold: Decimal;
  /** In the quote coin, after the fee. */
  readonly proceeds: Decimal;
}

/**
 * The amount in base that the exits of a sale buy back at `price`, on the pair's lot: at most the sold
 * amount, and at most what the proceeds can pay for, so that no other balance is used.
 */
export function buyBackAmount(
  { amountDigits }: Pair,
  { sold, proceeds }: SaleResult,
  price: Decimal,
): Decimal {
  return least(sold, proceeds.over(price, 'down', amountDigits));
}

/**
 * The greatest price that the exits of a sale can pay: the stop-loss limit, or the guard price of a stop-loss
 * at market; without a stop-loss the take-profit.
 */
export function highestExitPrice(
  pair: Pair,
  filters: PairFilters,
  { takeProfit, stopLoss, stopLossLimit }: ExitsRequest,
): Decimal {
  if (stopLoss === undefined) return takeProfit!;
  return stopLossLimit ?? guardPrice(pair, filters, 'buy', stopLoss, undefined);
}

const EXIT_PRICES = ['takeProfit', 'stopLoss', 'stopLossLimit'] as const;

/**
 * The exits of an order after an amendment; undefined for none. Absent prices stay, a price of zero removes
 * an exit, and removing the stop-loss also removes its limit.
 */
export function amendedExits(
  exits: ExitsRequest | undefined,
  change: ExitsRequest | undefined,
): ExitsRequest | undefined {
  if (change === undefined) return exits;
  const amendedPrice = (current: Decimal | undefined, requested: Decimal | undefined) =>
    requested === undefined ? current : requested.isZero() ? undefined : requested;
  const takeProfit = amendedPrice(exits?.takeProfit, change.takeProfit);
  const stopLoss = amendedPrice(exits?.stopLoss, change.stopLoss);
  const currentLimit = stopLoss === undefined ? undefined : exits?.stopLossLimit;
  const next = { takeProfit, stopLoss, stopLossLimit: amendedPrice(currentLimit, change.stopLossLimit) };
  return EXIT_PRICES.every((name) => next[name] === undefined) ? undefined : next;
}

/** Returns whether both have the same prices. */
export function sameExits(a: ExitsRequest | undefined, b: ExitsRequest | undefined): boolean {
  return EXIT_PRICES.every((name) => (a?.[name] ?? Decimal.zero).equals(b?.[name] ?? Decimal.zero));
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
    gridProblem(pair, field, price) ?? withField(limitPriceProblem(pair, filters, price, entry), field);
  // A price below the band of a buy (above it, for a sale) is also on the wrong side of the entry; report
  // that instead.
  const wrongSide = side === 'buy' ? 'l.price_band_low' : 'l.price_band_high';
  if (problem !== undefined && problem.key !== wrongSide) return problem;
  const details = {
    field,
    unit: pair.quote,
    limit: entry.toPlaces(pair.priceDigits),
    value: price.toPlaces(pair.priceDigits),
  };
  if (side === 'buy') {
    return price.isMore(entry) ? undefined : refusal('belowMinimum', 'l.take_profit_side', details);
  }
  return price.isLess(entry) ? undefined : refusal('aboveMaximum', 'l.take_profit_side_sell', details);
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
  // A marketable limit order executes at the market, so that the stop must not be beyond the last price
  // either.
  const bound = last === undefined ? entry : side === 'buy' ? least(entry, last) : greatest(entry, last);
  const details = {
    field,
    unit: pair.quote,
    limit: bound.toPlaces(pair.priceDigits),
    value: price.toPlaces(pair.priceDigits),
  };
  if (side === 'buy') {
    return price.isLess(bound) ? undefined : refusal('aboveMaximum', 'l.stop_loss_side', details);
  }
  return price.isMore(bound) ? undefined : refusal('belowMinimum', 'l.stop_loss_side_sell', details);
}

function stopLossLimitProblem(
  pair: Pair,
  filters: PairFilters,
  stopLoss: Decimal | undefined,
  price: Decimal | undefined,
): Refusal | undefined {
  if (price === undefined) return undefined;
  return withField(limitPriceProblem(pair, filters, price, stopLoss), 'stopLossLimitPrice');
}

/**
 * Exits at an unfavourable price trade a smaller total than the entry, which can be below the pair's minimum.
 */
function exitTotalProblem(
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
  const exitAmount =
    side === 'buy' ? traded : buyBackAmount(pair, result, highestExitPrice(pair, filters, exits!));
  return smallTotalProblem(pair, filters, price.timesExact(exitAmount), field);
}

function withField(problem: Refusal | undefined, field: string): Refusal | undefined {
  return problem && { ...problem, parameters: { ...problem.parameters, field } };
}
