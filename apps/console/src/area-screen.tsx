import { SEVERAL_MAX } from '@exchange/core/operator-period.ts';
import { searchKey } from '@exchange/web-kit/ui/typed-text.ts';
import { deviceNow } from '@exchange/web-kit/clock.ts';
import {
  resolvePath,
  type Operation,
  pathParametersOf,
  type Row,
  type RowsDescription,
  formatValue,
  withQuery,
} from '@exchange/web-kit/console/calls.ts';
import { useState } from 'react';
import { DecisionBar, type DescribedRow } from './decision-bar.tsx';
import { keyOfRow, subjectOf } from './operations.ts';
import { Evidence, detailOperationsOf } from './evidence.tsx';
import { ListBar } from './list-bar.tsx';
import { OperationForm } from './operation-form.tsx';
import { withPairNames } from './pair-names.ts';
import { RowTable, type Marks } from './row-table.tsx';
import { SeveralBar, severalOperations } from './several.tsx';
import { useRowKeys } from './shortcuts.tsx';
import { Empty, Failed, Skeleton } from './states.tsx';
import { formatNumber } from './texts.ts';
import { useRows } from './use-rows.ts';
import { Versions, versionsOf } from './versions.tsx';
import { WORDS } from './words.ts';

interface Props {
  readonly operations: readonly Operation[];
  readonly given?: Row;
  /** The record that the whole page is about, such as a user; undefined on a page without such a record. */
  readonly page?: DescribedRow;
  readonly asks?: Readonly<Record<string, string>>;
  readonly onEnded: () => void;
  readonly onDone?: () => void;
}

const NONE: Row = {};
const NO_QUERY: Readonly<Record<string, string>> = {};

/**
 * Shows the lists of a console area and, beside the open list, the details of the selected row with the available
 * actions.
 */
export function AreaScreen(props: Props) {
  const { operations, given = NONE, page, asks = NO_QUERY, onEnded, onDone } = props;
  const open = (path: string) => pathParametersOf(path).filter((name) => given[name] === undefined);
  const whole = operations.filter(
    ({ method, path, versionsOf }) => method === 'GET' && versionsOf === undefined && open(path).length === 0,
  );
  const files = whole.filter(({ isFile }) => isFile);
  const lists = listsOf(whole);
  const [at, setAt] = useState(0);
  const [listQuery, setListQuery] = useState(asks);
  const [filter, setFilter] = useState('');
  const list = lists[at];
  const {
    rows,
    total = 0,
    error,
    load,
    more,
  } = useRows(
    list === undefined ? '' : withQuery(resolvePath(list.path, given), listQuery),
    list?.rows,
    onEnded,
  );
  const shown = (rows ?? []).filter((row) => matchesFilter(row, filter));
  const { row, choose } = useChosen(list?.rows, shown);
  const several = severalOperations(operations, list);
  const marks = useMarks(list?.rows, shown);
  useRowKeys(shown.length - 1, choose);
  // While the rows are loading, no action forms are shown: the automatic selection of the first row would reset an open
  // form and its input.
  const isWaiting = list !== undefined && rows === undefined && error === '';
  const actions = isWaiting ? [] : operations.filter(({ method }) => method === 'POST');
  const selected =
    row === undefined || list?.rows === undefined ? undefined : { path: list.path, rows: list.rows, row };
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
          query={listQuery}
          onQuery={setListQuery}
          onReload={() => void load()}
          onChosen={(index) => {
            marks.clear();
            setAt(index);
            setListQuery(NO_QUERY);
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
            marks={several.length > 0 ? marks : undefined}
            isAway={error !== ''}
            onClear={() => setFilter('')}
            onReload={() => void load()}
          />
        )}
        {list?.rows !== undefined && several.length > 0 && (
          <SeveralBar
            key={list.path}
            operations={several}
            rows={list.rows}
            marked={marks.marked}
            onClear={marks.clear}
            onDone={() => {
              marks.clear();
              void load();
              onDone?.();
            }}
          />
        )}
        <Bound shown={rows?.length} total={total} />
        <More load={more} />
      </div>
      <RowPanel
        actions={actions}
        list={list}
        selected={selected}
        page={page}
        given={given}
        detailOperations={detailOperationsOf(operations, selected)}
        histories={versionsOf(operations, selected)}
        onDone={() => {
          void load();
          onDone?.();
        }}
      />
    </div>
  );
}

