import { Decimal } from '@exchange/core/decimal.ts';
import { isUuid } from '@exchange/core/ids.ts';
import type { Column, ColumnKind, Columns, RowsDescription } from '@exchange/wire/operation.ts';

const isText = (value: unknown) => typeof value === 'string';
const isDecimal = (value: unknown) => typeof value === 'string' && Decimal.tryParse(value) !== undefined;
const isWhole = (value: unknown) => Number.isSafeInteger(value);

/** Functions that return whether a value of a JSON answer is of a kind of column, by kind. */
const IS: Readonly<Record<ColumnKind, (value: unknown) => boolean>> = {
  text: isText,
  id: isText,
  user: (value) => typeof value === 'string' && isUuid(value),
  email: isText,
  uid: (value) => isText(value) || isWhole(value),
  ordinal: (value) => isText(value) || isWhole(value),
  instant: isWhole,
  flag: (value) => typeof value === 'boolean',
  status: isText,
  word: isText,
  term: isText,
  pairs: isText,
  operation: isText,
  record: isText,
  durations: isText,
  rate: isDecimal,
  amount: isDecimal,
  figure: (value) => isDecimal(value) || typeof value === 'number',
  count: isWhole,
  texts: (value) => typeof value === 'object' && value !== null && 'en-US' in value,
  picture: isText,
};

function isDescribed({ kind, isOptional }: Column, value: unknown): boolean {
  if (value === undefined || value === null) return isOptional === true;
  return IS[kind](value);
}

/**
 * Returns the columns of an answer's rows whose values are missing, have another type than described, or are
 * not described, as texts; an empty list if there are none. If the answer has no list of rows, one text
 * states this.
 */
export function undescribedValues(
  { in: name, columns }: RowsDescription,
  answer: Readonly<Record<string, unknown>>,
): readonly string[] {
  const rows = answer[name];
  if (!Array.isArray(rows)) return [`${name} is no list`];
  return (rows as readonly Readonly<Record<string, unknown>>[]).flatMap((row) => undescribedIn(columns, row));
}

/**
 * Returns the columns of one row, or of the facts of an approval's evidence, whose values are missing, have
 * another type than described, or are not described, as texts; an empty list if there are none.
 */
export function undescribedIn(columns: Columns, row: Readonly<Record<string, unknown>>): readonly string[] {
  return [
    ...Object.keys(row).filter((column) => columns[column] === undefined),
    ...Object.entries(columns)
      .filter(([column, described]) => !isDescribed(described, row[column]))
      .map(([column, { kind }]) => `${column} is no ${kind}: ${JSON.stringify(row[column])}`),
  ];
}
