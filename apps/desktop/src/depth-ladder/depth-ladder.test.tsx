import { feed } from '@exchange/web-kit/feed/feed.ts';
import { pairOf } from '@exchange/web-kit/market/pair.ts';
import { LISTED } from '@exchange/web-kit/market/testing/listed-pair.ts';
import { topicPublisher } from '@exchange/web-kit/market/testing/topic-publisher.ts';
import { endSession, startSession } from '@exchange/web-kit/session/session-store.ts';
import type { Order } from '@exchange/web-kit/spot/queries.ts';
import { order } from '@exchange/web-kit/spot/testing/fixtures.ts';
import { store } from '@exchange/web-kit/storage.ts';
import {
  amendOrder,
  cancelOrder,
  createOrder,
  orderRecords,
  spotAssets,
  spotBasics,
} from '@exchange/wire/spot.ts';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { draw, RefusedCall, setUpFixtures } from '../../testing/fixtures.tsx';
import { DepthLadder } from './depth-ladder.tsx';
import { ONCE_MS } from './use-ladder.ts';

const fixtures = setUpFixtures();
let openOrders: readonly Order[] = [];
/** Returns the mocked server's response to the placement of an order; undefined if the response is lost. */
let placedAnswer: () => object | undefined;
let now = 0;

beforeEach(() => {
  openOrders = [];
  vi.spyOn(feed, 'start').mockReturnValue();
  vi.spyOn(feed, 'reconnect').mockReturnValue();
  placedAnswer = () => order('new', { price: '99.98', amount: '0.2' });
  now = 1_000;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  fixtures.answers(({ path }) => {
    if (path.endsWith(orderRecords.path)) return { list: openOrders, sum: openOrders.length, pageNo: 1 };
    if (path.endsWith(spotBasics.path)) return [LISTED];
    if (path.endsWith(spotAssets.path)) return { list: BALANCES, total: '1000', sum: 2, pageNo: 1 };
    if (path.endsWith(createOrder.path)) return placedAnswer();
    if (path.endsWith(cancelOrder.path)) return { ...openOrders[0], status: 3 };
    return {};
  });
});
afterEach(() => {
  // `endSession` reconnects the feed, so it runs before the mock of `reconnect` is restored.
  cleanup();
  endSession();
  vi.restoreAllMocks();
  for (const key of ['depth-ladder-ticks', 'depth-ladder-auto']) store(key, null);
});

const balance = (coin: string, availableCurrency: string) => ({
  currency: coin,
  currencyName: coin,
  availableCurrency,
  frozenCurrency: '0',
  price: '1',
  total: '0',
});
const BALANCES = [balance('BTC', '10'), balance('USDT', '10000')];

/**
 * Renders the ladder of a pair with the best bid at 100 and the best ask at 100.02, for a signed-in user, or for a
 * visitor if `isVisitor` is true.
 */
async function openLadder(symbol: string, { isVisitor = false } = {}) {
  if (!isVisitor) startSession({ userId: 'u', token: 't', email: 'a@b.example' });
  const publish = topicPublisher(`depth.${symbol}`);
  const onPickPrice = vi.fn<(price: string) => void>();
  const pair = pairOf({ ...LISTED, symbol });
  openOrders = openOrders.map((openOrder) => ({ ...openOrder, symbol }));
  const user = draw(<DepthLadder pair={pair} onPickPrice={onPickPrice} />);
  act(() => feed['options'].onState('live'));
  await publish({
    bids: [
      ['100', '2'],
      ['99.98', '4'],
    ],
    asks: [
      ['100.02', '1'],
      ['100.04', '3'],
    ],
  });
  return { user, publish, onPickPrice };
}

type User = Awaited<ReturnType<typeof openLadder>>['user'];

const row = (price: string) =>
  screen.getByRole('row', { name: new RegExp(`^${price.replace('.', '\\.')}( |$)`) });
/** The grid cell with the bids (`buy`) or the asks (`sell`) of a row. */
const cell = (price: string, side: 'buy' | 'sell') =>
  within(row(price)).getAllByRole('gridcell')[side === 'buy' ? 1 : 3]!;
