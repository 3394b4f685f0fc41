import { queryClient } from '@exchange/web-kit/api/query-client.ts';
import { HOLDING, INCOME, pageOf, PRODUCT, TOTALS } from '@exchange/web-kit/finance/testing/samples.ts';
import { loadAllWords } from '@exchange/web-kit/i18n/words.ts';
import { AccountServer } from '@exchange/web-kit/market/testing/account-server.ts';
import { topicPublisher } from '@exchange/web-kit/market/testing/topic-publisher.ts';
import { endSession, startSession } from '@exchange/web-kit/session/session-store.ts';
import { Providers } from '@exchange/web-kit/shell/providers.tsx';
import {
  buyFinance,
  financeIncome,
  financeOrderDetail,
  financeOrders,
  financeProducts,
} from '@exchange/wire/finance.ts';
import { spotAssets } from '@exchange/wire/spot.ts';
import { userInfo } from '@exchange/wire/user.ts';
import { cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ComponentType } from 'react';
import { MemoryRouter } from 'react-router';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import FinanceListScreen from './list-screen.tsx';
import FinanceRecordScreen from './record-screen.tsx';

let server: AccountServer;
let order = HOLDING;
const good = (data: unknown) => () => ({ code: 1, data });
const COIN = { currency: 'Tether', currencyName: 'USDT', logo: '', price: '1', status: 1, total: '500' };

beforeAll(async () => {
  await loadAllWords();
  server = await AccountServer.start();
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  endSession();
  queryClient.clear();
});
afterAll(() => server.stop());

function show(Part: ComponentType, address: string) {
  startSession({ userId: 'u', token: 't', email: 'a@b.example' });
  order = HOLDING;
  server.serve({
    [financeProducts.path]: good(pageOf([PRODUCT])),
    [financeOrders.path]: () => ({ code: 1, data: { ...pageOf([order]), totals: TOTALS } }),
    [financeOrderDetail.path]: () => ({ code: 1, data: order }),
    [financeIncome.path]: good(pageOf([INCOME])),
    [spotAssets.path]: good({
      ...pageOf([{ ...COIN, availableCurrency: '500', frozenCurrency: '0' }]),
      total: '500',
    }),
    [userInfo.path]: good({ email: 'a@b.example', uid: '1', purchase: '1', kycStatus: 2, assetsPwd: 1 }),
    [buyFinance.path]: good({
      orderId: 'o1',
      startTime: HOLDING.startTime,
      endTime: HOLDING.endTime,
      expectProfit: '0.6',
    }),
  });
  render(
    <Providers>
      <MemoryRouter initialEntries={[address]}>
        <Part />
      </MemoryRouter>
    </Providers>,
  );
  return userEvent.setup();
}

it('FIN-204 FIN-207 buys from a card in a sheet, after the agreement and the trade password', async () => {
  const user = show(FinanceListScreen, '/finance/list');
  const card = within(await screen.findByRole('article', { name: 'USDT 30 days' }));
  card.getByText('7.30%');
  card.getByText('On sale');
  await user.click(card.getByRole('button', { name: 'Buy USDT 30 days' }));
  const sheet = within(await screen.findByRole('dialog', { name: 'Buy USDT 30 days' }));
  await user.type(sheet.getByLabelText(/^Amount/), '100');
  await user.click(sheet.getByRole('button', { name: 'Buy' }));
  sheet.getByText('Please accept the fixed-term product agreement.');
  await user.click(sheet.getByRole('checkbox'));
  await user.type(sheet.getByLabelText('Trade password'), '271942');
  await user.click(sheet.getByRole('button', { name: 'Buy' }));
  await sheet.findByText('You subscribed 100 USDT to USDT 30 days.');
  expect(sheet.getByRole('link', { name: 'See my order' }).getAttribute('href')).toBe(
    '/finance/record?order=o1',
  );
});

it('FIN-208 FIN-212 shows an order as a card and applies feed updates without a reload', async () => {
  const publish = topicPublisher('finance');
  const user = show(FinanceRecordScreen, '/finance/record');
  const card = within(await screen.findByRole('article', { name: 'USDT 30 days' }));
  card.getByText('6.00');
  await publish([]);
  order = { ...HOLDING, profit: '6.5' };
  await publish([{ orderId: 'o1', productId: 'p1', status: 1 }]);
  await card.findByText('6.50');
  await user.click(card.getByRole('button', { name: 'Order details: USDT 30 days' }));
  const sheet = within(await screen.findByRole('dialog', { name: 'Order details' }));
  expect(await sheet.findAllByRole('row', { name: '11/22/2026 0.50 6.00' })).toHaveLength(1);
});
