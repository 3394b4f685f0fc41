import { Decimal, greatest, least } from './decimal.ts';
import type { AssetCode, Pair, PairFilters, PairStatus, Side } from './pair.ts';
import { refusal, type Refusal } from './refusal.ts';
import type { OrderRequest } from './order-request.ts';
import { shapeProblem } from './spot-fields.ts';
import { resultingType, isStop, triggersStop, trailingStopPrice, defaultDirection } from './stop.ts';
import { DAY_MS, type Instant } from './time.ts';

export type { ExitsRequest, OrderRequest, OrderType, StopDirection, TimeInForce } from './order-request.ts';

/** The state of a pair's market with which an order is checked. */
export interface MarketView {
  readonly status: PairStatus;
  /** The pair's index price, or the price of its last trade if there is no index price; undefined if neither exists. */
  readonly reference?: Decimal | undefined;
  /**
   * Best price on the side of the book that is opposite to the order; for a chase order, the best price on
   * the order's own side. Undefined if that side of the book is empty.
   */
  readonly best?: Decimal | undefined;
  /** Price of the last trade, which triggers stop orders; undefined before the first trade. */
  readonly last?: Decimal | undefined;
  readonly now?: Instant | undefined;
}

/**
 * Amount of a coin that is reserved for an order. It contains no fee, because the fee is subtracted from the coin that
 * the order receives.
 */
export interface Hold {
  readonly asset: AssetCode;
  readonly amount: Decimal;
}

/**
 * Returns the trigger price that an order would have if it were placed now. For a trailing stop it is at the distance
 * `trail` from the activation price, or without one from the last price. Undefined for an order without a trigger, and
 * for a trailing stop before the pair's first trade.
 */
export function stopPriceOf(
  pair: Pair,
  request: OrderRequest,
  last: Decimal | undefined,
): Decimal | undefined {
  if (request.type !== 'trailing') return isStop(request.type) ? request.stopPrice : undefined;
  if (last === undefined || request.trail === undefined) return undefined;
  return trailingStopPrice(pair, request.side, request.activation ?? last, request.trail);
}

/**
 * Returns a refusal for the first rule that the order violates; undefined for a valid order. The balance is not checked
 * here.
 */
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

/** Returns a refusal if the pair accepts no new orders; otherwise undefined. */
export function statusProblem(status: PairStatus): Refusal | undefined {
  if (status === 'closed') return refusal('closed', 'l.pair_closed');
  if (status === 'cancelOnly') return refusal('closed', 'l.pair_cancel_only');
  return undefined;
}

/**
 * Returns the worst price at which a market order may execute, rounded to the pair's price step in the user's
 * favour. It is worse by the fraction `marketGuard` than the better one of `best` (the best opposite price)
 * and `reference` (the index price, if there is one). It protects users from quotes far from the market in a
 * thin book. For a stop order that waits for its trigger, `best` is its stop price and `reference` is
 * undefined.
 */
export function guardPrice(
  pair: Pair,
  filters: PairFilters,
  side: Side,
  best: Decimal,
  reference: Decimal | undefined,
): Decimal {
  if (side === 'buy') {
    const base = reference === undefined ? best : least(best, reference);
    return base.times(Decimal.one.plus(filters.marketGuard), 'down', pair.priceDigits);
  }
  const base = reference === undefined ? best : greatest(best, reference);
  return base.times(Decimal.one.minus(filters.marketGuard), 'up', pair.priceDigits);
}

/**
 * Returns the coin and the amount that are reserved for an order. A sale reserves its amount of the base coin, or
 * zero if it states only a total. A buy reserves the quote coin: its total if it has one, otherwise the amount times
 * the limit price, or for a market order times the worst permitted price (`guard`). Throws for a buy that lacks one
 * of these values.
 */
export function holdFor(
  pair: Pair,
  request: Pick<OrderRequest, 'side' | 'type' | 'price' | 'amount' | 'total'>,
  guard: Decimal | undefined,
): Hold {
  if (request.side === 'sell') return { asset: pair.base, amount: request.amount ?? Decimal.zero };
  if (request.total !== undefined) return { asset: pair.quote, amount: request.total };
  const price = resultingType(request.type) === 'limit' ? request.price : guard;
  if (price === undefined || request.amount === undefined)
    throw new Error('a buy needs a price and an amount');
  return { asset: pair.quote, amount: price.timesExact(request.amount) };
}

/**
 * Returns a refusal if the amount has too many decimals, or is below the pair's minimum or above its maximum; otherwise
 * undefined, also for an order without an amount.
 */
export function amountProblem(
  pair: Pair,
  filters: PairFilters,
  { amount }: Pick<OrderRequest, 'amount'>,
): Refusal | undefined {
  if (amount === undefined) return undefined;
  const details = () => ({ field: 'amount', unit: pair.base, value: amount.toString() });
  if (!amount.fits(pair.amountDigits)) {
    return refusal('invalidField', 'l.amount_decimals', { ...details(), limit: String(pair.amountDigits) });
  }
  if (amount.isLess(filters.minAmount)) {
    return refusal('belowMinimum', 'l.amount_min', { ...details(), limit: filters.minAmount.toString() });
  }
  if (amount.isMore(filters.maxAmount)) {
    return refusal('aboveMaximum', 'l.amount_max', { ...details(), limit: filters.maxAmount.toString() });
  }
  return undefined;
}

/**
 * Returns a refusal if the price is not positive, not a multiple of the pair's price step, or farther from
 * `reference` than the pair's price band (not checked if `reference` is undefined); otherwise undefined.
 */
