import { searchKey } from '@exchange/web-kit/ui/typed-text.ts';
import { deviceNow } from '@exchange/web-kit/clock.ts';
import {
  addressOf,
  type Operation,
  partsOf,
  type Row,
  textOf,
  withQuery,
} from '@exchange/web-kit/console/calls.ts';
import { useState } from 'react';
import { DecisionBar } from './decision-bar.tsx';
import { deedName, needsRow } from './deeds.ts';
import { Evidence, looksOf } from './evidence.tsx';
import { ListBar } from './list-bar.tsx';
import { OperationForm } from './operation-form.tsx';
import { withPairNames } from './pair-names.ts';
import { RowTable } from './row-table.tsx';
import { useRowKeys } from './shortcuts.tsx';
import { Empty, Failed, Skeleton } from './states.tsx';
import { grouped } from './texts.ts';
import { useRows } from './use-rows.ts';
import { Versions, versionsOf } from './versions.tsx';
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

/** The lists of an area, with the chosen row's evidence beside them and what may be decided about it below that. */
export function AreaScreen(props: Props) {
  const { operations, given = NONE, about = NONE, asks = NOTHING_ASKED, onEnded, onDone } = props;
  const open = (path: string) => partsOf(path).filter((name) => given[name] === undefined);
  const whole = operations.filter(
    ({ method, path, versionsOf: of }) => method === 'GET' && of === undefined && open(path).length === 0,
  );
  const files = whole.filter(({ isFile }) => isFile);
  const lists = listsOf(whole);
  const [at, setAt] = useState(0);
  const [asked, setAsked] = useState(asks);
  const [filter, setFilter] = useState('');
  const list = lists[at];
  const {
    rows,
    total = 0,
    error,
    load,
    more,
  } = useRows(list === undefined ? '' : withQuery(addressOf(list.path, given), asked), onEnded);
  const shown = (rows ?? []).filter((row) => isFound(row, filter));
  const { row, choose } = useChosen(shown);
  useRowKeys(shown.length - 1, choose);
  // The first row is chosen as soon as it is there; a form that was begun before would be gone with what was typed.
  const isWaiting = list !== undefined && rows === undefined && error === '';
  const acts = operations.filter(
    (one) =>
      !isWaiting &&
      one.method === 'POST' &&
      isOffered(one, row) &&
      // On a page about one thing, a form about another part of it waits until such a row is chosen.
      (given === NONE || open(one.path).every((name) => row?.[name] !== undefined)),
  );
  return (
    <div className="area">
      <div className="listing">
        <ListBar
          lists={lists}
          files={files}
          given={given}
          at={at}
          filter={filter}
          setFilter={setFilter}
          asked={asked}
          onAsked={setAsked}
          onReload={() => void load()}
          onChosen={(index) => {
            setAt(index);
            setAsked(NOTHING_ASKED);
            choose(0);
          }}
        />
        <p className="dim">{list?.summary}</p>
        {error !== '' && <Failed error={error} onRetry={() => void load()} />}
        {list !== undefined && (
          <Rows
            list={list}
            rows={rows}
            shown={shown}
            row={row}
            choose={choose}
            isAway={error !== ''}
            onClear={() => setFilter('')}
            onReload={() => void load()}
          />
        )}
        <Bound shown={rows?.length} total={total} />
        <More load={more} />
      </div>
      <Beside
        acts={acts}
        row={row}
        about={about}
        given={given}
        isQueue={list?.isQueue === true}
        looks={looksOf(operations, row, given)}
        histories={versionsOf(operations, row)}
        onDone={() => {
          void load();
          onDone?.();
        }}
      />
    </div>
  );
}

interface BoundProps {
  /** Rows that are there; undefined before the first answer. */
  readonly shown: number | undefined;
  readonly total: number;
}

/** How many rows there are where the server answered the first of them only. */
function Bound({ shown, total }: BoundProps) {
  if (shown === undefined || total <= shown) return null;
  return (
    <p className="dim">
      {WORDS.shown} {grouped(String(shown))} {WORDS.shownOf} {grouped(String(total))}
    </p>
  );
}

/** Loads the rows behind those that are there; nothing where there are none. */
function More({ load }: { readonly load: (() => Promise<void>) | undefined }) {
  if (load === undefined) return null;
  return (
    <button type="button" className="button more" onClick={() => void load()}>
      {WORDS.more}
    </button>
  );
}

/** Whether any value of a row holds what the list is narrowed by, as it is shown. */
function isFound(row: Row, filter: string): boolean {
  const sought = searchKey(withPairNames(filter));
  return Object.values(row).some((value) => searchKey(withPairNames(textOf(value))).includes(sought));
}

