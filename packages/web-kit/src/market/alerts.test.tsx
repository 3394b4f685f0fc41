import { ALERT_CONDITIONS } from '@exchange/core/price-alert.ts';
import { coinInfo } from '@exchange/wire/coin-info.ts';
import { addAlert, alertList, removeAlert, type Alert } from '@exchange/wire/watchlist.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { queryClient } from '../api/query-client.ts';
import { setLocale, loadAllWords } from '../i18n/words.ts';
import { endSession, startSession } from '../session/session-store.ts';
import { Providers } from '../shell/providers.tsx';
import { alertPayload, initialAlert } from './alert-form.ts';
import { alertLevels, useAddAlert, useAlerts, useRemoveAlert } from './alerts.ts';
import { useCoinInfo } from './queries.ts';
import { AccountServer } from './testing/account-server.ts';

const PAIR = { symbol: 'btcusdt', base: 'BTC', quote: 'USDT', priceDigits: 2 };
let server: AccountServer;

beforeAll(async () => {
  await loadAllWords();
  server = await AccountServer.start();
});
afterEach(() => {
  cleanup();
  act(() => endSession());
  queryClient.clear();
});
afterAll(() => server.stop());

function page({ children }: { children: ReactNode }) {
  return <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>;
}

/** Mocks a server that stores the price alerts which the page creates. */
function serveAlerts(): void {
  let list: Pick<Alert, 'id' | 'symbol'>[] = [{ id: 'eth', symbol: 'ethusdt' }];
  server.serve({
    [alertList.path]: () => ({ code: 1, data: { list, limit: 20 } }),
    [addAlert.path]: (form) => {
      list = [{ id: form.get('clientId')!, symbol: form.get('symbol')! }, ...list];
      return { code: 1, data: list[0] };
    },
    [removeAlert.path]: (form) => {
      list = list.filter(({ id }) => id !== form.get('id'));
      return { code: 1, data: { count: 1 } };
    },
  });
}

describe('alerts', () => {
  it('WATCH-044 are listed for signed-in users, of one pair if given, and refetched after each change', async () => {
    serveAlerts();
    const { result } = renderHook(
      () => ({ all: useAlerts(), btc: useAlerts('btcusdt'), add: useAddAlert(), remove: useRemoveAlert() }),
      { wrapper: page },
    );
    const ids = (list: 'all' | 'btc') => result.current[list].data?.list.map(({ id }) => id);
    await waitFor(() => expect(ids('all')).toEqual([]));
    expect(server.received).toEqual([]);
    act(() => startSession({ userId: 'ann', token: 'ann', email: 'ann@example.com' }));
    await waitFor(() => expect(ids('all')).toEqual(['eth']));
    expect(ids('btc')).toEqual([]);
    const payload = alertPayload(initialAlert('60000'), { pair: PAIR });
    await act(() => result.current.add.mutateAsync({ payload, clientId: 'mine' }));
    await waitFor(() => expect(ids('all')).toEqual(['mine', 'eth']));
    expect(ids('btc')).toEqual(['mine']);
    await act(() => result.current.remove.mutateAsync('mine'));
    await waitFor(() => expect(ids('all')).toEqual(['eth']));
  });
});

it('ALRT-131 only alerts at a price are lines on the chart', () => {
  const levels = ALERT_CONDITIONS.map((condition, index) => ({ condition, price: `${index}` }));
  expect(alertLevels(levels)).toEqual(['0', '1']);
  const atOnePrice = (['gte', 'lte'] as const).map((condition) => ({ condition, price: '5' }));
  expect(alertLevels(atOnePrice)).toEqual(['5']);
});

describe('coin info', () => {
  it('WATCH-052 is loaded in the current language, and again when the language changes', async () => {
    server.serve({ [coinInfo.path]: (form) => ({ code: 1, data: { coin: form.get('coin') } }) });
    const { result } = renderHook(() => useCoinInfo('BTC'), { wrapper: Providers });
    await waitFor(() => expect(result.current.data).toEqual({ coin: 'BTC' }));
    await act(() => setLocale('zh-CN'));
    const infoRequests = () => server.received.filter(({ path }) => path === coinInfo.path);
    await waitFor(() => expect(infoRequests()).toHaveLength(2));
    await act(() => setLocale('en-US'));
  });
});
