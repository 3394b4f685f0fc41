import { Decimal } from '@exchange/core/decimal.ts';
import { refusal, type Refusal } from '@exchange/core/refusal.ts';
import { accepted, refused, type Result } from '@exchange/core/result.ts';

/** Typing of decimals as exact text: what counts of what stands in a field, and the step of the arrow keys. */

const PLAIN = /^\d*\.?\d*$/;
/** Every comma has three digits after it. */
const GROUPED = /^[1-9]\d*(,\d{3})+(\.\d*)?$/;
/** Nothing is grouped after a zero. */
const BELOW_ONE = /^0?,\d*$/;
/** A comma that may still become either. */
const UNDECIDED = /^[1-9]\d{0,19},\d{0,2}$/;
/** A price that is pasted may bring the sign of its currency along. */
const CURRENCY_SIGN = /^[$€£¥₩]\s*(?=\d)/;
const WHOLE_DIGITS_MAX = 20;

/** Why what was typed is not taken: no plain number, below zero, or finer than the field. */
export type DecimalFault = 'number' | 'negative' | 'decimals';

/** What somebody typed or pasted, as a field reads it. */
export interface TypedDecimal {
  /** What stands in the field: a decimal in its plain spelling, anything that is none exactly as it was typed. */
  readonly text: string;
  /** What the field hands on: plain decimal text, empty, or what is no number as it was typed, which counts for nothing. */
  readonly value: string;
  readonly fault: DecimalFault | undefined;
}

/**
 * Reads what somebody typed or pasted, with characters of any width (`０．５`, `１２。５`): digits and one point, at most `places` decimals (zeros beyond them say
 * nothing and are dropped). Nothing is corrected into another number: what is none keeps standing, with its fault.
 *
 * A comma is what the digits after it make of it, since all our languages group by commas while some
 * keyboards have no other decimal sign:
 * - after a zero, or before any digit, it is the decimal sign at once: `0,5` is `0.5`;
 * - with three digits after it, it groups and is dropped: `1,000` becomes `1000`, `95,000.5` `95000.5`;
 * - with fewer, nobody knows yet. It stays in the field as a comma and counts as the decimal sign, which it is
 *   if nothing follows: `1,5` is one and a half;
 * - anywhere else there is no number: `1,0000`, `1.5,`.
 */
export function typedDecimal(typed: string, places: number): TypedDecimal {
  const given = typed
    .normalize('NFKC')
    .trim()
    .replaceAll('。', '.')
    .replaceAll('、', ',')
    .replace(CURRENCY_SIGN, '');
  const isNegative = /^[-−]\s*\d/.test(given);
  const text = plainText(given);
  if (text === undefined) {
    return { text: typed, value: given, fault: isNegative ? 'negative' : 'number' };
  }
  const [whole = '', fraction = ''] = text.split(/[.,]/);
  if (whole.length > WHOLE_DIGITS_MAX) return { text: typed, value: given, fault: 'number' };
  if (/[1-9]/.test(fraction.slice(places))) {
    return { text, value: `${whole}.${fraction}`, fault: 'decimals' };
  }
  const kept = fraction.slice(0, places);
  return { text, value: kept === '' ? whole : `${whole}.${kept}`, fault: undefined };
}

/** The refusal of a text that a field of `places` decimals does not take; undefined where it does. */
export function decimalProblem(field: string, text: string, places: number): Refusal | undefined {
  const { value, fault } = typedDecimal(text, places);
  if (fault === undefined) return undefined;
  if (fault === 'number') return refusal('invalidField', 'l.field_number', { field });
  if (fault === 'negative') return refusal('invalidField', 'l.field_positive', { field });
  return refusal('invalidField', 'l.field_decimals', { field, limit: String(places), value });
}

/** The amount that a field of `places` decimals holds, or what is wrong with what was typed; nothing typed is asked for. */
export function typedAmount(field: string, text: string, places: number): Result<Decimal, Refusal> {
  const mistyped = decimalProblem(field, text, places);
  if (mistyped !== undefined) return refused(mistyped);
  const amount = Decimal.tryParse(typedDecimal(text, places).value);
  return amount === undefined
    ? refused(refusal('invalidField', 'l.amount_required', { field }))
    : accepted(amount);
}

/** A plain decimal with its whole digits grouped, decimals as they are; any other text is itself. */
export function groupedDecimal(text: string): string {
  if (!/^\d+(\.\d+)?$/.test(text)) return text;
  const [whole = '', fraction] = text.split('.');
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, ',');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

/**
 * `value` plus or minus one unit of the last place, times `steps`; never below zero. What is no number counts as
 * nothing.
 */
export function stepped(value: string, steps: number, places: number): string {
  const { value: number, fault } = typedDecimal(value, places);
  const [whole = '0', fraction = ''] = (fault === undefined && number !== '' ? number : '0').split('.');
  const atoms = BigInt(whole + fraction.padEnd(places, '0').slice(0, places)) + BigInt(steps);
  if (atoms <= 0n) return '0';
  const digits = atoms.toString().padStart(places + 1, '0');
  if (places === 0) return digits;
  return `${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

/** A number in its plain spelling, an undecided comma left in it; undefined for what is no number. */
function plainText(given: string): string | undefined {
  const text = given.replace(/^0+(?=\d)/, '');
  if (UNDECIDED.test(text)) return text;
  const plain = GROUPED.test(text) ? text.replaceAll(',', '') : text;
  const pointed = BELOW_ONE.test(plain) ? plain.replace(',', '.') : plain;
  if (!PLAIN.test(pointed)) return undefined;
  return pointed.startsWith('.') ? `0${pointed}` : pointed;
}
