import type { Decimal } from './decimal.ts';
import type { Pair, PairFilters, Side } from './pair.ts';
import { refusal, type Refusal } from './refusal.ts';
import { crossingProblem } from './spot-moment.ts';
import { orderProblem, statusProblem, type MarketView, type OrderRequest } from './spot.ts';

/** Two orders of which one cancels the other: a limit on one side of the market and a stop on the other. */
export interface OcoRequest {
  readonly side: Side;
  readonly amount: Decimal;
  readonly limitPrice: Decimal;
  readonly stopPrice: Decimal;
  /** With it the stop becomes a limit order at this price; without, a market order. */
  readonly stopLimitPrice?: Decimal | undefined;
}

/** Both legs as orders of their own. */
export function ocoLegs(request: OcoRequest): { readonly limit: OrderRequest; readonly stop: OrderRequest } {
  const { side, amount, limitPrice, stopPrice, stopLimitPrice } = request;
  const both = { side, amount, postOnly: false };
  return {
    limit: { ...both, type: 'limit', price: limitPrice, timeInForce: 'GTC' },
    stop:
      stopLimitPrice === undefined
        ? { ...both, type: 'stopMarket', stopPrice, timeInForce: 'IOC' }
        : { ...both, type: 'stopLimit', stopPrice, price: stopLimitPrice, timeInForce: 'GTC' },
  };
}

/**
 * The first limit that an OCO breaks: one leg must lie above the last price and one below, and each leg
 * keeps the limits of an order of its own. Undefined when none.
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
    renamed(orderProblem(pair, filters, legs.limit, market), { price: 'limitPrice' }) ??
    renamed(orderProblem(pair, filters, legs.stop, market), { price: 'stopLimitPrice' }) ??
    // The limit leg has to rest: a trade at once would end the pair before it began.
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

function renamed(problem: Refusal | undefined, names: Readonly<Record<string, string>>): Refusal | undefined {
  const field = names[problem?.parameters['field'] ?? ''];
  if (problem === undefined || field === undefined) return problem;
  return { ...problem, parameters: { ...problem.parameters, field } };
}
