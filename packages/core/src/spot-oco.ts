import type { Decimal } from './decimal.ts';
import type { Pair, PairFilters, Side } from './pair.ts';
import { refusal, type Refusal } from './refusal.ts';
import { crossingProblem } from './spot-book-rules.ts';
import { orderProblem, statusProblem, type MarketView, type OrderRequest } from './spot.ts';

/** One-cancels-the-other: a limit order on one side of the last price and a stop on the other. */
export interface OcoRequest {
  readonly side: Side;
  readonly amount: Decimal;
  readonly limitPrice: Decimal;
  readonly stopPrice: Decimal;
  /**
   * Limit price of the order that the stop leg places when it triggers; without it a market order is placed.
   */
  readonly stopLimitPrice?: Decimal | undefined;
}

/** The limit order and the stop order of an OCO, each as a separate order. */
export function ocoLegs(request: OcoRequest): { readonly limit: OrderRequest; readonly stop: OrderRequest } {
  const { side, amount, limitPrice, stopPrice, stopLimitPrice } = request;
  const common = { side, amount, postOnly: false };
  return {
    limit: { ...common, type: 'limit', price: limitPrice, timeInForce: 'GTC' },
    stop:
      stopLimitPrice === undefined
        ? { ...common, type: 'stopMarket', stopPrice, timeInForce: 'IOC' }
        : { ...common, type: 'stopLimit', stopPrice, price: stopLimitPrice, timeInForce: 'GTC' },
  };
}

/**
 * Returns a refusal for the first limit that an OCO violates. One leg must lie above the last price and one
 * below, and each leg must satisfy the limits of a single order.
 */
export function ocoProblem(
  pair: Pair,
  filters: PairFilters,
  request: OcoRequest,
  market: MarketView,
): Refusal | undefined {
  const legs = ocoLegs(request);
  return (
    statusProblem(market.status) ??
    sidesProblem(pair, request, market) ??
    withRenamedField(orderProblem(pair, filters, legs.limit, market), { price: 'limitPrice' }) ??
    withRenamedField(orderProblem(pair, filters, legs.stop, market), { price: 'stopLimitPrice' }) ??
    // If the limit leg of an OCO traded at once, its stop leg would be cancelled immediately.
    crossingProblem(request.side, request.limitPrice, market.best, 'limitPrice')
  );
}

function sidesProblem(
  pair: Pair,
  { side, limitPrice, stopPrice }: OcoRequest,
  { last }: MarketView,
): Refusal | undefined {
  if (last === undefined) return refusal('closed', 'l.no_last_price', { field: 'stopPrice' });
  const [upper, lower] = side === 'sell' ? [limitPrice, stopPrice] : [stopPrice, limitPrice];
  if (upper.isMore(last) && lower.isLess(last)) return undefined;
  return refusal('invalidField', 'l.oco_prices', {
    field: 'limitPrice',
    unit: pair.quote,
    limit: limitPrice.toString(),
    value: stopPrice.toString(),
    last: last.toPlaces(pair.priceDigits),
  });
}

function withRenamedField(
  problem: Refusal | undefined,
  names: Readonly<Record<string, string>>,
): Refusal | undefined {
  const field = names[problem?.parameters['field'] ?? ''];
  if (problem === undefined || field === undefined) return problem;
  return { ...problem, parameters: { ...problem.parameters, field } };
}
