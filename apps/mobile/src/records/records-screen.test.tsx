import { queryClient } from '@exchange/web-kit/api/query-client.ts';
import { loadAllWords } from '@exchange/web-kit/i18n/words.ts';
import { AccountServer } from '@exchange/web-kit/market/testing/account-server.ts';
import { endSession, startSession } from '@exchange/web-kit/session/session-store.ts';
import { Providers } from '@exchange/web-kit/shell/providers.tsx';
import { depositRecords, proofRecords } from '@exchange/wire/deposit.ts';
import { accountEvents, tradeRecords } from '@exchange/wire/portfolio.ts';
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import RecordsScreen from './records-screen.tsx';

let server: AccountServer;

beforeAll(async () => {
  await loadAllWords();
  server = await AccountServer.start();
});
afterEach(() => {
  cleanup();
  endSession();
  queryClient.clear();
});
afterAll(() => server.stop());

function open(address: string) {
  startSession({ userId: 'u', token: 't', email: 'a@b.example' });
  const router = createMemoryRouter([{ path: '/account/trade', element: <RecordsScreen /> }], {
    initialEntries: [address],
  });
  render(
    <Providers>
      <RouterProvider router={router} />
    </Providers>,
  );
  return router;
}

const page = (list: readonly object[]) => ({ code: 1, data: { list, sum: list.length, pageNo: 1 } });
const TRADE = {
  id: '7',
  event: 'trade',
  kind: 'spot.traded',
  changes: [
    { account: 'spot', currency: 'USDT', amount: '-95' },
    { account: 'spot', currency: 'BTC', amount: '0.000999' },
  ],
  fees: [{ currency: 'BTC', amount: '0.000001' }],
  refId: 'trade',
  subAccount: '',
  createTime: 1_800_000_000_000,
};
const PURCHASE = {
  id: '6',
  event: 'finance',
  kind: 'finance.bought',
  changes: [
    { account: 'spot', currency: 'USDT', amount: '-500' },
    { account: 'finance', currency: 'USDT', amount: '500' },
  ],
  fees: [],
  refId: 'order-1',
  subAccount: '',
  createTime: 1_800_000_000_000,
};

it('WEB-960 the account history has one row per event, with both coins, fee and accounts', async () => {
  server.serve({ [accountEvents.path]: () => page([TRADE, PURCHASE]) });
  open('/account/trade?type=4');
  const trade = (await screen.findByText('Trade')).closest('li')!;
  expect(trade.textContent).toMatch(/\+0\.000999\s*BTC−95\.00\s*USDT.*Fee 0\.000001\s*BTC/);
  const purchase = screen.getByRole('link', { name: 'Earn: purchase' });
  expect(purchase.getAttribute('href')).toContain('order=order-1');
  expect(purchase.closest('li')!.textContent).toContain('Spot → Earn');
});

it('WEB-961 kinds are a filter, the ledger is a view, and the URL contains both', async () => {
  const requests: (string | null)[] = [];
  server.serve({
    [accountEvents.path]: (fields) => {
      requests.push(fields.get('event'));
      return page([]);
    },
    [tradeRecords.path]: () =>
      page([
        {
          id: '1',
          currency: 'USDT',
          kind: 'spot.held',
          amount: '-85',
          balance: '15',
          account: 'available',
          refId: '',
          subAccount: '',
          createTime: 1_800_000_000_000,
        },
      ]),
  });
  const router = open('/account/trade?type=4');
  fireEvent.change(await screen.findByRole('combobox', { name: 'Type' }), { target: { value: 'deposit' } });
  expect(await screen.findByText('Nothing matches these filters.')).toBeTruthy();
  expect(router.state.location.search).toBe('?type=4&event=deposit');
  expect(requests.at(-1)).toBe('deposit');
  fireEvent.click(screen.getByRole('radio', { name: 'Ledger' }));
  expect(await screen.findByText('Order: on hold')).toBeTruthy();
  expect(router.state.location.search).toContain('view=ledger');
});

it('TAX-014 a link to one record shows it alone, and from there the whole history', async () => {
  const requests: (string | null)[] = [];
  server.serve({
    [accountEvents.path]: (fields) => {
      requests.push(fields.get('entry'));
      return page(fields.get('entry') === '1234' ? [TRADE] : []);
    },
  });
  const router = open('/account/trade?type=4&entry=1234');
  expect(await screen.findByText('Trade')).toBeTruthy();
  expect(screen.getByRole('heading', { name: 'Record 1234' })).toBeTruthy();
  expect(screen.queryByRole('combobox', { name: 'Type' })).toBeNull();
  expect(requests).toEqual(['1234']);
  fireEvent.click(screen.getByRole('button', { name: 'Show the whole history' }));
  expect(await screen.findByRole('combobox', { name: 'Type' })).toBeTruthy();
  expect(router.state.location.search).toBe('?type=4');
  await waitFor(() => expect(requests.at(-1)).toBeNull());
});

it('TAX-014 a record that does not exist, or is no number, is said to be missing or ignored', async () => {
  server.serve({
    [accountEvents.path]: (fields) => page(fields.get('entry') === null ? [TRADE] : []),
  });
  open('/account/trade?type=4&entry=99');
  expect(await screen.findByText('Nothing matches these filters.')).toBeTruthy();
  cleanup();
  open('/account/trade?type=4&entry=abc');
  expect(await screen.findByText('Trade')).toBeTruthy();
  expect(screen.getByRole('combobox', { name: 'Type' })).toBeTruthy();
});

it('WEB-962 deposits, withdrawals, conversions and transfers are lists of the same screen', async () => {
  const events: (string | null)[] = [];
  server.serve({
    [accountEvents.path]: (fields) => {
      events.push(fields.get('event'));
      return page([]);
    },
    [depositRecords.path]: () => page([]),
    [proofRecords.path]: () => page([]),
  });
  const router = open('/account/trade?tab=deposits');
  expect(await screen.findByText('No deposits yet.')).toBeTruthy();
  const tabs = screen.getByRole('tablist');
  expect(
    within(tabs)
      .getAllByRole('tab')
      .map(({ textContent }) => textContent),
  ).toEqual(['All', 'Deposits', 'Withdrawals', 'Conversions', 'Transfers']);
  fireEvent.click(within(tabs).getByRole('tab', { name: 'Transfers' }));
  await screen.findByText('Nothing matches these filters.');
  expect(events).toEqual(['transfer']);
  expect(router.state.location.search).toBe('?tab=transfers');
});
