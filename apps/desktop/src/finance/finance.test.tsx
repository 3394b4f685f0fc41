import { queryClient } from '@exchange/web-kit/api/query-client.ts';
import { HOLDING, INCOME, NOW, pageOf, PRODUCT, TOTALS } from '@exchange/web-kit/finance/testing/samples.ts';
import { loadAllWords } from '@exchange/web-kit/i18n/words.ts';
import { AccountServer } from '@exchange/web-kit/market/testing/account-server.ts';
import { endSession, startSession } from '@exchange/web-kit/session/session-store.ts';
import {
  buyFinance,
  financeIncome,
  financeOrderDetail,
  financeOrders,
  financeProducts,
  withdrawFinance,
} from '@exchange/wire/finance.ts';
import { agreement } from '@exchange/wire/parameter.ts';
import { spotAssets } from '@exchange/wire/spot.ts';
import { userInfo } from '@exchange/wire/user.ts';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { useLocation } from 'react-router';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { draw } from '../../testing/fixtures.tsx';
import FinanceListScreen from './list-screen.tsx';
import FinanceRecordScreen from './record-screen.tsx';

type Calls = Parameters<AccountServer['serve']>[0];

let server: AccountServer;
const good = (data: unknown) => () => ({ code: 1, data });
const USDT = { currency: 'Tether', currencyName: 'USDT', logo: '', price: '1', status: 1, total: '500' };
const PERSON = { email: 'a@b.example', uid: '1', purchase: '1', kycStatus: 2, assetsPwd: 1 };
const WAITING = { ...HOLDING, id: 'o2', name: 'USDT 7 days', payMode: 1, paidProfit: '0', withdrawable: 1 };
const CALLS: Calls = {
  [financeProducts.path]: good(
    pageOf([
      PRODUCT,
      { ...PRODUCT, id: 'p2', name: 'BTC 7 days', currency: 'BTC', period: 7, startAmount: '1' },
      { ...PRODUCT, id: 'p3', name: 'USDT 90 days', period: 90, status: 0, startTime: NOW * 2 },
    ]),
  ),
  [financeOrders.path]: (form) => ({
    code: 1,
    data: { ...pageOf(form.get('status') === '2' ? [] : [HOLDING, WAITING]), totals: TOTALS },
  }),
  [financeOrderDetail.path]: (form) => good(form.get('id') === WAITING.id ? WAITING : HOLDING)(),
  [financeIncome.path]: good(pageOf([INCOME])),
  [spotAssets.path]: good({
    ...pageOf([{ ...USDT, availableCurrency: '500', frozenCurrency: '0' }]),
    total: '500',
  }),
  [userInfo.path]: good({ ...PERSON, demoTradePassword: '258036' }),
  [agreement.path]: good({ text: 'First paragraph.\n\nSecond paragraph.', version: '1' }),
  [buyFinance.path]: good({
    orderId: 'o9',
    startTime: HOLDING.startTime,
    endTime: HOLDING.endTime,
    expectProfit: '1.5',
  }),
};

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

function Address() {
  const { pathname, search } = useLocation();
  return <output aria-label="address">{pathname + search}</output>;
}

function show(screenName: 'list' | 'record', query = '', calls: Calls = {}) {
  server.serve({ ...CALLS, ...calls });
  return draw(
    <>
      {screenName === 'list' ? <FinanceListScreen /> : <FinanceRecordScreen />}
      <Address />
    </>,
    `/finance/${screenName}${query}`,
  );
}
const signIn = () => startSession({ userId: 'u', token: 't', email: 'a@b.example' });
const address = () => screen.getByLabelText('address').textContent;
const names = () =>
  screen.getAllByRole('button', { name: /^Buy / }).map((button) => button.getAttribute('aria-label'));
const requestsTo = (path: string) => server.received.filter((call) => call.path === path);

async function openPurchase(user: ReturnType<typeof show>) {
  await user.click(await screen.findByRole('button', { name: 'Buy USDT 30 days' }));
  return within(await screen.findByRole('dialog', { name: 'Buy USDT 30 days' }));
}

async function fillIn(user: ReturnType<typeof show>, dialog: ReturnType<typeof within>) {
  await user.type(dialog.getByLabelText(/^Amount/), '250');
  await user.click(dialog.getByRole('checkbox'));
  await user.type(dialog.getByLabelText('Trade password'), '258036');
}

