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

/** Fewest and most slices of an iceberg. */
export const ICEBERG_SLICES_MIN = 2;
export const ICEBERG_SLICES_MAX = 100;
/** Most icebergs of an account that run at the same time. */
export const ICEBERG_OPEN_MAX = 10;

/** An iceberg: a limit order of which the book shows one slice at a time. */
export interface IcebergRequest {
  readonly side: Side;
  readonly price: Decimal;
  /** Total amount in the base coin. */
  readonly amount: Decimal;
  /** Amount of a slice in the base coin. */
  readonly visible: Decimal;
  /** Whether the iceberg is refused if it would trade at once. */
  readonly postOnly: boolean;
}

/**
 * The amount of the next slice of an iceberg, of which `hidden` is not placed yet: the visible amount, or all that is hidden
 * if the rest would be too small for an order. Zero if nothing is hidden.
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

/** The amounts of the slices into which a hidden amount is divided, the next one first. */
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

/** The order request of a slice: a limit order without expiry. */
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

/** The funds that an iceberg reserves: those of a limit order over its whole amount. */
export function icebergHold(pair: Pair, request: IcebergRequest): Hold {
  return holdFor(pair, sliceRequest(request, request.amount), undefined);
}

/**
 * Returns a refusal for the first limit that an iceberg violates: those of a limit order over its whole amount, those of a
 * slice as an order, the number of slices, and the owner's `resting` orders of the pair. Balances are not checked.
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

/** Returns a refusal if the visible amount is no order of its own, or the slices are too few or too many. */
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
