import { Decimal } from './decimal.ts';

/**
 * Rates are fractions in the code and in the database. Screens show and accept them as percentages: 0.0002 is 0.02
 * percent. These functions convert one text into the other.
 */

const HUNDRED = Decimal.ofWhole(100);
const HUNDREDTH = Decimal.parse('0.01');
/** Maximum number of decimals of a percentage, so that the corresponding fraction has at most 18 decimals. */
const PERCENT_PLACES = 16;

/**
 * Converts a fraction to a percentage without percent sign: `0.0002` becomes `0.02`. Returns undefined for invalid
 * text.
 */
export function percentOfFraction(text: string): string | undefined {
  return Decimal.tryParse(text)?.timesExact(HUNDRED).toString();
}

/**
 * Converts a percentage to a fraction: `0.02` or `0.02 %` becomes `0.0002`. Returns undefined for invalid
 * text and for a percentage with more than 16 decimals.
 */
export function fractionOfPercent(text: string): string | undefined {
  const percent = Decimal.tryParse(text.trim().replace(/\s*%$/, ''));
  if (percent === undefined || !percent.fits(PERCENT_PLACES)) return undefined;
  return percent.timesExact(HUNDREDTH).toString();
}
