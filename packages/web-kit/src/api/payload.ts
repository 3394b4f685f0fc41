import { Decimal } from '@exchange/core/decimal.ts';

/** Drops fields that are null, undefined or empty text, at every depth; list items likewise. */
export function withoutBlanks(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutBlanks).filter(isPresent);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, field]) => [key, withoutBlanks(field)] as const)
      .filter(([, field]) => isPresent(field)),
  );
}

/** The form-encoded body of a call: blanks dropped, decimals in plain notation, lists and objects as JSON. */
export function formOf(fields: Readonly<Record<string, unknown>>): URLSearchParams {
  const form = new URLSearchParams();
  for (const [key, value] of Object.entries(withoutBlanks(fields) as Record<string, unknown>)) {
    form.append(key, fieldText(value));
  }
  return form;
}

function fieldText(value: unknown): string {
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (value instanceof Decimal) return value.toString();
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function isPresent(value: unknown): boolean {
  return value !== null && value !== undefined && value !== '';
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
