import { Decimal } from '@exchange/core/decimal.ts';

/** JSON text that was made elsewhere, once for many answers; it is passed on as it is. */
export class PrerenderedJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/**
 * The `data` of a large answer as JSON text, part by part: a part is made only when the reader has taken the one
 * before, so that an answer never lies in memory whole. For calls in the plain envelope.
 */
export class StreamedJson {
  readonly parts: AsyncGenerator<string, void>;

  constructor(parts: AsyncGenerator<string, void>) {
    this.parts = parts;
  }
}

/**
 * JSON in which a `Decimal` is a number with all its digits, as the market calls answer, and a
 * `PrerenderedJson` stands for itself at any depth. Otherwise as `JSON.stringify`.
 */
export function exactJson(value: unknown): string {
  return printed(value) ?? 'null';
}

/** As `exactJson`, with every `Decimal` as text: how all other calls answer. */
export function plainJson(value: unknown): string {
  if (value instanceof PrerenderedJson) return value.text;
  return value === undefined ? 'null' : JSON.stringify(value);
}

/** Undefined for what JSON leaves out. */
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
