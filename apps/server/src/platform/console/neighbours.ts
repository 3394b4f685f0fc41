import { ceilingsOf } from '@exchange/core/ceilings.ts';
import type { Decimal } from '@exchange/core/decimal.ts';
import type { FieldNeighbours } from '@exchange/wire/operation.ts';
import { rateText } from './warnings.ts';

const WORTH_PLACES = 2;

/**
 * Returns notes for the preview of changed product terms: beside each form field, the highest value to which
 * operators may set its term (see `ceilingsOf`).
 */
export function ceilingNeighbours(product: Parameters<typeof ceilingsOf>[0]): FieldNeighbours[] {
  return [...ceilingsOf(product)].map(([name, { most, isRate, field }]) => {
    const limit = isRate === true ? rateText(most) : most.toString();
    // A form field may contain several terms; then the note names the term.
    return { field: field ?? name, ceiling: field === undefined ? limit : `${name} ${limit}` };
  });
}

/**
 * Returns notes for the preview of an operation: the current value of each amount in USDT, rounded up to 2
 * places, beside the amount's form field. Empty for USDT and for a coin without a price.
 */
export function worthNeighbours(
  asset: string,
  price: Decimal | undefined,
  amounts: Readonly<Record<string, Decimal>>,
): FieldNeighbours[] {
  if (price === undefined || asset === 'USDT') return [];
  return Object.entries(amounts).map(([field, amount]) => ({
    field,
    market: `${amount.times(price, 'up', WORTH_PLACES)} USDT at ${price} USDT`,
  }));
}
