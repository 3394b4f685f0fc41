import { Decimal } from '@exchange/core/decimal.ts';
import { apiErrors } from './errors.ts';

type JsonSchema = Readonly<Record<string, unknown>>;

/** A parameter of the public trading API: how its text is parsed, and how documents describe it. */
export interface Parameter<Value> {
  readonly isRequired: boolean;
  readonly schema: JsonSchema;
  /** Parses the text of the parameter, which is not empty. Throws an `ApiError` for an invalid text. */
  readonly parse: (text: string, name: string) => Value;
  /** The value if the request does not contain the parameter, or contains it without a text. */
  readonly absent: Value;
}

export type Parameters = Readonly<Record<string, Parameter<unknown>>>;
export type ValuesOf<P extends Parameters> = {
  readonly [Name in keyof P]: P[Name] extends Parameter<infer Value> ? Value : never;
};

const WHOLE = /^[0-9]{1,16}$/;
const SYMBOL = /^[A-Z0-9]{1,20}$/;
const SYMBOL_RANGE = '^[A-Z0-9-_.]{1,20}$';
const MOST_SYMBOLS = 100;

/** Makes a parameter mandatory: a request in which it is absent or empty is refused with −1102. */
export function required<Value>(parameter: Parameter<Value>): Parameter<NonNullable<Value>> {
  return { ...parameter, isRequired: true } as Parameter<NonNullable<Value>>;
}

function optional<Value>(
  schema: JsonSchema,
  parse: (text: string, name: string) => Value,
): Parameter<Value | undefined> {
  return { isRequired: false, schema, parse, absent: undefined };
}

function symbolOf(text: string, name: string): string {
  if (!SYMBOL.test(text)) throw apiErrors.illegalCharacters(name, SYMBOL_RANGE);
  return text;
}

/**
 * The symbol of a pair: base and quote coin in capitals, such as `BTCUSDT`. Only the format is checked here; the server
 * checks whether the pair exists.
 */
export const symbol = optional({ type: 'string', examples: ['BTCUSDT'] }, symbolOf);

/** Symbols of 1 to 100 pairs as JSON: `["BTCUSDT","ETHUSDT"]`, each at most once. */
export const symbols = optional(
  { type: 'string', examples: ['["BTCUSDT","ETHUSDT"]'] },
  (text, name): readonly string[] => {
    const list = parsedJson(text, name);
    const isList = Array.isArray(list) && list.length > 0 && list.length <= MOST_SYMBOLS;
    if (!isList || !list.every((item) => typeof item === 'string')) throw apiErrors.invalidData(name);
    if (new Set(list).size < list.length) throw apiErrors.duplicate();
    return list.map((item) => symbolOf(item, name));
  },
);

function parsedJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw apiErrors.illegalCharacters(name, '^\\["[A-Z0-9-_.]{1,20}"(,"[A-Z0-9-_.]{1,20}"){0,99}\\]$');
  }
}

function wholeOf(text: string, name: string): number {
  if (!WHOLE.test(text)) throw apiErrors.illegalCharacters(name, '^[0-9]{1,20}$');
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw apiErrors.invalidData(name);
  return value;
}

const DECIMAL = /^[0-9]{1,20}(\.[0-9]{1,20})?$/;

/** A decimal in plain notation, without a sign and an exponent. */
export const decimalNumber = optional({ type: 'string', examples: ['0.01'] }, (text, name): Decimal => {
  const value = DECIMAL.test(text) ? Decimal.tryParse(text) : undefined;
  if (value === undefined) throw apiErrors.illegalCharacters(name, '^([0-9]{1,20})(\\.[0-9]{1,20})?$');
  return value;
});

/**
 * Milliseconds after the parameter `timestamp` within which a signed request must arrive; may have decimals.
 * Without the parameter, 5,000 apply.
 */
export const windowMs = optional({ type: 'number', minimum: 0, default: 5_000 }, (text, name): number => {
  if (!/^[0-9]{1,9}(\.[0-9]{1,6})?$/.test(text)) throw apiErrors.illegalCharacters(name, '^[0-9]{1,9}$');
  return Number(text);
});

/** ID that the caller gives to an order: 1 to 36 letters, digits and `-_.:/`. */
export const clientOrderId = optional({ type: 'string', maxLength: 36 }, clientIdOf);

function clientIdOf(text: string, name: string): string {
  const range = '^[a-zA-Z0-9-_.:/]{1,36}$';
  if (!/^[a-zA-Z0-9\-_.:/]{1,36}$/.test(text)) throw apiErrors.illegalCharacters(name, range);
  return text;
}

/**
 * Returns an optional parameter that is a JSON list of 1 to `most` items. `read` parses each item and throws
 * an `ApiError` for an invalid one.
 */
function jsonList<Item>(
  most: number,
  examples: readonly string[],
  read: (item: unknown, name: string) => Item,
): Parameter<readonly Item[] | undefined> {
  return optional({ type: 'string', examples }, (text, name) => {
    const list = parsedList(text);
    if (list === undefined || list.length === 0 || list.length > most) throw apiErrors.invalidData(name);
    return list.map((item) => read(item, name));
  });
}

