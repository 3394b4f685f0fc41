import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import { QueryClientProvider } from '@tanstack/react-query';
import fc from 'fast-check';
import type { ReactNode } from 'react';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { loadAllWords } from '../i18n/words.ts';
import { CallRefused } from './client.ts';
import { loadNextPage, type LoadedRows, refreshRows } from './growing-list.ts';
import { useGrowingList } from './list-state.tsx';
import type { PageFields, PageOf } from './pages.ts';
import { queryClient } from './query-client.ts';

interface Row {
  readonly id: string;
  readonly state: string;
}

const PAGE_SIZE = 10;
const KEY = ['growing', 'test'];
const rowId = ({ id }: Row) => id;

/** A list on the mock server, newest row first. It returns the rows after the row `after` and records all requests. */
class ServerList {
  rows: Row[];
  readonly requests: PageFields[] = [];
  /** The mock server awaits this function before it sends a page. */
  beforeAnswer: () => Promise<void> = async () => {};
  private newest: number;

  constructor(size: number) {
    this.newest = size;
    this.rows = Array.from({ length: size }, (_, place) => ({ id: String(size - place), state: 'new' }));
  }

  insert(place: number): void {
    this.newest += 1;
    this.rows.splice(place, 0, { id: String(this.newest), state: 'new' });
  }

  change(place: number): void {
    const row = this.rows[place];
    if (row !== undefined) this.rows[place] = { id: row.id, state: 'changed' };
  }

  readonly load = async (page: PageFields): Promise<PageOf<Row>> => {
    this.requests.push(page);
    const { pageNo, pageSize, anchor, after } = page;
    const first = anchor === undefined ? 0 : this.rows.findIndex(({ id }) => id === anchor);
    const start = after === undefined ? 0 : this.rows.findIndex(({ id }) => id === after) + 1;
    const list = this.rows.slice(start, start + pageSize);
    const answer = {
      list,
      sum: this.rows.length - first,
      pageNo,
      anchor: anchor ?? list[0]?.id,
      next: start + pageSize < this.rows.length ? list.at(-1)?.id : undefined,
    };
    await this.beforeAnswer();
    return answer;
  };
}

beforeAll(loadAllWords);
afterEach(() => {
  cleanup();
  queryClient.clear();
});

function show(server: ServerList, finalRowId?: (row: Row) => string, isFinal?: (row: Row) => boolean) {
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
  );
  const { result } = renderHook(() => useGrowingList<Row>(KEY, server.load, { finalRowId, isFinal }), {
    wrapper,
  });
  return result;
}

async function loadPages(list: ReturnType<typeof show>, count: number): Promise<void> {
  await waitFor(() => expect(list.current.rows).toHaveLength(PAGE_SIZE));
  for (let page = 2; page <= count; page += 1) {
    await act(() => list.current.loadMore());
    await waitFor(() => expect(list.current.rows).toHaveLength(page * PAGE_SIZE));
  }
}

/** Refreshes the displayed list. Returns the requests that the refresh sends. */
async function requestsOfRefresh(server: ServerList): Promise<readonly PageFields[]> {
  const before = server.requests.length;
  await act(() => queryClient.invalidateQueries({ queryKey: KEY }));
  return server.requests.slice(before);
}

describe('a growing list of ten pages', () => {
  it('WEB-1113 requests all loaded rows while one behind its first page can still change', async () => {
    const server = new ServerList(60);
    const openId = rowId(server.rows[14]!);
    let isOpen = true;
    const list = show(server, rowId, (row) => rowId(row) !== openId || !isOpen);
    await loadPages(list, 3);
    server.insert(0);
    expect(await requestsOfRefresh(server)).toEqual([
      { pageNo: 1, pageSize: PAGE_SIZE },
      { pageNo: 1, pageSize: 30 },
    ]);
    isOpen = false;
    server.insert(0);
    expect(await requestsOfRefresh(server)).toEqual([{ pageNo: 1, pageSize: PAGE_SIZE }]);
  });

  it('WEB-1030 whose rows are final requests only its first page after an insertion, and the next page after its last row', async () => {
    const server = new ServerList(130);
    const list = show(server, rowId);
    await loadPages(list, 10);
    server.insert(0);
    expect(await requestsOfRefresh(server)).toEqual([{ pageNo: 1, pageSize: PAGE_SIZE }]);
    await waitFor(() => expect(list.current.rows).toEqual(server.rows.slice(0, 101)));
    expect(list.current.total).toBe(131);
    await act(() => list.current.loadMore());
    await waitFor(() => expect(list.current.rows).toEqual(server.rows.slice(0, 111)));
  });

  it('WEB-1030 requests all loaded rows with a second request if more than a page was inserted, or a row after the first page', async () => {
    const server = new ServerList(130);
    const list = show(server, rowId);
    await loadPages(list, 10);
    for (let row = 0; row < 12; row += 1) server.insert(0);
    expect(await requestsOfRefresh(server)).toHaveLength(2);
    await waitFor(() => expect(list.current.rows).toEqual(server.rows.slice(0, 100)));
    server.insert(55);
    expect(await requestsOfRefresh(server)).toHaveLength(2);
    await waitFor(() => expect(list.current.rows).toEqual(server.rows.slice(0, 100)));
  });

  it('WEB-1030 whose rows can change requests all ten pages again with one request', async () => {
    const server = new ServerList(130);
    const list = show(server);
    await loadPages(list, 10);
    server.change(97);
    expect(await requestsOfRefresh(server)).toEqual([{ pageNo: 1, pageSize: 100 }]);
    await waitFor(() => expect(list.current.rows).toEqual(server.rows.slice(0, 100)));
    expect(list.current.rows[97]?.state).toBe('changed');
  });

  it('WEB-1030 of more than a hundred rows is refreshed with one request for each hundred', async () => {
    const server = new ServerList(260);
    const list = show(server);
    await loadPages(list, 25);
    server.change(3);
    server.change(249);
    expect(await requestsOfRefresh(server)).toHaveLength(3);
    await waitFor(() => expect(list.current.rows).toEqual(server.rows));
  });

  it('WEB-1030 ends after the last row when the server’s list has become shorter', async () => {
    const server = new ServerList(130);
    const list = show(server, rowId);
    await loadPages(list, 3);
    server.rows = server.rows.slice(0, 4);
    expect(await requestsOfRefresh(server)).toHaveLength(1);
    await waitFor(() => expect(list.current.rows).toEqual(server.rows));
    expect(list.current.hasMore).toBe(false);
  });
});

