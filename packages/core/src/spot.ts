import { Decimal, greatest, least } from './decimal.ts';
import type { AssetCode, Pair, PairFilters, PairStatus, Side } from './pair.ts';
import { refusal, type Refusal } from './refusal.ts';
import type { OrderRequest } from './order-request.ts';
import { shapeProblem } from './spot-shape.ts';
import { becomes, isStop, meetsStop, trailingStopPrice, usualDirection } from './stop.ts';
import { DAY_MS, type Instant } from './time.ts';

export type { ExitsRequest, OrderRequest, OrderType, StopDirection, TimeInForce } from './order-request.ts';

/** What the market looks like at the moment of the check. */
export interface MarketView {
  readonly status: PairStatus;
  /** The index, or the last trade where there is no index; undefined before either exists. */
  readonly reference?: Decimal | undefined;
  /** Best opposite price. */
  readonly best?: Decimal | undefined;
  /** The last trade's price: what stops watch. */
  readonly last?: Decimal | undefined;
  readonly now?: Instant | undefined;
}

/** What has to be set aside for an order, before fees: fees come out of what is received. */
export interface Hold {
  readonly asset: AssetCode;
  readonly amount: Decimal;
}

/** Where an order would trigger if it were placed now; undefined for orders that do not wait and before a first trade. */
export function stopPriceOf(
  pair: Pair,
  request: OrderRequest,
  last: Decimal | undefined,
): Decimal | undefined {
  if (request.type !== 'trailing') return isStop(request.type) ? request.stopPrice : undefined;
  if (last === undefined || request.trail === undefined) return undefined;
  return trailingStopPrice(pair, request.side, request.activation ?? last, request.trail);
}

/** The first limit that an order breaks, with its value and the value given; undefined when none. */
export function orderProblem(
  pair: Pair,
  filters: PairFilters,
  request: OrderRequest,
  market: MarketView,
): Refusal | undefined {
  return (
    statusProblem(market.status) ??
    shapeProblem(request) ??
    expiryProblem(filters, request, market) ??
    amountProblem(pair, filters, request) ??
    trailProblem(filters, request) ??
    activationProblem(pair, request, market) ??
    stopPriceProblem(pair, request, market) ??
    priceProblem(pair, filters, request, market) ??
    totalProblem(pair, filters, request, market)
  );
}

/** Why a pair takes no new orders, or undefined. */
export function statusProblem(status: PairStatus): Refusal | undefined {
  if (status === 'closed') return refusal('closed', 'l.pair_closed');
  if (status === 'cancelOnly') return refusal('closed', 'l.pair_cancel_only');
  return undefined;
}

/**
 * The worst price at which a market order may execute, on the pair's price grid: `marketGuard` beyond the better
 * one of `best`, the best opposite price, and `reference`, the index where there is one. So nobody meets quotes far
 * from the market while a book is thin. For a stop that waits, `best` is its stop price and there is no reference.
 */
export function guardPrice(
  pair: Pair,
  filters: PairFilters,
  side: Side,
  best: Decimal,
  reference: Decimal | undefined,
): Decimal {
  if (side === 'buy') {
    const from = reference === undefined ? best : least(best, reference);
    return from.times(Decimal.one.plus(filters.marketGuard), 'down', pair.priceDigits);
  }
  const from = reference === undefined ? best : greatest(best, reference);
  return from.times(Decimal.one.minus(filters.marketGuard), 'up', pair.priceDigits);
}

/**
 * What an order sets aside: a sell its base amount; a buy that is or becomes a limit order price × amount;
 * any other buy its total, or guard price × amount.
 */
export function holdFor(
  pair: Pair,
  request: Pick<OrderRequest, 'side' | 'type' | 'price' | 'amount' | 'total'>,
  guard: Decimal | undefined,
): Hold {
  if (request.side === 'sell') return { asset: pair.base, amount: request.amount ?? Decimal.zero };
  if (request.total !== undefined) return { asset: pair.quote, amount: request.total };
  const price = becomes(request.type) === 'limit' ? request.price : guard;
  if (price === undefined || request.amount === undefined)
    throw new Error('a buy needs a price and an amount');
  return { asset: pair.quote, amount: price.timesExact(request.amount) };
}

