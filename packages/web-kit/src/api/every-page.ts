import { PAGE_SIZE_MAX, PAGED_ROWS_MAX } from '@exchange/wire/paging.ts';
import { sessionSignal } from '../session/session-store.ts';
import { nextPage, type PageFields, type PageOf } from './pages.ts';

const PAGES_MAX = PAGED_ROWS_MAX / PAGE_SIZE_MAX;

/**
 * All rows of a list, as far as the server pages through it: one call where one page has them all. A row that changed its
 * place meanwhile is in the result once. Throws `SessionChanged` when somebody signs in or out between two pages, so
 * that no list is made of two persons' rows.
 */
export async function everyPage<Row extends { readonly id: string }>(
  fetchPage: (page: PageFields) => Promise<PageOf<Row>>,
): Promise<readonly Row[]> {
  const session = sessionSignal();
  const rows = new Map<string, Row>();
  let page: PageFields | undefined = { pageNo: 1, pageSize: PAGE_SIZE_MAX };
  while (page !== undefined && page.pageNo <= PAGES_MAX) {
    const answer: PageOf<Row> = await fetchPage(page);
    session.throwIfAborted();
    for (const row of answer.list) rows.set(row.id, row);
    page = nextPage(answer, PAGE_SIZE_MAX);
  }
  return [...rows.values()];
}
