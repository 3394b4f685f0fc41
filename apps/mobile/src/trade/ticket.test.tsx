import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Decimal } from '@exchange/core/decimal.ts';
import { setServerOrigin } from '@exchange/web-kit/api/client.ts';
import { startWords } from '@exchange/web-kit/i18n/words.ts';
import { endSession, startSession } from '@exchange/web-kit/session/session-store.ts';
import { Providers } from '@exchange/web-kit/shell/providers.tsx';
import { createOrder } from '@exchange/wire/spot.ts';
import type { TicketMoment } from '@exchange/web-kit/spot/ticket-form.ts';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Ticket } from './ticket.tsx';
import { useTicket } from './use-ticket.ts';

const d = (text: string) => Decimal.parse(text);
const MOMENT: TicketMoment = {
  pair: {
    symbol: 'btcusdt',
    base: 'BTC',
    quote: 'USDT',
    priceDigits: 2,
    amountDigits: 5,
    status: 'open',
    makerFee: d('0.001'),
    takerFee: d('0.001'),
    filters: {
      minAmount: d('0.00001'),
      maxAmount: d('100'),
      minTotal: d('5'),
      priceBand: d('0.2'),
      marketGuard: d('0.05'),
      maxOpenOrders: 200,
    },
  },
  bestBid: d('99'),
  bestAsk: d('101'),
  reference: d('100'),
  baseAvailable: d('1'),
  quoteAvailable: d('1000'),
};

let server: Server;
let placed: URLSearchParams[] = [];

/** Takes every order and answers that it rests in the book. */
beforeAll(async () => {
  await startWords();
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      if (request.url?.endsWith(createOrder.path) === true) placed.push(new URLSearchParams(body));
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ code: 1, data: { status: 0, filledAmount: '0', avgPrice: '' } }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  location.href = `${origin}/`;
  setServerOrigin(origin);
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
afterEach(() => {
  cleanup();
  placed = [];
  endSession();
});

function Desk() {
  return <Ticket moment={MOMENT} control={useTicket(MOMENT)} />;
}

function open() {
  render(
    <Providers>
      <MemoryRouter initialEntries={['/trade?symbol=BTC_USDT']}>
        <Desk />
      </MemoryRouter>
    </Providers>,
  );
  return userEvent.setup();
}

describe('the ticket on a phone', () => {
  it('MOB-003 says which limit stands in the way, and sends nothing', async () => {
    startSession({ userId: 'u', token: 't', email: 'a@b.example' });
    const user = open();
    await user.type(screen.getByLabelText('Amount'), '0.03');
    await user.click(screen.getByRole('button', { name: 'Buy BTC' }));
    const alerts = await screen.findAllByRole('alert');
    expect(alerts.map(({ textContent }) => textContent)).toContain('Minimum 5 USDT, you entered 3.');
    expect(placed).toEqual([]);
  });

  it('MOB-004 places what is typed, once, and clears the amounts', async () => {
    startSession({ userId: 'u', token: 't', email: 'a@b.example' });
    const user = open();
    await user.click(screen.getByRole('button', { name: '50% of available' }));
    expect(screen.getByLabelText<HTMLInputElement>('Total').value).toBe('500');
    await user.dblClick(screen.getByRole('button', { name: 'Buy BTC' }));
    await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>('Amount').value).toBe(''));
    expect(placed).toHaveLength(1);
    expect(Object.fromEntries(placed[0] ?? [])).toMatchObject({
      tradeType: '1',
      orderType: 'limit',
      price: '100',
      amount: '5',
    });
    expect(await screen.findByText('Order placed.', {}, { timeout: 10_000 })).toBeTruthy();
  });

  it('MOB-006 starts at the reference price, and leaves alone what is typed over it', async () => {
    const user = open();
    const price = screen.getByLabelText<HTMLInputElement>('Price');
    expect(price.value).toBe('100.00');
    await user.clear(price);
    expect(price.value).toBe('');
    await user.type(price, '98.5');
    await user.click(screen.getByRole('radio', { name: 'Sell' }));
    expect(price.value).toBe('98.5');
  });

  it('MOB-005 leads a visitor to the login and back', () => {
    open();
    const link = screen.getByRole('link', { name: 'Log in to trade' });
    expect(link.getAttribute('href')).toBe(
      `/login/login?from=${encodeURIComponent('/trade?symbol=BTC_USDT')}`,
    );
  });
});
