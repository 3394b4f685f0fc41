import {
  callOperators,
  cellOf,
  type Operation,
  partsOf,
  rowsOf,
  textOf,
  type Row,
} from '@exchange/web-kit/console/calls.ts';
import { type Dispatch, type SetStateAction, useCallback, useEffect, useState } from 'react';
import { OperationForm } from './operation-form.tsx';
import { headingOf, WORDS } from './words.ts';

interface Props {
  readonly operations: readonly Operation[];
  readonly onEnded: () => void;
}

/** Every list of an area, with what may be done about the row that is chosen beside it. */
export function AreaScreen({ operations, onEnded }: Props) {
  const lists = operations.filter(({ method, path }) => method === 'GET' && partsOf(path).length === 0);
  const acts = operations.filter((operation) => !lists.includes(operation) && !isEvidence(operation));
  const [at, setAt] = useState(0);
  const [rows, setRows] = useState<readonly Row[]>();
  const [error, setError] = useState('');
  const [filter, setFilter] = useState('');
  const [chosen, setChosen] = useState(0);
  const list = lists[at];
  const load = useCallback(async () => {
    if (list === undefined) return;
    const answer = await callOperators(list.path);
    if (answer.status === 401) onEnded();
    setError(answer.error ?? '');
    setRows(rowsOf(answer.body));
    // Reason: the session's end is told anew at every render, and is the same each time.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [list?.path]);
  useEffect(() => void load(), [load]);
  const shown = (rows ?? []).filter((row) =>
    Object.values(row).some((value) => textOf(value).toLowerCase().includes(filter.toLowerCase())),
  );
  const last = shown.length - 1;
  useKeys(last, setChosen);
  const choose = (index: number) => {
    setAt(index);
    setChosen(0);
  };
  const row = shown[Math.min(chosen, last)];
  return (
    <div className="area">
      <section>
        <Bar {...{ lists, at, filter, setFilter, load }} onChosen={choose} />
        <p className="dim">{list?.summary}</p>
        <p role="alert" className="error">
          {error}
        </p>
        {rows !== undefined && shown.length === 0 && <p>{WORDS.empty}</p>}
        {shown.length > 0 && <RowTable {...{ shown, row, setChosen }} label={list?.summary ?? ''} />}
      </section>
      <aside>
        {row !== undefined && <Details row={row} />}
        {acts.map((operation) => (
          <OperationForm
            key={`${operation.method} ${operation.path} ${textOf(row?.['id'] ?? Math.min(chosen, last))}`}
            operation={operation}
            row={row ?? {}}
            onDone={load}
          />
        ))}
      </aside>
    </div>
  );
}

type Choose = Dispatch<SetStateAction<number>>;

/** The keys j and k go through the rows. */
function useKeys(last: number, setChosen: Choose): void {
  useEffect(() => {
    const move = (event: KeyboardEvent) => {
      if (event.target instanceof HTMLElement && event.target.closest('input, textarea, select') !== null)
        return;
      if (event.key === 'j') setChosen((row) => Math.min(last, row + 1));
      if (event.key === 'k') setChosen((row) => Math.max(0, row - 1));
    };
    addEventListener('keydown', move);
    return () => removeEventListener('keydown', move);
  }, [last, setChosen]);
}

interface BarProps {
  readonly lists: readonly Operation[];
  readonly at: number;
  readonly filter: string;
  readonly setFilter: (text: string) => void;
  readonly load: () => Promise<void>;
  readonly onChosen: (index: number) => void;
}

function Bar({ lists, at, filter, setFilter, load, onChosen }: BarProps) {
  return (
    <div className="bar">
      {lists.length > 1 &&
        lists.map(({ path }, index) => (
          <button
            key={path}
            type="button"
            className="button"
            aria-pressed={index === at}
            onClick={() => onChosen(index)}
          >
            {headingOf(path.split('/').slice(3).join(' ') || (path.split('/')[2] ?? ''))}
          </button>
        ))}
      <label>
        {WORDS.filter} <input value={filter} onChange={(event) => setFilter(event.target.value)} />
      </label>
      <button type="button" className="button" onClick={() => void load()}>
        {WORDS.reload}
      </button>
      <span className="dim">{WORDS.keys}</span>
    </div>
  );
}

interface TableProps {
  readonly shown: readonly Row[];
  readonly row: Row | undefined;
  readonly setChosen: Choose;
  readonly label: string;
}

function RowTable({ shown, row, setChosen, label }: TableProps) {
  const columns = [...new Set(shown.slice(0, 20).flatMap((one) => Object.keys(one)))];
  return (
    <div className="scroll" tabIndex={0} role="region" aria-label={label}>
      <table>
        <thead>
          <tr>
            {columns.map((name) => (
              <th key={name} scope="col" className={isNumber(shown[0]?.[name]) ? 'number' : undefined}>
                {headingOf(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((one, index) => (
            <tr
              key={textOf(one['id'] ?? one['sequence'] ?? index)}
              aria-current={one === row ? 'true' : undefined}
              onClick={() => setChosen(index)}
            >
              {columns.map((name) => (
                <Cell key={name} name={name} value={one[name]} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const NUMBER = /^-?\d+(?:\.\d+)?$/;
const LONG = 22;
const ENDS = 8;

/** Amounts stand at the end, and ids and addresses are cut in the middle: all of them is in the details. */
function Cell({ name, value }: { readonly name: string; readonly value: unknown }) {
  const text = cellOf(name, value);
  const isCut = text.length > LONG && !text.includes(' ');
  return (
    <td className={isNumber(value) ? 'number' : undefined} title={isCut ? text : undefined}>
      {isCut ? `${text.slice(0, ENDS)}…${text.slice(-ENDS)}` : text}
    </td>
  );
}

function isNumber(value: unknown): boolean {
  return NUMBER.test(textOf(value ?? ''));
}

function Details({ row }: { readonly row: Row }) {
  return (
    <dl>
      {Object.entries(row).map(([name, value]) => (
        <div key={name}>
          <dt>{headingOf(name)}</dt>
          <dd>{cellOf(name, value)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Pictures are opened by their links, not by a form. */
function isEvidence({ path }: Operation): boolean {
  return path.includes('/evidence/');
}
