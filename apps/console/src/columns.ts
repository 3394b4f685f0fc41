import { AGE } from '@exchange/web-kit/console/described.ts';
import {
  formatValue,
  type Column,
  type Columns,
  type Row,
  type RowsDescription,
} from '@exchange/web-kit/console/calls.ts';
import { headingOf, WORDS } from './words.ts';

export { AGE };

/**
 * Returns the description of a table column. A column that the list's description does not contain, for
 * example a column of a newer server, is treated as text.
 */
export function columnOf(columns: Columns, name: string): Column {
  return columns[name] ?? { kind: 'text' };
}

/** Returns the heading of a table column: its label, or its name converted to words. */
export function columnName(columns: Columns, name: string): string {
  return name === AGE ? WORDS.age : (columnOf(columns, name).label ?? headingOf(name));
}

/**
 * Returns the columns of a table: those that the list's description selects, otherwise all except the id
 * columns of the row key. Hidden columns never appear, optional ones only if one of `rows` has a value in
 * them.
 */
export function columnsOf({ columns, key, shown }: RowsDescription, rows: readonly Row[]): readonly string[] {
  const names =
    shown ?? Object.keys(columns).filter((name) => !(columns[name]?.kind === 'id' && key.includes(name)));
  return names.filter((name) => {
    const { isHidden, isOptional } = columnOf(columns, name);
    return isHidden !== true && (isOptional !== true || rows.some((row) => formatValue(row[name]) !== ''));
  });
}

/**
 * Returns the coin code that follows the amounts of a column, taken from the row; empty when the table
 * displays the coin in a column of its own, or when the column's amounts belong to no coin.
 */
export function unitOf({ assetIn }: Column, row: Row, shown: readonly string[]): string {
  return assetIn === undefined || shown.includes(assetIn) ? '' : formatValue(row[assetIn]);
}

/**
 * Returns the class name by which a table styles a column: `number` aligns numbers to the right, so that
 * their digits line up; `moment` styles times; undefined for other columns.
 */
export function sideOf({ kind }: Column): 'moment' | 'number' | undefined {
  if (kind === 'instant') return 'moment';
  return ['amount', 'figure', 'count', 'rate'].includes(kind) ? 'number' : undefined;
}
