import { Decimal, greatest, least } from './decimal.ts';
import type { ExitsRequest, OrderRequest } from './order-request.ts';
import type { Pair, PairFilters, Side } from './pair.ts';
import { refusal, type Refusal } from './refusal.ts';
import { gridProblem, guardPrice, limitPriceProblem, type MarketView, smallTotalProblem } from './spot.ts';

/**
 * Returns a refusal if the take-profit or stop-loss of an order is invalid; otherwise undefined. Only limit
 * and market orders may have them. For a buy the take-profit must be above the entry price, and the stop-loss
 * below the entry price and the last price. For a sale it is the reverse. The entry price is the limit price,
 * or for a market order the best opposite price. All prices must be multiples of the price step, the
 * take-profit price within the price band around the entry price, a limit price of the stop-loss within that
 * around the stop-loss price, and the total of the exit orders must reach the pair's minimum.
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

/**
 * The result of a sell order that has traded. Its take-profit or stop-loss can spend its proceeds to buy the
 * coins back.
 */
export interface SaleResult {
  /** Amount in the base coin that the sell order has sold. */
  readonly sold: Decimal;
  /** Amount in the quote coin that the sell order has received, after the fee. */
  readonly proceeds: Decimal;
}

/**
 * Returns the amount in the base coin that the take-profit or stop-loss of a sell order buys back at `price`, a
 * multiple of the amount step. It is at most the sold amount, and at most what the proceeds can pay for, so that the
 * order uses no other balance.
 */
export function buyBackAmount(
  { amountDigits }: Pair,
  { sold, proceeds }: SaleResult,
  price: Decimal,
): Decimal {
  return least(sold, proceeds.over(price, 'down', amountDigits));
}

/**
 * Returns the maximum price that the exit orders of a sell order may pay: the limit price of the stop-loss, or for a
 * stop-loss without one the worst permitted price of a market order. Without a stop-loss it is the take-profit price.
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
 * Returns the take-profit and stop-loss of an order after an amendment; undefined if the order has neither. A
 * price that the amendment does not contain stays. A price of zero removes the take-profit, the stop-loss or
 * the limit price of the stop-loss. Removing the stop-loss also removes its limit price.
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

/**
 * Returns whether two orders have the same take-profit price, stop-loss price and limit price of the
 * stop-loss. An absent price equals a price of zero.
 */
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
  // A take-profit price that is below the permitted band of a buy (above it for a sale) is also on the wrong side of
  // the entry price. The refusal then names the wrong side, because this is clearer.
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
  // A limit order that trades immediately executes at market prices. Its stop-loss must therefore also be below the
  // last price for a buy, and above it for a sale.
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
 * Returns a refusal if the take-profit or stop-loss, at its least favourable price, would trade a total below the
 * pair's minimum; otherwise undefined. This is possible although the entry order itself reaches the minimum.
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
