import { amendOrder, orderRecords } from '@exchange/wire/spot.ts';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { setServerOrigin } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import type { LineField } from '../chart/price-lines.ts';
import { submissionOf } from '../form/keyed-submissions.ts';
import { loadAllWords } from '../i18n/words.ts';
import { pairOf } from '../market/pair.ts';
import { AccountServer } from '../market/testing/account-server.ts';
import { LISTED } from '../market/testing/listed-pair.ts';
import { endSession, startSession } from '../session/session-store.ts';
import { Providers } from '../shell/providers.tsx';
import { OrderMoves, UNDO_MS, useOrderMoves, withMoves } from './order-moves.tsx';
import type { Order } from './shapes.ts';
import { order } from './testing/fixtures.ts';

const PAIR = pairOf(LISTED);
const BUY = order('a', { price: '100', amount: '1' });
let server: AccountServer;
let amended: () => { readonly code: number; readonly [name: string]: unknown };

beforeAll(async () => {
  await loadAllWords();
  server = await AccountServer.start();
});
beforeEach(() => {
  startSession({ userId: 'u', token: 't', email: 'a@b.example' });
  amended = () => ({ code: 1, data: { ...BUY, price: '99' } });
  server.serve({
    [orderRecords.path]: () => ({ code: 1, data: { list: [BUY], sum: 1, pageNo: 1 } }),
    [amendOrder.path]: () => amended(),
  });
});
afterEach(() => {
  cleanup();
  endSession();
  queryClient.clear();
});
afterAll(() => server.stop());

interface DeskProps {
  readonly orders?: readonly Order[];
  readonly field?: LineField;
  readonly price?: string;
  readonly isOpen?: boolean;
}

/** A button that moves the price line of the first order to a price, and the orders as the chart draws them. */
function Chart({ orders = [BUY], field = 'price', price = '99' }: DeskProps) {
  const { moves, move, end } = useOrderMoves();
  return (
    <>
      <button type="button" onClick={() => move(orders[0] ?? BUY, field, price)}>
        drop
      </button>
      <output>{withMoves(orders, moves)[0]?.[field]}</output>
      <OrderMoves moves={moves} end={end} pair={PAIR} orders={orders} />
    </>
  );
}

const chart = (props: DeskProps = {}) => (
  <Providers>{props.isOpen === false ? null : <Chart {...props} />}</Providers>
);
const drop = () => userEvent.click(screen.getByRole('button', { name: 'drop' }));
const drawnOrders = () => document.querySelector('output')!.textContent;
const sentChanges = () =>
  server.received.filter(({ path }) => path === amendOrder.path).map(({ form }) => Object.fromEntries(form));
const notices = () => document.querySelector('[data-notices]')?.textContent ?? '';
const isWaiting = () => screen.queryByRole('button', { name: 'Undo' }) !== null;

describe('an order moved in the chart', () => {
  it('WEB-998 is drawn at its new price at once, and sent with the changed price only when the user confirms', async () => {
    render(chart());
    await drop();
    expect(drawnOrders()).toBe('99');
    expect(screen.getByText(/Buy 1: 100\.00 → 99\.00/)).toBeDefined();
    expect(sentChanges()).toEqual([]);
    await userEvent.click(screen.getByRole('button', { name: 'Apply now' }));
    await waitFor(() => expect(sentChanges().map(({ id, price }) => [id, price])).toEqual([['a', '99']]));
    expect(sentChanges()[0]).not.toHaveProperty('amount');
    await waitFor(() => expect(notices()).toContain('Order updated.'));
  });

  it('WEB-998 is sent automatically after five seconds, once', async () => {
    render(chart());
    await drop();
    await new Promise((resolve) => setTimeout(resolve, UNDO_MS - 1_000));
    expect(sentChanges()).toEqual([]);
    await waitFor(() => expect(sentChanges().length).toBe(1), { timeout: 20_000 });
    await waitFor(() => expect(isWaiting()).toBe(false));
    expect(sentChanges().length).toBe(1);
  });

  it('WEB-998 that is undone or dragged back sends nothing', async () => {
    const { rerender } = render(chart());
    await drop();
    await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
    expect(isWaiting()).toBe(false);
    expect(drawnOrders()).toBe('100');
    await drop();
    rerender(chart({ price: '100.00' }));
    await drop();
    expect(isWaiting()).toBe(false);
    expect(sentChanges()).toEqual([]);
  });

  it('WEB-998 to a refused price returns at once with the reason', async () => {
    render(chart({ price: '0.01' }));
    await drop();
    await waitFor(() => expect(isWaiting()).toBe(false));
    expect(drawnOrders()).toBe('100');
    expect(notices()).not.toBe('');
    expect(sentChanges()).toEqual([]);
  });

  it('WEB-998 that the server refuses returns with the reason', async () => {
    amended = () => ({ code: 0, msg: 'l.order_closed', errKey: 'l.order_closed' });
    render(chart());
    await drop();
    await userEvent.click(screen.getByRole('button', { name: 'Apply now' }));
    await waitFor(() => expect(isWaiting()).toBe(false));
    await waitFor(() => expect(drawnOrders()).toBe('100'));
    expect(notices()).not.toBe('');
  });

  it('WEB-998 with a lost answer is kept as a retriable change and drawn at its old price', async () => {
    render(chart());
    await drop();
    setServerOrigin('http://127.0.0.1:9');
    await userEvent.click(screen.getByRole('button', { name: 'Apply now' }));
    await waitFor(() => expect(submissionOf('spot amend a')?.isInProgress).toBe(false), { timeout: 20_000 });
    await waitFor(() => expect(drawnOrders()).toBe('100'));
    setServerOrigin(location.origin);
  });
});

describe('a pending change', () => {
  it('WEB-999 is not sent when the chart is closed, and a notice says so', async () => {
    const { rerender } = render(chart());
    await drop();
    rerender(chart({ isOpen: false }));
    await waitFor(() => expect(notices()).toContain('Order not changed: the chart or ladder was closed'));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(sentChanges()).toEqual([]);
  });

  it('WEB-999 no notice says that nothing changed when the chart is closed after the change was sent', async () => {
    const notChanged = () => notices().split('Order not changed').length;
    const { rerender } = render(chart());
    await drop();
    await userEvent.click(screen.getByRole('button', { name: 'Apply now' }));
    const before = notChanged();
    rerender(chart({ isOpen: false }));
    await waitFor(() => expect(sentChanges()).toHaveLength(1));
    expect(notChanged()).toBe(before);
  });

  it('WEB-999 of an order that has ended is not sent', async () => {
    const { rerender } = render(chart());
    await drop();
    rerender(chart({ orders: [] }));
    await waitFor(() => expect(notices()).toContain('it is no longer open'), { timeout: 20_000 });
    expect(sentChanges()).toEqual([]);
  });

  it('WEB-999 that is due while the device sleeps is not sent on wake-up', async () => {
    render(chart());
    await drop();
    const late = Date.now() + 60_000;
    vi.spyOn(Date, 'now').mockImplementation(() => late);
    await act(() => userEvent.click(screen.getByRole('button', { name: 'Apply now' })));
    await waitFor(() => expect(notices()).toContain('the device was asleep'));
    vi.restoreAllMocks();
    expect(sentChanges()).toEqual([]);
  });
});
