import { refusal, Refused } from '@exchange/core/refusal.ts';
import { PAGED_ROWS_MAX } from '@exchange/wire/paging.ts';

/** The start and the limit of the rows to read of an ordered list, such as those of a page. */
export interface PagedRows {
  readonly limit: number;
  readonly offset: number;
  /**
   * Position of the first row of the list's first page; undefined to skip no rows. Rows before it, e.g. newer ones, are
   * skipped.
   */
  readonly anchor: string | undefined;
  /**
   * Position of the last row of the previous page; undefined if the page is selected by `offset`. Otherwise this page
   * starts after that row, with offset 0.
   */
  readonly after: string | undefined;
}

/** A page of a list as a client requests it, with the paging fields of the endpoints. */
export interface RequestedPage {
  readonly pageNo: number;
  readonly pageSize: number;
  readonly anchor?: string | undefined;
  readonly after?: string | undefined;
}

/** Page fields for requests of which only the total number of rows is used. */
export const COUNT_ONLY: RequestedPage = { pageNo: 1, pageSize: 1 };

/** A page of a list, with the positions that clients send to request further pages. Created e.g. by `readPage`. */
export interface ListPage<Row> {
  readonly list: readonly Row[];
  /**
   * Number of rows in the whole list. In a list that is read from the database, rows before the anchor (see `anchor`)
   * are not counted, and counting stops at `PAGED_ROWS_MAX`.
   */
  readonly total: number;
  /**
   * Position of the first row of the list's first page: the requested anchor, or for page 1 the position of the page's
   * first row. Undefined if no anchor was requested and the list is empty or a later page was requested.
   */
  readonly anchor: string | undefined;
  /** Position of the last row of this page; undefined on the last page. */
  readonly next: string | undefined;
}

/**
 * Converts a page number, counted from 1, to limit and offset. With `after`, the offset is 0. Throws
 * `Refused` for a page beyond `PAGED_ROWS_MAX`.
 */
export function rowsOfPage({ pageNo, pageSize, anchor, after }: RequestedPage): PagedRows {
  const last = pageNo * pageSize;
  if (last > PAGED_ROWS_MAX) {
    const parameters = { field: 'pageNo', limit: String(PAGED_ROWS_MAX), value: String(last) };
    throw new Refused(refusal('aboveMaximum', 'l.page_depth', parameters));
  }
  return {
    limit: pageSize,
    offset: after === undefined ? last - pageSize : 0,
    anchor,
    after,
  };
}

/** Returns the page with each row converted by `present`. */
export function mapPage<Row, Presented>(
  page: ListPage<Row>,
  present: (row: Row) => Presented,
): ListPage<Presented> {
  const { list, ...rest } = page;
  return { list: list.map(present), ...rest };
}

/**
 * Returns a page of a list that is completely in memory. `idOf` returns a row's position. If the row of a
 * requested position no longer exists, the page is selected by its number instead. Throws `Refused` like
 * `rowsOfPage`.
 */
export function pageOfItems<Item>(
  items: readonly Item[],
  page: RequestedPage,
  idOf: (item: Item) => string,
): ListPage<Item> {
  const { limit, offset, anchor, after } = rowsOfPage(page);
  const positions = new Map(items.map((item, at) => [idOf(item), at]));
  const first = (anchor === undefined ? undefined : positions.get(anchor)) ?? 0;
  const last = after === undefined ? undefined : positions.get(after);
  const numberedOffset = after === undefined ? offset : (page.pageNo - 1) * page.pageSize;
  const start = last === undefined ? first + numberedOffset : last + 1;
  const list = items.slice(start, start + limit);
  const lastItem = list.at(-1);
  const firstItem = page.pageNo === 1 ? list[0] : undefined;
  return {
    list,
    total: items.length,
    anchor: anchor ?? (firstItem === undefined ? undefined : idOf(firstItem)),
    next: lastItem !== undefined && start + limit < items.length ? idOf(lastItem) : undefined,
  };
}
