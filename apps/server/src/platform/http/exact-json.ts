import { Decimal } from '@exchange/core/decimal.ts';

/** JSON text that was rendered once for many answers, into which it is inserted unchanged. */
export class PrerenderedJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/**
 * The `data` of a large answer as JSON text in parts, for calls with the plain envelope. A part is produced only after
 * the reader has accepted the previous one, so that the whole answer is never in memory.
 */
export class StreamedJson {
  readonly parts: AsyncGenerator<string, void>;

  constructor(parts: AsyncGenerator<string, void>) {
    this.parts = parts;
  }
}

/**
 * Converts a value to JSON text as the market calls answer it: every `Decimal` becomes a number with all its
 * digits. Inserts `PrerenderedJson` at any depth. Converts undefined to `null`. Otherwise like
 * `JSON.stringify`.
 */
export function exactJson(value: unknown): string {
  return printed(value) ?? 'null';
}

/**
 * Converts a value to JSON text as all other calls and the live feed send it: every `Decimal` becomes a text.
 * Converts undefined to `null`. A `PrerenderedJson` must be the whole value. Its text is returned.
 */
export function plainJson(value: unknown): string {
  if (value instanceof PrerenderedJson) return value.text;
  return value === undefined ? 'null' : JSON.stringify(value);
}

/** Converts a part of a value to JSON text for `exactJson`; undefined for a part that JSON leaves out. */
function printed(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (value instanceof Decimal) return value.toString();
  if (value instanceof PrerenderedJson) return value.text;
  if (Array.isArray(value)) return printedList(value);
  if ('toJSON' in value) return JSON.stringify(value);
  return printedFields(value as Readonly<Record<string, unknown>>);
}

function printedList(items: readonly unknown[]): string {
  let text = '[';
  for (let index = 0; index < items.length; index += 1) {
    if (index > 0) text += ',';
    text += printed(items[index]) ?? 'null';
  }
  return `${text}]`;
}

function printedFields(fields: Readonly<Record<string, unknown>>): string {
  let text = '{';
  for (const name of Object.keys(fields)) {
    const value = printed(fields[name]);
    if (value === undefined) continue;
    text += `${text.length > 1 ? ',' : ''}${JSON.stringify(name)}:${value}`;
  }
  return `${text}}`;
}
