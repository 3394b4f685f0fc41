/** Typing of decimals as exact text: what may stand in the field, and the step of the arrow keys. */

const PLAIN = /^\d*\.?\d*$/;

/**
 * What a field holds after somebody typed or pasted `typed`: digits and one point, cut to `places`
 * decimals, without needless leading zeros. Anything that is not a plain number gives undefined: the field
 * stays as it was. A comma typed as the decimal sign counts as a point; grouping commas of a pasted number are dropped.
 */
export function typedDecimal(typed: string, places: number): string | undefined {
  const text = ungrouped(typed.trim());
  if (!PLAIN.test(text)) return undefined;
  if (text === '') return '';
  const [whole = '', fraction] = text.split('.');
  const trimmed = whole.replace(/^0+(?=\d)/, '') || '0';
  if (trimmed.length > 20) return undefined;
  if (fraction === undefined || places === 0) return trimmed;
  return `${trimmed}.${fraction.slice(0, places)}`;
}

/** The value that a field hands on: a point at the end is not yet part of it. */
export function decimalOf(text: string): string {
  return text.endsWith('.') ? text.slice(0, -1) : text;
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

function ungrouped(text: string): string {
  if (/^\d{1,3}(,\d{3})+(\.\d*)?$/.test(text)) return text.replaceAll(',', '');
  return text.replace(/^(\d*),(\d*)$/, '$1.$2').replace('。', '.');
}
