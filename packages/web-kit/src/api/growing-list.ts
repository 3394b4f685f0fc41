import { PAGE_SIZE_MAX } from '@exchange/wire/paging.ts';
import { nextPage, type PageFields, type PageOf } from './pages.ts';

/** The rows of a growing list that are loaded: from the first one on, without gaps. */
export interface LoadedRows<Row> {
  readonly rows: readonly Row[];
  /** Rows in all when the first page was read. */
  readonly sum: number;
  /** Places that the next page is requested with. `next` is absent at the end of the list. */
  readonly anchor?: string | undefined;
  readonly next?: string | undefined;
}

/** Where the rows of a growing list come from. */
export interface ListSource<Row> {
  readonly load: (page: PageFields, signal: AbortSignal) => Promise<PageOf<Row>>;
  readonly pageSize: number;
  /**
   * The id of a row, for a list whose rows never change once they are in it: a refresh then requests the first page alone and
   * merges it. Without it, a refresh requests everything that is loaded.
   */
  readonly finalRowId?: ((row: Row) => string) | undefined;
}

/**
 * The loaded rows as they are now; the first page where nothing is loaded. Requests one page, of `PAGE_SIZE_MAX` rows at most,
 * where that many rows are loaded, and a second one where the first page of final rows cannot be merged. `loaded` returns what
 * is in the cache: a page that is appended meanwhile is kept.
 */
export async function refreshRows<Row>(
  source: ListSource<Row>,
  loaded: () => LoadedRows<Row> | undefined,
  signal: AbortSignal,
): Promise<LoadedRows<Row>> {
  for (;;) {
    const before = loaded();
    const refreshed = await refresh(source, before, signal);
    const now = loaded();
    if (now === before || now === undefined || now.rows.length <= refreshed.rows.length) return refreshed;
  }
}

/**
 * Loads the page behind the loaded rows and appends it through `update`. Where a refresh changed the end of the list
 * meanwhile, the page behind the new end is loaded instead. Rejects with the error of the call; the rows then stay.
 */
export async function loadNextPage<Row>(
  { load, pageSize }: ListSource<Row>,
  loaded: () => LoadedRows<Row> | undefined,
  update: (change: (rows: LoadedRows<Row> | undefined) => LoadedRows<Row> | undefined) => void,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    const before = loaded();
    const fields = before && pageBehind(before, pageSize);
    if (fields === undefined) return;
    const page = await load(fields, signal);
    signal.throwIfAborted();
    if (loaded()?.next === fields.after) {
      update((rows) => rows && append(rows, page));
      return;
    }
  }
}

async function refresh<Row>(
  source: ListSource<Row>,
  before: LoadedRows<Row> | undefined,
  signal: AbortSignal,
): Promise<LoadedRows<Row>> {
  const { pageSize, finalRowId } = source;
  if (before === undefined || before.rows.length <= pageSize) return loadRows(source, pageSize, signal);
  if (finalRowId !== undefined) {
    const first = await source.load({ pageNo: 1, pageSize }, signal);
    const merged = mergeFirstPage(before, first, finalRowId);
    if (merged !== undefined) return merged;
  }
  return loadRows(source, before.rows.length, signal);
}

/** At least `count` rows from the first one on, where the list has so many, in pages that are as large as possible. */
async function loadRows<Row>(
  { load, pageSize }: ListSource<Row>,
  count: number,
  signal: AbortSignal,
): Promise<LoadedRows<Row>> {
  const size = Math.min(Math.ceil(count / pageSize) * pageSize, PAGE_SIZE_MAX);
  let loaded = rowsOf(await load({ pageNo: 1, pageSize: size }, signal));
  for (let left = Math.ceil(count / size) - 1; left > 0; left -= 1) {
    const page = pageBehind(loaded, size);
    if (page === undefined) break;
    loaded = append(loaded, await load(page, signal));
  }
  return loaded;
}

/**
 * The loaded rows with a newer first page in place of their beginning. Undefined where the page has no row in common with
 * them, or where the count of all rows shows that rows came or left further behind.
 */
export function mergeFirstPage<Row>(
  before: LoadedRows<Row>,
  first: PageOf<Row>,
  rowId: (row: Row) => string,
): LoadedRows<Row> | undefined {
  if (first.next === undefined) return rowsOf(first);
  const pageIds = new Set(first.list.map(rowId));
  const lastCommon = before.rows.findLastIndex((row) => pageIds.has(rowId(row)));
  if (lastCommon === -1) return undefined;
  const rowsBehind = before.rows.slice(lastCommon + 1);
  const rows = [...first.list, ...rowsBehind];
  if (first.sum - before.sum !== rows.length - before.rows.length) return undefined;
  return {
    rows,
    sum: first.sum,
    anchor: first.anchor,
    next: rowsBehind.length === 0 ? first.next : before.next,
  };
}

/** The fields of the page behind the loaded rows; undefined at the end of the list. */
function pageBehind({ rows, anchor, next }: LoadedRows<unknown>, pageSize: number): PageFields | undefined {
  const pageNo = Math.max(1, Math.floor(rows.length / pageSize));
  return nextPage({ pageNo, next, anchor }, pageSize);
}

function rowsOf<Row>({ list, sum, anchor, next }: PageOf<Row>): LoadedRows<Row> {
  return {
    rows: list,
    sum,
    anchor,
    next,
  };
}

function append<Row>({ rows, sum, anchor }: LoadedRows<Row>, page: PageOf<Row>): LoadedRows<Row> {
  return {
    rows: [...rows, ...page.list],
    sum,
    anchor,
    next: page.next,
  };
}
