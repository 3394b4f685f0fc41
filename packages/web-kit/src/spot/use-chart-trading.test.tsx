import { amendOrder, cancelOrder, orderRecords, spotAssets } from '@exchange/wire/spot.ts';
import { coinCosts } from '@exchange/wire/portfolio.ts';
import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { queryClient } from '../api/query-client.ts';
import { useBalancesVisible } from '../balance/balances-visible.ts';
import { loadAllWords } from '../i18n/words.ts';
import { pairOf } from '../market/pair.ts';
import { AccountServer } from '../market/testing/account-server.ts';
import { LISTED } from '../market/testing/listed-pair.ts';
import { topicPublisher } from '../market/testing/topic-publisher.ts';
import { endSession, startSession } from '../session/session-store.ts';
import { Providers } from '../shell/providers.tsx';
import { order } from './testing/fixtures.ts';
import { useChartTrading } from './use-chart-trading.tsx';

const PAIR = pairOf({ ...LISTED, symbol: 'chartusdt' });
const SELL = order('s', { symbol: 'chartusdt', tradeType: 2, price: '110', amount: '1' });
const TRAILING = order('t', {
  symbol: 'chartusdt',
  tradeType: 2,
  orderType: 'trailing',
  price: '',
  stopPrice: '95',
  trailPct: '5',
  stopStatus: 'waiting',
});
const BALANCE = {
  currency: 'Bitcoin',
  currencyName: 'BTC',
  availableCurrency: '1',
  frozenCurrency: '1',
  price: '100',
  total: '200',
};
let server: AccountServer;

beforeAll(async () => {
  await loadAllWords();
  server = await AccountServer.start();
});
beforeEach(() => {
  startSession({ userId: 'u', token: 't', email: 'a@b.example' });
  server.serve({
    [orderRecords.path]: () => ({ code: 1, data: { list: [SELL, TRAILING], sum: 2, pageNo: 1 } }),
    [spotAssets.path]: () => ({ code: 1, data: { list: [BALANCE], total: '200', sum: 1, pageNo: 1 } }),
    [coinCosts.path]: () => ({
      code: 1,
      data: { list: [{ currency: 'BTC', amount: '2', cost: '160', realized: '5' }] },
    }),
    [cancelOrder.path]: () => ({ code: 1, data: { ...SELL, status: 4 } }),
  });
});
afterEach(() => {
  cleanup();
  endSession();
  queryClient.clear();
});
afterAll(() => server.stop());

async function trading() {
  const publish = topicPublisher('depth.chartusdt');
  const onPlace = vi.fn<(price: string) => void>();
  const { result } = renderHook(() => useChartTrading(PAIR, onPlace), { wrapper: Providers });
  await publish({ bids: [['100', '1']], asks: [['101', '1']] });
  await waitFor(() => expect(result.current.orders.length).toBe(2));
  return { shown: () => result.current, onPlace };
}

it('WEB-997 the position and the result of a sale are shown, and neither while balances are hidden', async () => {
  const { shown } = await trading();
  await waitFor(() => expect(shown().resultOf(SELL, 'price', '110')).toBe('+29.89\u00A0USDT'));
  await waitFor(() =>
    expect(shown().position).toEqual({ averagePrice: '80', text: '2\u00A0BTC · +39.80\u00A0USDT' }),
  );
  act(() => useBalancesVisible.getState().toggle());
  expect(shown().resultOf(SELL, 'price', '110')).toBeUndefined();
  expect(shown().position).toBeUndefined();
  act(() => useBalancesVisible.getState().toggle());
});

it('WEB-993 only prices that can be amended can be moved', async () => {
  const { shown } = await trading();
  const { actions } = shown();
  expect(actions.canMove(SELL, 'price')).toBe(true);
  expect(actions.canMove(TRAILING, 'stopPrice')).toBe(false);
  expect(actions.canMove(order('gone'), 'price')).toBe(false);
});

it('WEB-994 cancelling a line is one request and drops its pending change', async () => {
  const { shown } = await trading();
  act(() => shown().actions.move(SELL, 'price', '120'));
  expect(shown().orders.find(({ id }) => id === 's')?.price).toBe('120');
  act(() => shown().actions.cancel(SELL));
  expect(shown().orders.find(({ id }) => id === 's')?.price).toBe('110');
  await waitFor(() =>
    expect(
      server.received.filter(({ path }) => path === cancelOrder.path).map(({ form }) => form.get('id')),
    ).toEqual(['s']),
  );
  expect(server.received.some(({ path }) => path === amendOrder.path)).toBe(false);
});
