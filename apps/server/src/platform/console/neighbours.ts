import { ceilingsOf } from '@exchange/core/ceilings.ts';
import type { Decimal } from '@exchange/core/decimal.ts';
import type { FieldNeighbours } from '@exchange/wire/operation.ts';
import { rateText } from './warnings.ts';

const WORTH_PLACES = 2;

/** The ceilings of a product's terms, beside the form fields that contain them. */
export function ceilingNeighbours(product: Parameters<typeof ceilingsOf>[0]): FieldNeighbours[] {
  return [...ceilingsOf(product)].map(([name, { most, isRate, field }]) => {
    const limit = isRate === true ? rateText(most) : most.toString();
    // A field of several terms names each of them.
    return { field: field ?? name, ceiling: field === undefined ? limit : `${name} ${limit}` };
  });
}

/**
 * Notes for the preview of an operation, one beside the form field of each amount: its current value in USDT, rounded up to 2
 * places. Empty for USDT and for a coin without a price.
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
