import { Decimal } from './decimal.ts';
import type { AssetCode, Pair, PairFilters, PairStatus, Side } from './pair.ts';
import { refusal, type Refusal } from './refusal.ts';

export type OrderType = 'limit' | 'market';
export type TimeInForce = 'GTC' | 'IOC' | 'FOK';

/** What a person asks for, before anything is decided. Exactly one of `amount` (base) and `total` (quote) is given. */
export interface OrderRequest {
  readonly side: Side;
  readonly type: OrderType;
  readonly price?: Decimal | undefined;
  readonly amount?: Decimal | undefined;
  readonly total?: Decimal | undefined;
  readonly timeInForce: TimeInForce;
  readonly postOnly: boolean;
}

/** What the market looks like at the moment of the check. */
export interface MarketView {
  readonly status: PairStatus;
  /** The index, or the last trade where there is no index; undefined before either exists. */
  readonly reference?: Decimal | undefined;
  /** Best opposite price. */
  readonly best?: Decimal | undefined;
}

/** What has to be set aside for an order, before fees: fees come out of what is received. */
export interface Hold {
  readonly asset: AssetCode;
  readonly amount: Decimal;
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
    amountProblem(pair, filters, request) ??
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

/** The worst price at which a market order may execute, on the pair's price grid. */
export function guardPrice(pair: Pair, filters: PairFilters, side: Side, best: Decimal): Decimal {
  const factor =
    side === 'buy' ? Decimal.one.plus(filters.marketGuard) : Decimal.one.minus(filters.marketGuard);
  return best.times(factor, side === 'buy' ? 'down' : 'up', pair.priceDigits);
}

/**
 * What an order sets aside: a sell its base amount; a limit buy price × amount; a market buy its total,
 * or guard price × amount.
 */
export function holdFor(pair: Pair, request: OrderRequest, guard: Decimal | undefined): Hold {
  if (request.side === 'sell') return { asset: pair.base, amount: request.amount ?? Decimal.zero };
  if (request.total !== undefined) return { asset: pair.quote, amount: request.total };
  const price = request.type === 'limit' ? request.price : guard;
  if (price === undefined || request.amount === undefined)
    throw new Error('a buy needs a price and an amount');
  return { asset: pair.quote, amount: price.timesExact(request.amount) };
}

function shapeProblem(request: OrderRequest): Refusal | undefined {
  if (request.type === 'limit') {
    if (request.price === undefined) return refusal('invalidField', 'l.price_required', { field: 'price' });
    if (request.amount === undefined || request.total !== undefined) {
      return refusal('invalidField', 'l.amount_required', { field: 'amount' });
    }
    return undefined;
  }
  if ((request.amount === undefined) === (request.total === undefined)) {
    return refusal('invalidField', 'l.amount_or_total', { field: 'amount' });
  }
  if (request.timeInForce === 'GTC' || request.postOnly) {
    return refusal('invalidField', 'l.time_in_force', { field: 'timeInForce' });
  }
  return undefined;
}

function amountProblem(pair: Pair, filters: PairFilters, { amount }: OrderRequest): Refusal | undefined {
  if (amount === undefined) return undefined;
  const about = { field: 'amount', unit: pair.base, value: amount.toString() };
  if (!amount.fits(pair.amountDigits)) {
    return refusal('invalidField', 'l.amount_decimals', { ...about, limit: String(pair.amountDigits) });
  }
  if (amount.isLess(filters.minAmount)) {
    return refusal('belowMinimum', 'l.amount_min', { ...about, limit: filters.minAmount.toString() });
  }
  if (amount.isMore(filters.maxAmount)) {
    return refusal('aboveMaximum', 'l.amount_max', { ...about, limit: filters.maxAmount.toString() });
  }
  return undefined;
}

function priceProblem(
  pair: Pair,
  filters: PairFilters,
  { price, type }: OrderRequest,
  { reference }: MarketView,
): Refusal | undefined {
  if (type !== 'limit' || price === undefined) return undefined;
  const about = { field: 'price', unit: pair.quote, value: price.toString() };
  if (!price.isPositive()) return refusal('invalidField', 'l.field_positive', about);
  if (!price.fits(pair.priceDigits)) {
    return refusal('invalidField', 'l.price_decimals', { ...about, limit: String(pair.priceDigits) });
  }
  if (reference === undefined) return undefined;
  const lowest = reference.times(Decimal.one.minus(filters.priceBand), 'up', pair.priceDigits);
  const highest = reference.times(Decimal.one.plus(filters.priceBand), 'down', pair.priceDigits);
  if (price.isLess(lowest)) {
    return refusal('belowMinimum', 'l.price_band_low', {
      ...about,
      limit: lowest.toPlaces(pair.priceDigits),
    });
  }
  if (price.isMore(highest)) {
    return refusal('aboveMaximum', 'l.price_band_high', {
      ...about,
      limit: highest.toPlaces(pair.priceDigits),
    });
  }
  return undefined;
}

function totalProblem(
  pair: Pair,
  filters: PairFilters,
  request: OrderRequest,
  { best }: MarketView,
): Refusal | undefined {
  if (request.type === 'market' && best === undefined) return refusal('closed', 'l.no_liquidity');
  const price = request.type === 'limit' ? request.price! : best!;
  const total = request.total ?? price.timesExact(request.amount!);
  const about = { field: request.total === undefined ? 'amount' : 'total', unit: pair.quote };
  if (!total.fits(pair.priceDigits + pair.amountDigits)) {
    const limit = String(pair.priceDigits);
    return refusal('invalidField', 'l.field_decimals', { ...about, value: total.toString(), limit });
  }
  if (total.isLess(filters.minTotal)) {
    const limit = filters.minTotal.toString();
    return refusal('belowMinimum', 'l.total_min', { ...about, value: total.toString(), limit });
  }
  return undefined;
}
