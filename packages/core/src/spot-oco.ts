import type { Decimal } from './decimal.ts';
import type { Pair, PairFilters, Side } from './pair.ts';
import { refusal, type Refusal } from './refusal.ts';
import { crossingProblem } from './spot-book-rules.ts';
import { orderProblem, statusProblem, type MarketView, type OrderRequest } from './spot.ts';

/**
 * One-cancels-the-other (OCO): a limit order on one side of the last price and a stop order on the other. As soon as a
 * part of the limit order is filled or the stop order triggers, the other order is cancelled.
 */
export interface OcoRequest {
  readonly side: Side;
  readonly amount: Decimal;
  readonly limitPrice: Decimal;
  readonly stopPrice: Decimal;
  /**
   * Limit price of the order that the stop leg places when it triggers. If it is undefined, the stop leg places a
   * market order.
   */
  readonly stopLimitPrice?: Decimal | undefined;
}

/** Returns the limit leg and the stop leg of an OCO, each as the request for a single order. */
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
 * Returns a refusal for the first rule that an OCO violates; otherwise undefined. The pair must accept orders and have
 * a last price, one leg must have its price above the last price and the other below it, each leg must be valid as a
 * single order, and the limit leg must not trade immediately.
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
    // The limit leg must not trade immediately, because its first fill would cancel the stop leg.
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