describe('the products on the desktop', () => {
  it('FIN-201 filters products and keeps the filters in the URL', async () => {
    signIn();
    const user = show('list');
    await screen.findByRole('button', { name: 'Buy USDT 30 days' });
    expect(names()).toEqual(['Buy USDT 30 days', 'Buy BTC 7 days', 'Buy USDT 90 days']);
    await user.selectOptions(screen.getByRole('combobox', { name: 'Term' }), '7 days');
    expect(names()).toEqual(['Buy BTC 7 days']);
    expect(address()).toBe('/finance/list?term=7');
    await user.click(screen.getByRole('switch', { name: 'Only what I can afford' }));
    await screen.findByText('No products fit your available balance.');
    expect(address()).toBe('/finance/list?term=7&affordable=1');
    await user.click(screen.getByRole('button', { name: 'Show all products' }));
    expect(names()).toHaveLength(3);
    expect(address()).toBe('/finance/list');
  });

  it('FIN-201 applies the filters of a link and disables products that are not on sale', async () => {
    show('list', '?coin=USDT&term=90');
    const button = await screen.findByRole<HTMLButtonElement>('button', { name: 'Buy USDT 90 days' });
    expect(names()).toEqual(['Buy USDT 90 days']);
    expect(button.disabled).toBe(true);
  });

  it('FIN-213 shows a failure to load and retries', async () => {
    let isDown = true;
    const user = show('list', '', {
      [financeProducts.path]: () =>
        isDown ? { code: 0, msg: 'Not now.' } : { code: 1, data: pageOf([PRODUCT]) },
    });
    await screen.findByText('Not now.');
    isDown = false;
    expect(screen.queryByRole('button', { name: 'Buy USDT 30 days' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByRole('button', { name: 'Buy USDT 30 days' });
  });

  it('FIN-210 shows the key figures of the user, which can be hidden', async () => {
    signIn();
    const user = show('list');
    const figures = within(screen.getByRole('region', { name: 'Your Earn summary' }));
    await figures.findByText('2,500.00');
    figures.getByText('6.00');
    figures.getByText('3.50');
    await user.click(figures.getByRole('button', { name: 'Hide balances' }));
    expect(figures.queryByText('2,500.00')).toBeNull();
    await user.click(figures.getByRole('button', { name: 'Show balances' }));
  });
});

describe('a purchase on the desktop', () => {
  it('FIN-203 FIN-204 FIN-214 shows the result and reports all missing fields at once', async () => {
    signIn();
    const user = show('list');
    const dialog = await openPurchase(user);
    await dialog.findByText('500.00');
    await user.click(dialog.getByRole('button', { name: '50% of available' }));
    dialog.getByText('251.50');
    // The daily interest appears once in the summary and once in each of the 30 listed payments.
    expect(dialog.getAllByText(/^0\.05/)).toHaveLength(31);
    expect(dialog.getAllByText(/^1\.50/)).toHaveLength(1);
    dialog.getByText('30 daily payments of 0.05 USDT');
    dialog.getByText('No early withdrawal');
    dialog.getByText('Lent to market makers.');
    await dialog.findByText('Demo account: the trade password is 258036.');
    await user.click(dialog.getByRole('button', { name: 'Read agreement' }));
    await dialog.findByText('Second paragraph.');
    await user.clear(dialog.getByLabelText(/^Amount/));
    await user.click(dialog.getByRole('button', { name: 'Buy' }));
    dialog.getByText('Enter an amount.');
    dialog.getByText('Please accept the fixed-term product agreement.');
    dialog.getByText('The trade password must be six digits.');
    expect(requestsTo(buyFinance.path)).toEqual([]);
  });

  it('FIN-206 FIN-207 repeats an unanswered submission with the same key and links to the order', async () => {
    signIn();
    let isLost = true;
    const answer = CALLS[buyFinance.path]!;
    const user = show('list', '', {
      // A response with an invalid code lets the client treat the outcome of the purchase as unknown.
      [buyFinance.path]: (form, token) => (isLost ? { code: 'lost' as never } : answer(form, token)),
    });
    const dialog = await openPurchase(user);
    await fillIn(user, dialog);
    await user.click(dialog.getByRole('button', { name: 'Buy' }));
    await dialog.findByText('Your last request got no response, so it may have gone through.');
    expect(dialog.getByLabelText<HTMLInputElement>(/^Amount/).value).toBe('250');
    isLost = false;
    await user.click(dialog.getByRole('button', { name: 'Buy' }));
    await dialog.findByText('You subscribed 250 USDT to USDT 30 days.');
    const keys = requestsTo(buyFinance.path).map(({ form }) => form.get('clientId'));
    expect(keys.length).toBeGreaterThan(1);
    expect(new Set(keys).size).toBe(1);
    expect(Object.fromEntries(requestsTo(buyFinance.path)[0]!.form)).toMatchObject({
      id: 'p1',
      amount: '250',
      agree: '1',
      agreementVersion: 'v1',
      version: '1',
      assetsPwd: '258036',
    });
  });

  it('FIN-207 shows the result and links to the order', async () => {
    signIn();
    const user = show('list');
    const dialog = await openPurchase(user);
    await fillIn(user, dialog);
    await user.dblClick(dialog.getByRole('button', { name: 'Buy' }));
    await dialog.findByText('You subscribed 250 USDT to USDT 30 days.');
    expect(requestsTo(buyFinance.path)).toHaveLength(1);
    await user.click(dialog.getByRole('link', { name: 'See my order' }));
    await waitFor(() => expect(address()).toBe('/finance/record?order=o9'));
  });

  it('FIN-206 keeps the input after a refusal and shows the reason at its field', async () => {
    signIn();
    const user = show('list', '', {
      [buyFinance.path]: () => ({
        code: -7,
        msg: 'Only 100 USDT of this product is left.',
        errKey: 'l.finance_product_max',
        data: { field: 'amount', limit: '100', value: '250' },
      }),
    });
    const dialog = await openPurchase(user);
    const amount = dialog.getByLabelText<HTMLInputElement>(/^Amount/);
    await fillIn(user, dialog);
    await user.click(dialog.getByRole('button', { name: 'Buy' }));
    await dialog.findByText('Only 100 USDT of this product is left.');
    expect(amount.value).toBe('250');
    expect(amount.getAttribute('aria-invalid')).toBe('true');
  });

  it.each([
    ['needs a session', undefined, 'Log in to buy.', 'Log in'],
    ['needs an identity', { ...PERSON, kycStatus: 0 }, 'Verify your identity to buy.', 'Verify now'],
    ['needs a trade password', { ...PERSON, assetsPwd: 0 }, 'Set a trade password to buy.', 'Set it now'],
  ])('FIN-205 %s, with an explanation and a link', async (_, account, text, link) => {
    if (account !== undefined) signIn();
    const user = show('list', '', { [userInfo.path]: good(account) });
    const dialog = await openPurchase(user);
    await dialog.findByText(text);
    dialog.getByRole('link', { name: link });
    expect(dialog.queryByRole('button', { name: 'Buy' })).toBeNull();
  });
});

describe('the records on the desktop', () => {
  it('FIN-208 shows the progress of an active order and its daily income', async () => {
    signIn();
    const user = show('record');
    const row = within(await screen.findByRole('row', { name: /USDT 30 days/ }));
    row.getByText('2,500.00');
    row.getByText('6.00');
    row.getByText('0.50');
    row.getByRole('meter', { name: 'Days left' });
    await user.click(row.getByRole('button', { name: 'Order details' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Order details' }));
    await dialog.findByRole('row', { name: '11/22/2026 0.50 6.00' });
    expect(address()).toBe('/finance/record?order=o1');
    expect(dialog.queryByRole('button', { name: 'Move to spot account' })).toBeNull();
  });

  it('FIN-209 redeems a matured order once', async () => {
    signIn();
    const user = show('record', '?order=o2', {
      [withdrawFinance.path]: good({ amount: '2500', profit: '15' }),
    });
    const dialog = within(await screen.findByRole('dialog', { name: 'Order details' }));
    await dialog.findByText(/^This order has matured\. 2,515 USDT are ready/);
    await user.dblClick(dialog.getByRole('button', { name: 'Move to spot account' }));
    await screen.findByText('2,515 USDT are in your spot account.');
    expect(requestsTo(withdrawFinance.path).map(({ form }) => form.get('id'))).toEqual(['o2']);
  });

  it('FIN-213 shows an empty state with a link to the products', async () => {
    signIn();
    const user = show('record');
    await user.click(await screen.findByRole('tab', { name: 'Completed' }));
    await screen.findByText('No completed orders yet.');
    expect(address()).toBe('/finance/record?tab=completed');
    expect(screen.getAllByRole('link', { name: 'See products' }).length).toBe(2);
  });
});
