import { loadAllWords } from '@exchange/web-kit/i18n/words.ts';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import { Providers } from '@exchange/web-kit/shell/providers.tsx';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { act } from 'react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { OrdersPanel } from './orders-panel.tsx';

beforeAll(() => loadAllWords());
afterEach(cleanup);

const PAIR = { symbol: 'btcusdt', base: 'BTC', quote: 'USDT' } as MarketPair;

function open() {
  const router = createMemoryRouter(
    [
      { path: '/trade', element: <OrdersPanel pair={PAIR} /> },
      { path: '/account/order', element: null },
    ],
    { initialEntries: ['/trade?symbol=BTC_USDT'] },
  );
  render(
    <Providers>
      <RouterProvider router={router} />
    </Providers>,
  );
  return router;
}

const selectedTab = () => screen.getByRole('tab', { selected: true }).textContent;

describe('the orders below the ticket', () => {
  it('MOB-114 restores the selected list, which adds no history entry', async () => {
    const router = open();
    expect(selectedTab()).toBe('Open (0)');
    await userEvent.click(screen.getByRole('tab', { name: 'History' }));
    expect(router.state.historyAction).toBe('REPLACE');
    await act(() => router.navigate('/account/order?id=1'));
    expect(screen.queryByRole('tab')).toBeNull();
    await act(() => router.navigate(-1));
    expect(selectedTab()).toBe('History');
    expect(router.state.location.search).toBe('?symbol=BTC_USDT&orders=history');
  });
});
