import { refusal, Refused } from '@exchange/core/refusal.ts';
import { PAGED_ROWS_MAX } from '@exchange/wire/paging.ts';

export { PAGED_ROWS_MAX };

/** Which rows of an ordered list to read. */
export interface PagedRows {
  readonly limit: number;
  readonly offset: number;
}

/** The rows of a page; pages count from 1. Refuses one that ends behind what can be paged through. */
export function rowsOfPage({ pageNo, pageSize }: { pageNo: number; pageSize: number }): PagedRows {
  const last = pageNo * pageSize;
  if (last > PAGED_ROWS_MAX) {
    const parameters = { field: 'pageNo', limit: String(PAGED_ROWS_MAX), value: String(last) };
    throw new Refused(refusal('aboveMaximum', 'l.page_depth', parameters));
  }
  return { limit: pageSize, offset: last - pageSize };
}
