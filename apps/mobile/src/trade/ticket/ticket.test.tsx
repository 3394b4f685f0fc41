import { Decimal } from '@exchange/core/decimal.ts';
import type { PairStatus } from '@exchange/core/pair.ts';
import { type PageServer, startPageServer } from '@exchange/web-kit/api/testing/page-server.ts';
import { loadAllWords } from '@exchange/web-kit/i18n/words.ts';
import { endSession, startSession } from '@exchange/web-kit/session/session-store.ts';
import { Providers } from '@exchange/web-kit/shell/providers.tsx';
import type { TicketMarket } from '@exchange/web-kit/spot/ticket.ts';
import { useTicket } from '@exchange/web-kit/spot/use-ticket.ts';
import { createOco, createOrder } from '@exchange/wire/spot.ts';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { MemoryRouter } from 'react-router';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Ticket, useTicketMemory } from './ticket.tsx';

const d = (text: string) => Decimal.parse(text);
const MOMENT: TicketMarket = {
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
      maxStopOrders: 10,
      minTrail: d('0.001'),
      maxTrail: d('0.2'),
      maxLifetimeMs: 90 * 86_400_000,
    },
  },
  bestBid: d('99'),
  bestAsk: d('101'),
  reference: d('100'),
  last: d('100'),
  baseAvailable: d('1'),
  quoteAvailable: d('1000'),
};

let server: PageServer;
let placed: { path: string; fields: Record<string, string> }[] = [];

/** The mock server accepts every order; in its response the order is open, or a stop order that is not triggered. */
beforeAll(async () => {
  await loadAllWords();
  server = await startPageServer(({ url, form }, response) => {
    const path = [createOrder.path, createOco.path].find((candidate) => url.endsWith(candidate));
    const fields = Object.fromEntries(form);
    if (path !== undefined) placed.push({ path, fields });
    const stopStatus = fields['stopPrice'] === undefined ? '' : 'waiting';
    const order = {
      status: 0,
      tradeType: Number(fields['tradeType']),
      stopStatus,
      stopPrice: fields['stopPrice'] ?? '',
      direction: '',
      trailPct: '',
      price: fields['price'] ?? '',
      amount: fields['amount'] ?? '',
      total: fields['total'] ?? '',
      filledAmount: '0',
      avgPrice: '',
      baseCoin: 'BTC',
      quoteCoin: 'USDT',
    };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ code: 1, data: path === createOco.path ? { orders: [order] } : order }));
  });
});
afterAll(() => server.stop());
afterEach(() => {
  cleanup();
  placed = [];
  endSession();
});

function Desk({ status = 'open' }: { status?: PairStatus }) {
  const moment = { ...MOMENT, pair: { ...MOMENT.pair, status } };
  return <Ticket moment={moment} control={useTicket(moment, 'buy')} />;
}

function LastingDesk({ symbol }: { symbol: string }) {
  return <Ticket moment={MOMENT} control={useTicket(MOMENT, 'buy', 'limit', useTicketMemory(symbol))} />;
}

const open = (status?: PairStatus) => show(<Desk {...(status === undefined ? {} : { status })} />);

function show(desk: ReactNode) {
  render(
    <Providers>
      <MemoryRouter initialEntries={['/trade?symbol=BTC_USDT']}>{desk}</MemoryRouter>
    </Providers>,
  );
  return userEvent.setup();
}

const signIn = (userId = 'u') => startSession({ userId, token: 't', email: 'a@b.example' });
const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name);
const alerts = () =>
  screen.getAllByRole('alert').map(({ textContent }) => textContent.replaceAll('\u00A0', ' '));

