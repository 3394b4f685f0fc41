import { describe, expect, it, vi } from 'vitest';
import { everyPage } from './every-page.ts';
import type { PageFields, PageOf } from './pages.ts';

interface Row {
  readonly id: string;
}

const rowsOf = (count: number): Row[] => Array.from({ length: count }, (_, at) => ({ id: String(at) }));

/** Answers like the server: behind a place where one is sent, else by number. */
function pageOfRows(all: readonly Row[], { pageNo, pageSize, after }: PageFields): PageOf<Row> {
  const from = after === undefined ? (pageNo - 1) * pageSize : all.findIndex(({ id }) => id === after) + 1;
  const list = all.slice(from, from + pageSize);
  return {
    list,
    sum: all.length,
    pageNo,
    anchor: all[0]?.id,
    next: from + pageSize < all.length ? list.at(-1)?.id : undefined,
  };
}

describe('every page', () => {
  it('WEB-840 fetches a list whole, in one call where one page has it all', async () => {
    const all = rowsOf(1_234);
    const fetchPage = vi.fn<(page: PageFields) => Promise<PageOf<Row>>>((page) =>
      Promise.resolve(pageOfRows(all, page)),
    );
    expect(await everyPage(fetchPage)).toEqual(all);
    expect(fetchPage).toHaveBeenCalledTimes(13);
    const one = vi.fn<(page: PageFields) => Promise<PageOf<Row>>>((page) =>
      Promise.resolve(pageOfRows(rowsOf(7), page)),
    );
    expect(await everyPage(one)).toHaveLength(7);
    expect(one).toHaveBeenCalledTimes(1);
  });

  it('WEB-840 has every row once while rows arrive before it and leave', async () => {
    const before = rowsOf(250);
    const meanwhile = [{ id: 'new' }, ...before.filter(({ id }) => id !== '3')];
    const rows = await everyPage((page) =>
      Promise.resolve(pageOfRows(page.pageNo === 1 ? before : meanwhile, page)),
    );
    expect(rows).toEqual(before);
  });
});
