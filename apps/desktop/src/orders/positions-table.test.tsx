import { coinCosts } from '@exchange/wire/portfolio.ts';
import { feeRates, spotAssets, spotBasics } from '@exchange/wire/spot.ts';
import { LISTED } from '@exchange/web-kit/market/testing/listed-pair.ts';
import { startSession } from '@exchange/web-kit/session/session-store.ts';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { draw, setUpFixtures } from '../../testing/fixtures.tsx';
import { PositionsTable } from './positions-table.tsx';

const fixtures = setUpFixtures();

const balance = (coin: string, availableCurrency: string, frozenCurrency: string, price: string) => ({
  currency: coin,
  currencyName: coin,
  availableCurrency,
  frozenCurrency,
  price,
  total: '160',
});

/** Renders the positions of a user with these balances, who bought 2 BTC for 300 USDT. */
function open(balances: readonly object[]) {
  startSession({ userId: 'u', token: 't', email: 'a@b.example' });
  fixtures.answers(({ path }) => {
    if (path.endsWith(spotBasics.path)) return [LISTED];
    if (path.endsWith(spotAssets.path)) return { list: balances, total: '0', sum: 0, pageNo: 1 };
    if (path.endsWith(coinCosts.path))
      return { list: [{ currency: 'BTC', amount: '2', cost: '300', realized: '-7.5' }] };
    if (path.endsWith(feeRates.path))
      return { tier: 2, volume: '0', maker: '0.0008', taker: '0.0009', next: null };
    // The request for the portfolio gets no response, so the table uses the balances of the spot account.
    return undefined;
  });
  return draw(<PositionsTable />);
}

it('DESK-153 shows each held coin with cost, value and profits after fees, as a link to its pair', async () => {
  open([
    balance('BTC', '0.5', '0.5', '160'),
    balance('FREE', '3', '0', '1'),
    balance('GONE', '0', '0', '1'),
    balance('USDT', '100', '0', '1'),
  ]);
  const row = await screen.findByRole('row', { name: /^BTC/ });
  // One coin is worth 160 USDT, cost 150 USDT, and its sale would cost a fee of 0.144 USDT.
  await waitFor(() => expect(row.textContent).toContain('+9.85'));
  const cells = within(row)
    .getAllByRole('cell')
    .map(({ textContent }) => textContent.replaceAll('\u00A0', ' '));
  expect(cells.slice(1)).toEqual([
    expect.stringMatching(/^1(\.0+)?$/),
    '150.00',
    '160.00',
    '+9.85 USDT+6.57%',
    '−7.50 USDT',
  ]);
  expect(within(row).getByRole('link').getAttribute('href')).toBe('/trade?symbol=BTC_USDT');
  expect(screen.getByTitle(/taker fee of 0\.09% for the sale/).textContent).toBe('Unrealized profit');
  const free = screen.getByRole('row', { name: /^FREE/ });
  expect(
    within(free)
      .getAllByRole('cell')
      .slice(4)
      .map(({ textContent }) => textContent),
  ).toEqual(['–', '–']);
  expect(within(free).queryByRole('link')).toBeNull();
  expect(screen.queryByRole('row', { name: /^(GONE|USDT)/ })).toBeNull();
});

it('DESK-153 says what would be shown when no coin is held', async () => {
  open([balance('USDT', '100', '0', '1')]);
  expect(await screen.findByText(/^No coins yet/)).toBeTruthy();
});
