import { amendOrder, orderRecords } from '@exchange/wire/spot.ts';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { setServerOrigin } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import type { LineField } from '../chart/price-lines.ts';
import { attemptOf } from '../form/keyed-attempts.ts';
import { startWords } from '../i18n/words.ts';
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
  await startWords();
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

/** A button that drops the line of the first order at a price, and what is drawn of the orders. */
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

const shown = (props: DeskProps = {}) => (
  <Providers>{props.isOpen === false ? null : <Chart {...props} />}</Providers>
);
const drop = () => userEvent.click(screen.getByRole('button', { name: 'drop' }));
const drawn = () => document.querySelector('output')!.textContent;
const sent = () =>
  server.received.filter(({ path }) => path === amendOrder.path).map(({ form }) => Object.fromEntries(form));
const notices = () => document.querySelector('[data-notices]')?.textContent ?? '';
const isWaiting = () => screen.queryByRole('button', { name: 'Undo' }) !== null;

describe('an order that was moved in the chart', () => {
  it('WEB-998 is drawn at its new price at once, and sent with the changed price alone when the person says so', async () => {
    render(shown());
    await drop();
    expect(drawn()).toBe('99');
    expect(screen.getByText(/Buy 1: 100\.00 → 99\.00/)).toBeDefined();
    expect(sent()).toEqual([]);
    await userEvent.click(screen.getByRole('button', { name: 'Apply now' }));
    await waitFor(() => expect(sent().map(({ id, price }) => [id, price])).toEqual([['a', '99']]));
    expect(sent()[0]).not.toHaveProperty('amount');
    await waitFor(() => expect(notices()).toContain('Order updated.'));
  });

  it('WEB-998 is sent by itself after five seconds, once', async () => {
    render(shown());
    await drop();
    await new Promise((resolve) => setTimeout(resolve, UNDO_MS - 1_000));
    expect(sent()).toEqual([]);
    await waitFor(() => expect(sent().length).toBe(1), { timeout: 20_000 });
    await waitFor(() => expect(isWaiting()).toBe(false));
    expect(sent().length).toBe(1);
  });

  it('WEB-998 that is undone, or dragged back, was never changed: nothing is sent', async () => {
    const { rerender } = render(shown());
    await drop();
    await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
    expect(isWaiting()).toBe(false);
    expect(drawn()).toBe('100');
    await drop();
    rerender(shown({ price: '100.00' }));
    await drop();
    expect(isWaiting()).toBe(false);
    expect(sent()).toEqual([]);
  });

  it('WEB-998 to where the rules let it not be is back at once, with the reason', async () => {
    render(shown({ price: '0.01' }));
    await drop();
    await waitFor(() => expect(isWaiting()).toBe(false));
    expect(drawn()).toBe('100');
    expect(notices()).not.toBe('');
    expect(sent()).toEqual([]);
  });

  it('WEB-998 that the exchange refuses is back where it is, with the reason', async () => {
    amended = () => ({ code: 0, msg: 'l.order_closed', errKey: 'l.order_closed' });
    render(shown());
    await drop();
    await userEvent.click(screen.getByRole('button', { name: 'Apply now' }));
    await waitFor(() => expect(isWaiting()).toBe(false));
    await waitFor(() => expect(drawn()).toBe('100'));
    expect(notices()).not.toBe('');
  });

  it('WEB-998 whose answer is lost is kept as a change that can be sent again, and drawn as it was', async () => {
    render(shown());
    await drop();
    setServerOrigin('http://127.0.0.1:9');
    await userEvent.click(screen.getByRole('button', { name: 'Apply now' }));
    await waitFor(() => expect(attemptOf('spot amend a')?.isUnderWay).toBe(false), { timeout: 20_000 });
    await waitFor(() => expect(drawn()).toBe('100'));
    setServerOrigin(location.origin);
  });
});

describe('a change that waits', () => {
  it('WEB-999 is not sent when the chart is closed, and a notice says so', async () => {
    const { rerender } = render(shown());
    await drop();
    rerender(shown({ isOpen: false }));
    await waitFor(() => expect(notices()).toContain('Order not changed: the chart was closed'));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(sent()).toEqual([]);
  });

  it('WEB-999 of an order that ended meanwhile is not sent', async () => {
    const { rerender } = render(shown());
    await drop();
    rerender(shown({ orders: [] }));
    await waitFor(() => expect(notices()).toContain('it is no longer open'), { timeout: 20_000 });
    expect(sent()).toEqual([]);
  });

  it('WEB-999 that is due while the device sleeps is not sent when it wakes', async () => {
    render(shown());
    await drop();
    const late = Date.now() + 60_000;
    vi.spyOn(Date, 'now').mockImplementation(() => late);
    await act(() => userEvent.click(screen.getByRole('button', { name: 'Apply now' })));
    await waitFor(() => expect(notices()).toContain('the device was asleep'));
    vi.restoreAllMocks();
    expect(sent()).toEqual([]);
  });
});