function parsedList(text: string): readonly unknown[] | undefined {
  try {
    const value = JSON.parse(text) as unknown;
    return Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Returns an optional parameter that is a JSON list of 1 to `most` IDs: `[1,2]`. */
export const wholeNumbers = (most: number) =>
  jsonList(most, ['[1,2]'], (item, name) => wholeOf(textOf(item, name), name));

/**
 * Returns an optional parameter that is a JSON list of 1 to `most` client order IDs: `["first","second"]`.
 */
export const clientOrderIds = (most: number) =>
  jsonList(most, ['["first","second"]'], (item, name) => clientIdOf(textOf(item, name), name));

/**
 * Returns an optional parameter that is a JSON list of 1 to `most` objects; the fields of each object are
 * parameters as text: `[{"symbol":"BTCUSDT"}]`.
 */
export const jsonObjects = (most: number) =>
  jsonList(most, ['[{"symbol":"BTCUSDT"}]'], (item, name): ReadonlyMap<string, string> => {
    if (typeof item !== 'object' || item === null || Array.isArray(item)) throw apiErrors.invalidData(name);
    return new Map(Object.entries(item).map(([field, value]) => [field, textOf(value, name)]));
  });

function textOf(value: unknown, name: string): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw apiErrors.invalidData(name);
}

/** An optional parameter that is an integer, such as an ID. */
export const wholeNumber = optional({ type: 'integer', minimum: 0 }, wholeOf);

/** An optional parameter that is a time in milliseconds UTC. */
export const milliseconds = optional(
  { type: 'integer', minimum: 0, description: 'Milliseconds UTC' },
  wholeOf,
);

/** An optional parameter that is a time in seconds UTC, for the charting endpoints. */
export const seconds = optional({ type: 'integer', minimum: 0, description: 'Seconds UTC' }, wholeOf);

/**
 * Returns an optional parameter that is the length of a countdown in milliseconds, from 0 to `most`; a longer
 * one is refused with −1130.
 */
export function countdownMs(most: number): Parameter<number | undefined> {
  return optional({ type: 'integer', minimum: 0, maximum: most }, (text, name) => {
    const value = wholeOf(text, name);
    if (value > most) throw apiErrors.invalidData(name);
    return value;
  });
}

/**
 * Returns a parameter that is the number of rows to return, at least 1, and `usual` if absent; if it is above
 * `most`, `most` rows are returned.
 */
export function limit(usual: number, most: number): Parameter<number> {
  return {
    isRequired: false,
    schema: { type: 'integer', minimum: 1, maximum: most, default: usual },
    parse: (text, name) => {
      const value = wholeOf(text, name);
      if (value === 0) throw apiErrors.invalidData(name);
      return Math.min(value, most);
    },
    absent: usual,
  };
}

/**
 * Returns a parameter that is the number of rows to skip; 0 if absent. A number above `most` is refused with
 * −1130.
 */
export function offset(most: number): Parameter<number> {
  return {
    isRequired: false,
    schema: { type: 'integer', minimum: 0, maximum: most, default: 0 },
    parse: (text, name) => {
      const value = wholeOf(text, name);
      if (value > most) throw apiErrors.invalidData(name);
      return value;
    },
    absent: 0,
  };
}

/** A parameter that is a page number from 1 to 100; 1 if absent. */
export const pageNumber: Parameter<number> = {
  isRequired: false,
  schema: {
    type: 'integer',
    minimum: 1,
    maximum: 100,
    default: 1,
  },
  parse: (text, name) => {
    const value = wholeOf(text, name);
    if (value < 1 || value > 100) throw apiErrors.invalidData(name);
    return value;
  },
  absent: 1,
};

/**
 * Returns an optional parameter that is one of the given words; for any other text, the error that `refuse`
 * returns is thrown.
 */
export function choice<const Word extends string>(
  words: readonly Word[],
  refuse: (name: string) => Error = apiErrors.invalidData,
): Parameter<Word | undefined> {
  return optional({ type: 'string', enum: words }, (text, name) => {
    const word = words.find((candidate) => candidate === text);
    if (word === undefined) throw refuse(name);
    return word;
  });
}

/**
 * Returns an optional parameter that is a text of at most `most` characters; a longer one is refused with
 * −1130.
 */
export function words(most: number): Parameter<string | undefined> {
  return optional({ type: 'string', maxLength: most }, (text, name) => {
    if (text.length > most) throw apiErrors.invalidData(name);
    return text;
  });
}

/**
 * Returns the parameters of a request by name, unparsed. Throws −1101 if a name occurs twice in the query, in
 * the body, or in both together.
 */
export function sentParameters(...parts: readonly string[]): ReadonlyMap<string, string> {
  const sent = new Map<string, string>();
  for (const part of parts)
    for (const [name, value] of new URLSearchParams(part)) {
      if (sent.has(name)) throw apiErrors.duplicate();
      sent.set(name, value);
    }
  return sent;
}

/**
 * Parses the parameters of a request. An empty parameter counts as missing. Throws −1102 if a mandatory parameter is
 * missing, and the error of `parse` for an invalid one; unknown parameters are ignored.
 */
export function readParameters<P extends Parameters>(
  parameters: P,
  sent: ReadonlyMap<string, string>,
): ValuesOf<P> {
  // The parameters are read in a plain loop, because it is fast and every order request is parsed here.
  const values: Record<string, unknown> = {};
  for (const name of Object.keys(parameters)) {
    const { isRequired, parse, absent } = parameters[name]!;
    const text = sent.get(name);
    if (text !== undefined && text !== '') values[name] = parse(text, name);
    else if (isRequired) throw apiErrors.missing(name);
    else values[name] = absent;
  }
  return values as ValuesOf<P>;
}
