export interface PageOf<Row> {
  readonly list: readonly Row[];
  readonly sum: number;
  readonly pageNo: number;
  /** Cursor of the first row of the first page. The requests for later pages contain it. */
  readonly anchor?: string | undefined;
  /** Cursor of the last row of this page, after which the next page begins; undefined on the last page. */
  readonly next?: string | undefined;
}

/**
 * Paging fields of a list request. With the cursors `anchor` and `after`, pages have no gaps and no repeated rows while
 * rows are added and removed.
 */
export interface PageFields {
  readonly pageNo: number;
  readonly pageSize: number;
  readonly anchor?: string;
  readonly after?: string;
}

/** Returns the fields of the request for the next page; undefined after the last page. */
export function nextPage(
  { pageNo, next, anchor }: Pick<PageOf<unknown>, 'pageNo' | 'next' | 'anchor'>,
  pageSize: number,
): PageFields | undefined {
  if (next === undefined) return undefined;
  return {
    pageNo: pageNo + 1,
    pageSize,
    after: next,
    ...(anchor === undefined ? {} : { anchor }),
  };
}
