import { Decimal } from '@exchange/core/decimal.ts';
import type { TextByLocale } from '@exchange/core/locale.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { instant, type Instant } from '@exchange/core/time.ts';
import type { FormFields } from '../http/form.ts';

/** Reads an operator's form fields. Each method refuses an unreadable value with the field's name. */
export class FieldValues {
  private readonly fields: FormFields;

  constructor(fields: FormFields) {
    this.fields = fields;
  }

  text(field: string): string {
    const text = this.fields[field];
    if (text === undefined || text.trim() === '')
      throw new Refused(refusal('invalidField', 'l.field_required', { field }));
    return text;
  }

  /**
   * A text in all languages in which it was written, from the fields of `textFields`. Refuses a text of more
   * than `limit` characters, naming the field of its language.
   */
  byLocale(field: string, limit = Number.POSITIVE_INFINITY): TextByLocale {
    const required = (name: string) => {
      const text = this.text(name);
      requireText(name, text, limit);
      return text;
    };
    const optional = (name: string) => (this.isSet(name) ? required(name) : undefined);
    return {
      'en-US': required(`${field}En`),
      'zh-CN': required(`${field}Zh`),
      'ko-KR': optional(`${field}Ko`),
      'ja-JP': optional(`${field}Ja`),
    };
  }

  decimal(field: string): Decimal {
    const text = this.text(field);
    const number = Decimal.tryParse(text);
    if (number?.isPositive() === true) return number;
    throw new Refused(refusal('invalidField', 'l.field_positive', { field, value: text }));
  }

  whole(field: string): number {
    const text = this.text(field);
    const number = Number(text);
    if (Number.isSafeInteger(number) && number >= 0) return number;
    throw new Refused(refusal('invalidField', 'l.field_number', { field, value: text }));
  }

  time(field: string): Instant {
    return instant(this.whole(field));
  }

  isSet(field: string): boolean {
    return (this.fields[field] ?? '').trim() !== '';
  }

  isOn(field: string): boolean {
    return this.fields[field] === '1';
  }
}

/** Refuses a further item when there are already `limit` items. */
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

/** Refuses a text that is empty or longer than `limit` characters, with the field's name. */
export function requireText(field: string, text: string, limit: number): void {
  if (text.trim() === '') throw new Refused(refusal('invalidField', 'l.field_required', { field }));
  if (text.length <= limit) return;
  throw new Refused(refusal('invalidField', 'l.field_too_long', { field, limit: String(limit) }));
}