export function limitPriceProblem(
  pair: Pair,
  filters: PairFilters,
  price: Decimal,
  reference: Decimal | undefined,
): Refusal | undefined {
  const problem = gridProblem(pair, 'price', price);
  if (problem !== undefined || reference === undefined) return problem;
  const details = () => ({ field: 'price', unit: pair.quote, value: price.toString() });
  const lowest = reference.times(Decimal.one.minus(filters.priceBand), 'up', pair.priceDigits);
  const highest = reference.times(Decimal.one.plus(filters.priceBand), 'down', pair.priceDigits);
  if (price.isLess(lowest)) {
    const limit = lowest.toPlaces(pair.priceDigits);
    return refusal('belowMinimum', 'l.price_band_low', { ...details(), limit });
  }
  if (price.isMore(highest)) {
    const limit = highest.toPlaces(pair.priceDigits);
    return refusal('aboveMaximum', 'l.price_band_high', { ...details(), limit });
  }
  return undefined;
}

/**
 * Returns a refusal if the total has too many decimals or is below the pair's minimum; otherwise undefined. `field` is
 * the field that the user entered and that the refusal names.
 */
export function totalValueProblem(
  pair: Pair,
  filters: PairFilters,
  total: Decimal,
  field: 'amount' | 'total',
): Refusal | undefined {
  const digits = pair.priceDigits + pair.amountDigits;
  if (!total.fits(digits)) {
    const details = { field, unit: pair.quote, value: total.toString() };
    return refusal('invalidField', 'l.field_decimals', { ...details, limit: String(digits) });
  }
  return smallTotalProblem(pair, filters, total, field);
}

/**
 * Returns a refusal if the total, in the quote coin, is below the pair's minimum (`minTotal`); otherwise
 * undefined.
 */
export function smallTotalProblem(
  pair: Pair,
  filters: PairFilters,
  total: Decimal,
  field: string,
): Refusal | undefined {
  if (!total.isLess(filters.minTotal)) return undefined;
  const details = { field, unit: pair.quote, value: total.toString() };
  return refusal('belowMinimum', 'l.total_min', { ...details, limit: filters.minTotal.toString() });
}

/**
 * Returns the minimum amount of an order at `price`, in the base coin. It satisfies both the minimum amount
 * and the minimum total of the pair, and is rounded up to the amount step.
 */
export function leastAmount(
  { amountDigits, priceDigits }: Pick<Pair, 'amountDigits' | 'priceDigits'>,
  { minAmount, minTotal }: PairFilters,
  price: Decimal,
): Decimal {
  const totalUnits = minTotal.toScaled(amountDigits + priceDigits);
  const priceUnits = price.toScaled(priceDigits);
  const byTotal = Decimal.ofScaled((totalUnits + priceUnits - 1n) / priceUnits, amountDigits);
  return greatest(minAmount, byTotal);
}

/** Returns a refusal if the price is not positive or not a multiple of the pair's price step; otherwise undefined. */
export function gridProblem(pair: Pair, field: string, price: Decimal): Refusal | undefined {
  if (price.isPositive() && price.fits(pair.priceDigits)) return undefined;
  const details = { field, unit: pair.quote, value: price.toString() };
  if (!price.isPositive()) return refusal('invalidField', 'l.field_positive', details);
  return refusal('invalidField', 'l.price_decimals', { ...details, limit: String(pair.priceDigits) });
}

function expiryProblem(
  filters: PairFilters,
  { expireAt }: OrderRequest,
  { now }: MarketView,
): Refusal | undefined {
  if (expireAt === undefined || now === undefined) return undefined;
  if (expireAt <= now) {
    const details = { field: 'expireTime', limit: String(now), value: String(expireAt) };
    return refusal('belowMinimum', 'l.expire_past', details);
  }
  if (expireAt - now <= filters.maxLifetimeMs) return undefined;
  return refusal('aboveMaximum', 'l.expire_far', {
    field: 'expireTime',
    limit: String(Math.floor(filters.maxLifetimeMs / DAY_MS)),
    value: String(Math.ceil((expireAt - now) / DAY_MS)),
  });
}

/** Maximum number of decimals of a trailing stop's distance in percent. */
export const TRAIL_PCT_PLACES = 2;
const HUNDRED = Decimal.ofWhole(100);

/** Converts a trailing distance from percent (`5`) to a fraction (`0.05`). */
export function trailOfPercent(percent: Decimal): Decimal {
  // The fraction is rounded up. A percentage with too many decimals then results in a fraction with too many decimals
  // and is refused.
  return percent.over(HUNDRED, 'up');
}

/** Converts a trailing distance from a fraction (`0.05`) to percent (`5`). */
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

/**
 * Returns a refusal if the activation price of a trailing stop is not a positive multiple of the price step,
 * or not on the favourable side of the last price (above it for a sale, below it for a buy), or if there is
 * no last price; otherwise undefined, also for an order without an activation price.
 */
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
  // A trailing stop cannot trigger before the last price has reached its activation price, so its trigger price is not
  // compared with the last price now.
  if (request.activation !== undefined) return undefined;
  const stopPrice = stopPriceOf(pair, request, last)!;
  const direction = request.direction ?? defaultDirection(request.type, request.side);
  if (!triggersStop(direction, stopPrice, last)) return undefined;
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
  // An order with a trigger is placed when the last price is near its trigger price. Its limit price is therefore
  // compared with the trigger price.
  const expectedPrice = isStop(request.type) ? request.stopPrice : reference;
  return limitPriceProblem(pair, filters, request.price, expectedPrice);
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
  // Price and amount have at most as many decimals as the pair permits, so their product is exact.
  return smallTotalProblem(pair, filters, price.timesExact(request.amount!), 'amount');
}
