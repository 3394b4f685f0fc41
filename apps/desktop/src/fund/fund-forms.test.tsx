import { queryClient } from '@exchange/web-kit/api/query-client.ts';
import { pageOf } from '@exchange/web-kit/finance/testing/samples.ts';
import { MarginForm, SellForm } from '@exchange/web-kit/fund/holding-forms.tsx';
import type { Fund, FundRecord } from '@exchange/web-kit/fund/queries.ts';
import { FundTicketForm } from '@exchange/web-kit/fund/ticket-form.tsx';
import { loadAllWords } from '@exchange/web-kit/i18n/words.ts';
import { AccountServer } from '@exchange/web-kit/market/testing/account-server.ts';
import { endSession, startSession } from '@exchange/web-kit/session/session-store.ts';
import { addFundMargin, buyFund, fundRecordDetail, sellFund } from '@exchange/wire/fund.ts';
import { spotAssets } from '@exchange/wire/spot.ts';
import { cleanup, screen, waitFor } from '@testing-library/react';
import type { ReactElement } from 'react';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { draw } from '../../testing/fixtures.tsx';

type Calls = Parameters<AccountServer['serve']>[0];

const good = (data: unknown) => () => ({ code: 1, data });
const USDT = { currency: 'Tether', currencyName: 'USDT', logo: '', price: '1', status: 1, total: '500' };
const CALLS: Calls = {
  [spotAssets.path]: good({
    ...pageOf([{ ...USDT, availableCurrency: '500', frozenCurrency: '0' }]),
    total: '500',
  }),
};
const FUND: Fund = {
  id: 'f1',
  code: 'pair',
  name: 'Pair',
  currency: 'USDT',
  digits: 8,
  nav: '100',
  degraded: 0,
  spark: [],
  leverages: [1, 3],
  minAmount: '10',
  step: '0.001',
  mmr: '0.01',
  status: 1,
  manageRate: '0.0001',
  financeRate: '0.0005',
  liqFee: '0.005',
  coverable: '1000',
  composition: [],
  divisor: '100',
  version: 1,
};
const RECORD: FundRecord = {
  id: 'r1',
  fundId: 'f1',
  name: 'Pair',
  currency: 'USDT',
  digits: 8,
  buyPrice: '100',
  leverage: 3,
  quantity: '3',
  free: '2.999',
  step: '0.001',
  margin: '100',
  mmr: '0.01',
  marketPrice: '100',
  liqPrice: '67.34006735',
  marginRatio: '33.3333',
  profit: '0',
  cost: '0',
  status: 1,
  openSecond: 1_000,
  openTime: 1_000,
  sells: [],
};

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

function show(form: ReactElement, calls: Calls = {}) {
  server.serve({ ...CALLS, [fundRecordDetail.path]: good(RECORD), ...calls });
  startSession({ userId: 'u', token: 't', email: 'a@b.example' });
  return draw(form, '/fund/list');
}
const requestsTo = (path: string) =>
  server.received.filter((call) => call.path === path).map(({ form }) => Object.fromEntries(form));
const press = (name: string) => screen.getByRole('button', { name });

