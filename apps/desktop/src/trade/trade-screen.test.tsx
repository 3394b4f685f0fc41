import { LISTED } from '@exchange/web-kit/market/testing/listed-pair.ts';
import { queryClient } from '@exchange/web-kit/api/query-client.ts';
import { startSession } from '@exchange/web-kit/session/session-store.ts';
import { orderRecords, spotBasics } from '@exchange/wire/spot.ts';
import { act, screen, waitFor } from '@testing-library/react';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { draw, setUpFixtures, type Answer } from '../../testing/fixtures.tsx';
import TradeScreen from './trade-screen.tsx';

// The test environment has no canvas for candles, so the chart panel is replaced by a component that renders nothing.
vi.mock('./chart-panel.tsx', () => ({ ChartPanel: () => null }));
afterAll(() => vi.doUnmock('./chart-panel.tsx'));

const fixtures = setUpFixtures();
const OTHER = { ...LISTED, symbol: 'ethusdt', baseCoin: 'ETH' };
const usual = queryClient.getDefaultOptions();

const answers: Answer = ({ path }) => {
  if (path.endsWith(spotBasics.path)) return [LISTED];
  if (path.endsWith(orderRecords.path)) return { list: [], sum: 0, pageNo: 1 };
  return undefined;
};

describe('the trading screen', () => {
  it('WEB-088 an outage keeps the screen and the input of the ticket', async () => {
    queryClient.setDefaultOptions({ queries: { ...usual.queries, retry: false } });
    fixtures.answers(answers);
    startSession({ userId: 'u', token: 't', email: 'a@b.example' });
    const user = draw(<TradeScreen />);
    const amount = (await screen.findAllByLabelText<HTMLInputElement>('Amount'))[0]!;
    await user.type(amount, '0.5');
    await screen.findByText(/^No open orders/);

    fixtures.answers(() => undefined);
    await act(() => queryClient.invalidateQueries());
    await waitFor(() => expect(queryClient.getQueryState(['market', 'pairs'])?.status).toBe('error'));
    expect(screen.getAllByLabelText('Amount')[0]).toBe(amount);
    expect(amount.value).toBe('0.5');
    expect(screen.getByText(/^No open orders/)).toBeTruthy();

    fixtures.answers(answers);
    await act(() => queryClient.invalidateQueries());
    expect(screen.getAllByLabelText('Amount')[0]).toBe(amount);
    expect(amount.value).toBe('0.5');
    queryClient.setDefaultOptions(usual);
  });

  it('WEB-987 switching the pair keeps the order type, the tab of the orders and the focus in the list', async () => {
    fixtures.answers((call) => (call.path.endsWith(spotBasics.path) ? [LISTED, OTHER] : answers(call)));
    await act(() => queryClient.invalidateQueries());
    startSession({ userId: 'u', token: 't', email: 'a@b.example' });
    const user = draw(<TradeScreen />);
    await user.click(await screen.findByRole('tab', { name: 'Market' }));
    await user.click(screen.getByRole('tab', { name: 'Order history' }));
    const link = (await screen.findAllByRole('link')).find(({ textContent }) => textContent.includes('ETH'))!;
    await user.click(link);
    await screen.findAllByRole('button', { name: 'Buy ETH' });
    expect(document.activeElement).toBe(link);
    expect(screen.getByRole('tab', { name: 'Market' }).getAttribute('aria-selected')).toBe('true');
    expect(screen.getByRole('tab', { name: 'Order history' }).getAttribute('aria-selected')).toBe('true');
    localStorage.clear();
  });
});