/** The first limit on an order's amount that `amount` breaks; undefined when none. */
export function amountProblem(
  pair: Pair,
  filters: PairFilters,
  { amount }: Pick<OrderRequest, 'amount'>,
): Refusal | undefined {
  if (amount === undefined) return undefined;
  const about = () => ({ field: 'amount', unit: pair.base, value: amount.toString() });
  if (!amount.fits(pair.amountDigits)) {
    return refusal('invalidField', 'l.amount_decimals', { ...about(), limit: String(pair.amountDigits) });
  }
  if (amount.isLess(filters.minAmount)) {
    return refusal('belowMinimum', 'l.amount_min', { ...about(), limit: filters.minAmount.toString() });
  }
  if (amount.isMore(filters.maxAmount)) {
    return refusal('aboveMaximum', 'l.amount_max', { ...about(), limit: filters.maxAmount.toString() });
  }
  return undefined;
}

/** Why a limit price does not fit the pair's grid, or lies too far from `reference` (where there is one). */
export function limitPriceProblem(
  pair: Pair,
  filters: PairFilters,
  price: Decimal,
  reference: Decimal | undefined,
): Refusal | undefined {
  const problem = gridProblem(pair, 'price', price);
  if (problem !== undefined || reference === undefined) return problem;
  const about = () => ({ field: 'price', unit: pair.quote, value: price.toString() });
  const lowest = reference.times(Decimal.one.minus(filters.priceBand), 'up', pair.priceDigits);
  const highest = reference.times(Decimal.one.plus(filters.priceBand), 'down', pair.priceDigits);
  if (price.isLess(lowest)) {
    const limit = lowest.toPlaces(pair.priceDigits);
    return refusal('belowMinimum', 'l.price_band_low', { ...about(), limit });
  }
  if (price.isMore(highest)) {
    const limit = highest.toPlaces(pair.priceDigits);
    return refusal('aboveMaximum', 'l.price_band_high', { ...about(), limit });
  }
  return undefined;
}

/** Why a total is too fine or too small; undefined when it is neither. `field` is what the person entered. */
export function totalValueProblem(
  pair: Pair,
  filters: PairFilters,
  total: Decimal,
  field: 'amount' | 'total',
): Refusal | undefined {
  const digits = pair.priceDigits + pair.amountDigits;
  if (!total.fits(digits)) {
    const about = { field, unit: pair.quote, value: total.toString() };
    return refusal('invalidField', 'l.field_decimals', { ...about, limit: String(digits) });
  }
  return smallTotalProblem(pair, filters, total, field);
}

/** Why a total is too small for an order; undefined when it is not. */
export function smallTotalProblem(
  pair: Pair,
  filters: PairFilters,
  total: Decimal,
  field: string,
): Refusal | undefined {
  if (!total.isLess(filters.minTotal)) return undefined;
  const about = { field, unit: pair.quote, value: total.toString() };
  return refusal('belowMinimum', 'l.total_min', { ...about, limit: filters.minTotal.toString() });
}

/** Why a price is none of this pair; undefined when it is positive and on its grid. */
export function gridProblem(pair: Pair, field: string, price: Decimal): Refusal | undefined {
  if (price.isPositive() && price.fits(pair.priceDigits)) return undefined;
  const about = { field, unit: pair.quote, value: price.toString() };
  if (!price.isPositive()) return refusal('invalidField', 'l.field_positive', about);
  return refusal('invalidField', 'l.price_decimals', { ...about, limit: String(pair.priceDigits) });
}

function expiryProblem(
  filters: PairFilters,
  { expireAt }: OrderRequest,
  { now }: MarketView,
): Refusal | undefined {
  if (expireAt === undefined || now === undefined) return undefined;
  if (expireAt <= now) {
    const about = { field: 'expireTime', limit: String(now), value: String(expireAt) };
    return refusal('belowMinimum', 'l.expire_past', about);
  }
  if (expireAt - now <= filters.maxLifetimeMs) return undefined;
  return refusal('aboveMaximum', 'l.expire_far', {
    field: 'expireTime',
    limit: String(Math.floor(filters.maxLifetimeMs / DAY_MS)),
    value: String(Math.ceil((expireAt - now) / DAY_MS)),
  });
}

/** A trailing stop's distance in percent has at most this many decimals. */
export const TRAIL_PCT_PLACES = 2;
const HUNDRED = Decimal.ofWhole(100);

