import { Decimal, greatest, least } from './decimal.ts';
import { rangeProblem, wholeProblem } from './field-range.ts';
import type { Pair, PairFilters, Side } from './pair.ts';
import { refusal, type Refusal } from './refusal.ts';
import {
  gridProblem,
  holdFor,
  leastAmount,
  orderProblem,
  percentOfTrail,
  statusProblem,
  type Hold,
  type MarketView,
  type OrderRequest,
} from './spot.ts';
import { later, MINUTE_MS, SECOND_MS, type Instant } from './time.ts';

/** Minimum and maximum number of child orders of a TWAP order. */
export const TWAP_CHILDREN_MIN = 2;
export const TWAP_CHILDREN_MAX = 100;
/** Minimum and maximum duration of a TWAP order, in minutes. */
export const TWAP_MINUTES_MIN = 1;
export const TWAP_MINUTES_MAX = 1_440;
/** Minimum number of milliseconds between two child orders. */
export const TWAP_SPACING_MIN_MS = 5 * SECOND_MS;
/**
 * Minimum and maximum of a TWAP order's bound, in per cent. The bound is the maximum distance from the best price at
 * which a child order may trade.
 */
export const TWAP_BOUND_PCT_MIN = '0.05';
export const TWAP_BOUND_PCT_MAX = '5';
/** Maximum number of decimals of a TWAP order's bound in per cent. */
export const TWAP_BOUND_PLACES = 2;
/** Maximum number of a user's TWAP orders that run at the same time, on all pairs together. */
export const TWAP_OPEN_MAX = 10;
/**
 * A child order is at most this many times as large as an equal share of the whole amount, however much earlier child
 * orders left unfilled. It can be larger only to reach the minimum of an order, or to include a rest that is too small
 * for another order.
 */
export const TWAP_SHARES_MAX = 2;

/** Number of decimals of a slippage in basis points. */
const SLIPPAGE_PLACES = 2;
const BASIS_POINTS = Decimal.ofWhole(10_000);

/**
 * A TWAP order (time-weighted average price). It buys or sells an amount in many child orders, which are spread evenly
 * over a period. Each child order trades as much as it can immediately, and the rest of it is cancelled.
 */
export interface TwapRequest {
  readonly side: Side;
  /** Total amount of the TWAP order, in the base coin. */
  readonly amount: Decimal;
  /** Duration of the TWAP order in whole minutes. */
  readonly minutes: number;
  /** Number of child orders of the TWAP order. */
  readonly count: number;
  /** Maximum distance from the best price at which a child order may trade, as a fraction: 0.005 is half a per cent. */
  readonly bound: Decimal;
  /** The worst price of any child order; undefined if only `bound` limits the price. */
  readonly limitPrice?: Decimal | undefined;
}

/** A planned child order: its time in milliseconds after the start, and its amount in the base coin. */
export interface TwapChild {
  readonly afterMs: number;
  readonly amount: Decimal;
}

type Schedule = Pick<TwapRequest, 'minutes' | 'count'>;

/**
 * Returns the milliseconds from the start of a TWAP order to the child order with this index. The first child order has
 * index 0 and is due immediately.
 */
export function twapChildAfterMs({ minutes, count }: Schedule, index: number): number {
  return Math.ceil((minutes * MINUTE_MS * index) / count);
}

/** Returns the time at which a TWAP order that started at `startedAt` ends at the latest. */
export function twapEndsAt({ minutes }: Schedule, startedAt: Instant): Instant {
  return later(startedAt, minutes * MINUTE_MS);
}

/**
 * Returns the index of the child order whose time is the latest that is not after `now`; before the start it is 0,
 * after the end that of the last one.
 */
export function twapChildAt({ minutes, count }: Schedule, startedAt: Instant, now: Instant): number {
  const index = Math.floor(((now - startedAt) * count) / (minutes * MINUTE_MS));
  return Math.min(count - 1, Math.max(0, index));
}

