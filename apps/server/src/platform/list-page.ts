import { refusal, Refused } from '@exchange/core/refusal.ts';
import { PAGED_ROWS_MAX } from '@exchange/wire/paging.ts';

/** Which rows of an ordered list to read. */
export interface PagedRows {
  readonly limit: number;
  readonly offset: number;
  /** Place of the first page's first row: rows before it are left out. */
  readonly anchor: string | undefined;
  /** Place of the preceding page's last row: the page begins behind it, at offset 0. */
  readonly after: string | undefined;
}

/** A page as it was requested: the paging fields of wire/paging. */
export interface AskedPage {
  readonly pageNo: number;
  readonly pageSize: number;
  readonly anchor?: string | undefined;
  readonly after?: string | undefined;
}

/** A page of a list, with the places that further pages are requested with. Made by `readPage` and `pageOfItems`. */
export interface ListPage<Row> {
  readonly list: readonly Row[];
  /** Rows in all, counted up to `PAGED_ROWS_MAX`. */
  readonly total: number;
  /** Place of the first page's first row; undefined where the list is empty. */
  readonly anchor: string | undefined;
  /** Place of this page's last row; undefined where no row is behind it. */
  readonly next: string | undefined;
}

/** The rows of a page; pages count from 1. Refuses a page that ends behind what can be paged through. */
export function rowsOfPage({ pageNo, pageSize, anchor, after }: AskedPage): PagedRows {
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

/** The same page with other rows: `present` makes each row of the answer. */
export function mapPage<Row, Presented>(
  page: ListPage<Row>,
  present: (row: Row) => Presented,
): ListPage<Presented> {
  const { list, ...rest } = page;
  return { list: list.map(present), ...rest };
}

/**
 * A page of a list that is in memory whole, in the list's own order. `idOf` names a row. A place whose row has left the
 * list since is passed over, and pages count by number.
 */
export function pageOfItems<Item>(
  items: readonly Item[],
  page: AskedPage,
  idOf: (item: Item) => string,
): ListPage<Item> {
  const { limit, offset, anchor, after } = rowsOfPage(page);
  const positions = new Map(items.map((item, at) => [idOf(item), at]));
  const first = (anchor === undefined ? undefined : positions.get(anchor)) ?? 0;
  const last = after === undefined ? undefined : positions.get(after);
  const byNumber = after === undefined ? offset : (page.pageNo - 1) * page.pageSize;
  const from = last === undefined ? first + byNumber : last + 1;
  const list = items.slice(from, from + limit);
  const lastItem = list.at(-1);
  const firstItem = page.pageNo === 1 ? list[0] : undefined;
  return {
    list,
    total: items.length,
    anchor: anchor ?? (firstItem === undefined ? undefined : idOf(firstItem)),
    next: lastItem !== undefined && from + limit < items.length ? idOf(lastItem) : undefined,
  };
}