describe('a page that arrives while the list is refreshed', () => {
  it('WEB-1031 stays in the list if its response arrives before that of the refresh', async () => {
    const server = new ServerList(60);
    const list = show(server, rowId);
    await loadPages(list, 2);
    let answerRefresh = () => {};
    server.beforeAnswer = () => new Promise((resolve) => (answerRefresh = resolve));
    const refresh = queryClient.invalidateQueries({ queryKey: KEY });
    await waitFor(() => expect(server.requests).toHaveLength(3));
    server.beforeAnswer = async () => {};
    server.insert(0);
    await act(() => list.current.loadMore());
    await waitFor(() => expect(list.current.rows).toHaveLength(30));
    await act(async () => {
      answerRefresh();
      await refresh;
    });
    await waitFor(() => expect(list.current.rows).toEqual(server.rows.slice(0, 31)));
  });

  it('WEB-1031 is requested again after the new last row if the refresh has moved the end of the list', async () => {
    const server = new ServerList(60);
    const list = show(server);
    await loadPages(list, 2);
    let answerPage = () => {};
    server.beforeAnswer = () => new Promise((resolve) => (answerPage = resolve));
    const more = list.current.loadMore();
    await waitFor(() => expect(server.requests).toHaveLength(3));
    server.beforeAnswer = async () => {};
    server.insert(0);
    await act(() => queryClient.invalidateQueries({ queryKey: KEY }));
    await act(async () => {
      answerPage();
      await more;
    });
    await waitFor(() => expect(list.current.rows).toEqual(server.rows.slice(0, 30)));
  });

  it('WEB-1031 is not kept for a list that was removed meanwhile', async () => {
    const server = new ServerList(60);
    const list = show(server);
    await loadPages(list, 1);
    let answerPage = () => {};
    server.beforeAnswer = () => new Promise((resolve) => (answerPage = resolve));
    const more = list.current.loadMore();
    await waitFor(() => expect(server.requests).toHaveLength(2));
    cleanup();
    queryClient.removeQueries({ queryKey: KEY, exact: true });
    answerPage();
    await more;
    expect(queryClient.getQueryData(KEY)).toBeUndefined();
  });

  it('WEB-1031 is requested once for two concurrent calls', async () => {
    const server = new ServerList(60);
    const list = show(server);
    await loadPages(list, 1);
    await act(async () => {
      await Promise.all([list.current.loadMore(), list.current.loadMore()]);
    });
    expect(server.requests).toHaveLength(2);
    await waitFor(() => expect(list.current.rows).toEqual(server.rows.slice(0, 20)));
  });
});

describe('after any insertions, page loads and refreshes', () => {
  it('WEB-1030 a refresh shows the beginning of the server’s list, without gaps and without repetitions', async () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('insert' as const), place: fc.nat({ max: 70 }) }),
      fc.record({ kind: fc.constant('more' as const) }),
      fc.record({ kind: fc.constant('refresh' as const) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const server = new ServerList(60);
        const source = { load: server.load, pageSize: PAGE_SIZE, finalRowId: rowId };
        const { signal } = new AbortController();
        let loaded: LoadedRows<Row> = await refreshRows(source, () => undefined, signal);
        for (const { kind, ...rest } of [...steps, { kind: 'refresh' as const }]) {
          if (kind === 'insert' && 'place' in rest) server.insert(rest.place);
          if (kind === 'more') {
            await loadNextPage(
              source,
              () => loaded,
              (change) => (loaded = change(loaded) ?? loaded),
              signal,
            );
          }
          if (kind === 'refresh') loaded = await refreshRows(source, () => loaded, signal);
        }
        expect(loaded.rows.length).toBeGreaterThanOrEqual(PAGE_SIZE);
        expect(loaded.rows).toEqual(server.rows.slice(0, loaded.rows.length));
        expect(loaded.next).toBe(
          loaded.rows.length < server.rows.length ? loaded.rows.at(-1)?.id : undefined,
        );
      }),
    );
  });
});

describe('a page that is refused', () => {
  it('WEB-089 leaves the rows, and the list without an error', async () => {
    const server = new ServerList(60);
    const list = show(server);
    await loadPages(list, 1);
    server.beforeAnswer = () => Promise.reject(new CallRefused(-1, 'no'));
    await act(async () => expect(await list.current.loadMore()).toBe(false));
    expect(list.current.rows).toHaveLength(PAGE_SIZE);
    expect(list.current.error).toBeNull();
    server.beforeAnswer = async () => {};
    await act(async () => expect(await list.current.loadMore()).toBe(true));
    await waitFor(() => expect(list.current.rows).toHaveLength(2 * PAGE_SIZE));
  });
});