async function choose(user: ReturnType<typeof userEvent.setup>, type: string) {
  await user.click(screen.getByRole('button', { name: /^Order type/ }));
  await user.click(await screen.findByRole('radio', { name: new RegExp(`^${type}`) }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
}

describe('the ticket on a phone', () => {
  it('MOB-003 names the violated limit and sends nothing', async () => {
    signIn();
    const user = open();
    await user.type(field('Amount'), '0.03');
    await user.click(screen.getByRole('button', { name: 'Buy BTC' }));
    expect(alerts()).toContain('The minimum total is 5 USDT. You entered 3.');
    expect(placed).toEqual([]);
  });

  it('WEB-214 WEB-218 keeps invalid numbers, marks their input and sends nothing', async () => {
    signIn();
    const user = open();
    await user.type(field('Amount'), '-1');
    expect(field('Amount').value).toBe('-1');
    expect(alerts()).toEqual(['Amount must be greater than zero.']);
    await user.click(screen.getByRole('button', { name: 'Buy BTC' }));
    const described = field('Amount').getAttribute('aria-describedby')?.split(' ') ?? [];
    expect(described.map((id) => document.getElementById(id)?.textContent)).toEqual([
      'Amount must be greater than zero.',
      'Amount must be greater than zero.',
    ]);
    expect(placed).toEqual([]);
  });

  it('WEB-270 asks for confirmation of a limit far through the market and sends it once', async () => {
    signIn();
    const user = open();
    const press = (name: string) => user.click(screen.getByRole('button', { name }));
    await user.clear(field('Price'));
    await user.type(field('Price'), '110');
    await user.type(field('Amount'), '1');
    await press('Buy BTC');
    expect((await screen.findByRole('dialog')).textContent).toContain(
      '110.00\u00A0USDT is 8.91% above the best ask.',
    );
    await press('Edit price');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect([placed.length, field('Price').value, field('Amount').value]).toEqual([0, '110', '1']);
    await press('Buy BTC');
    await user.dblClick(await screen.findByRole('button', { name: 'Place order' }));
    await waitFor(() => expect(field('Amount').value).toBe(''));
    expect(placed.map(({ fields }) => fields['price'])).toEqual(['110']);
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('MOB-004 MOB-103 places the typed or slid amount once and clears the amounts', async () => {
    signIn();
    const user = open();
    fireEvent.change(screen.getByRole('slider'), { target: { value: '49' } });
    expect(field('Total').value).toBe('500');
    expect(screen.getByRole('slider').getAttribute('aria-valuetext')).toBe('50% of available');
    await user.dblClick(screen.getByRole('button', { name: 'Buy BTC' }));
    await waitFor(() => expect(field('Amount').value).toBe(''));
    expect(placed).toHaveLength(1);
    expect(placed[0]?.fields).toMatchObject({
      tradeType: '1',
      orderType: 'limit',
      price: '100',
      amount: '5',
    });
    expect(await screen.findByText('Order placed: buy 5 BTC at 100.00 USDT.')).toBeTruthy();
  });

  it('MOB-006 starts at the reference price and keeps a typed price', async () => {
    const user = open();
    expect(field('Price').value).toBe('100.00');
    await user.clear(field('Price'));
    expect(field('Price').value).toBe('');
    await user.type(field('Price'), '98.5');
    await user.click(screen.getByRole('radio', { name: 'Sell' }));
    expect(field('Price').value).toBe('98.5');
  });

  it('MOB-005 WEB-981 shows visitors the button of the side with a link to the login, which returns', async () => {
    const user = open();
    await user.click(screen.getByRole('radio', { name: 'Sell' }));
    const link = screen.getByRole('link', { name: 'Sell BTC Log in or sign up' });
    expect(link.className).toContain('sell');
    expect(link.getAttribute('href')).toBe(
      `/login/login?from=${encodeURIComponent('/trade?symbol=BTC_USDT')}`,
    );
  });

  it('MOB-100 offers every order type with an explanation and shows its inputs', async () => {
    const user = open();
    await user.click(screen.getByRole('button', { name: 'Order type: Limit' }));
    expect(
      await screen.findAllByRole('radio', { name: /^(Limit|Market|Stop|Take|Trail|OCO).+\.$/ }),
    ).toHaveLength(8);
    await user.click(screen.getByRole('radio', { name: /^OCO/ }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    for (const name of ['Limit', 'Trigger', 'Stop-limit', 'Amount', 'Total'])
      expect(field(name)).toBeTruthy();
    await choose(user, 'Trailing stop');
    expect(field('Trailing delta')).toBeTruthy();
    expect(screen.queryByLabelText('Price')).toBeNull();
  });

  it('MOB-101 describes the effect of a stop in a sentence, and places it', async () => {
    signIn();
    const user = open();
    await choose(user, 'Stop-market');
    await user.click(screen.getByRole('radio', { name: 'Sell' }));
    await user.type(field('Trigger'), '90');
    await user.type(field('Amount'), '0.5');
    expect(screen.getByText(/falls to 90\.00 USDT or lower, sell 0\.5 BTC at market/)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Sell BTC' }));
    await waitFor(() => expect(placed).toHaveLength(1));
    expect(placed[0]?.fields).toMatchObject({ orderType: 'stopMarket', stopPrice: '90', amount: '0.5' });
  });

  it('MOB-101 places both legs of an OCO in one request, and reports prices on the wrong sides', async () => {
    signIn();
    const user = open();
    await choose(user, 'OCO');
    await user.click(screen.getByRole('radio', { name: 'Sell' }));
    await user.clear(field('Limit'));
    await user.type(field('Limit'), '110');
    await user.type(field('Trigger'), '105');
    await user.type(field('Amount'), '0.5');
    await user.click(screen.getByRole('button', { name: 'Sell BTC' }));
    expect(alerts().join()).toMatch(/One leg must be above/);
    await user.clear(field('Trigger'));
    await user.type(field('Trigger'), '90');
    await user.click(screen.getByRole('button', { name: 'Sell BTC' }));
    await waitFor(() => expect(placed.map(({ path }) => path)).toEqual([createOco.path]));
    expect(placed[0]?.fields).toMatchObject({ limitPrice: '110', stopPrice: '90', amount: '0.5' });
  });

  it('MOB-102 selects validity, post-only and self-trade prevention in a sheet, and sends them', async () => {
    signIn();
    const user = open();
    await user.type(field('Amount'), '1');
    await user.click(screen.getByRole('button', { name: /^Advanced: GTC/ }));
    await user.click(await screen.findByRole('radio', { name: /GTT/ }));
    await user.click(screen.getByRole('button', { name: '7 days' }));
    await user.click(screen.getByRole('switch', { name: 'Post-only' }));
    await user.click(screen.getByRole('radio', { name: /^Cancel both/ }));
    await user.click(screen.getByRole('button', { name: 'Done' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(screen.getByRole('button', { name: 'Advanced: GTT · Post-only' })).toBeTruthy();
    const before = Date.now();
    await user.click(screen.getByRole('button', { name: 'Buy BTC' }));
    await waitFor(() => expect(placed).toHaveLength(1));
    expect(placed[0]?.fields).toMatchObject({ timeInForce: 'GTT', postOnly: '1', stp: 'cancelBoth' });
    const sentAt = Number(placed[0]?.fields['expireTime']) - 7 * 86_400_000;
    expect(sentAt).toBeGreaterThanOrEqual(before - 60_000);
    expect(sentAt).toBeLessThanOrEqual(Date.now() + 60_000);
  });

  it('PAPI-065 shows the order of the ticket as an API call, and copies it', async () => {
    const user = open();
    await user.type(field('Amount'), '1');
    await user.click(screen.getByRole('button', { name: /^Advanced: GTC/ }));
    await user.click(await screen.findByRole('button', { name: 'Copy as API call' }));
    const text = await screen.findByText(/symbol=BTCUSDT&side=BUY&type=LIMIT&timeInForce=GTC&quantity=1/);
    expect(text.textContent).toContain(location.origin);
    await user.selectOptions(screen.getByLabelText('Program'), 'ccxt (Python)');
    expect(await screen.findByText(/exchange\.private_post_order/)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Copy' }));
    expect(await navigator.clipboard.readText()).toContain('import ccxt');
  });

  it('MOB-103 changes a price by one tick with plus and minus', async () => {
    const user = open();
    await user.click(screen.getByRole('button', { name: 'Increase Price' }));
    expect(field('Price').value).toBe('100.01');
    await user.click(screen.getByRole('button', { name: 'Decrease Price' }));
    await user.click(screen.getByRole('button', { name: 'Decrease Price' }));
    expect(field('Price').value).toBe('99.99');
  });

  it('MOB-111 accepts no order of a pair that does not trade', () => {
    signIn();
    open('cancelOnly');
    const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Trading halted' });
    expect(button.disabled).toBe(true);
  });

  it('MOB-112 WEB-980 shows an error over the description of a stop without moving anything', async () => {
    signIn();
    const user = open();
    const button = () => screen.getByRole('button', { name: 'Buy BTC' });
    await choose(user, 'OCO');
    expect(screen.getByText(/the other/).closest('p')?.dataset['longest']).toMatch(/888\.88\u00A0USDT/);
    await user.click(button());
    expect(screen.getByText('Enter a trigger price.').nextElementSibling).toBe(button());
    expect(screen.getByText(/the other/)).toBeTruthy();
  });

  it('MOB-115 keeps the input per pair and user while the screen is unmounted', async () => {
    signIn();
    const user = show(<LastingDesk symbol="btcusdt" />);
    await choose(user, 'Stop-limit');
    await user.click(screen.getByRole('radio', { name: 'Sell' }));
    await user.type(field('Trigger'), '90');
    await user.type(field('Amount'), '0.5');
    cleanup();
    show(<LastingDesk symbol="ethusdt" />);
    expect(field('Amount').value).toBe('');
    cleanup();
    show(<LastingDesk symbol="btcusdt" />);
    expect(screen.getByRole('button', { name: 'Order type: Stop-limit' })).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Sell BTC' })).toBeTruthy();
    expect([field('Trigger').value, field('Amount').value]).toEqual(['90', '0.5']);
    cleanup();
    signIn('somebody else');
    show(<LastingDesk symbol="btcusdt" />);
    expect(field('Amount').value).toBe('');
  });
});
