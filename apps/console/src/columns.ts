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
 * The description of a table column; a column that the list does not describe, for example of a newer server, is text.
 */
export function columnOf(columns: Columns, name: string): Column {
  return columns[name] ?? { kind: 'text' };
}

/** The heading of a table column. */
export function columnName(columns: Columns, name: string): string {
  return name === AGE ? WORDS.age : (columnOf(columns, name).label ?? headingOf(name));
}

/**
 * The columns of a table: those selected by the list's description, otherwise all except the id columns of
 * the row key, in both cases without hidden ones. Optional columns appear only if a row has a value.
 */
export function columnsOf({ columns, key, shown }: RowsDescription, rows: readonly Row[]): readonly string[] {
  const names =
    shown ?? Object.keys(columns).filter((name) => !(columns[name]?.kind === 'id' && key.includes(name)));
  return names.filter((name) => {
    const { isHidden, isOptional } = columnOf(columns, name);
    return isHidden !== true && (isOptional !== true || rows.some((row) => formatValue(row[name]) !== ''));
  });
}

/** The coin of an amount; empty when the table displays the coin in a column of its own. */
export function unitOf({ assetIn }: Column, row: Row, shown: readonly string[]): string {
  return assetIn === undefined || shown.includes(assetIn) ? '' : formatValue(row[assetIn]);
}

/**
 * The class name by which a table styles a column: `number` aligns numbers to the right, so that their digits
 * line up, `moment` is for times; undefined for other columns.
 */
export function sideOf({ kind }: Column): 'moment' | 'number' | undefined {
  if (kind === 'instant') return 'moment';
  return ['amount', 'figure', 'count', 'rate'].includes(kind) ? 'number' : undefined;
}