/** A trailing distance as a fraction (`0.05`), of the percentage (`5`) that screens and calls speak of. */
export function trailOfPercent(percent: Decimal): Decimal {
  // Rounded up, a percentage with too many decimals still has too many, and is refused.
  return percent.over(HUNDRED, 'up');
}

/** The percentage that a trailing distance is called by on screens and in calls: `5` of `0.05`. */
export function percentOfTrail(trail: Decimal): Decimal {
  return trail.timesExact(HUNDRED);
}

function trailProblem({ minTrail, maxTrail }: PairFilters, { trail }: OrderRequest): Refusal | undefined {
  if (trail === undefined) return undefined;
  const field = 'trailPct';
  const value = percentOfTrail(trail).toString();
  if (!trail.fits(TRAIL_PCT_PLACES + 2))
    return refusal('invalidField', 'l.field_decimals', { field, limit: String(TRAIL_PCT_PLACES), value });
  if (trail.isLess(minTrail)) {
    const limit = percentOfTrail(minTrail).toString();
    return refusal('belowMinimum', 'l.trail_min', { field, limit, value });
  }
  if (trail.isMore(maxTrail)) {
    const limit = percentOfTrail(maxTrail).toString();
    return refusal('aboveMaximum', 'l.trail_max', { field, limit, value });
  }
  return undefined;
}

/** A trailing stop's activation price lies where the market would go in its favor, on the pair's price grid. */
function activationProblem(
  pair: Pair,
  { side, activation }: OrderRequest,
  { last }: MarketView,
): Refusal | undefined {
  if (activation === undefined) return undefined;
  const field = 'activationPrice';
  const grid = gridProblem(pair, field, activation);
  if (grid !== undefined) return grid;
  if (last === undefined) return refusal('closed', 'l.no_last_price', { field });
  if (side === 'sell' ? activation.isMore(last) : activation.isLess(last)) return undefined;
  const limit = last.toPlaces(pair.priceDigits);
  return refusal(side === 'sell' ? 'belowMinimum' : 'aboveMaximum', 'l.activation_side', {
    field,
    unit: pair.quote,
    limit,
    last: limit,
    value: activation.toPlaces(pair.priceDigits),
  });
}

function stopPriceProblem(pair: Pair, request: OrderRequest, { last }: MarketView): Refusal | undefined {
  if (!isStop(request.type)) return undefined;
  const grid =
    request.stopPrice === undefined ? undefined : gridProblem(pair, 'stopPrice', request.stopPrice);
  if (grid !== undefined) return grid;
  if (last === undefined) return refusal('closed', 'l.no_last_price', { field: 'stopPrice' });
  // One that is not active yet triggers at nothing.
  if (request.activation !== undefined) return undefined;
  const stopPrice = stopPriceOf(pair, request, last)!;
  const direction = request.direction ?? usualDirection(request.type, request.side);
  if (!meetsStop(direction, stopPrice, last)) return undefined;
  const limit = last.toPlaces(pair.priceDigits);
  return refusal(direction === 'gte' ? 'belowMinimum' : 'aboveMaximum', 'l.stop_price_side', {
    field: request.type === 'trailing' ? 'trailPct' : 'stopPrice',
    unit: pair.quote,
    limit,
    last: limit,
    value: stopPrice.toPlaces(pair.priceDigits),
  });
}

function priceProblem(
  pair: Pair,
  filters: PairFilters,
  request: OrderRequest,
  { reference }: MarketView,
): Refusal | undefined {
  if (request.price === undefined) return undefined;
  // A waiting order is measured by where it will trigger, not by where the market is today.
  const measure = isStop(request.type) ? request.stopPrice : reference;
  return limitPriceProblem(pair, filters, request.price, measure);
}

function totalProblem(
  pair: Pair,
  filters: PairFilters,
  request: OrderRequest,
  { best, last }: MarketView,
): Refusal | undefined {
  if (request.type === 'market' && best === undefined) return refusal('closed', 'l.no_liquidity');
  if (request.total !== undefined) return totalValueProblem(pair, filters, request.total, 'total');
  const price = request.price ?? stopPriceOf(pair, request, last) ?? best!;
  // Price and amount fit their grids, so their product does too.
  return smallTotalProblem(pair, filters, price.timesExact(request.amount!), 'amount');
}
