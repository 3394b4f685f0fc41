export interface PageOf<Row> {
  readonly list: readonly Row[];
  readonly sum: number;
  readonly pageNo: number;
  /** Cursor of the first page's first row, with which later pages are requested. */
  readonly anchor?: string | undefined;
  /** Cursor after which the next page begins; absent on the last page. */
  readonly next?: string | undefined;
}

/** Paging fields of a list request. Cursors keep pages consistent while rows are added and removed. */
export interface PageFields {
  readonly pageNo: number;
  readonly pageSize: number;
  readonly anchor?: string;
  readonly after?: string;
}

/** Fields to request the next page; undefined after the last page. */
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