interface BoundProps {
  /** Number of rows loaded from the server; undefined before the first response. */
  readonly shown: number | undefined;
  readonly total: number;
}

/** States the total number of rows when the server returned only the first of them; otherwise renders nothing. */
function Bound({ shown, total }: BoundProps) {
  if (shown === undefined || total <= shown) return null;
  return (
    <p className="dim">
      {WORDS.shown} {formatNumber(String(shown))} {WORDS.shownOf} {formatNumber(String(total))}
    </p>
  );
}

/** Button that loads the next page of rows; renders nothing after the last page. */
function More({ load }: { readonly load: (() => Promise<void>) | undefined }) {
  if (load === undefined) return null;
  return (
    <button type="button" className="button more" onClick={() => void load()}>
      {WORDS.more}
    </button>
  );
}

/**
 * True when any value of the row, displayed or not, contains the filter text; upper and lower case and
 * full-width characters make no difference. A pair matches by its symbol and by its name.
 */
function matchesFilter(row: Row, filter: string): boolean {
  const needle = searchKey(withPairNames(filter));
  // An empty filter text matches every row, also a row that has no value at all.
  if (needle === '') return true;
  return Object.values(row).some((value) => searchKey(withPairNames(formatValue(value))).includes(needle));
}

interface RowsProps {
  readonly list: Operation;
  readonly rows: readonly Row[] | undefined;
  readonly shown: readonly Row[];
  readonly row: Row | undefined;
  readonly choose: (index: number) => void;
  /**
   * State of the checkboxes for one decision on several rows; undefined for lists whose rows are decided one at a time.
   */
  readonly marks: Marks | undefined;
  readonly isAway: boolean;
  readonly onClear: () => void;
  readonly onReload: () => void;
}

/**
 * The rows of a list as a table. Instead of it, a placeholder while they load for the first time, nothing if
 * that failed, or a text that says that the list is empty or that no row matches the filter.
 */
function Rows({ list, rows, shown, row, choose, marks, isAway, onClear, onReload }: RowsProps) {
  if (rows === undefined) return isAway ? null : <Skeleton label={WORDS.loading} />;
  if (rows.length > 0 && shown.length === 0)
    return <Empty text={WORDS.unmatched} action={WORDS.clearFilter} onAction={onClear} />;
  if (rows.length === 0)
    return (
      <Empty
        text={list.isQueue ? WORDS.emptyQueue : (list.rows?.empty ?? WORDS.empty)}
        action={WORDS.reload}
        onAction={onReload}
      />
    );
  if (list.rows === undefined) return null;
  return (
    <RowTable
      rows={list.rows}
      shown={shown}
      row={row}
      setChosen={choose}
      marks={marks}
      label={list.summary}
      now={deviceNow()}
    />
  );
}

interface RowPanelProps {
  readonly actions: readonly Operation[];
  readonly detailOperations: readonly Operation[];
  readonly histories: readonly Operation[];
  readonly list: Operation | undefined;
  readonly selected: DescribedRow | undefined;
  readonly page: DescribedRow | undefined;
  readonly given: Row;
  readonly onDone: () => void;
}

/**
 * The earlier published version from which a new proposal starts: its values fill in the form initially. Also
 * contains the operation that publishes versions, and, as `of`, the key of the record's row.
 */
interface Basis {
  readonly of: string;
  readonly operation: Operation;
  readonly version: Row;
}

/**
 * Renders the details of the selected row, the message about the last operation's result, and the available operations.
 */
