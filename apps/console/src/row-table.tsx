import { isTimestamp, formatValue, type Row } from '@exchange/web-kit/console/calls.ts';
import { useEffect, useRef } from 'react';
import { AGE, columnsOf, unitOf } from './columns.ts';
import { isNumber, spanText, urgencyOf, waitingSince } from './texts.ts';
import { Value } from './values.tsx';
import { headingOf, WORDS } from './words.ts';

interface Props {
  /** The path of the list, which determines its columns. */
  readonly path: string;
  readonly shown: readonly Row[];
  readonly row?: Row | undefined;
  readonly setChosen?: (index: number) => void;
  readonly label: string;
  /** Reference time in milliseconds for the ages in the table. */
  readonly now: number;
}

/** Table of a list's rows with one selected row; wide tables scroll horizontally. */
export function RowTable({ path, shown, row, setChosen, label, now }: Props) {
  const columns = columnsOf(path, shown.slice(0, 20));
  const region = useRef<HTMLDivElement>(null);
  const at = row === undefined ? -1 : shown.indexOf(row);
  useEffect(() => {
    // Keyboard navigation may select rows outside the visible area.
    region.current?.querySelectorAll('tbody tr')[at]?.scrollIntoView({ block: 'nearest' });
  }, [at]);
  return (
    <div ref={region} className="scroll" tabIndex={0} role="region" aria-label={label}>
      <table>
        <thead>
          <tr>
            {columns.map((name) => (
              <th key={name} scope="col" className={sideOf(name, shown)}>
                {name === AGE ? WORDS.age : headingOf(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((tableRow, index) => (
            <tr
              key={formatValue(tableRow['id'] ?? tableRow['sequence'] ?? index)}
              aria-current={index === at ? 'true' : undefined}
              className={setChosen === undefined ? undefined : 'choosable'}
              onClick={() => setChosen?.(index)}
            >
              {columns.map((name) => (
                <Cell
                  key={name}
                  name={name}
                  columns={columns}
                  now={now}
                  row={tableRow}
                  side={sideOf(name, shown)}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface CellProps {
  readonly name: string;
  readonly row: Row;
  readonly columns: readonly string[];
  readonly side: string | undefined;
  readonly now: number;
}

function Cell({ name, row, columns, side, now }: CellProps) {
  if (name === AGE) return <Age since={waitingSince(row)} now={now} />;
  const unit = unitOf(name, row, columns);
  return (
    <td className={side}>
      <Value name={name} value={row[name]} row={row} />
      {unit !== '' && <span className="unit"> {unit}</span>}
    </td>
  );
}

function Age({ since, now }: { readonly since: number | undefined; readonly now: number }) {
  if (since === undefined) return <td />;
  return <td className={`age ${urgencyOf(now - since) ?? ''}`}>{spanText(now - since)}</td>;
}

/** Right-aligns numeric columns, so that their digits line up. */
function sideOf(name: string, rows: readonly Row[]): string | undefined {
  const sample = rows.find((row) => formatValue(row[name] ?? '') !== '')?.[name];
  if (isTimestamp(name, sample)) return 'moment';
  return isNumber(name, sample) ? 'number' : undefined;
}
