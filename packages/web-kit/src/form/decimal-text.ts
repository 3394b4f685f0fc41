import { Decimal } from '@exchange/core/decimal.ts';
import { refusal, type Refusal } from '@exchange/core/refusal.ts';
import { accepted, refused, type Result } from '@exchange/core/result.ts';

/** Parsing of typed decimals as exact text, and stepping with the arrow keys. */

const PLAIN = /^\d*\.?\d*$/;
/** Matches a number whose digits are grouped by commas. */
const GROUPED = /^[1-9]\d*(,\d{3})+(\.\d*)?$/;
/** Matches a number that begins with a comma or with `0,`, where the comma is the decimal separator. */
const BELOW_ONE = /^0?,\d*$/;
/**
 * Matches an incomplete number with a comma, such as `1,5`. Whether the comma is the decimal separator or groups
 * thousands depends on the digits that the user types next.
 */
const UNDECIDED = /^[1-9]\d{0,19},\d{0,2}$/;
/** Matches a currency sign before a price that the user pastes. */
const CURRENCY_SIGN = /^[$€£¥₩]\s*(?=\d)/;
const WHOLE_DIGITS_MAX = 20;

/**
 * Why a typed text is invalid: `number` if it is no plain number or has more than 20 digits before the point,
 * `negative` if it has a minus sign, `decimals` if it has too many decimals.
 */
export type DecimalFault = 'number' | 'negative' | 'decimals';

/** A typed or pasted text as parsed by a decimal field. */
export interface TypedDecimal {
  /**
   * Text to show in the field: plain notation, in which an undecided comma stays, or the unchanged input if that is no
   * number.
   */
  readonly text: string;
  /** Value of the field: plain decimal text, an empty text, or invalid text after normalisation of its characters. */
  readonly value: string;
  readonly fault: DecimalFault | undefined;
}

/**
 * Parses typed or pasted text with full-width or half-width characters (`０．５`, `１２。５`): digits and one decimal point,
 * at most `places` decimals; surplus trailing zeros are dropped from the value. Invalid text is never corrected; it is
 * returned with its fault.
 *
 * The meaning of a comma depends on the digits around it, because all four languages group digits with commas while
 * some keyboards have no other decimal separator:
 * - at the beginning or after zeros only, it is the decimal separator: `0,5` is `0.5`;
 * - before three digits it is a group separator and is dropped: `1,000` becomes `1000`, `95,000.5` `95000.5`;
 * - before fewer digits it is undecided. It stays in the text, and counts as the decimal separator: `1,5` is one and a
 *   half;
 * - anywhere else the text is not a number: `1,0000`, `1.5,`.
 */
export function typedDecimal(typed: string, places: number): TypedDecimal {
  const input = typed
    .normalize('NFKC')
    .trim()
    .replaceAll('。', '.')
    .replaceAll('、', ',')
    .replace(CURRENCY_SIGN, '');
  const isNegative = /^[-−]\s*\d/.test(input);
  const text = plainText(input);
  if (text === undefined) {
    return { text: typed, value: input, fault: isNegative ? 'negative' : 'number' };
  }
  const [whole = '', fraction = ''] = text.split(/[.,]/);
  if (whole.length > WHOLE_DIGITS_MAX) return { text: typed, value: input, fault: 'number' };
  if (/[1-9]/.test(fraction.slice(places))) {
    return { text, value: `${whole}.${fraction}`, fault: 'decimals' };
  }
  const keptFraction = fraction.slice(0, places);
  return { text, value: keptFraction === '' ? whole : `${whole}.${keptFraction}`, fault: undefined };
}

/**
 * Returns the refusal of a text that is invalid in a field of `places` decimals; undefined if the text is
 * valid.
 */
export function decimalProblem(field: string, text: string, places: number): Refusal | undefined {
  const { value, fault } = typedDecimal(text, places);
  if (fault === undefined) return undefined;
  if (fault === 'number') return refusal('invalidField', 'l.field_number', { field });
  if (fault === 'negative') return refusal('invalidField', 'l.field_positive', { field });
  return refusal('invalidField', 'l.field_decimals', { field, limit: String(places), value });
}

/**
 * Parses the amount typed in a field with `places` decimals. Returns a refusal for an invalid text and for an empty
 * field.
 */
export function typedAmount(field: string, text: string, places: number): Result<Decimal, Refusal> {
  const mistyped = decimalProblem(field, text, places);
  if (mistyped !== undefined) return refused(mistyped);
  const amount = Decimal.tryParse(typedDecimal(text, places).value);
  return amount === undefined
    ? refused(refusal('invalidField', 'l.amount_required', { field }))
    : accepted(amount);
}

/** Inserts commas between groups of three integer digits of a plain decimal; returns any other text unchanged. */
export function groupedDecimal(text: string): string {
  if (!/^\d+(\.\d+)?$/.test(text)) return text;
  const [whole = '', fraction] = text.split('.');
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, ',');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

/**
 * Adds `steps` units (subtracts them if negative) of the last of `places` decimals to a decimal; the result
 * is at least zero. An invalid text counts as zero.
 */
export function stepDecimal(value: string, steps: number, places: number): string {
  const { value: number, fault } = typedDecimal(value, places);
  const [whole = '0', fraction = ''] = (fault === undefined && number !== '' ? number : '0').split('.');
  const atoms = BigInt(whole + fraction.padEnd(places, '0').slice(0, places)) + BigInt(steps);
  if (atoms <= 0n) return '0';
  const digits = atoms.toString().padStart(places + 1, '0');
  if (places === 0) return digits;
  return `${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

/**
 * Converts typed digits to plain notation without grouping commas; undefined for invalid text. A comma that may be
 * either a decimal point or a grouping comma is not removed.
 */
function plainText(input: string): string | undefined {
  const text = input.replace(/^0+(?=\d)/, '');
  if (UNDECIDED.test(text)) return text;
  const plain = GROUPED.test(text) ? text.replaceAll(',', '') : text;
  const pointed = BELOW_ONE.test(plain) ? plain.replace(',', '.') : plain;
  if (!PLAIN.test(pointed)) return undefined;
  return pointed.startsWith('.') ? `0${pointed}` : pointed;
}
