import { Decimal } from './decimal.ts';
import { refusal, type Refusal } from './refusal.ts';

/** Returns a refusal if a whole number is less than `min` or greater than `max`; otherwise undefined. */
export function wholeProblem(field: string, value: number, min: number, max: number): Refusal | undefined {
  if (value < min)
    return refusal('belowMinimum', 'l.field_min', { field, limit: String(min), value: String(value) });
  if (value > max)
    return refusal('aboveMaximum', 'l.field_max', { field, limit: String(max), value: String(value) });
  return undefined;
}

/**
 * Returns a refusal if a decimal has more than `places` decimal places, is less than `min` or is greater than `max`;
 * otherwise undefined.
 */
export function rangeProblem(
  field: string,
  decimal: Decimal,
  { places, min, max }: { readonly places: number; readonly min: string; readonly max: string },
): Refusal | undefined {
  const value = decimal.toString();
  if (!decimal.fits(places))
    return refusal('invalidField', 'l.field_decimals', { field, limit: String(places), value });
  if (decimal.isLess(Decimal.parse(min)))
    return refusal('belowMinimum', 'l.field_min', { field, limit: min, value });
  if (decimal.isMore(Decimal.parse(max)))
    return refusal('aboveMaximum', 'l.field_max', { field, limit: max, value });
  return undefined;
}
