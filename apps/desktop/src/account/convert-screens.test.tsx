import { startSession } from '@exchange/web-kit/session/session-store.ts';
import { convertCoins } from '@exchange/wire/convert.ts';
import { createRecurring, endRecurring, recurringBuys, recurringPlans } from '@exchange/wire/recurring.ts';
import { acceptSmallBalances, quoteSmallBalances, smallBalances } from '@exchange/wire/small-balances.ts';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { draw, RefusedCall, setUpFixtures } from '../../testing/fixtures.tsx';
import RecurringScreen from './recurring-screen.tsx';
import SmallScreen from './small-screen.tsx';

const fixtures = setUpFixtures();
const page = (list: readonly object[]) => ({ list, totalRow: list.length, pageNo: 1, pageSize: 10 });
const sentTo = ({ path }: { readonly path: string }) =>
  fixtures.received
    .filter((call) => call.path.endsWith(path))
    .map(({ fields }) => Object.fromEntries(fields));
beforeEach(() => startSession({ userId: 'u', token: 't', email: 'a@b.example' }));

describe('recurring buys', () => {
  const PLAN = {
    id: 'p1',
    currency: 'USDT',
    amount: '50',
    coins: [
      {
        currency: 'BTC',
        share: 100,
        buys: 0,
        paid: '0',
        received: '0',
        firstPaid: '0',
        firstReceived: '0',
      },
    ],
    frequency: 'week',
    weekday: 1,
    time: '09:00',
    timeZone: 'UTC',
    status: 'active',
    nextTime: 1_800_000_000_000,
    skipped: 0,
    createTime: 1_790_000_000_000,
    endTime: 0,
  };

  it('RCB-008 a user fills in a plan, sees refused fields, starts it, and ends it again', async () => {
    let plan: typeof PLAN | undefined;
    let isRefused = true;
    fixtures.answers(({ path, fields }) => {
      if (path.endsWith(convertCoins.path))
        return {
          list: ['USDT', 'BTC', 'ETH'].map((currency) => ({ currency, logo: '', digits: 2 })),
          spread: '0.001',
          feeRate: '0',
          min: '1',
          max: '1000',
          quoteSeconds: 10,
        };
      if (path.endsWith(recurringBuys.path)) return page([]);
      if (path.endsWith(recurringPlans.path)) {
        const isListed = plan !== undefined && (plan.status === 'ended') === (fields.get('ended') === '1');
        return page(isListed ? [plan!] : []);
      }
      if (path.endsWith(createRecurring.path)) {
        if (isRefused) return new RefusedCall('l.amount_min', 'Too little');
        plan = PLAN;
        return PLAN;
      }
      if (path.endsWith(endRecurring.path)) {
        plan = { ...PLAN, status: 'ended', nextTime: 0, endTime: 1_790_000_100_000 };
        return plan;
      }
      return undefined;
    });
    const user = draw(<RecurringScreen />);
    await screen.findByText('No recurring buys yet.');
    const start = screen.getByRole('button', { name: 'Start recurring buy' });
    await user.click(start);
    expect(sentTo(createRecurring)).toEqual([]);
    await user.type(screen.getByLabelText('Amount per buy'), '50');
    await user.click(screen.getByRole('radio', { name: 'Weekly' }));
    await user.selectOptions(screen.getByRole('combobox', { name: 'Time zone' }), 'UTC');
    await user.click(start);
    await waitFor(() => expect(sentTo(createRecurring)).toHaveLength(1));
    // The server refused the request, and the typed amount must still be in its input.
    expect(screen.getByLabelText<HTMLInputElement>('Amount per buy').value).toBe('50');
    isRefused = false;
    await waitFor(() => expect(start.getAttribute('aria-busy')).not.toBe('true'));
    await user.click(start);
    await screen.findByText('Recurring buy created.');
    expect(sentTo(createRecurring).at(-1)).toMatchObject({
      currency: 'USDT',
      amount: '50',
      coins: 'BTC:100',
      frequency: 'week',
      weekday: '1',
      time: '09:00',
      timeZone: 'UTC',
    });
    await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>('Amount per buy').value).toBe(''));

    await screen.findByText('Every Monday at 09:00 (UTC)');
    await user.click(screen.getByRole('button', { name: 'End' }));
    const question = await screen.findByRole('dialog', { name: 'End this recurring buy?' });
    await user.click(within(question).getByRole('button', { name: 'End' }));
    await screen.findByText('Recurring buy ended.');
    await screen.findByText('No recurring buys yet.');
    await user.click(screen.getByRole('tab', { name: 'Ended' }));
    await screen.findByText('Every Monday at 09:00 (UTC)');
    expect(sentTo(endRecurring)).toMatchObject([{ id: 'p1' }]);
  });
});

describe('small balances', () => {
  it('DUST-005 a user deselects a coin, gets one quote for the others, and confirms it', async () => {
    const balances = ['ETH', 'LTC', 'XRP'].map((currency) => ({
      currency,
      amount: '0.5',
      worth: '2',
      toAmount: '1.5',
    }));
    const quoteOf = (coins: string, time: number) => ({
      quoteId: 'q1',
      to: 'USDT',
      toAmount: '2.9',
      fee: '0.1',
      coins: balances
        .filter(({ currency }) => coins.includes(currency))
        .map(({ currency, amount, toAmount }) => ({ currency, amount, toAmount, rate: '3' })),
      expireTime: Date.now() + 9_000,
      time,
    });
    fixtures.answers(({ path, fields }) => {
      if (path.endsWith(quoteSmallBalances.path)) return quoteOf(fields.get('coins') ?? '', 0);
      if (path.endsWith(acceptSmallBalances.path)) return quoteOf('ETH,XRP', 1_790_000_000_000);
      if (path.endsWith(smallBalances.path))
        return {
          list: balances,
          targets: ['USDT', 'BTC', 'ETH'],
          max: '10',
          coinsMax: 20,
          perDay: 5,
          usedToday: 1,
        };
      return undefined;
    });
    const user = draw(<SmallScreen />);
    await screen.findByText('4 of 5');
    const about = () => screen.getByText('You receive about').nextElementSibling?.textContent;
    expect(about()).toContain('4.5');
    await user.click(screen.getByRole('checkbox', { name: /LTC/ }));
    expect(about()).toContain('3');
    await user.click(screen.getByRole('button', { name: 'Get quote' }));
    await user.click(await screen.findByRole('button', { name: 'Convert' }));
    await screen.findByText('2 balances became 2.9 USDT.');
    expect(sentTo(quoteSmallBalances)).toMatchObject([{ coins: 'ETH,XRP', to: 'USDT' }]);
    expect(sentTo(acceptSmallBalances)).toMatchObject([{ quoteId: 'q1' }]);
    await user.click(screen.getByRole('button', { name: 'Convert again' }));
    await screen.findByText('4 of 5');
  });
});
