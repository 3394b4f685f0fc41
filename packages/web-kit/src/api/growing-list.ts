import { PAGE_SIZE_MAX } from '@exchange/wire/paging.ts';
import { nextPage, type PageFields, type PageOf } from './pages.ts';

/** The rows of a list that are loaded so far: from the first row on and without gaps. */
export interface LoadedRows<Row> {
  readonly rows: readonly Row[];
  /** Total number of rows on the server when the first page was loaded. */
  readonly sum: number;
  /**
   * Cursors for the request of the next page: `anchor` is the cursor of the first row of the first page, and
   * `next` that of the last loaded row. `next` is undefined at the end of the list.
   */
  readonly anchor?: string | undefined;
  readonly next?: string | undefined;
}

/** The requests of a list that is loaded page by page, and the function that identifies its rows. */
export interface ListSource<Row> {
  readonly load: (page: PageFields, signal: AbortSignal) => Promise<PageOf<Row>>;
  readonly pageSize: number;
  /**
   * Returns the id of a row. If it is set, a refresh requests only the first page and merges it with the loaded rows,
   * so later changes of rows behind the first page are not loaded. Without it, a refresh requests all loaded rows
   * again.
   */
  readonly finalRowId?: ((row: Row) => string) | undefined;
  /**
   * For a list with `finalRowId`: returns whether a row can change no more; by default no row can. While a row behind the
   * first page can change, a refresh requests all loaded rows again.
   */
  readonly isFinal?: ((row: Row) => boolean) | undefined;
}

/**
 * Refreshes the loaded rows of a list, or loads the first page if there are none. With `finalRowId` it requests the
 * first page and merges it. If the page cannot be merged, and without `finalRowId`, it requests as many rows as are
 * loaded, at most `PAGE_SIZE_MAX` per request. `loaded` returns the rows in the cache, so that a page that is appended
 * meanwhile is kept.
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
 * Loads the page after the loaded rows and appends it with `update`; does nothing at the end of the list and
 * while no rows are loaded. If a refresh changes the end of the list meanwhile, the page after the new end is
 * loaded instead. If the request fails, rejects with its error, and the loaded rows stay.
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
  const { pageSize, finalRowId, isFinal } = source;
  if (before === undefined || before.rows.length <= pageSize) return loadRows(source, pageSize, signal);
  if (finalRowId !== undefined) {
    const first = await source.load({ pageNo: 1, pageSize }, signal);
    const merged = mergeFirstPage(before, first, finalRowId, isFinal);
    if (merged !== undefined) return merged;
  }
  return loadRows(source, before.rows.length, signal);
}

/**
 * Loads the first `count` rows of a list or more, or all rows if it has fewer, in pages that are as large as possible.
 */
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
 * Replaces the beginning of the loaded rows by a newer first page; if this page is the whole list, it replaces all
 * rows. Returns undefined if page and loaded rows have no row in common, if the difference between the total numbers
 * shows that rows after the first page were added or removed, or if a row after the first page is not final. The whole
 * list must then be loaded again.
 */
export function mergeFirstPage<Row>(
  before: LoadedRows<Row>,
  first: PageOf<Row>,
  rowId: (row: Row) => string,
  isFinal: (row: Row) => boolean = () => true,
): LoadedRows<Row> | undefined {
  if (first.next === undefined) return rowsOf(first);
  const pageIds = new Set(first.list.map(rowId));
  const lastCommon = before.rows.findLastIndex((row) => pageIds.has(rowId(row)));
  if (lastCommon === -1) return undefined;
  const rowsBehind = before.rows.slice(lastCommon + 1);
  if (!rowsBehind.every(isFinal)) return undefined;
  const rows = [...first.list, ...rowsBehind];
  if (first.sum - before.sum !== rows.length - before.rows.length) return undefined;
  return {
    rows,
    sum: first.sum,
    anchor: first.anchor,
    next: rowsBehind.length === 0 ? first.next : before.next,
  };
}

/** Returns the paging fields of the request for the page after the loaded rows; undefined at the end of the list. */
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
