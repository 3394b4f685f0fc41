import { describe, expect, it, vi } from 'vitest';
import { everyPage } from './every-page.ts';

const rowsOf = (count: number) => Array.from({ length: count }, (_, at) => ({ id: String(at) }));

describe('every page', () => {
  it('WEB-840 fetches a list whole, in one call where one page has it all', async () => {
    const all = rowsOf(1_234);
    const fetchPage = vi.fn<
      (page: { pageNo: number; pageSize: number }) => Promise<{ list: { id: string }[]; sum: number }>
    >(({ pageNo, pageSize }) =>
      Promise.resolve({ list: all.slice((pageNo - 1) * pageSize, pageNo * pageSize), sum: all.length }),
    );
    expect(await everyPage(fetchPage)).toEqual(all);
    expect(fetchPage).toHaveBeenCalledTimes(13);
    const one = vi.fn<() => Promise<{ list: { id: string }[]; sum: number }>>(() =>
      Promise.resolve({ list: rowsOf(7), sum: 7 }),
    );
    expect(await everyPage(one)).toHaveLength(7);
    expect(one).toHaveBeenCalledTimes(1);
  });

  it('WEB-840 has a row once that moved to the next page meanwhile', async () => {
    const before = rowsOf(150);
    const after = [{ id: 'new' }, ...before];
    const rows = await everyPage(({ pageNo, pageSize }) => {
      const list = pageNo === 1 ? before : after;
      return Promise.resolve({
        list: list.slice((pageNo - 1) * pageSize, pageNo * pageSize),
        sum: list.length,
      });
    });
    expect(rows).toEqual(before);
  });
});
