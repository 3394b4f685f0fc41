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

/** Fewest and most children of a TWAP order. */
export const TWAP_CHILDREN_MIN = 2;
export const TWAP_CHILDREN_MAX = 100;
/** Shortest and longest duration of a TWAP order, in minutes. */
export const TWAP_MINUTES_MIN = 1;
export const TWAP_MINUTES_MAX = 1_440;
/** Least time between two children, in milliseconds. */
export const TWAP_SPACING_MIN_MS = 5 * SECOND_MS;
/** Bounds of the distance from the best price at which a child may still trade, in per cent. */
export const TWAP_BOUND_PCT_MIN = '0.05';
export const TWAP_BOUND_PCT_MAX = '5';
/** Greatest number of decimals of that distance in per cent. */
export const TWAP_BOUND_PLACES = 2;
/** Most TWAP orders of an account that run at the same time. */
export const TWAP_OPEN_MAX = 10;
/** A child is at most this multiple of an equal share, whatever earlier children left. */
export const TWAP_SHARES_MAX = 2;

/** Decimals of slippage in basis points. */
const SLIPPAGE_PLACES = 2;
const BASIS_POINTS = Decimal.ofWhole(10_000);

/**
 * A TWAP order (time-weighted average price): an amount that is bought or sold in children, orders that trade at
 * once and are spread evenly over a time.
 */
export interface TwapRequest {
  readonly side: Side;
  /** Total amount in the base coin. */
  readonly amount: Decimal;
  /** Duration in whole minutes. */
  readonly minutes: number;
  /** Number of children. */
  readonly count: number;
  /** How far from the best price a child may trade, as a fraction: 0.005 is half a per cent. */
  readonly bound: Decimal;
  /** The worst price of any child; undefined for none. */
  readonly limitPrice?: Decimal | undefined;
}

/** A planned child: milliseconds after the start, and the amount in the base coin. */
export interface TwapChild {
  readonly afterMs: number;
  readonly amount: Decimal;
}

type Schedule = Pick<TwapRequest, 'minutes' | 'count'>;

/** Milliseconds from the start to child `index`; the first child is 0 and due at once. */
export function twapChildAfterMs({ minutes, count }: Schedule, index: number): number {
  return Math.ceil((minutes * MINUTE_MS * index) / count);
}

/** When a TWAP order that started at `startedAt` ends, at the latest. */
export function twapEndsAt({ minutes }: Schedule, startedAt: Instant): Instant {
  return later(startedAt, minutes * MINUTE_MS);
}

/** The latest child whose time has come at `now`. */
export function twapChildAt({ minutes, count }: Schedule, startedAt: Instant, now: Instant): number {
  const index = Math.floor(((now - startedAt) * count) / (minutes * MINUTE_MS));
  return Math.min(count - 1, Math.max(0, index));
}

/**
 * The limit price of a child: the best opposite price moved by the bound, rounded towards it, and not worse than the
 * limit price. Undefined when the best price is beyond the limit price.
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
  /** Amount that is not filled yet. */
  readonly remaining: Decimal;
  /** Number of children that are still to come, including this one. */
  readonly left: number;
  /** Limit price of the child. */
  readonly price: Decimal;
}

/**
 * The amount of the next child: an equal part of what remains, at most twice an equal part of the whole, at least what
 * the pair accepts, and all that remains if the rest would be too small for an order. Undefined when what remains is too
 * small itself.
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

/** The order of a child: a limit order whose unfilled part is cancelled at once. */
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

/** The children of a TWAP order as they are if each is filled completely, all at the same price. */
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

/** The most that a TWAP order needs if all its children trade at this price. */
export function twapFunds(pair: Pair, { side, amount }: TwapRequest, price: Decimal): Hold {
  return holdFor(pair, { side, type: 'limit', price, amount }, undefined);
}

/**
 * How much worse the average price is than the price at the start, in basis points; negative if it is better.
 */
export function twapSlippage(side: Side, startPrice: Decimal, average: Decimal): Decimal {
  const difference = side === 'buy' ? average.minus(startPrice) : startPrice.minus(average);
  return difference.timesExact(BASIS_POINTS).over(startPrice, 'halfEven', SLIPPAGE_PLACES);
}

/**
 * Returns a refusal for the first limit that a TWAP order violates: numbers out of range, a closed pair, no opposite
 * side, or a first child that would violate a limit of a single order. Balances are not checked.
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
  // A market beyond the limit price is waited for, so the first child is checked at the limit price.
  const price = twapChildPrice(pair, request, market.best) ?? limitPrice!;
  return childProblem(pair, filters, twapChildRequest(side, price, smallestShare(pair, request)), market);
}

/** An equal part of the whole, rounded down to the amount step. */
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
  // The share of a child is named, because its amount was not typed.
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
