import { describe, expect, it, vi } from 'vitest';
import { everyPage } from './every-page.ts';
import type { PageFields, PageOf } from './pages.ts';

interface Row {
  readonly id: string;
}

const rowsOf = (count: number): Row[] => Array.from({ length: count }, (_, index) => ({ id: String(index) }));

/**
 * Simulates the server's paging: returns the page after the row `after` if that is given, otherwise the page with the
 * number `pageNo`.
 */
function pageOfRows(allRows: readonly Row[], { pageNo, pageSize, after }: PageFields): PageOf<Row> {
  const start =
    after === undefined ? (pageNo - 1) * pageSize : allRows.findIndex(({ id }) => id === after) + 1;
  const list = allRows.slice(start, start + pageSize);
  return {
    list,
    sum: allRows.length,
    pageNo,
    anchor: allRows[0]?.id,
    next: start + pageSize < allRows.length ? list.at(-1)?.id : undefined,
  };
}

describe('all pages', () => {
  it('WEB-840 loads a whole list, in one call when it fits on one page', async () => {
    const allRows = rowsOf(1_234);
    const fetchPage = vi.fn<(page: PageFields) => Promise<PageOf<Row>>>((page) =>
      Promise.resolve(pageOfRows(allRows, page)),
    );
    expect(await everyPage(fetchPage)).toEqual(allRows);
    expect(fetchPage).toHaveBeenCalledTimes(13);
    const loadPage = vi.fn<(page: PageFields) => Promise<PageOf<Row>>>((page) =>
      Promise.resolve(pageOfRows(rowsOf(7), page)),
    );
    expect(await everyPage(loadPage)).toHaveLength(7);
    expect(loadPage).toHaveBeenCalledTimes(1);
  });

  it('WEB-840 returns every row once while other rows are added and removed', async () => {
    const initialRows = rowsOf(250);
    const changedRows = [{ id: 'new' }, ...initialRows.filter(({ id }) => id !== '3')];
    const rows = await everyPage((page) =>
      Promise.resolve(pageOfRows(page.pageNo === 1 ? initialRows : changedRows, page)),
    );
    expect(rows).toEqual(initialRows);
  });
});
