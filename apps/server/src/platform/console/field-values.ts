import { Decimal } from '@exchange/core/decimal.ts';
import type { TextByLocale } from '@exchange/core/locale.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { instant, type Instant } from '@exchange/core/time.ts';
import type { CallFields } from './operation.ts';

const DATE = /^\d{4}-\d\d-\d\d$/;

/** Names of texts that have a form field per language, e.g. `name` for the fields `nameEn`, `nameZh` and so on. */
type TextName<Name extends string> = string extends Name
  ? string
  : Name extends `${infer Text}En`
    ? Text
    : never;

/**
 * Reads an operator's form fields by their described names. For an unreadable value, all methods except `isSet` and
 * `isOn` throw `Refused` with the field's name.
 */
export class FieldValues<Name extends string = string> {
  private readonly fields: CallFields;

  constructor(fields: CallFields<Name>) {
    this.fields = fields;
  }

  text(field: Name): string {
    const text = this.fields[field];
    if (text === undefined || text.trim() === '')
      throw new Refused(refusal('invalidField', 'l.field_required', { field }));
    return text;
  }

  /**
   * Returns a text in all languages in which it was entered, from the fields of `textFields`. Throws
   * `Refused` with the field's name if the English or Chinese text is missing, or a text has more than
   * `limit` characters.
   */
  byLocale(field: TextName<Name>, limit = Number.POSITIVE_INFINITY): TextByLocale {
    const required = (suffix: string) => {
      const name = `${field}${suffix}` as Name;
      const text = this.text(name);
      requireText(name, text, limit);
      return text;
    };
    const optional = (suffix: string) =>
      this.isSet(`${field}${suffix}` as Name) ? required(suffix) : undefined;
    return {
      'en-US': required('En'),
      'zh-CN': required('Zh'),
      'ko-KR': optional('Ko'),
      'ja-JP': optional('Ja'),
    };
  }

  decimal(field: Name): Decimal {
    const text = this.text(field);
    const number = Decimal.tryParse(text);
    if (number?.isPositive() === true) return number;
    throw new Refused(refusal('invalidField', 'l.field_positive', { field, value: text }));
  }

  whole(field: Name): number {
    const text = this.text(field);
    const number = Number(text);
    if (Number.isSafeInteger(number) && number >= 0) return number;
    throw new Refused(refusal('invalidField', 'l.field_number', { field, value: text }));
  }

  time(field: Name): Instant {
    return instant(this.whole(field));
  }

  /**
   * Returns the start, in UTC, of the day that an operator entered (`2026-01-31`); undefined for an empty
   * field. Throws `Refused` for a text of another form, and for a day that does not exist, such as 31
   * February.
   */
  day(field: Name): Instant | undefined {
    if (!this.isSet(field)) return undefined;
    const text = this.text(field).trim();
    const time = DATE.test(text) ? Date.parse(text) : Number.NaN;
    // JavaScript reads 31 February as a day of March.
    if (Number.isNaN(time) || new Date(time).toISOString().slice(0, text.length) !== text)
      throw new Refused(refusal('invalidField', 'l.field_invalid', { field, value: text }));
    return instant(time);
  }

  isSet(field: Name): boolean {
    return (this.fields[field] ?? '').trim() !== '';
  }

  isOn(field: Name): boolean {
    return this.fields[field] === '1';
  }
}

/** Throws `Refused` if a list already has `limit` entries, so that no entry can be added. */
export function requireRoom(count: number, limit: number): void {
  if (count >= limit)
    throw new Refused(
      refusal('aboveMaximum', 'l.field_max', {
        field: 'code',
        limit: String(limit),
        value: String(count + 1),
      }),
    );
}

/** Throws `Refused` with the field's name if a text is blank or longer than `limit` characters. */
export function requireText(field: string, text: string, limit: number): void {
  if (text.trim() === '') throw new Refused(refusal('invalidField', 'l.field_required', { field }));
  if (text.length <= limit) return;
  throw new Refused(refusal('invalidField', 'l.field_too_long', { field, limit: String(limit) }));
}
