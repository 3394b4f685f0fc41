import { Decimal, sum } from './decimal.ts';
import type { Pair, PairFilters, Side } from './pair.ts';
import { refusal, type Refusal } from './refusal.ts';
import { crosses, restingProblem } from './spot-book-rules.ts';
import {
  gridProblem,
  holdFor,
  orderProblem,
  statusProblem,
  type Hold,
  type MarketView,
  type OrderRequest,
} from './spot.ts';

/** Minimum and maximum number of orders of a ladder. */
export const LADDER_ORDERS_MIN = 2;
export const LADDER_ORDERS_MAX = 50;

/**
 * How the amount of a ladder is distributed over its orders: `equal` amounts, or amounts `rising` from the order at
 * `fromPrice` to that at `toPrice`.
 */
export const LADDER_SIZES = ['equal', 'rising'] as const;
export type LadderSizes = (typeof LADDER_SIZES)[number];

/** A scaled ladder: post-only limit orders on one side of the book, at prices spread evenly between two prices. */
export interface LadderRequest {
  readonly side: Side;
  /** Price of the first order. It is above or below `toPrice`. */
  readonly fromPrice: Decimal;
  /** Price of the ladder's last order. */
  readonly toPrice: Decimal;
  /** Number of orders, from `LADDER_ORDERS_MIN` to `LADDER_ORDERS_MAX`. */
  readonly count: number;
  /** Sum of the orders' amounts, in the base coin. */
  readonly amount: Decimal;
  readonly sizes: LadderSizes;
}

/** An order of a ladder: its limit price in the quote coin, and its amount in the base coin. */
export interface LadderRung {
  readonly price: Decimal;
  readonly amount: Decimal;
}

/**
 * Returns the orders of a ladder, from `fromPrice` to `toPrice`. The request's prices and amount must be multiples of
 * the pair's steps, and then those of the orders are, too. The amounts add up to `amount` exactly: each is the
 * difference of two running sums that are rounded down. The shares are equal, or proportional to 1, 2, 3, …
 */
export function ladderRungs(
  { priceDigits, amountDigits }: Pair,
  { fromPrice, toPrice, count, amount, sizes }: LadderRequest,
): readonly LadderRung[] {
  const first = fromPrice.toScaled(priceDigits);
  const span = toPrice.toScaled(priceDigits) - first;
  const units = amount.toScaled(amountDigits);
  const shareUpTo = (orders: bigint): bigint => (sizes === 'equal' ? orders : (orders * (orders + 1n)) / 2n);
  const shares = shareUpTo(BigInt(count));
  const unitsUpTo = (orders: bigint): bigint => (units * shareUpTo(orders)) / shares;
  return Array.from({ length: count }, (_, index) => {
    const position = BigInt(index);
    return {
      price: Decimal.ofScaled(first + (span * position) / BigInt(count - 1), priceDigits),
      amount: Decimal.ofScaled(unitsUpTo(position + 1n) - unitsUpTo(position), amountDigits),
    };
  });
}

/** Returns the order request for one order of a ladder: a post-only limit order without expiry. */
export function rungRequest(side: Side, { price, amount }: LadderRung): OrderRequest {
  return {
    side,
    type: 'limit',
    price,
    amount,
    timeInForce: 'GTC',
    postOnly: true,
  };
}

/** Returns the sum of the amounts that all orders of a ladder reserve, and its coin. */
export function ladderHold(pair: Pair, side: Side, rungs: readonly LadderRung[]): Hold {
  const holds = rungs.map((rung) => holdFor(pair, rungRequest(side, rung), undefined));
  return {
    asset: side === 'buy' ? pair.quote : pair.base,
    amount: sum(holds.map(({ amount }) => amount)),
  };
}

/**
 * Returns a refusal for the first rule that a ladder violates; otherwise undefined. The rules: the pair is open,
 * prices, amount and number of orders are valid, no order trades immediately, every order is valid as a single order,
 * and together with the owner's `resting` orders they do not exceed the maximum number on the pair. The balance is not
 * checked here.
 */
