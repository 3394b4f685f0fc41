/** Together before and behind the point, where the number is not smaller than that. */
const DIGITS = 6;
const LEAST_DECIMALS = 2;
const MOST_DECIMALS = 8;

/**
 * How many decimals of an amount are told where there is little room: six digits in all and at least two decimals;
 * of a small one, up to eight. Zeros at the end are not told.
 */
export function shortDigits(value: string): number {
  const [whole = '', fraction = ''] = value.replace('-', '').split('.');
  const wholeDigits = whole.replace(/^0+/, '').length;
  const zeros = /^0*/.exec(fraction)?.[0].length ?? 0;
  const wanted = wholeDigits > 0 ? DIGITS - wholeDigits : zeros >= LEAST_DECIMALS ? MOST_DECIMALS : DIGITS;
  const shown = fraction.slice(0, Math.max(LEAST_DECIMALS, wanted)).replace(/0+$/, '');
  return Math.min(MOST_DECIMALS, shown.length);
}
