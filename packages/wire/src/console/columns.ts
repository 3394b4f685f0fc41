import type { Column, OperationField, OperationFields, Role, RowsDescription, Tone } from '../operation.ts';

/** Column definitions that many operator lists share; each says how the console shows the value. */
export const TEXT = { kind: 'text' } as const;
export const ID = { kind: 'id' } as const;
export const USER = { kind: 'user' } as const;
export const UID = { kind: 'uid' } as const;
export const ORDINAL = { kind: 'ordinal' } as const;
/** A time to the minute in tables, such as a start or an end. */
export const INSTANT = { kind: 'instant' } as const;
/** A time to the second, such as that of an event. */
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

/** Name of the column with the time for which a row has waited; the row contains no value for it. */
export const AGE = 'age';

/** A column with amounts in the coin that the column `assetIn` contains. */
export function amountIn<const Name extends string>(assetIn: Name) {
  return { kind: 'amount', assetIn } as const;
}

/** A column with email addresses that link to the user in the column `userIn`. */
export function emailOf<const Name extends string>(userIn: Name) {
  return { kind: 'email', userIn } as const;
}

/** A column with a status; `tones` gives the colour of each value. */
export function status<const Tones extends Readonly<Record<string, Tone>>>(tones: Tones) {
  return { kind: 'status', tones } as const;
}

/**
 * A column with the recorded field values of an operation, as JSON text; the operation is in the column
 * `operationIn`.
 */
export function recordOf<const Name extends string>(operationIn: Name) {
  return { kind: 'record', operationIn } as const;
}

/** Leaves a column out of tables and details, because the page shows it in another way. */
export function hidden<const Described extends Column>(column: Described) {
  return { ...column, isHidden: true } as const;
}

/** Marks a column that rows may lack. */
export function optional<const Described extends Column>(column: Described) {
  return { ...column, isOptional: true } as const;
}

/** Gives a column a heading of its own. */
export function labelled<const Described extends Column>(label: string, column: Described) {
  return { ...column, label } as const;
}

/** Status of an account's identity verification. */
export const IDENTITY = status({ 'in review': 'waits', rejected: 'bad', verified: 'good' });

/** Status of the sale of a product. */
export const SALE_STATUS = status({ closed: 'bad', open: 'good' });

/** Operator roles that may view the money of users and of the house, besides owners. */
export const MONEY_READERS = ['finance', 'approver', 'auditor'] as const satisfies readonly Role[];

/** The form fields of a text in every language, e.g. `nameEn`; Korean and Japanese may be missing. */
interface TextFields {
  readonly En: OperationField;
  readonly Zh: OperationField;
  readonly Ko: OperationField;
  readonly Ja: OperationField;
}

/**
 * Form fields for a text in every language, e.g. `nameEn`, which start from the column of that name; where
 * Korean or Japanese is missing, readers see English.
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
      label: `${label} (Korean)`,
      kind,
      isOptional: true,
      startsFrom: name,
      locale: 'ko-KR',
    },
    [`${name}Ja`]: {
      label: `${label} (Japanese)`,
      kind,
      isOptional: true,
      startsFrom: name,
      locale: 'ja-JP',
    },
  };
  return fields as { readonly [Suffix in keyof TextFields as `${Name}${Suffix}`]: OperationField };
}

/** Columns that every list of published versions has besides the terms. */
const VERSION_COLUMNS = {
  version: ORDINAL,
  at: EVENT_TIME,
  by: TEXT,
  reason: TEXT,
} as const;

/** Describes the rows of a list of published versions; `terms` are the columns of a version's terms. */
export function versionRows(terms: RowsDescription['columns']): RowsDescription {
  return {
    in: 'versions',
    key: ['version'],
    columns: { ...terms, ...VERSION_COLUMNS },
  };
}