/**
 * Returns the limit price of a child order: the best opposite price worsened by the bound and rounded toward the best
 * price, and not worse than the TWAP order's limit price. Returns undefined if the best price itself is worse than the
 * limit price.
 */
export function twapChildPrice(
  { priceDigits }: Pair,
  { side, bound, limitPrice }: Pick<TwapRequest, 'side' | 'bound' | 'limitPrice'>,
  best: Decimal,
): Decimal | undefined {
  const isBuy = side === 'buy';
  if (limitPrice !== undefined && (isBuy ? best.isMore(limitPrice) : best.isLess(limitPrice)))
    return undefined;
  const worst = isBuy
    ? best.times(Decimal.one.plus(bound), 'down', priceDigits)
    : best.times(Decimal.one.minus(bound), 'up', priceDigits);
  if (limitPrice === undefined) return worst;
  return isBuy ? least(worst, limitPrice) : greatest(worst, limitPrice);
}

interface Remainder {
  /** Amount of the TWAP order that is not filled yet, in the base coin. */
  readonly remaining: Decimal;
  /** Number of child orders that are still to come, including the next one. */
  readonly left: number;
  /** Limit price of the next child order. */
  readonly price: Decimal;
}

/**
 * Returns the amount of the next child order in the base coin; undefined if the remaining amount is too small
 * for an order. The amount is an equal part of the remaining amount, but at most twice an equal part of the
 * whole, and within the pair's minimum and maximum. If otherwise the rest would be too small for an order, it
 * is the whole remaining amount, but at most the pair's maximum.
 */
export function twapChildAmount(
  { amountDigits, priceDigits }: Pair,
  filters: PairFilters,
  { amount, count }: Pick<TwapRequest, 'amount' | 'count'>,
  { remaining, left, price }: Remainder,
): Decimal | undefined {
  const rest = remaining.toScaled(amountDigits);
  const smallest = leastAmount({ amountDigits, priceDigits }, filters, price).toScaled(amountDigits);
  if (rest < smallest) return undefined;
  const share = roundedUp(amount.toScaled(amountDigits), BigInt(count));
  const most = BigInt(TWAP_SHARES_MAX) * share;
  const equal = rest / BigInt(left);
  let units = equal < most ? equal : most;
  if (units < smallest) units = smallest;
  if (rest - units < smallest) units = rest;
  const largest = filters.maxAmount.toScaled(amountDigits);
  return Decimal.ofScaled(units < largest ? units : largest, amountDigits);
}

function roundedUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}

/** Returns the request for a child order: a limit order whose unfilled part is cancelled immediately. */
export function twapChildRequest(side: Side, price: Decimal, amount: Decimal): OrderRequest {
  return {
    side,
    type: 'limit',
    price,
    amount,
    timeInForce: 'IOC',
    postOnly: false,
  };
}

/**
 * Returns the child orders of a TWAP order under the assumption that each is filled completely and all at the same
 * price.
 */
export function twapChildren(
  pair: Pair,
  filters: PairFilters,
  request: TwapRequest,
  price: Decimal,
): readonly TwapChild[] {
  const children: TwapChild[] = [];
  let remaining = request.amount;
  for (let index = 0; index < request.count && remaining.isPositive(); index += 1) {
    const left = request.count - index;
    const amount = twapChildAmount(pair, filters, request, { remaining, left, price });
    if (amount === undefined) break;
    children.push({ afterMs: twapChildAfterMs(request, index), amount });
    remaining = remaining.minus(amount);
  }
  return children;
}

/** Returns the amount that a TWAP order needs if all its child orders trade at `price`, and its coin. */
export function twapFunds(pair: Pair, { side, amount }: TwapRequest, price: Decimal): Hold {
  return holdFor(pair, { side, type: 'limit', price, amount }, undefined);
}

/**
 * Returns by how many basis points the average price is worse than the price at the start. The result is
 * negative if the average price is better. It is rounded half to even to two decimals.
 */
