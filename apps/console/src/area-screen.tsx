import {
  addressOf,
  callOperators,
  type Operation,
  partsOf,
  rowsOf,
  textOf,
  type Row,
  withQuery,
} from '@exchange/web-kit/console/calls.ts';
import { useCallback, useEffect, useState } from 'react';
import { needsRow, isAbout } from './deeds.ts';
import { ListBar } from './list-bar.tsx';
import { OperationForm } from './operation-form.tsx';
import { ChosenRow, RowTable } from './row-table.tsx';
import { useRowKeys } from './shortcuts.tsx';
import { WORDS } from './words.ts';

interface Props {
  readonly operations: readonly Operation[];
  /** Named parts of paths that are given: whose page it is. */
  readonly given?: Row;
  /** What forms begin with, besides the chosen row. */
  readonly about?: Row;
  /** What the first list is narrowed by at first. */
  readonly asks?: Readonly<Record<string, string>>;
  readonly onEnded: () => void;
  readonly onDone?: () => void;
}

const NONE: Row = {};
const NOTHING_ASKED: Readonly<Record<string, string>> = {};

/** Every list of an area, with what may be done about the row that is chosen beside it. */
export function AreaScreen(props: Props) {
  const { operations, given = NONE, about = NONE, asks = NOTHING_ASKED, onEnded, onDone } = props;
  const open = (path: string) => partsOf(path).filter((name) => given[name] === undefined);
  const looks = operations.filter(({ method, path }) => method === 'GET' && open(path).length === 0);
  const files = looks.filter(({ isFile }) => isFile);
  const lists = listsOf(looks);
  const [at, setAt] = useState(0);
  const [asked, setAsked] = useState(asks);
  const [filter, setFilter] = useState('');
  const [chosen, setChosen] = useState(0);
  const list = lists[at];
  const path = list === undefined ? '' : withQuery(addressOf(list.path, given), asked);
  const { rows, error, load, more } = useRows(path, onEnded);
  const shown = (rows ?? []).filter((row) =>
    Object.values(row).some((value) => textOf(value).toLowerCase().includes(filter.toLowerCase())),
  );
  const last = shown.length - 1;
  useRowKeys(last, setChosen);
  const row = shown[Math.min(chosen, last)];
  const acts = operations.filter(
    (one) =>
      !looks.includes(one) &&
      isOffered(one, row) &&
      // On a page about one thing, a form about another part of it waits until such a row is chosen.
      (given === NONE || open(one.path).every((name) => row?.[name] !== undefined)),
  );
  const done = async () => {
    await load();
    onDone?.();
  };
  const choose = (index: number) => {
    setAt(index);
    setAsked(NOTHING_ASKED);
    setChosen(0);
  };
  return (
    <div className="area">
      <section>
        <ListBar
          {...{ lists, files, given, at, filter, setFilter, asked, onChosen: choose }}
          onAsked={setAsked}
          onReload={() => void load()}
        />
        <p className="dim">{list?.summary}</p>
        <p role="alert" className="error">
          {error}
        </p>
        {rows !== undefined && shown.length === 0 && <Empty isFiltered={rows.length > 0} list={list} />}
        {shown.length > 0 && <RowTable {...{ shown, row, setChosen }} label={list?.summary ?? ''} />}
        {more !== undefined && (
          <button type="button" className="button more" onClick={() => void more()}>
            {WORDS.more}
          </button>
        )}
      </section>
      <aside>
        {row !== undefined && <ChosenRow row={row} />}
        {acts.map((operation) => (
          <OperationForm
            key={`${operation.method} ${operation.path} ${textOf(row?.['id'] ?? Math.min(chosen, last))}`}
            operation={operation}
            row={{ ...about, ...row }}
            given={given}
            onDone={done}
          />
        ))}
      </aside>
    </div>
  );
}

/** Why a list has no row to show. */
function Empty({ isFiltered, list }: { isFiltered: boolean; list: Operation | undefined }) {
  const whole = list?.isQueue === true ? WORDS.emptyQueue : WORDS.empty;
  return <p className="empty">{isFiltered ? WORDS.unmatched : whole}</p>;
}

interface Found {
  /** What was asked for: another list's rows are not shown for this one. */
  readonly path: string;
  readonly rows: readonly Row[];
  readonly next: string | undefined;
  readonly error: string;
}

/** The rows of a list, and the way to those behind them; undefined until they are there. */
function useRows(path: string, onEnded: () => void) {
  const [found, setFound] = useState<Found>();
  const ask = useCallback(
    (before?: string) => {
      if (path === '') return Promise.resolve();
      const behind = before === undefined ? '' : `${path.includes('?') ? '&' : '?'}before=${before}`;
      return callOperators(path + behind).then(({ status, body, error = '' }) => {
        if (status === 401) onEnded();
        const next = typeof body['next'] === 'string' ? body['next'] : undefined;
        const rows = rowsOf(body);
        setFound((present) => ({
          ...{ path, next, error },
          rows: before === undefined ? rows : [...(present?.rows ?? []), ...rows],
        }));
      });
    },
    [path, onEnded],
  );
  useEffect(() => void ask(), [ask]);
  const { rows, next, error = '' } = found?.path === path ? found : ({} as Partial<Found>);
  return { rows, error, load: () => ask(), more: next === undefined ? undefined : () => ask(next) };
}

/** The lists of an area, those that wait for somebody first. */
function listsOf(looks: readonly Operation[]): readonly Operation[] {
  const lists = looks.filter(({ isFile }) => !isFile);
  return lists.toSorted((one, other) => Number(other.isQueue) - Number(one.isQueue));
}

/** Pictures are opened by their links, not by a form; what is about a row needs one. */
function isOffered(one: Operation, row: Row | undefined): boolean {
  if (one.path.includes('/evidence/')) return false;
  return !needsRow(one) || (row?.['id'] !== undefined && isAbout(one, row));
}
