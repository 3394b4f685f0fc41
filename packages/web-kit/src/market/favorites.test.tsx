import type { Endpoint } from '@exchange/wire/endpoint.ts';
import { addFavorite, favoriteList, removeFavorite } from '@exchange/wire/watchlist.ts';
import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { queryClient } from '../api/query-client.ts';
import { loadAllWords } from '../i18n/words.ts';
import { endSession, startSession } from '../session/session-store.ts';
import { Providers } from '../shell/providers.tsx';
import { useFavorites } from './favorites.ts';
import { AccountServer } from './testing/account-server.ts';

const FULL = {
  code: -8,
  msg: 'You can have at most 100 favorites.',
  errKey: 'l.favorites_max',
  data: { limit: '100' },
};

let server: AccountServer;
let accounts: Map<string, string[]>;
/** By pair symbol: the refusal with which the mock server answers the next change of that favourite. */
let refused: Map<string, typeof FULL>;
/** The mock server answers a change when this promise has resolved. */
let gate: Promise<void>;

function serveAccounts(): void {
  const mine = (token = '') => accounts.get(token) ?? [];
  const change =
    (next: (symbols: string[], symbol: string) => string[]) =>
    async (form: URLSearchParams, token?: string) => {
      const symbol = form.get('symbol') ?? '';
      await gate;
      const refusal = refused.get(symbol);
      if (refusal !== undefined) return refusal;
      accounts.set(token ?? '', next(mine(token), symbol));
      return { code: 1, data: { symbols: mine(token) } };
    };
  server.serve({
    [favoriteList.path]: (_, token) => ({ code: 1, data: { symbols: mine(token) } }),
    [addFavorite.path]: change((symbols, symbol) => [...new Set([...symbols, symbol])]),
    [removeFavorite.path]: change((symbols, symbol) => symbols.filter((other) => other !== symbol)),
  });
}

beforeAll(async () => {
  await loadAllWords();
  server = await AccountServer.start();
});
beforeEach(() => {
  [accounts, refused, gate] = [new Map(), new Map(), Promise.resolve()];
  serveAccounts();
});
afterEach(() => {
  cleanup();
  act(() => endSession());
  queryClient.clear();
});
afterAll(() => server.stop());

const signIn = (name: string) =>
  act(() => startSession({ userId: name, token: name, email: `${name}@example.com` }));

const requestsTo = (endpoint: Endpoint) => server.received.filter(({ path }) => path === endpoint.path);

function favorites() {
  const { result } = renderHook(() => useFavorites((all) => all), { wrapper: Providers });
  return {
    shown: () => [...result.current.symbols],
    toggle: (symbol: string) => act(() => result.current.toggle(symbol)),
  };
}

/** Removes the favourites that earlier tests left on this device. */
function clearDevice(): void {
  const { shown, toggle } = favorites();
  for (const symbol of shown()) toggle(symbol);
  cleanup();
}

describe('favourites', () => {
  beforeEach(clearDevice);

  it('WATCH-030 a visitor’s favourites stay on the device, in the order in which they were added', () => {
    const { shown, toggle } = favorites();
    for (const symbol of ['ethbtc', 'btcusdt', 'adaeth', 'btcusdt']) toggle(symbol);
    expect(shown()).toEqual(['ethbtc', 'adaeth']);
    expect(localStorage.getItem('favorite-pairs')).toBe('ethbtc,adaeth');
    expect([favoriteList, addFavorite, removeFavorite].flatMap(requestsTo)).toEqual([]);
  });

  it('WATCH-031 they are added to the account at the next sign-in, after existing ones, and removed from the device', async () => {
    accounts.set('ann', ['ltcusdt', 'ethbtc']);
    refused.set('goneusdt', { ...FULL, code: -1, errKey: 'l.unknown_pair' });
    const { shown, toggle } = favorites();
    for (const symbol of ['btcusdt', 'goneusdt', 'ethbtc']) toggle(symbol);
    signIn('ann');
    await waitFor(() => expect(shown()).toEqual(['ltcusdt', 'ethbtc', 'btcusdt']));
    expect(accounts.get('ann')).toEqual(['ltcusdt', 'ethbtc', 'btcusdt']);
    expect(localStorage.getItem('favorite-pairs')).toBeNull();
    act(() => endSession());
    expect(shown()).toEqual([]);
    signIn('bob');
    await waitFor(() => expect(requestsTo(favoriteList).at(-1)).toMatchObject({ token: 'bob' }));
    expect(accounts.get('bob')).toBeUndefined();
  });

  it('WATCH-032 a favourite of the account changes at once and is reverted with a notice when refused', async () => {
    accounts.set('ann', ['ltcusdt']);
    refused.set('btcusdt', FULL);
    signIn('ann');
    const { shown, toggle } = favorites();
    await waitFor(() => expect(shown()).toEqual(['ltcusdt']));
    let open = () => undefined as void;
    gate = new Promise((resolve) => (open = resolve));
    toggle('btcusdt');
    await waitFor(() => expect(shown()).toEqual(['ltcusdt', 'btcusdt']));
    open();
    await waitFor(() => expect(shown()).toEqual(['ltcusdt']));
    await waitFor(() => expect(document.body.textContent).toContain('You can have at most 100 favorites.'));
    toggle('ethusdt');
    await waitFor(() => expect(accounts.get('ann')).toEqual(['ltcusdt', 'ethusdt']));
    expect(shown()).toEqual(['ltcusdt', 'ethusdt']);
  });

  it('WATCH-033 quick clicks reach the server one after another and end as shown', async () => {
    signIn('ann');
    const { shown, toggle } = favorites();
    await waitFor(() => expect(requestsTo(favoriteList)).toHaveLength(1));
    await waitFor(() => expect(queryClient.isFetching()).toBe(0));
    const changes = () => [...requestsTo(addFavorite), ...requestsTo(removeFavorite)].length;
    let open = () => undefined as void;
    gate = new Promise((resolve) => (open = resolve));
    for (const symbol of ['btcusdt', 'ethusdt', 'btcusdt', 'btcusdt', 'ethusdt']) {
      toggle(symbol);
      await act(() => Promise.resolve());
    }
    await waitFor(() => expect(shown()).toEqual(['btcusdt']));
    expect(changes()).toBe(1);
    open();
    await waitFor(() => expect(changes()).toBe(5));
    await waitFor(() => expect(accounts.get('ann')).toEqual(['btcusdt']));
    expect(shown()).toEqual(['btcusdt']);
  });
});