const armSwitch = () => screen.getByRole<HTMLInputElement>('switch', { name: 'Click to place' });
const placed = () =>
  fixtures.received.filter(({ path }) => path.endsWith(createOrder.path)).map(({ fields }) => fields);
const notices = () => (document.querySelector('[data-notices]')?.textContent ?? '').replaceAll('\u00A0', ' ');
const grid = () => screen.getByRole('grid');

/** Waits until the page has requested the balances, then arms the ladder and types an order size. */
async function arm(user: User, size = '0.2') {
  await waitFor(() =>
    expect(fixtures.received.some(({ path }) => path.endsWith(spotAssets.path))).toBe(true),
  );
  await user.click(armSwitch());
  await user.type(screen.getByLabelText('Amount'), size);
}

/** Advances the mocked clock by ONCE_MS, after which another click places another order. */
const later = (): void => {
  now += ONCE_MS;
};

describe('the depth ladder', () => {
  it('DESK-145 DESK-152 shows the book on fixed prices to visitors, with a link to the login for click to place', async () => {
    const { user, publish, onPickPrice } = await openLadder('visitedusdt', { isVisitor: true });
    expect(row('100.00').getAttribute('aria-label')).toBe('100.00 · last price · bids 2');
    expect(cell('99.98', 'buy').textContent).toBe('4.00000');
    const prices = () => screen.getAllByRole('row').map((shown) => shown.dataset['row']);
    const before = prices();
    await publish({ bids: [['100.01', '1']], asks: [['100.02', '0']] });
    expect(prices()).toEqual(before);
    expect(cell('100.01', 'buy').textContent).toBe('1.00000');
    expect(screen.queryByRole('switch')).toBeNull();
    expect(screen.getByRole('link').getAttribute('href')).toMatch(/\/login\?from=/);
    await user.click(cell('99.98', 'buy'));
    expect(onPickPrice).toHaveBeenCalledWith('99.98');
  });

  it('DESK-147 places nothing until armed; a click then places a limit order, and a double click one', async () => {
    const { user, onPickPrice } = await openLadder('clickedusdt');
    await user.click(cell('99.98', 'buy'));
    expect(onPickPrice).toHaveBeenCalledWith('99.98');
    await arm(user);
    await user.click(screen.getByRole('checkbox', { name: 'Post-only' }));
    onPickPrice.mockClear();
    await user.dblClick(cell('99.98', 'buy'));
    await user.click(cell('99.97', 'buy'));
    await waitFor(() => expect(notices()).toContain('Order placed: buy 0.2 BTC at 99.98 USDT.'));
    expect(notices()).not.toContain('still being sent');
    expect(onPickPrice).not.toHaveBeenCalled();
    later();
    await user.click(cell('100.04', 'sell'));
    await waitFor(() => expect(placed()).toHaveLength(2));
    const sent = placed().map((fields) =>
      ['tradeType', 'orderType', 'price', 'amount', 'timeInForce', 'postOnly'].map((name) =>
        fields.get(name),
      ),
    );
    expect(sent).toEqual([
      ['1', 'limit', '99.98', '0.2', 'GTC', '1'],
      ['2', 'limit', '100.04', '0.2', 'GTC', '1'],
    ]);
    expect(new Set(placed().map((fields) => fields.get('clientId'))).size).toBe(2);
  });

  it('DESK-147 a share of the balance is computed at the price of the click', async () => {
    const { user } = await openLadder('sharedusdt');
    await arm(user, '1');
    await user.click(screen.getByRole('button', { name: '50% of available' }));
    await user.click(cell('100.00', 'buy'));
    await waitFor(() => expect(placed()).toHaveLength(1));
    expect(placed()[0]?.get('amount')).toBe('50');
  });

  it('DESK-150 a lost answer is repeated with the same key, and a refusal is shown', async () => {
    const { user } = await openLadder('lostusdt');
    await arm(user);
    placedAnswer = () => undefined;
    await user.click(cell('99.98', 'buy'));
    await waitFor(() => expect(placed().length).toBeGreaterThan(0));
    await waitFor(() => expect(notices()).not.toBe(''));
    placedAnswer = () => order('new', { price: '99.98', amount: '0.2' });
    later();
    await user.click(cell('99.98', 'buy'));
    await waitFor(() => expect(notices()).toContain('Order placed'));
    expect(new Set(placed().map((fields) => fields.get('clientId'))).size).toBe(1);

    placedAnswer = () => new RefusedCall('l.too_many', 'Too many open orders.');
    later();
    await user.click(cell('100.00', 'buy'));
    await waitFor(() => expect(notices()).toContain('Too many open orders.'));
  });

  it('DESK-150 an order that would be refused is refused without a request', async () => {
    const { user } = await openLadder('refusedusdt');
    await arm(user, '0.01');
    await user.click(cell('99.98', 'buy'));
    await waitFor(() => expect(notices()).toMatch(/at least|minimum/i));
    expect(placed()).toEqual([]);
  });

  it('DESK-150 asks before an order that would cross far beyond the best price', async () => {
    const { user } = await openLadder('farusdt');
    await user.selectOptions(screen.getByRole('combobox', { name: 'Grouping' }), '100');
    await arm(user);
    await user.click(cell('96', 'sell'));
    const dialog = await screen.findByRole('dialog', { name: 'Sell far below the market?' });
    expect(placed()).toEqual([]);
    await user.click(within(dialog).getByRole('button', { name: 'Place order' }));
    await waitFor(() => expect(placed().map((fields) => fields.get('price'))).toEqual(['96']));
  });

  it('DESK-148 shows own orders at their price; the cross cancels them, and a drag changes the price', async () => {
    openOrders = [
      order('own', { price: '99.98', amount: '1.5' }),
      order('other', { price: '99.98', amount: '1' }),
    ];
    const { user } = await openLadder('ownusdt');
    await waitFor(() => expect(row('99.98').getAttribute('aria-label')).toContain('your 2 buy orders: 2.5'));
    const mark = within(row('99.98')).getByTitle(/Drag to another price/);
    expect(mark.textContent).toBe('2.5×2');
    mark.setPointerCapture = () => undefined;
    fireEvent.pointerDown(mark, { button: 0, clientY: 5 });
    fireEvent.pointerMove(mark, { clientY: 5 + 22 * 2 });
    fireEvent.pointerUp(mark, { clientY: 5 + 22 * 2 });
    expect(row('99.96').getAttribute('aria-label')).toContain('your 2 buy orders: 2.5');
    await user.click(screen.getAllByRole('button', { name: 'Apply now' })[0]!);
    await waitFor(() =>
      expect(
        fixtures.received
          .filter(({ path }) => path.endsWith(amendOrder.path))
          .map(({ fields }) => fields.get('price')),
      ).toEqual(['99.96']),
    );
    await user.click(screen.getByRole('button', { name: /^Cancel your .* at 99\.96$/ }));
    await waitFor(() =>
      expect(
        fixtures.received
          .filter(({ path }) => path.endsWith(cancelOrder.path))
          .map(({ fields }) => fields.get('id')),
      ).toContain('other'),
    );
  });
});

