import { API_BASE } from '@exchange/wire/endpoint.ts';
import {
  cancelOrder,
  feeRates,
  fillRecords,
  orderRecords,
  spotAssets,
  spotBasics,
} from '@exchange/wire/spot.ts';
import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { queryClient } from '../api/query-client.ts';
import { useBalances } from '../balance/balances.ts';
import { feed } from '../feed/feed.ts';
import type { TopicListener } from '../feed/feed-client.ts';
import { loadAllWords } from '../i18n/words.ts';
import { useFeeTier } from '../market/fee-tiers.ts';
import { endSession, startSession } from '../session/session-store.ts';
import { Providers } from '../shell/providers.tsx';
import { useCancelOrder } from './actions.ts';
import { useFills, useOpenOrders, useOrderHistory } from './queries.ts';
import { order } from './testing/fixtures.ts';

const EMPTY_PAGE = { list: [], sum: 0, totalRow: 0, pageNo: 1, pageSize: 10 };
const ANSWERS = new Map<string, unknown>([
  [orderRecords.path, EMPTY_PAGE],
  [fillRecords.path, EMPTY_PAGE],
  [spotAssets.path, { list: [], total: '0' }],
  [feeRates.path, { tier: 0, volume: '0', maker: '0.001', taker: '0.001', next: null }],
]);

const listeners = new Map<string, TopicListener>();
let requests: string[] = [];
let cancelAnswer: unknown;

/**
 * Returns the paths of the requests in `ANSWERS` that the page has sent since the previous call of this
 * function.
 */
function requested(): readonly string[] {
  const paths = requests.filter((path) => ANSWERS.has(path)).toSorted();
  requests = [];
  return paths;
}

/** Mounts the order queries of the trading screen. `receives` is whether the page receives the private feed topics. */
async function openDesk(receives: boolean) {
  vi.spyOn(feed, 'isSignedIn', 'get').mockReturnValue(receives);
  vi.spyOn(feed, 'receives').mockReturnValue(receives);
  feed['options'].onState('live');
  const { result } = renderHook(
    () => ({
      open: useOpenOrders(),
      history: useOrderHistory(),
      fills: useFills(),
      fees: useFeeTier(),
      balances: useBalances(),
      cancel: useCancelOrder(),
    }),
    { wrapper: Providers },
  );
  await waitFor(() => expect(queryClient.isFetching()).toBe(0));
  await waitFor(() => expect(requested()).toContain(feeRates.path));
  return result.current.cancel;
}

describe('an accepted cancellation', () => {
  beforeAll(loadAllWords);
  beforeEach(() => {
    startSession({ userId: '1', token: 't', email: 'a@b.example' });
    cancelAnswer = { code: 1, msg: '', data: order('1', { status: 3 }) };
    vi.spyOn(feed, 'start').mockReturnValue();
    vi.spyOn(feed, 'reconnect').mockReturnValue();
    vi.spyOn(feed, 'subscribe').mockImplementation((topic, listener) => {
      listeners.set(topic, listener);
      return () => undefined;
    });
    vi.stubGlobal('fetch', async (url: string) => {
      const path = new URL(url, 'http://x').pathname.slice(API_BASE.length);
      requests.push(path);
      const answer =
        path === cancelOrder.path
          ? cancelAnswer
          : { code: 1, msg: '', data: path === spotBasics.path ? [] : (ANSWERS.get(path) ?? {}) };
      return new Response(JSON.stringify(answer));
    });
  });
  afterEach(() => {
    cleanup();
    act(() => endSession());
    queryClient.clear();
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  });

  it('WEB-1032 requests each list that the feed does not carry once, when the feed reports it', async () => {
    const cancel = await openDesk(true);
    await act(() => cancel.mutateAsync('1'));
    expect(requested()).toEqual([]);
    await act(async () => {
      const data = { orders: [order('1', { status: 3 })], fills: [] };
      listeners.get('order')?.({ topic: 'order', type: 'update', seq: 1, ts: 1, data });
    });
    await waitFor(() => expect(queryClient.isFetching()).toBe(0));
    expect(requested()).toEqual([fillRecords.path, orderRecords.path].toSorted());
  });

  it('WEB-1032 requests everything where the private feed does not arrive, as does a refused one', async () => {
    const all = [fillRecords.path, feeRates.path, orderRecords.path, orderRecords.path, spotAssets.path];
    const cancel = await openDesk(false);
    await act(() => cancel.mutateAsync('1'));
    await waitFor(() => expect(queryClient.isFetching()).toBe(0));
    expect(requested()).toEqual(all.toSorted());
    cleanup();
    queryClient.clear();
    const refused = await openDesk(true);
    cancelAnswer = { code: 0, msg: 'no' };
    await act(() => refused.mutateAsync('1').catch(() => undefined));
    await waitFor(() => expect(queryClient.isFetching()).toBe(0));
    expect(requested()).toEqual(all.toSorted());
  });
});
