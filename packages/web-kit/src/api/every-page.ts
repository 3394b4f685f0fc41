import { PAGE_SIZE_MAX, PAGED_ROWS_MAX } from '@exchange/wire/paging.ts';
import { sessionSignal } from '../session/session-store.ts';
import { nextPage, type PageFields, type PageOf } from './pages.ts';

const PAGES_MAX = PAGED_ROWS_MAX / PAGE_SIZE_MAX;

/**
 * Loads the rows of a list page by page, at most `PAGED_ROWS_MAX`, the server's limit; further rows are left out. A row
 * that moves from one page to another meanwhile is returned once. Throws `SessionChanged` if a user signs in or out
 * between two pages, so that a list never contains rows of two users.
 */
export async function everyPage<Row extends { readonly id: string }>(
  fetchPage: (page: PageFields) => Promise<PageOf<Row>>,
): Promise<readonly Row[]> {
  const session = sessionSignal();
  const rows = new Map<string, Row>();
  let page: PageFields | undefined = { pageNo: 1, pageSize: PAGE_SIZE_MAX };
  while (page !== undefined && page.pageNo <= PAGES_MAX) {
    const response: PageOf<Row> = await fetchPage(page);
    session.throwIfAborted();
    for (const row of response.list) rows.set(row.id, row);
    page = nextPage(response, PAGE_SIZE_MAX);
  }
  return [...rows.values()];
}
