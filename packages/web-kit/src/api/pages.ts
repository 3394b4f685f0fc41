export interface PageOf<Row> {
  readonly list: readonly Row[];
  readonly sum: number;
  readonly pageNo: number;
  /** Place of the first page's first row, which further pages are requested with. */
  readonly anchor?: string | undefined;
  /** Place behind which the following page begins; absent on the last page. */
  readonly next?: string | undefined;
}

/** The paging fields of a call. The places keep pages apart while rows arrive and leave. */
export interface PageFields {
  readonly pageNo: number;
  readonly pageSize: number;
  readonly anchor?: string;
  readonly after?: string;
}

/** The fields of the page that follows `last`; undefined where `last` is the end of the list. */
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
