import { Decimal, least } from './decimal.ts';
import type { Pair, PairFilters, Side } from './pair.ts';
import { refusal, type Refusal } from './refusal.ts';
import { crossingProblem, restingProblem } from './spot-book-rules.ts';
import {
  amountProblem,
  holdFor,
  leastAmount,
  orderProblem,
  smallTotalProblem,
  type Hold,
  type MarketView,
  type OrderRequest,
} from './spot.ts';

/** Minimum and maximum number of slices of an iceberg. */
export const ICEBERG_SLICES_MIN = 2;
export const ICEBERG_SLICES_MAX = 100;
/** Maximum number of a user's icebergs that run at the same time, on all pairs together. */
export const ICEBERG_OPEN_MAX = 10;

/** An iceberg: a limit order of which the book shows only one part (slice) at a time. */
export interface IcebergRequest {
  readonly side: Side;
  readonly price: Decimal;
  /** Total amount of the iceberg, in the base coin. */
  readonly amount: Decimal;
  /** Amount of each slice, in the base coin: the part of the iceberg that the book shows. The last slice can differ. */
  readonly visible: Decimal;
  /** True if the iceberg must be refused in case it would trade immediately. */
  readonly postOnly: boolean;
}

/**
 * Returns the amount of the next slice of an iceberg in the base coin; zero if nothing is hidden. `hidden` is
 * the amount of the iceberg that was not placed in the book yet. The slice has the visible amount, or all of
 * `hidden` if the amount that remains hidden after it would be too small for an order.
 */
export function nextSlice(
  pair: Pair,
  filters: PairFilters,
  { price, visible }: Pick<IcebergRequest, 'price' | 'visible'>,
  hidden: Decimal,
): Decimal {
  const rest = hidden.minus(least(hidden, visible));
  return rest.isLess(leastAmount(pair, filters, price)) ? hidden : visible;
}

/**
 * Returns the amounts of the slices into which a hidden amount is divided, in the base coin and in the order
 * of their placement.
 */
export function slicesOf(
  pair: Pair,
  filters: PairFilters,
  request: Pick<IcebergRequest, 'price' | 'visible'>,
  hidden: Decimal,
): readonly Decimal[] {
  const slices: Decimal[] = [];
  for (let rest = hidden; rest.isPositive();) {
    const slice = nextSlice(pair, filters, request, rest);
    slices.push(slice);
    rest = rest.minus(slice);
  }
  return slices;
}

/**
 * Returns the order that places a slice in the book: a limit order without expiry, post-only if the iceberg
 * is.
 */
export function sliceRequest(
  { side, price, postOnly }: Pick<IcebergRequest, 'side' | 'price' | 'postOnly'>,
  amount: Decimal,
): OrderRequest {
  return {
    side,
    type: 'limit',
    price,
    amount,
    timeInForce: 'GTC',
    postOnly,
  };
}

/**
 * Returns the amount that an iceberg reserves, and its coin: those of a limit order with the iceberg's total
 * amount.
 */
export function icebergHold(pair: Pair, request: IcebergRequest): Hold {
  return holdFor(pair, sliceRequest(request, request.amount), undefined);
}

/**
 * Returns a refusal for the first rule that an iceberg violates; otherwise undefined. The rules: a limit order with the
 * total amount is valid, a slice is a valid order, the number of slices is in range, a post-only iceberg does not trade
 * immediately, and the owner has fewer than the maximum number of orders on the pair (`resting`). The balance is not
 * checked here.
 */
export function icebergProblem(
  pair: Pair,
  filters: PairFilters,
  request: IcebergRequest,
  market: MarketView,
  resting = 0,
): Refusal | undefined {
  const { side, price, amount, postOnly } = request;
  return (
    orderProblem(pair, filters, sliceRequest(request, amount), market) ??
    visibleProblem(pair, filters, request) ??
    (postOnly ? crossingProblem(side, price, market.best, 'price') : undefined) ??
    restingProblem(filters, resting)
  );
}

/**
 * Returns a refusal if the visible amount alone is no valid order, or results in too few or too many slices; otherwise
 * undefined.
 */
function visibleProblem(
  pair: Pair,
  filters: PairFilters,
  { price, amount, visible }: IcebergRequest,
): Refusal | undefined {
  if (!visible.isPositive()) {
    const details = { field: 'visible', unit: pair.base, value: visible.toString() };
    return refusal('invalidField', 'l.field_positive', details);
  }
  const single = amountProblem(pair, filters, { amount: visible });
  if (single !== undefined) {
    const parameters = new Map(Object.entries(single.parameters)).set('field', 'visible');
    return { ...single, parameters: Object.fromEntries(parameters) };
  }
  return (
    smallTotalProblem(pair, filters, price.timesExact(visible), 'visible') ??
    countProblem(pair, filters, { price, amount, visible })
  );
}

function countProblem(
  pair: Pair,
  filters: PairFilters,
  { price, amount, visible }: Pick<IcebergRequest, 'price' | 'amount' | 'visible'>,
): Refusal | undefined {
  const units = amount.toScaled(pair.amountDigits);
  const whole = units / visible.toScaled(pair.amountDigits);
  const rest = amount.minus(visible.timesExact(Decimal.ofWhole(whole)));
  const isOrder = rest.isPositive() && !rest.isLess(leastAmount(pair, filters, price));
  const isOnlyRest = whole === 0n && rest.isPositive();
  const count = whole + (isOrder || isOnlyRest ? 1n : 0n);
  if (count >= BigInt(ICEBERG_SLICES_MIN) && count <= BigInt(ICEBERG_SLICES_MAX)) return undefined;
  return refusal('invalidField', 'l.iceberg_slices', {
    field: 'visible',
    min: String(ICEBERG_SLICES_MIN),
    limit: String(ICEBERG_SLICES_MAX),
    value: String(count),
  });
}