export function twapSlippage(side: Side, startPrice: Decimal, average: Decimal): Decimal {
  const difference = side === 'buy' ? average.minus(startPrice) : startPrice.minus(average);
  return difference.timesExact(BASIS_POINTS).over(startPrice, 'halfEven', SLIPPAGE_PLACES);
}

/**
 * Returns a refusal for the first rule that a TWAP order violates; otherwise undefined. The rules: the pair is open,
 * all numbers are valid, there are opposite orders in the book, and a child order with an equal part of the amount is
 * valid as a single order. The balance is not checked here.
 */
export function twapProblem(
  pair: Pair,
  filters: PairFilters,
  request: TwapRequest,
  market: MarketView,
): Refusal | undefined {
  const problem = statusProblem(market.status) ?? amountGridProblem(pair, request) ?? numbersProblem(request);
  if (problem !== undefined) return problem;
  const { side, limitPrice } = request;
  if (limitPrice !== undefined) {
    const grid = gridProblem(pair, 'limitPrice', limitPrice);
    if (grid !== undefined) return grid;
  }
  if (market.best === undefined) return refusal('closed', 'l.no_liquidity');
  // If the best price is worse than the limit price, the TWAP order waits. Its first child order is therefore checked
  // at the limit price.
  const price = twapChildPrice(pair, request, market.best) ?? limitPrice!;
  return childProblem(pair, filters, twapChildRequest(side, price, smallestShare(pair, request)), market);
}

/**
 * Returns the TWAP order's amount divided by its number of child orders, in the base coin, rounded down to
 * the amount step.
 */
function smallestShare({ amountDigits }: Pair, { amount, count }: TwapRequest): Decimal {
  return Decimal.ofScaled(amount.toScaled(amountDigits) / BigInt(count), amountDigits);
}

function childProblem(
  pair: Pair,
  filters: PairFilters,
  child: OrderRequest,
  market: MarketView,
): Refusal | undefined {
  const problem = orderProblem(pair, filters, child, market);
  if (problem === undefined) return undefined;
  // The user entered no amount for a child order, so a too small child order gets a different sentence.
  if (problem.key === 'l.amount_min' || problem.key === 'l.total_min')
    return { ...problem, key: 'l.ladder_small' };
  const { field } = problem.parameters;
  if (field !== 'price') return problem;
  const parameters = new Map(Object.entries(problem.parameters)).set('field', 'limitPrice');
  return { ...problem, parameters: Object.fromEntries(parameters) };
}

function amountGridProblem(pair: Pair, { amount }: TwapRequest): Refusal | undefined {
  const details = { field: 'amount', unit: pair.base, value: amount.toString() };
  if (!amount.isPositive()) return refusal('invalidField', 'l.field_positive', details);
  if (amount.fits(pair.amountDigits)) return undefined;
  return refusal('invalidField', 'l.amount_decimals', {
    field: 'amount',
    unit: pair.base,
    value: amount.toString(),
    limit: String(pair.amountDigits),
  });
}

function numbersProblem({ minutes, count, bound }: TwapRequest): Refusal | undefined {
  return (
    wholeProblem('minutes', minutes, TWAP_MINUTES_MIN, TWAP_MINUTES_MAX) ??
    wholeProblem('count', count, TWAP_CHILDREN_MIN, TWAP_CHILDREN_MAX) ??
    spacingProblem(minutes, count) ??
    rangeProblem('slippage', percentOfTrail(bound), {
      places: TWAP_BOUND_PLACES,
      min: TWAP_BOUND_PCT_MIN,
      max: TWAP_BOUND_PCT_MAX,
    })
  );
}

function spacingProblem(minutes: number, count: number): Refusal | undefined {
  const most = Math.floor((minutes * MINUTE_MS) / TWAP_SPACING_MIN_MS);
  if (count <= most) return undefined;
  return refusal('aboveMaximum', 'l.twap_spacing', {
    field: 'count',
    seconds: String(TWAP_SPACING_MIN_MS / SECOND_MS),
    limit: String(most),
    value: String(count),
  });
}
