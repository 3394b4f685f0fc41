/** Typing of decimals as exact text: what may stand in the field, and the step of the arrow keys. */

const PLAIN = /^\d*\.?\d*$/;
/** Every comma has three digits after it. */
const GROUPED = /^[1-9]\d*(,\d{3})+(\.\d*)?$/;
/** Nothing is grouped after a zero. */
const BELOW_ONE = /^0?,\d*$/;
/** A comma that may still become either. */
const UNDECIDED = /^[1-9]\d{0,19},\d{0,2}$/;

/**
 * What a field holds after somebody typed or pasted `typed`: digits and one point, cut to `places`
 * decimals, without needless leading zeros. Anything that is not a plain number gives undefined: the field
 * stays as it was.
 *
 * A comma is what the digits after it make of it, since all our languages group by commas while some
 * keyboards have no other decimal sign:
 * - after a zero, or before any digit, it is the decimal sign at once: `0,5` is `0.5`;
 * - with three digits after it, it groups and is dropped: `1,000` becomes `1000`, `95,000.5` `95000.5`;
 * - with fewer, nobody knows yet. It stays in the field as a comma, and `decimalOf` reads it as the decimal
 *   sign, which it is if nothing follows: `1,5` is one and a half;
 * - anywhere else it is not taken: `1,0000`, `1.5,`. A field without decimals drops it.
 */
export function typedDecimal(typed: string, places: number): string | undefined {
  const given = typed
    .trim()
    .replaceAll('。', '.')
    .replaceAll('，', ',')
    .replace(/^0+(?=\d)/, '');
  if (places > 0 && UNDECIDED.test(given)) return given;
  const text = withoutCommas(given);
  if (!PLAIN.test(text)) return undefined;
  if (text === '') return '';
  const [whole = '', fraction] = text.split('.');
  const trimmed = whole.replace(/^0+(?=\d)/, '') || '0';
  if (trimmed.length > 20) return undefined;
  if (fraction === undefined || places === 0) return trimmed;
  return `${trimmed}.${fraction.slice(0, places)}`;
}

/**
 * The value that a field hands on, cut to `places`: a decimal sign at the end is not yet part of it, and an
 * undecided comma is one.
 */
export function decimalOf(text: string, places = Number.POSITIVE_INFINITY): string {
  const [whole = '', fraction = ''] = text.split(/[.,]/);
  return fraction === '' || places === 0 ? whole : `${whole}.${fraction.slice(0, places)}`;
}

/** `value` plus or minus one unit of the last place shown, times `steps`; never below zero. */
export function stepped(value: string, steps: number, places: number): string {
  const [whole = '0', fraction = ''] = (decimalOf(value) || '0').split('.');
  const atoms = BigInt(whole + fraction.padEnd(places, '0').slice(0, places)) + BigInt(steps);
  if (atoms <= 0n) return '0';
  const digits = atoms.toString().padStart(places + 1, '0');
  if (places === 0) return digits;
  return `${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

function withoutCommas(text: string): string {
  if (GROUPED.test(text)) return text.replaceAll(',', '');
  if (BELOW_ONE.test(text)) return text.replace(',', '.');
  // Only a field without decimals gets here with one at the end.
  return UNDECIDED.test(text) && text.endsWith(',') ? text.slice(0, -1) : text;
}
