import type { ReactNode } from 'react';
import { classes } from './class-names.ts';
import css from './data-table.module.css';

export interface Column<Row> {
  readonly key: string;
  readonly title: ReactNode;
  readonly cell: (row: Row) => ReactNode;
  /** Horizontal alignment of the column's cells; `end` for numbers. */
  readonly align?: 'start' | 'end' | undefined;
  readonly width?: number | string | undefined;
  /** If given, the title is a button that calls this function to sort the table by this column. */
  readonly onSort?: (() => void) | undefined;
  readonly sorted?: 'ascending' | 'descending' | undefined;
}

interface DataTableProps<Row> {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  onRowClick?: ((row: Row) => void) | undefined;
  /**
   * Returns whether a row is new; a new row is highlighted for a short time, unless the user prefers reduced motion.
   */
  isNew?: ((row: Row) => boolean) | undefined;
  dense?: boolean | undefined;
  empty?: ReactNode;
}

/** A table whose header stays visible while its rows scroll. */
export function DataTable<Row>({
  caption,
  columns,
  rows,
  rowKey,
  onRowClick,
  isNew,
  dense = false,
  empty,
}: DataTableProps<Row>) {
  return (
    <>
      <table className={classes(css.table, dense && css.dense)}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column.key}
                scope="col"
                className={column.align === 'end' ? css.end : undefined}
                style={column.width === undefined ? undefined : { width: column.width }}
                aria-sort={column.sorted}
              >
                {column.onSort === undefined ? (
                  column.title
                ) : (
                  <button type="button" className={css.sort} onClick={column.onSort}>
                    {column.title}
                    <span aria-hidden="true" className={css.arrow}>
                      {column.sorted === undefined ? '↕' : column.sorted === 'ascending' ? '↑' : '↓'}
                    </span>
                  </button>
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr
              key={rowKey(row)}
              data-new={isNew?.(row) === true || undefined}
              className={onRowClick === undefined ? undefined : css.clickable}
              onClick={onRowClick === undefined ? undefined : () => onRowClick(row)}
            >
              {columns.map((column) => (
                <td key={column.key} className={column.align === 'end' ? css.end : undefined}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length === 0 ? empty : null}
    </>
  );
}
