import { Decimal } from './decimal.ts';

/**
 * Rates are fractions everywhere but before people's eyes: 0.0002 is shown and typed as 0.02 percent. These two are the
 * only places that convert.
 */

const HUNDRED = Decimal.ofWhole(100);
/** One percent as a fraction. */
const HUNDREDTH = Decimal.parse('0.01');
/** Behind so many decimals a hundredth has no place any more. */
const PERCENT_PLACES = 16;

/** A fraction in percent, without the sign: `0.0002` is `0.02`; undefined for what is no number. */
export function percentOfFraction(text: string): string | undefined {
  return Decimal.tryParse(text)?.timesExact(HUNDRED).toString();
}

/** Percent as a fraction: `0.02` is `0.0002`; a percent sign may stand behind it. Undefined for what is no number. */
export function fractionOfPercent(text: string): string | undefined {
  const percent = Decimal.tryParse(text.trim().replace(/\s*%$/, ''));
  if (percent === undefined || !percent.fits(PERCENT_PLACES)) return undefined;
  return percent.timesExact(HUNDREDTH).toString();
}