describe('fund forms', () => {
  it('FUND-202 FUND-004 buying previews the leverage, shows refusals at the margin, and keeps the input', async () => {
    const onBought = vi.fn<() => void>();
    const parts = { gate: undefined, passwordHint: undefined };
    const user = show(<FundTicketForm fund={FUND} {...parts} onBought={onBought} />, {
      [buyFund.path]: good({ orderId: 'o1', acceptTime: 1, navTime: 1_000 }),
    });
    const margin = screen.getByLabelText<HTMLInputElement>(/^Margin/);
    await screen.findByText('500.00');
    await user.type(margin, '9.5');
    await user.click(press('Buy'));
    await screen.findByText('The minimum amount is 10 USDT. You entered 9.5.');
    expect(margin.value).toBe('9.5');
    await user.clear(margin);
    await user.type(margin, '100');
    await user.click(screen.getByRole('radio', { name: '3×' }));
    // A fund bought at 100 with threefold leverage is liquidated about a third below 100; without leverage it is never
    // liquidated.
    await screen.findByText(/^67\.34/);
    screen.getByText(/lose your whole margin of 100 USDT/);
    await user.click(screen.getByRole('radio', { name: '1×' }));
    await screen.findByText('None');
    await user.click(screen.getByRole('radio', { name: '3×' }));
    await user.clear(margin);
    await user.type(margin, '400');
    await user.type(screen.getByLabelText('Trade password'), '258036');
    await user.click(press('Buy'));
    // The form refuses a position larger than the fund's remaining capacity without sending a request.
    expect(requestsTo(buyFund.path)).toEqual([]);
    await user.clear(margin);
    await user.type(margin, '100');
    await user.click(press('Buy'));
    await waitFor(() => expect(onBought).toHaveBeenCalledTimes(1));
    expect(requestsTo(buyFund.path)).toMatchObject([
      { id: 'f1', margin: '100', leverage: '3', version: String(FUND.version), assetsPwd: '258036' },
    ]);
  });

  it('FUND-1020 selling shows an estimate of the proceeds and its parts', async () => {
    const user = show(<SellForm record={{ ...RECORD, cost: '0.6' }} onDone={() => undefined} />, {
      [fundRecordDetail.path]: good({ ...RECORD, cost: '0.6' }),
    });
    const fact = (name: string) => screen.getByText(name).closest('div')!.textContent;
    await user.type(screen.getByLabelText<HTMLInputElement>(/^Quantity/), '1.5');
    expect(fact('Released margin')).toContain('50.00000000');
    expect(fact('Costs so far')).toContain('0.30000000');
    expect(fact('You receive')).toContain('49.70000000');
    expect(screen.getByText(/^Estimate at the current unit value/)).toBeDefined();
    await user.click(screen.getByRole('radio', { name: 'Limit' }));
    expect(fact('You receive')).toContain('–');
    await user.type(screen.getByLabelText(/^Sale price/), '110');
    expect(fact('Realized profit or loss')).toContain('+15.00000000');
    expect(fact('You receive')).toContain('64.70000000');
  });

  it('FUND-203 FUND-009 selling accepts whole steps of the available units, and a limit requires a price', async () => {
    const onDone = vi.fn<() => void>();
    const user = show(<SellForm record={RECORD} onDone={onDone} />, {
      [sellFund.path]: good({ sellId: 's1' }),
    });
    const quantity = screen.getByLabelText<HTMLInputElement>(/^Quantity/);
    await user.click(screen.getByRole('button', { name: /^50%/ }));
    expect(quantity.value).toBe('1.499');
    await user.clear(quantity);
    await user.type(quantity, '3');
    await user.click(press('Sell'));
    await screen.findByText(/2\.999/, { selector: '[role=alert]' });
    await user.clear(quantity);
    await user.type(quantity, '0.0005');
    await user.click(press('Sell'));
    expect(requestsTo(sellFund.path)).toEqual([]);
    await user.clear(quantity);
    await user.type(quantity, '1.5');
    await user.click(screen.getByRole('radio', { name: 'Limit' }));
    await user.click(press('Sell'));
    expect(requestsTo(sellFund.path)).toEqual([]);
    await user.type(screen.getByLabelText(/^Sale price/), '120.5');
    await user.click(press('Sell'));
    await waitFor(() => expect(onDone).toHaveBeenCalledTimes(1));
    expect(requestsTo(sellFund.path)).toMatchObject([
      { id: 'r1', quantity: '1.5', sellType: '2', salePrice: '120.5' },
    ]);
  });

  it('FUND-203 FUND-010 adding margin previews the liquidation price, and a repetition uses the same key', async () => {
    const onDone = vi.fn<() => void>();
    let isLost = true;
    const user = show(<MarginForm record={RECORD} passwordHint={undefined} onDone={onDone} />, {
      // A response with an invalid code lets the client treat the outcome of adding margin as unknown.
      [addFundMargin.path]: () =>
        isLost ? { code: 'lost' as never } : { code: 1, data: { margin: '150', liqPrice: '50.50505051' } },
    });
    const amount = screen.getByLabelText<HTMLInputElement>(/^Amount/);
    await screen.findByText('500.00');
    await user.type(amount, '50');
    // A position of 3 units bought at 100 with a margin of 150 and a maintenance rate of 1 % is liquidated at (3 × 100
    // − 150) / (3 × 0.99) = 50.50….
    await screen.findByText(/^50\.50/);
    await user.type(screen.getByLabelText('Trade password'), '258036');
    await user.click(press('Add margin'));
    await screen.findByText('Your last request got no response, so it may have gone through.');
    expect(amount.value).toBe('50');
    isLost = false;
    await user.click(press('Add margin'));
    await waitFor(() => expect(onDone).toHaveBeenCalledTimes(1));
    const keys = requestsTo(addFundMargin.path).map(({ clientId }) => clientId);
    expect(keys.length).toBeGreaterThan(1);
    expect(new Set(keys).size).toBe(1);
  });
});