/** A ladder with buttons that switch to another pair or halt the pair. */
function Switchable() {
  const [pair, setPair] = useState(pairOf({ ...LISTED, symbol: 'firstusdt' }));
  return (
    <>
      <button type="button" onClick={() => setPair(pairOf({ ...LISTED, symbol: 'secondusdt' }))}>
        other pair
      </button>
      <button type="button" onClick={() => setPair({ ...pair, status: 'cancelOnly' })}>
        halt
      </button>
      <DepthLadder pair={pair} />
    </>
  );
}

it('DESK-149 another pair is not armed, and a halted one cannot be', async () => {
  startSession({ userId: 'u', token: 't', email: 'a@b.example' });
  topicPublisher('depth.firstusdt');
  const user = draw(<Switchable />);
  act(() => feed['options'].onState('live'));
  await user.click(armSwitch());
  expect(armSwitch().checked).toBe(true);
  await user.click(screen.getByRole('button', { name: 'other pair' }));
  expect(armSwitch().checked).toBe(false);
  await user.click(armSwitch());
  expect(armSwitch().checked).toBe(true);
  await user.click(screen.getByRole('button', { name: 'halt' }));
  expect([armSwitch().checked, armSwitch().disabled]).toEqual([false, true]);
  expect(screen.getByText('Off: trading is halted')).toBeTruthy();
});

