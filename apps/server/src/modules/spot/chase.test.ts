import { Decimal } from '@exchange/core/decimal.ts';
import { later, MINUTE_MS, SECOND_MS } from '@exchange/core/time.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { nextMoveOf } from './chase.ts';
import type { Chase } from './domain/chase.ts';
import { BareExchange, refusalOf } from './testing/bare-exchange.ts';

/** A chase order that buys 1 BTC; its price follows the best bid up to one per cent above the best bid at the start. */
const BUY = { side: 'buy', amount: '1', distance: '0.01', minutes: 10 } as const;

describe('chase orders', () => {
  let bare: BareExchange;

  beforeEach(async () => {
    bare = await BareExchange.open();
    bare.tradeAt('50000');
    bid('49900');
    bare.place(2, { side: 'sell', price: '50600', amount: '1' });
  });

  const bid = (price: string, user = 1) => bare.place(user, { side: 'buy', price, amount: '0.1' });
  const pass = (ms = 2 * SECOND_MS) => (bare.now = later(bare.now, ms));
  const orderOf = ({ orderId }: Chase) => bare.exchange.orders.get(orderId)!;
  const waitOf = (chase: Chase) => nextMoveOf(bare.exchange, chase, bare.reference);

  it('ALGO-048 ALGO-051 its order joins the best price and follows it, each move once and after its pause', () => {
    const chase = bare.chase(0, BUY);
    const order = orderOf(chase);
    expect([order.price, order.postOnly, order.clientId].map(String)).toEqual(['49900', 'true', chase.id]);
    bid('50000');
    expect(bare.move(chase)).toBe(0);
    pass();
    expect(bare.move(chase, 1)).toBe(0);
    expect(bare.move(chase)).toBe(1);
    expect(bare.move(chase, 0)).toBe(0);
    expect(orderOf(chase)).toBe(order);
    expect([order.price, order.held].map(String)).toEqual(['50000', '50000']);
    // The order of the chase is at the best price of its side, so its price stays, even after the other orders at this
    // price (of user 1) are cancelled.
    pass();
    expect(waitOf(chase)).toEqual({ kind: 'stay' });
    bare.cancelAll(1);
    expect(waitOf(chase)).toEqual({ kind: 'stay' });
    expect(chase).toMatchObject({ moves: 1, startPrice: Decimal.parse('49900'), ending: undefined });
    expect(bare.problems()).toEqual([]);
  });

  it('ALGO-048 it joins behind the orders that are at the best price, keeps its fills, and ends when it is filled', () => {
    const chase = bare.chase(0, BUY);
    bare.place(2, { side: 'sell', price: '49900', amount: '0.4' });
    expect(String(orderOf(chase).filledAmount)).toBe('0.3');
    bid('50000');
    pass();
    expect(bare.move(chase)).toBe(1);
    bare.place(2, { side: 'sell', price: '50000', amount: '0.1' });
    expect(String(orderOf(chase).filledAmount)).toBe('0.3');
    bare.place(2, { side: 'sell', price: '50000', amount: '0.7' });
    expect(chase.ending).toBe('filled');
    expect(bare.exchange.chases.size).toBe(0);
    expect(bare.balanceText(0, 'USDT')).toBe('950030 + 0');
    expect(bare.move(chase)).toBe(0);
    expect(bare.problems()).toEqual([]);
  });

  it('ALGO-049 it rests at its worst price and never crosses the spread', () => {
    const chase = bare.chase(0, { ...BUY, limitPrice: '50050' });
    expect(String(chase.worstPrice)).toBe('50050');
    bid('50599.99');
    pass();
    expect(bare.move(chase)).toBe(1);
    expect(String(orderOf(chase).price)).toBe('50050');
    pass();
    expect(bare.move(chase)).toBe(0);
    expect(String(bare.chase(3, { ...BUY, side: 'sell' }).worstPrice)).toBe('50094');
    // The best price is beyond the limit price, so the order is placed at the limit price.
    expect(String(orderOf(bare.chase(3, { ...BUY, limitPrice: '49000' })).price)).toBe('49000');
    expect(bare.problems()).toEqual([]);
  });

  it('ALGO-052 without funds, on a halted pair or with a rest too small for an order it waits at its price', () => {
    const chase = bare.chase(0, { ...BUY, amount: '10' });
    const spent = bare.place(0, { side: 'buy', price: '45000', amount: '11' });
    bid('50000');
    pass();
    expect(bare.move(chase)).toBe(1);
    const rest = bare.place(0, { side: 'buy', price: '50000', amount: '0.09' });
    bid('50100');
    pass();
    expect(waitOf(chase)).toEqual({ kind: 'wait', wait: 'funds' });
    expect(bare.move(chase)).toBe(0);
    bare.cancel(0, rest);
    bare.cancel(0, spent);
    bare.setStatus('cancelOnly');
    expect(waitOf(chase)).toEqual({ kind: 'wait', wait: 'halted' });
    expect(bare.move(chase)).toBe(0);
    bare.setStatus('open');
    bare.reference = Decimal.parse('41000');
    expect(waitOf(chase)).toEqual({ kind: 'wait', wait: 'band' });
    bare.reference = undefined;
    bare.haltAsset('BTC');
    expect(waitOf(chase)).toEqual({ kind: 'wait', wait: 'halted' });
    expect(bare.move(chase)).toBe(0);
    bare.liftHalt('BTC');
    expect(bare.move(chase)).toBe(1);
    const small = bare.chase(3, { ...BUY, amount: '0.1' });
    bare.place(2, { side: 'sell', price: '50100', amount: '10.19995' });
    expect(String(orderOf(small).filledAmount)).toBe('0.09995');
    bid('50200');
    pass();
    expect(waitOf(small)).toEqual({ kind: 'wait', wait: 'rest' });
    expect(bare.problems()).toEqual([]);
  });

  it('ALGO-053 it ends with its order: at the end of its time, cancelled once, by all orders or a countdown', () => {
    const cancel = (chase: Chase, user = 0) =>
      bare.run('cancelChase', { owner: bare.ownerOf(user), id: chase.id }).count;
    const [timed, own, byOrder, byAll] = Array.from({ length: 4 }, () =>
      bare.chase(0, { ...BUY, amount: '0.1' }),
    );
    expect([cancel(own!, 1), cancel(own!), cancel(own!)]).toEqual([0, 1, 0]);
    bare.cancel(0, orderOf(byOrder!));
    bid('50000');
    pass(10 * MINUTE_MS);
    expect(bare.move(timed!)).toBe(0);
    expect([timed, own, byOrder, byAll].map((chase) => chase!.ending)).toEqual([
      'time',
      'user',
      'user',
      'time',
    ]);
    const all = bare.chase(0, BUY);
    bare.cancelAll(0);
    const counted = bare.chase(0, BUY);
    bare.countdown(0, 5_000);
    pass(6 * SECOND_MS);
    bare.endCountdowns();
    expect([all.ending, counted.ending]).toEqual(['user', 'countdown']);
    expect(bare.balanceText(0, 'USDT')).toBe('1000000 + 0');
    expect(bare.problems()).toEqual([]);
  });

  it('ALGO-050 ALGO-053 its order cannot be amended; too little balance and too many chase orders are refused', () => {
    const chase = bare.chase(0, { ...BUY, amount: '0.1' });
    expect(refusalOf(() => bare.amend(0, orderOf(chase), { price: '49000' })).key).toBe('l.amend_type');
    // The balance must cover the order at the worst price that the chase order allows, not only at its price at the
    // start.
    expect(refusalOf(() => bare.chase(3, { ...BUY, amount: '19.9' }))).toMatchObject({
      key: 'l.insufficient_balance',
      field: 'amount',
      limit: '999950',
    });
    for (let count = 1; count < 10; count += 1) bare.chase(0, { ...BUY, amount: '0.1' });
    expect(refusalOf(() => bare.chase(0, { ...BUY, amount: '0.1' }))).toMatchObject({
      key: 'l.chase_max',
      limit: '10',
    });
  });
});