export function ladderProblem(
  pair: Pair,
  filters: PairFilters,
  request: LadderRequest,
  market: MarketView,
  resting = 0,
): Refusal | undefined {
  const shape = statusProblem(market.status) ?? shapeProblem(pair, request);
  if (shape !== undefined) return shape;
  const rungs = ladderRungs(pair, request);
  return (
    crossingProblem(pair, request, market.best) ??
    firstProblem(pair, filters, request, rungs, market) ??
    restingProblem(filters, resting + request.count - 1)
  );
}

/**
 * Returns a refusal if prices, amount or number of orders of the request are invalid, or the prices are too close
 * together for the number of orders; otherwise undefined.
 */
function shapeProblem(pair: Pair, request: LadderRequest): Refusal | undefined {
  const { fromPrice, toPrice, count, amount } = request;
  const grid = gridProblem(pair, 'fromPrice', fromPrice) ?? gridProblem(pair, 'toPrice', toPrice);
  if (grid !== undefined) return grid;
  if (!amount.isPositive() || !amount.fits(pair.amountDigits)) {
    const details = { field: 'amount', unit: pair.base, value: amount.toString() };
    if (!amount.isPositive()) return refusal('invalidField', 'l.field_positive', details);
    return refusal('invalidField', 'l.amount_decimals', { ...details, limit: String(pair.amountDigits) });
  }
  if (!Number.isInteger(count) || count < LADDER_ORDERS_MIN || count > LADDER_ORDERS_MAX) {
    return refusal('invalidField', 'l.ladder_count', {
      field: 'count',
      min: String(LADDER_ORDERS_MIN),
      limit: String(LADDER_ORDERS_MAX),
      value: String(count),
    });
  }
  const places = toPrice.minus(fromPrice).absolute().toScaled(pair.priceDigits) + 1n;
  if (places >= BigInt(count)) return undefined;
  return refusal('invalidField', 'l.ladder_range', {
    field: 'toPrice',
    limit: String(places),
    value: String(count),
  });
}

/** Returns a refusal if an order of the ladder would trade immediately; otherwise undefined. */
function crossingProblem(
  pair: Pair,
  { side, fromPrice, toPrice }: LadderRequest,
  best: Decimal | undefined,
): Refusal | undefined {
  if (best === undefined) return undefined;
  const field = crosses(side, fromPrice, best) ? 'fromPrice' : 'toPrice';
  const price = field === 'fromPrice' ? fromPrice : toPrice;
  if (!crosses(side, price, best)) return undefined;
  return refusal('generic', side === 'buy' ? 'l.ladder_crosses_buy' : 'l.ladder_crosses_sell', {
    field,
    unit: pair.quote,
    limit: best.toPlaces(pair.priceDigits),
    value: price.toPlaces(pair.priceDigits),
  });
}

/**
 * Returns the refusal of the first order of a ladder that would be refused as a single order; undefined if
 * all orders are valid.
 */
function firstProblem(
  pair: Pair,
  filters: PairFilters,
  { side, fromPrice }: LadderRequest,
  rungs: readonly LadderRung[],
  market: MarketView,
): Refusal | undefined {
  for (const rung of rungs) {
    const problem = orderProblem(pair, filters, rungRequest(side, rung), market);
    if (problem === undefined) continue;
    const { parameters } = problem;
    // The user entered no amount for a single order, so a too small order gets a different sentence.
    if (problem.key === 'l.amount_min' || problem.key === 'l.total_min')
      return { ...problem, key: 'l.ladder_small' };
    if (parameters['field'] !== 'price') return problem;
    const field = rung.price.equals(fromPrice) ? 'fromPrice' : 'toPrice';
    return { ...problem, parameters: { ...parameters, field } };
  }
  return undefined;
}