describe('the keys of the depth ladder', () => {
  it('DESK-151 arrows move the cursor, B and S place there once armed, and letters held down place once', async () => {
    const { user } = await openLadder('keyedusdt');
    act(() => grid().focus());
    await user.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}');
    const cursor = () => document.querySelector('[data-cursor]')?.getAttribute('aria-label');
    expect(cursor()).toMatch(/^99\.98/);
    expect(grid().getAttribute('aria-activedescendant')).toBe(row('99.98').id);
    await user.keyboard('b');
    expect(placed()).toEqual([]);
    await arm(user);
    act(() => grid().focus());
    await user.keyboard('b');
    await waitFor(() => expect(placed().map((fields) => fields.get('price'))).toEqual(['99.98']));
    later();
    fireEvent.keyDown(grid(), { key: 'b', repeat: true });
    await user.keyboard('{PageUp}');
    later();
    await user.keyboard('s');
    await waitFor(() => expect(placed()).toHaveLength(2));
    expect(placed()[1]?.get('price')).toBe('100.08');
    await user.keyboard('{Escape}');
    expect(armSwitch().checked).toBe(false);
    later();
    await user.keyboard('s');
    expect(placed()).toHaveLength(2);
  });

  it('DESK-151 an order is placed only at a price in sight', async () => {
    const { user } = await openLadder('hiddenusdt');
    await arm(user);
    act(() => grid().focus());
    await user.keyboard('{ArrowDown}{PageDown}');
    expect(document.querySelector('[data-cursor]')?.getAttribute('aria-label')).toMatch(/^99\.90/);
    await user.click(screen.getByRole('button', { name: 'Center' }));
    expect(document.querySelector('[data-cursor]')).toBeNull();
    act(() => grid().focus());
    await user.keyboard('b');
    expect(placed()).toEqual([]);
    expect(document.querySelector('[data-cursor]')?.getAttribute('aria-label')).toMatch(/^99\.90/);
  });

  it('DESK-151 Delete cancels the orders at the cursor, and with Shift asks about all of the pair', async () => {
    openOrders = [order('own', { price: '99.98', amount: '1.5' })];
    const { user } = await openLadder('cancelusdt');
    await waitFor(() => expect(row('99.98').getAttribute('aria-label')).toContain('your 1 buy order'));
    act(() => grid().focus());
    await user.keyboard('{ArrowDown}{Delete}');
    expect(fixtures.received.some(({ path }) => path.endsWith(cancelOrder.path))).toBe(false);
    await user.keyboard('{ArrowDown}{ArrowDown}{Delete}');
    await waitFor(() =>
      expect(fixtures.received.filter(({ path }) => path.endsWith(cancelOrder.path))).toHaveLength(1),
    );
    await user.keyboard('{Shift>}{Delete}{/Shift}');
    const dialog = await screen.findByRole('dialog', { name: 'Cancel all' });
    await waitFor(() => expect(dialog.textContent).toContain('BTC/USDT'));
  });
});

describe('centring', () => {
  it('DESK-146 follows a price that leaves the middle, except while the pointer is over the rows', async () => {
    const { user, publish } = await openLadder('centredusdt');
    const middle = () => screen.getAllByRole('row')[1 + 5]?.getAttribute('aria-label');
    expect(middle()).toMatch(/^100\.00/);
    await user.hover(row('100.00'));
    const rise = { bids: [['100.2', '1']] as [string, string][], asks: [] };
    await publish(rise);
    await act(() => new Promise((resolve) => setTimeout(resolve, 300)));
    expect(middle()).toMatch(/^100\.00/);
    await user.unhover(row('100.00'));
    await waitFor(() => expect(middle()).toMatch(/^100\.20/));
    await user.click(screen.getByRole('checkbox', { name: 'Auto-center' }));
    await publish({ bids: [['100.2', '0']], asks: [] });
    await act(() => new Promise((resolve) => setTimeout(resolve, 300)));
    expect(middle()).toMatch(/^100\.20/);
    act(() => grid().focus());
    await user.keyboard('c');
    expect(middle()).toMatch(/^100\.00/);
  });
});
