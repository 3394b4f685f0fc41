import { SESSION_KEYS } from '@exchange/wire/browser.ts';
import { orderRecords, spotAssets } from '@exchange/wire/spot.ts';
import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { queryClient } from '../api/query-client.ts';
import { useBalances } from '../balance/balances.ts';
import { submitKeyed, submissionOf } from '../form/keyed-submissions.ts';
import { CallFailed } from '../api/client.ts';
import { loadAllWords } from '../i18n/words.ts';
import { AccountServer } from '../market/testing/account-server.ts';
import { USER_DATA } from '../session/user-keys.ts';
import { endSession, startSession } from '../session/session-store.ts';
import { useFills, useOpenOrders } from '../spot/queries.ts';
import { order } from '../spot/testing/fixtures.ts';
import { Providers } from './providers.tsx';

let server: AccountServer;
beforeAll(async () => {
  await loadAllWords();
  server = await AccountServer.start();
});
afterAll(() => server.stop());
afterEach(() => {
  cleanup();
  endSession();
});

const page = (list: readonly unknown[]) => ({
  code: 1,
  data: { list, sum: list.length, totalRow: list.length, pageNo: 1, pageSize: 10, total: '5' },
});
const balanceOf = (token: string | undefined) => ({
  currency: 'Tether',
  currencyName: 'USDT',
  logo: '',
  availableCurrency: token === 'token-a' ? '111' : '222',
  frozenCurrency: '0',
  price: '1',
  total: '5',
  status: 1,
});

/**
 * Simulates another tab that changes the signed-in user: the storage is written first, then the event for the token is
 * dispatched.
 */
function otherTab(userId: string | null): void {
  const set = (key: string, value: string | null): void =>
    value === null ? localStorage.removeItem(key) : localStorage.setItem(key, value);
  const token = userId === null ? null : `token-${userId}`;
  act(() => {
    set(SESSION_KEYS.userId, userId);
    set(SESSION_KEYS.token, token);
    window.dispatchEvent(new StorageEvent('storage', { key: SESSION_KEYS.token, newValue: token }));
  });
}

const inCache = () => queryClient.getQueryCache().findAll({ queryKey: [USER_DATA, 'a'] });

describe('another user', () => {
  it('WEB-196 sees no data of the previous one when another tab signs out, in or over', async () => {
    server.serve({
      [spotAssets.path]: (_form, token) => page([balanceOf(token)]),
      [orderRecords.path]: (_form, token) => page(token === 'token-a' ? [order('of-a')] : []),
    });
    startSession({ userId: 'a', token: 'token-a', email: 'a@b.example' });
    const { result } = renderHook(
      () => ({ balances: useBalances().data, orders: useOpenOrders().data, fills: useFills() }),
      { wrapper: Providers },
    );
    const snapshot = () => JSON.stringify([result.current.balances, result.current.orders]);
    await waitFor(() => expect(snapshot()).toContain('111'));
    await waitFor(() => expect(snapshot()).toContain('of-a'));
    await submitKeyed({
      form: 'form',
      title: 'Withdraw',
      intent: 'intent',
      retry: () => Promise.resolve(false),
      payloadOf: () => 'payload',
      send: () => Promise.reject(new CallFailed('timeout', 'l.timeout')),
    });
    expect(inCache()).not.toHaveLength(0);

    otherTab(null);
    expect(result.current).toMatchObject({ balances: undefined, orders: undefined, fills: { rows: [] } });
    expect(inCache()).toHaveLength(0);

    otherTab('b');
    await waitFor(() => expect(snapshot()).toContain('222'));
    expect(snapshot()).not.toContain('of-a');

    otherTab('a');
    expect(result.current.balances).toBeUndefined();
    expect(submissionOf('form')).toBeUndefined();
    await waitFor(() => expect(snapshot()).toContain('111'));
    otherTab('b');
    expect(snapshot()).not.toContain('111');
  });

  it('WEB-196 a late response for the previous user is discarded', async () => {
    let release: (() => void) | undefined;
    const pending = new Promise<void>((resolve) => (release = resolve));
    server.serve({
      [spotAssets.path]: async (_form, token) => {
        if (token === 'token-a') await pending;
        return page([balanceOf(token)]);
      },
    });
    startSession({ userId: 'a', token: 'token-a', email: 'a@b.example' });
    const { result } = renderHook(() => useBalances().data, { wrapper: Providers });
    await waitFor(() => expect(server.received.some(({ token }) => token === 'token-a')).toBe(true));
    otherTab('b');
    release?.();
    await waitFor(() => expect(JSON.stringify(result.current)).toContain('222'));
    expect(inCache()).toHaveLength(0);
  });
});
