import type { Column, OperationField, OperationFields, Role, RowsDescription, Tone } from '../operation.ts';

/** Column definitions that many operator lists use; each determines how the console shows the values of the column. */
export const TEXT = { kind: 'text' } as const;
export const ID = { kind: 'id' } as const;
export const USER = { kind: 'user' } as const;
export const UID = { kind: 'uid' } as const;
export const ORDINAL = { kind: 'ordinal' } as const;
/** A time that tables show to the minute, such as the start or end of something. */
export const INSTANT = { kind: 'instant' } as const;
/** A time that tables show to the second, such as that of an event. */
export const EVENT_TIME = { kind: 'instant', isExact: true } as const;
export const FLAG = { kind: 'flag' } as const;
export const WORD = { kind: 'word' } as const;
export const TERM = { kind: 'term' } as const;
export const PAIRS = { kind: 'pairs' } as const;
export const OPERATION = { kind: 'operation' } as const;
export const RECORD = { kind: 'record' } as const;
export const RATE = { kind: 'rate' } as const;
export const FIGURE = { kind: 'figure' } as const;
export const COUNT = { kind: 'count' } as const;
export const TEXTS = { kind: 'texts' } as const;
export const PICTURE = { kind: 'picture' } as const;

/**
 * Name of the column that shows how long a row has been waiting. The rows contain no value for it; the console
 * calculates it.
 */
export const AGE = 'age';

/** Describes a column with amounts; `assetIn` is the name of the column with the coin of each amount. */
export function amountIn<const Name extends string>(assetIn: Name) {
  return { kind: 'amount', assetIn } as const;
}

/**
 * Describes a column with email addresses, each a link to a user; `userIn` is the name of the column with the
 * ID.
 */
export function emailOf<const Name extends string>(userIn: Name) {
  return { kind: 'email', userIn } as const;
}

/** Describes a column with a status; `tones` is the colour by value. */
export function status<const Tones extends Readonly<Record<string, Tone>>>(tones: Tones) {
  return { kind: 'status', tones } as const;
}

/**
 * Describes a column with the field values of a recorded operation, as JSON text; `operationIn` is the name
 * of the column with the operation.
 */
export function recordOf<const Name extends string>(operationIn: Name) {
  return { kind: 'record', operationIn } as const;
}

/**
 * Returns a copy of the column that tables and details omit (`isHidden`); for columns that the page shows in
 * another way.
 */
export function hidden<const Described extends Column>(column: Described) {
  return { ...column, isHidden: true } as const;
}

/** Returns a copy of the column that is optional: rows can be without a value for it. */
export function optional<const Described extends Column>(column: Described) {
  return { ...column, isOptional: true } as const;
}

/**
 * Returns a copy of the column with the heading `label`; otherwise the heading is the column's name in words.
 */
export function labelled<const Described extends Column>(label: string, column: Described) {
  return { ...column, label } as const;
}

/** Column with the status of an account's identity verification. */
export const IDENTITY = status({ 'in review': 'waits', rejected: 'bad', verified: 'good' });

/** Column with the status of a product's sale. */
export const SALE_STATUS = status({ closed: 'bad', open: 'good' });

/** Operator roles, besides the owner role, that may view the money of users and of the exchange itself. */
export const MONEY_READERS = ['finance', 'approver', 'auditor'] as const satisfies readonly Role[];

/**
 * The form fields in which an operator enters a text, one per language, such as `nameEn`; those for Korean
 * and Japanese may be empty.
 */
interface TextFields {
  readonly En: OperationField;
  readonly Zh: OperationField;
  readonly Ko: OperationField;
  readonly Ja: OperationField;
}

/**
 * Returns the form fields for a text, one per language, such as `nameEn`; the initial values are from the
 * column with the name of the text. Users see the English text in a language whose field is empty.
 */
export function textFields<const Name extends string>(
  name: Name,
  label: string,
  kind: 'text' | 'longText',
): { readonly [Suffix in keyof TextFields as `${Name}${Suffix}`]: OperationField } {
  const fields: OperationFields = {
    [`${name}En`]: {
      label: `${label} (English)`,
      kind,
      startsFrom: name,
      locale: 'en-US',
    },
    [`${name}Zh`]: {
      label: `${label} (Chinese)`,
      kind,
      startsFrom: name,
      locale: 'zh-CN',
    },
    [`${name}Ko`]: {
      label: `${label} (Korean), English if empty`,
      kind,
      isOptional: true,
      startsFrom: name,
      locale: 'ko-KR',
    },
    [`${name}Ja`]: {
      label: `${label} (Japanese), English if empty`,
      kind,
      isOptional: true,
      startsFrom: name,
      locale: 'ja-JP',
    },
  };
  return fields as { readonly [Suffix in keyof TextFields as `${Name}${Suffix}`]: OperationField };
}

/** Columns that every list of published versions has, in addition to the columns of the terms. */
const VERSION_COLUMNS = {
  version: ORDINAL,
  at: EVENT_TIME,
  by: TEXT,
  reason: TEXT,
} as const;

/** Describes the rows of a list of published versions; `terms` are the columns with the terms of a version. */
export function versionRows(terms: RowsDescription['columns']): RowsDescription {
  return {
    in: 'versions',
    key: ['version'],
    columns: { ...terms, ...VERSION_COLUMNS },
  };
}
