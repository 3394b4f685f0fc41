import { orderDetail, orderRecords } from '@exchange/wire/spot.ts';
import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { queryClient } from '../api/query-client.ts';
import { startWords } from '../i18n/words.ts';
import { AccountServer } from '../market/testing/account-server.ts';
import { endSession, startSession } from '../session/session-store.ts';
import { Providers } from '../shell/providers.tsx';
import { useOpenOrders, useOrderDetail } from './queries.ts';
import { order } from './testing/fixtures.ts';

const PATIENCE = { timeout: 4_000 };

let server: AccountServer;
/** Where the stop would trigger by now; every question finds it moved along. */
let trigger: number;

beforeAll(async () => {
  await startWords();
  server = await AccountServer.start();
});
beforeEach(() => {
  trigger = 95;
  const now = () => {
    trigger += 1;
    return order('1', { stopStatus: 'waiting', stopPrice: String(trigger), trailPct: '0.05' });
  };
  server.serve({
    [orderDetail.path]: () => ({ code: 1, data: now() }),
    [orderRecords.path]: () => ({ code: 1, data: { list: [now(), order('2')], totalRow: 2, sum: 1 } }),
  });
  startSession({ userId: 'u', token: 't', email: 'a@b.example' });
});
afterEach(() => {
  cleanup();
  act(() => endSession());
  queryClient.clear();
});
afterAll(() => server.stop());

describe('a trailing stop on screen', () => {
  it('WEB-103 moves along in its details', async () => {
    const { result } = renderHook(() => useOrderDetail('1'), { wrapper: Providers });
    await waitFor(() => expect(result.current.data?.stopPrice).toBe('96'));
    await waitFor(() => expect(result.current.data?.stopPrice).toBe('97'), PATIENCE);
  });

  it('WEB-103 moves along in a list', async () => {
    const { result } = renderHook(() => useOpenOrders(), { wrapper: Providers });
    await waitFor(() => expect(result.current.waiting[0]?.stopPrice).toBe('96'));
    await waitFor(() => expect(result.current.waiting[0]?.stopPrice).toBe('97'), PATIENCE);
  });

  it('WEB-103 moves nothing that follows the orders on the book', async () => {
    const { result } = renderHook(() => useOpenOrders(), { wrapper: Providers });
    await waitFor(() => expect(result.current.waiting[0]?.stopPrice).toBe('96'));
    const { resting } = result.current;
    expect(resting.map(({ id }) => id)).toEqual(['2']);
    await waitFor(() => expect(result.current.waiting[0]?.stopPrice).toBe('97'), PATIENCE);
    expect(result.current.resting).toBe(resting);
  });
});
