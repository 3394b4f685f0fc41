import type { OrderMessage } from '@exchange/wire/feed.ts';
import { orderDetail, orderRecords } from '@exchange/wire/spot.ts';
import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { queryClient } from '../api/query-client.ts';
import { loadAllWords } from '../i18n/words.ts';
import { AccountServer } from '../market/testing/account-server.ts';
import { topicPublisher } from '../market/testing/topic-publisher.ts';
import { endSession, startSession } from '../session/session-store.ts';
import { Providers } from '../shell/providers.tsx';
import { useOpenOrders, useOrderDetail } from './queries.ts';
import { order } from './testing/fixtures.ts';

const STOP = order('1', { stopStatus: 'waiting', stopPrice: '96', trailPct: '5' });

let server: AccountServer;
let publish: (message: OrderMessage | []) => Promise<void>;

beforeAll(async () => {
  await loadAllWords();
  server = await AccountServer.start();
});
beforeEach(async () => {
  server.serve({
    [orderDetail.path]: () => ({ code: 1, data: STOP }),
    [orderRecords.path]: () => ({ code: 1, data: { list: [STOP, order('2')], totalRow: 2, sum: 1 } }),
  });
  publish = topicPublisher('order');
  startSession({ userId: 'u', token: 't', email: 'a@b.example' });
});
afterEach(() => {
  cleanup();
  act(() => endSession());
  queryClient.clear();
  vi.restoreAllMocks();
});
afterAll(() => server.stop());

const moved = (stopPrice: string): OrderMessage => ({
  orders: [],
  fills: [],
  stops: [{ id: '1', stopPrice }],
});

describe('a trailing stop on screen', () => {
  it('WEB-103 updates its trigger in the details without a request', async () => {
    const { result } = renderHook(() => useOrderDetail('1'), { wrapper: Providers });
    await publish([]);
    await waitFor(() => expect(result.current.data?.stopPrice).toBe('96'));
    // Waits until the requests for the order's details that the first feed message causes have ended, so that
    // `fetchCount` includes them.
    await waitFor(() => expect(queryClient.isFetching()).toBe(0));
    const fetches = () => server.received.filter(({ path }) => path === orderDetail.path).length;
    const fetchCount = fetches();
    await publish(moved('97'));
    await waitFor(() => expect(result.current.data?.stopPrice).toBe('97'));
    expect(fetches()).toBe(fetchCount);
  });

  it('WEB-103 updates its trigger in a list, without rendering the orders on the book', async () => {
    const { result } = renderHook(() => useOpenOrders(), { wrapper: Providers });
    await publish([]);
    await waitFor(() => expect(result.current.waiting[0]?.stopPrice).toBe('96'));
    const { resting } = result.current;
    expect(resting.map(({ id }) => id)).toEqual(['2']);
    await publish(moved('97'));
    await waitFor(() => expect(result.current.waiting[0]?.stopPrice).toBe('97'));
    expect(result.current.resting).toBe(resting);
  });
});
