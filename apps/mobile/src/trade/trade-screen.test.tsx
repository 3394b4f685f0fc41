import { setServerOrigin } from '@exchange/web-kit/api/client.ts';
import { queryClient } from '@exchange/web-kit/api/query-client.ts';
import { loadAllWords } from '@exchange/web-kit/i18n/words.ts';
import { AccountServer } from '@exchange/web-kit/market/testing/account-server.ts';
import { LISTED } from '@exchange/web-kit/market/testing/listed-pair.ts';
import { topicPublisher } from '@exchange/web-kit/market/testing/topic-publisher.ts';
import { endSession, startSession } from '@exchange/web-kit/session/session-store.ts';
import { Providers } from '@exchange/web-kit/shell/providers.tsx';
import { orderRecords, spotBasics } from '@exchange/wire/spot.ts';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Link, MemoryRouter } from 'react-router';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import TradeScreen from './trade-screen.tsx';

const OTHER = { ...LISTED, symbol: 'ethusdt', baseCoin: 'ETH' };
const NOBODY_LISTENS = 'http://127.0.0.1:9';
const usual = queryClient.getDefaultOptions();
let server: AccountServer;

beforeAll(async () => {
  await loadAllWords();
  server = await AccountServer.start();
  server.serve({
    [spotBasics.path]: () => ({ code: 1, data: [LISTED, OTHER] }),
    [orderRecords.path]: () => ({ code: 1, data: { list: [], sum: 0, pageNo: 1 } }),
  });
  queryClient.setDefaultOptions({ queries: { ...usual.queries, retry: false } });
});
afterEach(() => {
  cleanup();
  endSession();
  queryClient.clear();
  vi.restoreAllMocks();
});
afterAll(() => {
  queryClient.setDefaultOptions(usual);
  return server.stop();
});

describe('the trading screen on a phone', () => {
  it('WEB-088 an outage keeps the screen and the input of the ticket', async () => {
    startSession({ userId: 'u', token: 't', email: 'a@b.example' });
    render(
      <Providers>
        <MemoryRouter initialEntries={['/trade?symbol=BTC_USDT']}>
          <TradeScreen />
        </MemoryRouter>
      </Providers>,
    );
    const amount = await screen.findByLabelText<HTMLInputElement>('Amount');
    await userEvent.type(amount, '0.5');
    await screen.findByText(/^No open orders/);

    setServerOrigin(NOBODY_LISTENS);
    await act(() => queryClient.invalidateQueries());
    await waitFor(() => expect(queryClient.getQueryState(['market', 'pairs'])?.status).toBe('error'));
    expect(screen.getByLabelText('Amount')).toBe(amount);
    expect(screen.getByText(/^No open orders/)).toBeTruthy();

    setServerOrigin(location.origin);
    await act(() => queryClient.invalidateQueries());
    expect(queryClient.getQueryState(['market', 'pairs'])?.status).toBe('success');
    expect(screen.getByLabelText('Amount')).toBe(amount);
    expect(amount.value).toBe('0.5');
  });

  it('MOB-151 selecting another pair keeps the chart open', async () => {
    render(
      <Providers>
        <MemoryRouter initialEntries={['/trade?symbol=BTC_USDT&view=info&orders=history']}>
          <TradeScreen />
        </MemoryRouter>
      </Providers>,
    );
    await userEvent.click(await screen.findByRole('button', { name: /^BTC\/USDT/ }));
    const link = await screen.findByRole('link', { name: /ETH/ });
    expect(link.getAttribute('href')).toBe('/trade?symbol=ETH_USDT&view=info&orders=history');
  });

  it('MOB-117 the ticket pauses while the chart is open, and returns unchanged with new prices', async () => {
    startSession({ userId: 'u', token: 't', email: 'a@b.example' });
    const publish = topicPublisher(`depth.${OTHER.symbol}`);
    render(
      <Providers>
        <MemoryRouter initialEntries={['/trade?symbol=ETH_USDT']}>
          <Link to="/trade?symbol=ETH_USDT&view=info">Look</Link>
          <Link to="/trade?symbol=ETH_USDT">Trade</Link>
          <TradeScreen />
        </MemoryRouter>
      </Providers>,
    );
    await screen.findByText(/^No open orders/);
    await userEvent.type(screen.getByRole('textbox', { name: 'Amount' }), '0.5');
    await publish({ bids: [['99', '1']], asks: [['101', '1']] });
    const book = screen.getByRole('region', { name: 'Order book' });
    expect(book.textContent).toContain('99.00');

    await userEvent.click(screen.getByRole('link', { name: 'Look' }));
    await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Amount' })).toBeNull());
    await publish({ bids: [['98.5', '1']], asks: [] });
    expect(book.textContent).not.toContain('98.50');

    await userEvent.click(screen.getByRole('link', { name: 'Trade' }));
    await waitFor(() => expect(book.textContent).toContain('98.50'));
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Amount' }).value).toBe('0.5');
  });
});
