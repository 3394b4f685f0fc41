import { Decimal, greatest, least } from './decimal.ts';
import { rangeProblem, wholeProblem } from './field-range.ts';
import type { Pair, PairFilters, Side } from './pair.ts';
import { refusal, type Refusal } from './refusal.ts';
import { restingProblem } from './spot-book-rules.ts';
import {
  gridProblem,
  holdFor,
  orderProblem,
  percentOfTrail,
  type Hold,
  type MarketView,
  type OrderRequest,
} from './spot.ts';
import { later, MINUTE_MS, SECOND_MS, type Instant } from './time.ts';

/** Shortest and longest duration of a chase order, in minutes. */
export const CHASE_MINUTES_MIN = 1;
export const CHASE_MINUTES_MAX = 1_440;
/** Bounds of the distance from the start price up to which the order follows, in per cent. */
export const CHASE_DISTANCE_PCT_MIN = '0.05';
export const CHASE_DISTANCE_PCT_MAX = '5';
/** Greatest number of decimals of that distance in per cent. */
export const CHASE_DISTANCE_PLACES = 2;
/** Least time between two changes of the price, in milliseconds. */
export const CHASE_PAUSE_MS = 2 * SECOND_MS;
/** Most changes of the price of a chase order. */
export const CHASE_MOVES_MAX = 1_000;
/** Most chase orders of an account that run at the same time. */
export const CHASE_OPEN_MAX = 10;

/** A chase order: a post-only limit order that follows the best price of its own side. */
export interface ChaseRequest {
  readonly side: Side;
  /** Amount in the base coin. */
  readonly amount: Decimal;
  /** How far the order follows from its start price, as a fraction: 0.005 is half a per cent. */
  readonly distance: Decimal;
  /** The worst price of the order; undefined for that of the distance. */
  readonly limitPrice?: Decimal | undefined;
  /** Duration in whole minutes. */
  readonly minutes: number;
}

/** When a chase order that started at `startedAt` ends, at the latest. */
export function chaseEndsAt({ minutes }: Pick<ChaseRequest, 'minutes'>, startedAt: Instant): Instant {
  return later(startedAt, minutes * MINUTE_MS);
}

/**
 * The worst price of a chase order: the best price of its side at the start moved by the distance, rounded towards it, and not
 * worse than the limit price.
 */
export function chaseWorstPrice(
  { priceDigits }: Pair,
  { side, distance, limitPrice }: Pick<ChaseRequest, 'side' | 'distance' | 'limitPrice'>,
  best: Decimal,
): Decimal {
  const worst =
    side === 'buy'
      ? best.times(Decimal.one.plus(distance), 'down', priceDigits)
      : best.times(Decimal.one.minus(distance), 'up', priceDigits);
  return limitPrice === undefined ? worst : better(side, worst, limitPrice);
}

/** The price at which a chase order rests for a best price of its side: that price, but never beyond its worst price. */
export function chasePrice(side: Side, best: Decimal, worst: Decimal): Decimal {
  return better(side, best, worst);
}

/** Of two prices the one that is better for the owner of the order. */
function better(side: Side, first: Decimal, second: Decimal): Decimal {
  return side === 'buy' ? least(first, second) : greatest(first, second);
}

/**
 * The next price of a chase order at `price`; undefined while it is at the best price of its side or at its worst price. It
 * moves towards the other side only.
 */
export function nextChasePrice(
  side: Side,
  { price, best, worst }: { readonly price: Decimal; readonly best: Decimal; readonly worst: Decimal },
): Decimal | undefined {
  const next = chasePrice(side, best, worst);
  const isCloser = side === 'buy' ? next.isMore(price) : next.isLess(price);
  return isCloser ? next : undefined;
}

/** The order of a chase order at a price: post-only, until the end of its time. */
export function chaseOrderRequest(
  { side, amount }: Pick<ChaseRequest, 'side' | 'amount'>,
  price: Decimal,
  expireAt: Instant,
): OrderRequest {
  return {
    side,
    type: 'limit',
    price,
    amount,
    timeInForce: 'GTT',
    postOnly: true,
    expireAt,
  };
}

/** The most that a chase order needs: what its order reserves at its worst price. */
export function chaseFunds(
  pair: Pair,
  { side, amount }: Pick<ChaseRequest, 'side' | 'amount'>,
  worst: Decimal,
): Hold {
  return holdFor(pair, { side, type: 'limit', price: worst, amount }, undefined);
}

/**
 * Returns a refusal for the first limit that a chase order violates: numbers out of range, no order on its side of the book
 * (`best` is the best price of that side), the limits of its order at the start, and the owner's `resting` orders of the pair.
 * Balances are not checked.
 */
export function chaseProblem(
  pair: Pair,
  filters: PairFilters,
  request: ChaseRequest,
  market: MarketView,
  resting = 0,
): Refusal | undefined {
  const { limitPrice, distance, minutes } = request;
  const problem =
    wholeProblem('minutes', minutes, CHASE_MINUTES_MIN, CHASE_MINUTES_MAX) ??
    rangeProblem('distance', percentOfTrail(distance), {
      places: CHASE_DISTANCE_PLACES,
      min: CHASE_DISTANCE_PCT_MIN,
      max: CHASE_DISTANCE_PCT_MAX,
    }) ??
    (limitPrice === undefined ? undefined : gridProblem(pair, 'limitPrice', limitPrice));
  if (problem !== undefined) return problem;
  if (market.best === undefined) return refusal('closed', 'l.chase_no_price');
  const worst = chaseWorstPrice(pair, request, market.best);
  const price = chasePrice(request.side, market.best, worst);
  return orderAtStart(pair, filters, request, price, market) ?? restingProblem(filters, resting);
}

function orderAtStart(
  pair: Pair,
  filters: PairFilters,
  request: ChaseRequest,
  price: Decimal,
  market: MarketView,
): Refusal | undefined {
  // The end of the order is not checked, because its duration is.
  const order = { side: request.side, type: 'limit', price, amount: request.amount } as const;
  const problem = orderProblem(pair, filters, { ...order, timeInForce: 'GTC', postOnly: true }, market);
  if (problem?.parameters['field'] !== 'price') return problem;
  // The price was not typed: it is the best price, or the limit price.
  const parameters = new Map(Object.entries(problem.parameters)).set('field', 'limitPrice');
  return { ...problem, parameters: Object.fromEntries(parameters) };
}
