import { queryClient } from '@exchange/web-kit/api/query-client.ts';
import { loadAllWords } from '@exchange/web-kit/i18n/words.ts';
import { AccountServer } from '@exchange/web-kit/market/testing/account-server.ts';
import { LISTED } from '@exchange/web-kit/market/testing/listed-pair.ts';
import { endSession, startSession } from '@exchange/web-kit/session/session-store.ts';
import { Providers } from '@exchange/web-kit/shell/providers.tsx';
import { order } from '@exchange/web-kit/spot/testing/fixtures.ts';
import { coinCosts, tradeRecords } from '@exchange/wire/portfolio.ts';
import { feeRates, orderRecords, spotAssets, spotBasics } from '@exchange/wire/spot.ts';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { paths } from '@exchange/web-kit/paths.ts';
import CoinScreen from './coin-screen.tsx';

const BALANCE = {
  currency: 'Bitcoin',
  currencyName: 'BTC',
  availableCurrency: '1.5',
  frozenCurrency: '0.8',
  price: '100',
  total: '230',
};
const SELL = order('sell', { tradeType: 2, price: '110', amount: '0.75' });
let server: AccountServer;

beforeAll(async () => {
  await loadAllWords();
  server = await AccountServer.start();
  server.serve({
    [spotBasics.path]: () => ({ code: 1, data: [LISTED] }),
    [spotAssets.path]: () => ({ code: 1, data: { list: [BALANCE], total: '230', sum: 1, pageNo: 1 } }),
    [orderRecords.path]: () => ({ code: 1, data: { list: [SELL], sum: 1, pageNo: 1 } }),
    [tradeRecords.path]: () => ({ code: 1, data: { list: [], sum: 0, pageNo: 1 } }),
    [feeRates.path]: () => ({
      code: 1,
      data: { tier: 0, volume: '0', maker: '0.001', taker: '0.001', next: null },
    }),
    [coinCosts.path]: () => ({
      code: 1,
      data: { list: [{ currency: 'BTC', amount: '2', cost: '160', realized: '5' }] },
    }),
  });
});
afterEach(() => {
  cleanup();
  endSession();
  queryClient.clear();
});
afterAll(() => server.stop());

function open(coin: string): void {
  startSession({ userId: 'u', token: 't', email: 'a@b.example' });
  render(
    <Providers>
      <MemoryRouter initialEntries={[`/account/coin?coin=${coin}`]}>
        <CoinScreen />
      </MemoryRouter>
    </Providers>,
  );
}

const figure = (name: string) => screen.getByText(name).nextElementSibling?.textContent;

describe('the page of a coin', () => {
  it('MOB-990 shows amount, frozen amount with its orders, cost and profit', async () => {
    open('btc');
    await screen.findByText('Held by open orders');
    expect(figure('Available')).toBe('1.5');
    expect(figure('On hold')).toBe('0.8');
    await screen.findByText('Avg. cost (USDT)');
    expect(figure('Avg. cost (USDT)')).toBe('80.00');
    // Two coins were bought for 160; selling them at 100 would cost a fee of 0.2.
    await waitFor(() => expect(figure('Profit')).toMatch(/^\+39\.80\s?USDT/));
    const orderLink = screen.getByRole('link', { name: /BTC\/USDT · Limit/ });
    expect(orderLink.textContent).toContain('0.75');
    expect(orderLink.getAttribute('href')).toBe('/account/order?id=sell');
    expect(figure('Held by withdrawals and others')).toContain('0.05');
  });

  it('MOB-990 links to deposit, withdrawal, trading and earn products of this coin', async () => {
    open('BTC');
    await screen.findByText('Avg. cost (USDT)');
    const links = ['Deposit', 'Withdraw', 'Trade', 'Earn'].map((name) =>
      screen.getByRole('link', { name }).getAttribute('href'),
    );
    expect(links).toEqual([
      `${paths.deposit}?coin=BTC`,
      `${paths.withdraw}?coin=BTC`,
      '/trade?symbol=BTC_USDT&view=chart',
      '/finance/list?coin=BTC',
    ]);
  });

  it('MOB-990 states that the coin was never held and links back', async () => {
    open('NOPE');
    expect(await screen.findByText('You have never held NOPE.')).toBeDefined();
    expect(screen.getByRole('link', { name: 'Assets' }).getAttribute('href')).toBe(paths.assets);
  });
});