interface RowsProps {
  readonly list: Operation;
  /** Undefined until they are there, and where they could not be had. */
  readonly rows: readonly Row[] | undefined;
  readonly shown: readonly Row[];
  readonly row: Row | undefined;
  readonly choose: (index: number) => void;
  readonly isAway: boolean;
  readonly onClear: () => void;
  readonly onReload: () => void;
}

/** The rows of a list, or why there are none. */
function Rows({ list, rows, shown, row, choose, isAway, onClear, onReload }: RowsProps) {
  if (rows === undefined) return isAway ? null : <Skeleton label={WORDS.loading} />;
  if (rows.length > 0 && shown.length === 0)
    return <Empty text={WORDS.unmatched} action={WORDS.clearFilter} onAction={onClear} />;
  if (rows.length === 0)
    return (
      <Empty
        text={list.isQueue ? WORDS.emptyQueue : (WORDS.emptyOf[list.path] ?? WORDS.empty)}
        action={WORDS.reload}
        onAction={onReload}
      />
    );
  return (
    <RowTable
      shown={shown}
      row={row}
      setChosen={choose}
      path={list.path}
      label={list.summary}
      now={deviceNow()}
    />
  );
}

interface BesideProps {
  readonly acts: readonly Operation[];
  readonly looks: readonly Operation[];
  readonly histories: readonly Operation[];
  readonly row: Row | undefined;
  readonly about: Row;
  readonly given: Row;
  readonly isQueue: boolean;
  readonly onDone: () => void;
}

/** A version that a proposal is filled from, and the row that it is of. */
interface Basis {
  readonly of: string;
  readonly operation: Operation;
  readonly version: Row;
}

/** The chosen row's evidence, what came of the last deed, and what may be done. */
function Beside({ acts, looks, histories, row, about, given, isQueue, onDone }: BesideProps) {
  const [told, setTold] = useState('');
  const [basis, setBasis] = useState<Basis>();
  const key = keyOfRow(row);
  const done = (text: string) => {
    setTold(text);
    setBasis(undefined);
    onDone();
  };
  return (
    <aside aria-label={WORDS.details}>
      <div className="evidence" tabIndex={0} role="region" aria-label={WORDS.evidence}>
        {row === undefined ? (
          <p className="dim">{WORDS.noRow}</p>
        ) : (
          <Evidence row={row} isQueue={isQueue} given={given} looks={looks}>
            {histories.map((list) => (
              <Versions
                key={`${list.path} ${key} ${textOf(row['version'])}`}
                list={list}
                row={row}
                given={given}
                onBasis={(operation, version) => {
                  setTold('');
                  setBasis({ of: key, operation, version });
                }}
              />
            ))}
          </Evidence>
        )}
      </div>
      {told !== '' && (
        <p role="status" className="told">
          <span>{told}</span>
          <button type="button" className="link" onClick={() => setTold('')}>
            {WORDS.dismiss}
          </button>
        </p>
      )}
      {row !== undefined && basis?.of === key ? (
        <OperationForm
          key={`${key} ${textOf(basis.version['version'])}`}
          operation={basis.operation}
          title={deedName(basis.operation)}
          basis={basis.version}
          row={row}
          given={given}
          onClose={() => setBasis(undefined)}
          onDone={done}
        />
      ) : (
        <DecisionBar
          key={key}
          acts={acts}
          row={row}
          about={about}
          given={given}
          isQueue={isQueue}
          onBegun={() => setTold('')}
          onDone={done}
        />
      )}
    </aside>
  );
}

/** The chosen row: it stays chosen when others come or go, and where it goes itself the next takes its place. */
function useChosen(shown: readonly Row[]) {
  const [chosen, setChosen] = useState<{ readonly index: number; readonly key: string }>({
    index: 0,
    key: '',
  });
  const known = shown.findIndex((row) => keyOfRow(row) === chosen.key);
  const index = Math.min(known < 0 ? chosen.index : known, shown.length - 1);
  const choose = (next: number | ((index: number) => number)) => {
    const to = typeof next === 'number' ? next : next(Math.max(0, index));
    setChosen({ index: to, key: keyOfRow(shown[to]) });
  };
  return { row: shown[index], choose };
}

function keyOfRow(row: Row | undefined): string {
  const named = [
    'id',
    'sequence',
    'entry',
    'session',
    'code',
    'user',
    'symbol',
    'source',
    'name',
    'account',
    'asset',
  ];
  return named.flatMap((name) => (row?.[name] === undefined ? [] : [textOf(row[name])])).join(' ');
}

/** The lists of an area, those that wait for somebody first. */
function listsOf(looks: readonly Operation[]): readonly Operation[] {
  const lists = looks.filter(({ isFile }) => !isFile);
  return lists.toSorted((one, other) => Number(other.isQueue) - Number(one.isQueue));
}

/** What is about a row by its id needs one. */
function isOffered(one: Operation, row: Row | undefined): boolean {
  return !needsRow(one) || row?.['id'] !== undefined;
}
