import { SEVERAL_MAX } from '@exchange/core/operator-period.ts';
import type { Row, RowsDescription } from '@exchange/web-kit/console/calls.ts';
import { useEffect, useRef } from 'react';
import { AGE, columnName, columnOf, columnsOf, sideOf, unitOf } from './columns.ts';
import { keyOfRow, subjectOf } from './operations.ts';
import { promisedTime, spanText, urgencyOf, waitingSince } from './texts.ts';
import { Value } from './values.tsx';
import { WORDS } from './words.ts';

/**
 * The state of the checkboxes of table rows, with which the operator selects rows for one decision on all of
 * them, and a function that checks or unchecks rows.
 */
export interface Marks {
  readonly isMarked: (row: Row) => boolean;
  readonly mark: (rows: readonly Row[], isMarked: boolean) => void;
}

interface Props {
  readonly rows: RowsDescription;
  readonly shown: readonly Row[];
  readonly row?: Row | undefined;
  readonly setChosen?: (index: number) => void;
  /** State of the checkboxes of the rows; undefined for a table without checkboxes. */
  readonly marks?: Marks | undefined;
  readonly label: string;
  /** Time in milliseconds UTC at which the ages in the table are calculated. */
  readonly now: number;
}

/**
 * Table of a list's rows; the operator may select one of them. A wide table scrolls horizontally. An optional column
 * appears only if one of the first 20 rows has a value in it.
 */
export function RowTable({ rows, shown, row, setChosen, marks, label, now }: Props) {
  const names = columnsOf(rows, shown.slice(0, 20));
  const region = useRef<HTMLDivElement>(null);
  const at = row === undefined ? -1 : shown.indexOf(row);
  useEffect(() => {
    // Scrolls the table to the selected row, because the keyboard can select rows outside the visible area.
    region.current?.querySelectorAll('tbody tr')[at]?.scrollIntoView({ block: 'nearest' });
  }, [at]);
  return (
    <div ref={region} className="scroll" tabIndex={0} role="region" aria-label={label}>
      <table>
        <thead>
          <tr>
            {marks !== undefined && (
              <th scope="col" className="mark">
                <MarkBox
                  label={WORDS.several.markAll}
                  isMarked={shown.length > 0 && shown.slice(0, SEVERAL_MAX).every(marks.isMarked)}
                  onMark={(isMarked) => marks.mark(isMarked ? shown.slice(0, SEVERAL_MAX) : shown, isMarked)}
                />
              </th>
            )}
            {names.map((name) => (
              <th key={name} scope="col" className={sideOf(columnOf(rows.columns, name))}>
                {columnName(rows.columns, name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((tableRow, index) => (
            <tr
              key={`${keyOfRow(rows, tableRow)} ${index}`}
              aria-current={index === at ? 'true' : undefined}
              className={setChosen === undefined ? undefined : 'choosable'}
              onClick={() => setChosen?.(index)}
            >
              {marks !== undefined && (
                <td className="mark">
                  <MarkBox
                    label={`${WORDS.several.mark} ${subjectOf(rows, tableRow)}`}
                    isMarked={marks.isMarked(tableRow)}
                    onMark={(isMarked) => marks.mark([tableRow], isMarked)}
                  />
                </td>
              )}
              {names.map((name) => (
                <Cell key={name} name={name} rows={rows} shown={names} now={now} row={tableRow} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface MarkBoxProps {
  readonly label: string;
  readonly isMarked: boolean;
  readonly onMark: (isMarked: boolean) => void;
}

/**
 * A checkbox that selects its row for one decision on several rows; the checkbox in the table heading selects the first
 * SEVERAL_MAX shown rows. A click on it does not open the row.
 */
function MarkBox({ label, isMarked, onMark }: MarkBoxProps) {
  return (
    <input
      type="checkbox"
      aria-label={label}
      checked={isMarked}
      onClick={(event) => event.stopPropagation()}
      onChange={(event) => onMark(event.target.checked)}
    />
  );
}

interface CellProps {
  readonly name: string;
  readonly row: Row;
  readonly rows: RowsDescription;
  /** Names of the columns that the table displays. */
  readonly shown: readonly string[];
  readonly now: number;
}

function Cell({ name, row, rows, shown, now }: CellProps) {
  if (name === AGE)
    return <Age since={waitingSince(rows, row)} promised={promisedTime(rows, row)} now={now} />;
  const column = columnOf(rows.columns, name);
  const unit = unitOf(column, row, shown);
  return (
    <td className={sideOf(column)}>
      <Value column={column} value={row[name]} row={row} />
      {unit !== '' && <span className="unit"> {unit}</span>}
    </td>
  );
}

interface AgeProps {
  readonly since: number | undefined;
  /** Time by which the exchange promised the user an answer, in milliseconds UTC; undefined without such a promise. */
  readonly promised: number | undefined;
  readonly now: number;
}

/** Table cell with the time that a row has been waiting, and the time within which an answer was promised. */
function Age({ since, promised, now }: AgeProps) {
  if (since === undefined) return <td />;
  const allowed = promised === undefined ? undefined : promised - since;
  return (
    <td className={`age ${urgencyOf(now - since, allowed) ?? ''}`}>
      {spanText(now - since)}
      {allowed !== undefined && <span className="unit"> / {spanText(allowed)}</span>}
    </td>
  );
}
