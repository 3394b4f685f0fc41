import { QueryClientProvider } from '@tanstack/react-query';
import { renderHook, waitFor } from '@testing-library/react';
import type { ServerResponse } from 'node:http';
import type { ReactNode } from 'react';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { queryClient } from '../api/query-client.ts';
import { type PageRequest, type PageServer, startPageServer } from '../api/testing/page-server.ts';
import { loadAllWords } from '../i18n/words.ts';
import { startSession } from '../session/session-store.ts';
import { spotBasics } from '@exchange/wire/spot.ts';
import { useFills, useOpenOrders, useOrderHistory } from './queries.ts';

const BACKWARDS = { startTime: 1_700_000_000_001, endTime: 1_700_000_000_000 };

describe('records of a period', () => {
  let server: PageServer;
  let requestCount = 0;
  /** Ends the delay of the mock server's response to the request for the pairs. */
  let answerPairs: () => void = () => undefined;
  let pairsAsked: Promise<void> = Promise.resolve();

  const answer = async ({ url }: PageRequest, response: ServerResponse) => {
    const isOfPairs = url.endsWith(spotBasics.path);
    if (isOfPairs) await pairsAsked;
    else requestCount += 1;
    const page = { list: [], sum: 0, totalRow: 0, pageNo: 1, pageSize: 10 };
    response
      .writeHead(200, { 'content-type': 'application/json', 'access-control-allow-origin': '*' })
      .end(JSON.stringify({ code: 1, msg: '', data: isOfPairs ? [] : page, ts: 1, traceId: 't' }));
  };

  beforeAll(async () => {
    await loadAllWords();
    server = await startPageServer((request, response) => void answer(request, response));
    startSession({ userId: '1', token: 'token', email: 'person@example.com' });
  });
  beforeEach(() => (requestCount = 0));
  afterEach(() => queryClient.clear());
  afterAll(() => server.stop());

  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
  );

  it.each<[string, () => { readonly error: Error | null }]>([
    ['orders', () => useOrderHistory(BACKWARDS)],
    ['fills', () => useFills(BACKWARDS)],
    ['open orders', () => useOpenOrders(BACKWARDS)],
  ])('WEB-143 that runs backwards are refused in words and not asked for: %s', async (_, use) => {
    const { result, unmount } = renderHook(use, { wrapper });
    await waitFor(() => expect(result.current.error?.message).toBe('The end date is before the start date.'));
    expect(requestCount).toBe(0);
    unmount();
  });

  it('WEB-143 of one day or less can be loaded', async () => {
    const at = { startTime: BACKWARDS.endTime, endTime: BACKWARDS.endTime };
    const { result, unmount } = renderHook(() => useOrderHistory(at), { wrapper });
    await waitFor(() => expect(result.current.rows).toEqual([]));
    await waitFor(() => expect(requestCount).toBe(1));
    unmount();
  });

  it('WEB-1081 are shown once the pairs are known, so that no figure changes its decimals', async () => {
    pairsAsked = new Promise((resolve) => (answerPairs = resolve));
    const { result, unmount } = renderHook(() => useOrderHistory(), { wrapper });
    await waitFor(() => expect(requestCount).toBe(1));
    expect(result.current.isLoading).toBe(true);
    answerPairs();
    await waitFor(() => expect(result.current.isLoading).toBe(false));
    unmount();
  });
});
