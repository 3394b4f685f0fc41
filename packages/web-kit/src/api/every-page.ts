import { PAGE_SIZE_MAX, PAGED_ROWS_MAX } from '@exchange/wire/paging.ts';

const PAGES_MAX = PAGED_ROWS_MAX / PAGE_SIZE_MAX;

interface PageOfList<Row> {
  readonly list: readonly Row[];
  readonly sum: number;
}

/**
 * All rows of a list, as far as the server pages through it: one call where one page has them all. A row that moved to
 * the next page, because another was added meanwhile, is in the result once.
 */
export async function everyPage<Row extends { readonly id: string }>(
  fetchPage: (page: { readonly pageNo: number; readonly pageSize: number }) => Promise<PageOfList<Row>>,
): Promise<readonly Row[]> {
  const rows = new Map<string, Row>();
  for (let pageNo = 1; pageNo <= PAGES_MAX; pageNo += 1) {
    const { list, sum } = await fetchPage({ pageNo, pageSize: PAGE_SIZE_MAX });
    for (const row of list) rows.set(row.id, row);
    if (pageNo * PAGE_SIZE_MAX >= sum || list.length === 0) break;
  }
  return [...rows.values()];
}