function RowPanel(props: RowPanelProps) {
  const { actions, detailOperations, histories, list, selected, page, given, onDone } = props;
  const [outcome, setOutcome] = useState('');
  const [basis, setBasis] = useState<Basis>();
  const key = selected === undefined ? '' : keyOfRow(selected.rows, selected.row);
  const handleDone = (text: string) => {
    setOutcome(text);
    setBasis(undefined);
    onDone();
  };
  return (
    <aside aria-label={WORDS.details}>
      <div className="evidence" tabIndex={0} role="region" aria-label={WORDS.evidence}>
        {selected === undefined ? (
          <p className="dim">{WORDS.noRow}</p>
        ) : (
          <Evidence
            selected={selected}
            isQueue={list?.isQueue === true}
            given={given}
            detailOperations={detailOperations}
          >
            {histories.map((history) => (
              <Versions
                key={`${history.path} ${key} ${formatValue(selected.row['version'])}`}
                list={history}
                row={selected.row}
                given={given}
                onBasis={(operation, version) => {
                  setOutcome('');
                  setBasis({ of: key, operation, version });
                }}
              />
            ))}
          </Evidence>
        )}
      </div>
      {outcome !== '' && (
        <p role="status" className="told">
          <span>{outcome}</span>
          <button type="button" className="link" onClick={() => setOutcome('')}>
            {WORDS.dismiss}
          </button>
        </p>
      )}
      {selected !== undefined && basis?.of === key ? (
        <OperationForm
          key={`${key} ${formatValue(basis.version['version'])}`}
          operation={basis.operation}
          title={basis.operation.name}
          basis={basis.version}
          row={selected.row}
          subject={subjectOf(selected.rows, selected.row)}
          given={given}
          onClose={() => setBasis(undefined)}
          onDone={handleDone}
        />
      ) : (
        <DecisionBar
          key={key}
          actions={actions}
          list={list}
          selected={selected}
          page={page}
          given={given}
          onBegun={() => setOutcome('')}
          onDone={handleDone}
        />
      )}
    </aside>
  );
}

/**
 * Hook with the state of the selected row of a list. Until the operator selects a row, the first row counts
 * as selected. A selected row stays selected when other rows appear or disappear; when it disappears itself,
 * the row at the index where it was selected takes its place, or the last row if there is none.
 */
function useChosen(rows: RowsDescription | undefined, shown: readonly Row[]) {
  const keyOf = (row: Row | undefined) =>
    rows === undefined || row === undefined ? '' : keyOfRow(rows, row);
  const [chosen, setChosen] = useState<{ readonly index: number; readonly key: string }>({
    index: 0,
    key: '',
  });
  const foundIndex = shown.findIndex((row) => keyOf(row) === chosen.key);
  const index = Math.min(foundIndex < 0 ? chosen.index : foundIndex, shown.length - 1);
  const choose = (next: number | ((index: number) => number)) => {
    const to = typeof next === 'number' ? next : next(Math.max(0, index));
    setChosen({ index: to, key: keyOf(shown[to]) });
  };
  return { row: shown[index], choose };
}

/**
 * Hook with the state of the checkboxes that select rows for one decision on all of them. `marked` contains
 * the checked rows that the list currently shows, at most SEVERAL_MAX. A checked row that is hidden, for
 * example because of the filter, is not in it but stays checked.
 */
function useMarks(rows: RowsDescription | undefined, shown: readonly Row[]) {
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set());
  const keyOf = (row: Row) => (rows === undefined ? '' : keyOfRow(rows, row));
  return {
    marked: shown.filter((row) => keys.has(keyOf(row))).slice(0, SEVERAL_MAX),
    isMarked: (row: Row) => keys.has(keyOf(row)),
    mark: (changed: readonly Row[], isMarked: boolean) => {
      const next = new Set(keys);
      for (const row of changed) {
        if (isMarked) next.add(keyOf(row));
        else next.delete(keyOf(row));
      }
      setKeys(next);
    },
    clear: () => setKeys(new Set()),
  };
}

/**
 * Returns the operations of an area that read lists: first the queues, whose rows wait for decisions, then
 * the others. Downloads of files are left out.
 */
function listsOf(looks: readonly Operation[]): readonly Operation[] {
  const lists = looks.filter(({ isFile }) => !isFile);
  return lists.toSorted((a, b) => Number(b.isQueue) - Number(a.isQueue));
}
