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

/** Minimum and maximum duration of a chase order, in minutes. */
export const CHASE_MINUTES_MIN = 1;
export const CHASE_MINUTES_MAX = 1_440;
/**
 * Minimum and maximum of a chase order's distance, in per cent. The distance is the maximum difference between its
 * price and its start price.
 */
export const CHASE_DISTANCE_PCT_MIN = '0.05';
export const CHASE_DISTANCE_PCT_MAX = '5';
/** Maximum number of decimals of a chase order's distance in per cent. */
export const CHASE_DISTANCE_PLACES = 2;
/** Minimum number of milliseconds between two changes of a chase order's price. */
export const CHASE_PAUSE_MS = 2 * SECOND_MS;
/**
 * Maximum number of changes of a chase order's price. After them the order stays in the book and its price does not
 * change any more.
 */
export const CHASE_MOVES_MAX = 1_000;
/** Maximum number of a user's chase orders that run at the same time, on all pairs together. */
export const CHASE_OPEN_MAX = 10;

/**
 * A chase order: a post-only limit order at the best price of its own side. When this best price moves toward the other
 * side of the book, the exchange amends the order to the new best price.
 */
export interface ChaseRequest {
  readonly side: Side;
  /** Amount of the chase order, in the base coin. */
  readonly amount: Decimal;
  /** Maximum difference between the order's price and its start price, as a fraction: 0.005 is half a per cent. */
  readonly distance: Decimal;
  /** The worst price to which the order may move; undefined if only the distance limits it. */
  readonly limitPrice?: Decimal | undefined;
  /** Duration of the chase order in whole minutes. */
  readonly minutes: number;
}

/** Returns the time at which a chase order that started at `startedAt` ends at the latest. */
export function chaseEndsAt({ minutes }: Pick<ChaseRequest, 'minutes'>, startedAt: Instant): Instant {
  return later(startedAt, minutes * MINUTE_MS);
}

/**
 * Returns the worst price to which a chase order may move. It is the best price of the order's side at the start
 * (`best`), moved by the distance in the direction of the other side and rounded toward the start price. It is not
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

/**
 * Returns the price at which a chase order rests while `best` is the best price of its side: `best`, but not worse than
 * `worst`.
 */
export function chasePrice(side: Side, best: Decimal, worst: Decimal): Decimal {
  return better(side, best, worst);
}

/**
 * Returns the one of two prices that is better for the owner of the order: the lower one for a buy, the
 * higher one for a sale.
 */
function better(side: Side, first: Decimal, second: Decimal): Decimal {
  return side === 'buy' ? least(first, second) : greatest(first, second);
}

/**
 * Returns the next price of a chase order that rests at `price`; undefined if it does not move. It moves only in the
 * direction of the other side (up for a buy, down for a sale), up to the best price of its own side, and not beyond
 * `worst`.
 */
export function nextChasePrice(
  side: Side,
  { price, best, worst }: { readonly price: Decimal; readonly best: Decimal; readonly worst: Decimal },
): Decimal | undefined {
  const next = chasePrice(side, best, worst);
  const isCloser = side === 'buy' ? next.isMore(price) : next.isLess(price);
  return isCloser ? next : undefined;
}

/**
 * Returns the limit order that a chase order places at a price: post-only, and valid until the end of the chase order.
 */
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

/**
 * Returns the maximum amount that a chase order reserves, and its coin: those of its limit order at its worst
 * price.
 */
export function chaseFunds(
  pair: Pair,
  { side, amount }: Pick<ChaseRequest, 'side' | 'amount'>,
  worst: Decimal,
): Hold {
  return holdFor(pair, { side, type: 'limit', price: worst, amount }, undefined);
}

/**
 * Returns a refusal for the first rule that a chase order violates; otherwise undefined. The rules: all numbers are
 * valid, there is an order on its side of the book (`best` is the best price of that side), its first limit order is
 * valid, and the owner has fewer than the maximum number of orders on the pair (`resting`). The balance is not checked
 * here.
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
  // The duration has been checked already, so the order is checked without an expiry.
  const order = { side: request.side, type: 'limit', price, amount: request.amount } as const;
  const problem = orderProblem(pair, filters, { ...order, timeInForce: 'GTC', postOnly: true }, market);
  if (problem?.parameters['field'] !== 'price') return problem;
  // The user entered no price: the price comes from the book or is the limit price. The refusal therefore names the
  // field `limitPrice`.
  const parameters = new Map(Object.entries(problem.parameters)).set('field', 'limitPrice');
  return { ...problem, parameters: Object.fromEntries(parameters) };
}
