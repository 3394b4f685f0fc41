import { DAY_MS, instant, later } from '@exchange/core/time.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { ExpiryQueue } from './domain/open-orders.ts';
import type { SpotOrder } from './domain/order.ts';
import { seededRandom } from '../../../testing/seeded-random.ts';
import { BareExchange, refusalOf } from './testing/bare-exchange.ts';

describe('orders that expire', () => {
  let bare: BareExchange;

  beforeEach(async () => {
    bare = await BareExchange.open();
  });

  const until = (ms: number) => ({ timeInForce: 'GTT' as const, expireAt: bare.now + ms });

  it('SPOT-140 an expired order is never matched: it ends before the next order on its pair is processed', () => {
    const order = bare.place(0, { side: 'sell', price: '50000', amount: '0.1', ...until(1_000) });
    const stays = bare.place(1, { side: 'sell', price: '50000', amount: '0.1', ...until(1_001) });
    bare.now = later(bare.now, 1_000);
    const taker = bare.place(2, { side: 'buy', price: '50000', amount: '0.1' });
    expect(order).toMatchObject({ state: 'cancelled', reason: 'expired' });
    expect(order.filledAmount.isZero()).toBe(true);
    expect([stays.state, taker.state]).toEqual(['filled', 'filled']);
    expect(bare.balanceText(0, 'BTC')).toBe('100 + 0');
  });

  it('SPOT-141 it ends without any trading, and so does a waiting stop', () => {
    bare.tradeAt('50000');
    const limit = bare.place(0, { side: 'buy', price: '45000', amount: '0.1', ...until(500) });
    const stop = bare.place(0, {
      side: 'sell',
      type: 'stopLimit',
      stopPrice: '49000',
      price: '49000',
      amount: '0.1',
      ...until(400),
    } as const);
    expect(bare.expire()).toBe(0);
    bare.now = later(bare.now, 450);
    expect(bare.expire()).toBe(1);
    expect(stop).toMatchObject({ state: 'cancelled', reason: 'expired' });
    bare.now = later(bare.now, 50);
    expect(bare.expire()).toBe(1);
    expect(limit).toMatchObject({ state: 'cancelled', reason: 'expired' });
    expect(bare.problems()).toEqual([]);
  });

  it('SPOT-981 a step ends a limited number of expired orders, earliest expiry first', () => {
    const orders = Array.from({ length: 5 }, (_, at) =>
      bare.place(0, { side: 'buy', price: '45000', amount: '0.01', ...until(500 - at) }),
    );
    bare.now = later(bare.now, 500);
    expect([bare.expire(2), bare.expire(2)]).toEqual([2, 2]);
    expect(orders.map(({ state }) => state)).toEqual(['open', ...Array<string>(4).fill('cancelled')]);
    expect([bare.expire(2), bare.expire(2)]).toEqual([1, 0]);
    expect(bare.problems()).toEqual([]);
  });

  it('SPOT-142 a refused order leaves orders that expired before it in their old place', () => {
    const place = (user: number, more = {}) =>
      bare.place(user, { side: 'sell', price: '50000', amount: '0.1', ...more });
    const orders = [place(0), place(1, until(1_000)), place(2), place(0, until(1_000)), place(1)];
    const before = [...bare.market.book.resting('sell')];
    bare.now = later(bare.now, 1_000);
    const poor = () => bare.place(3, { side: 'buy', price: '50000', amount: '50' });
    expect(refusalOf(poor)).toMatchObject({ key: 'l.insufficient_balance' });
    expect([...bare.market.book.resting('sell')]).toEqual(before);
    expect(orders.map(({ state }) => state)).toEqual(Array(5).fill('open'));
    expect(bare.problems()).toEqual([]);
    expect(bare.expire()).toBe(2);
    expect([...bare.market.book.resting('sell')].map(({ id }) => id)).toEqual(
      [orders[0]!, orders[2]!, orders[4]!].map(({ id }) => id),
    );
  });

  it('SPOT-143 an expired due stop ends instead of executing', () => {
    bare.tradeAt('50000');
    const stop = bare.place(0, {
      side: 'sell',
      type: 'stopLimit',
      stopPrice: '49000',
      price: '49000',
      amount: '0.1',
      ...until(1_000),
    } as const);
    bare.tradeAt('49000');
    bare.now = later(bare.now, 1_000);
    expect(bare.trigger()).toMatchObject({ id: stop.id, reason: 'expired' });
    expect(bare.exchange.due.ids).toEqual([]);
    expect(bare.problems()).toEqual([]);
  });

  it('SPOT-144 an expiry is in the future, at most 90 days ahead, and only for orders that may rest', () => {
    const place = (more: object) => () =>
      bare.place(0, { side: 'buy', price: '45000', amount: '0.1', ...more });
    expect(refusalOf(place({ timeInForce: 'GTT' }))).toMatchObject({ key: 'l.expire_required' });
    expect(refusalOf(place(until(0)))).toMatchObject({ key: 'l.expire_past', field: 'expireTime' });
    expect(refusalOf(place(until(90 * DAY_MS + 1)))).toMatchObject({
      key: 'l.expire_far',
      limit: '90',
      value: '91',
    });
    expect(refusalOf(place({ expireAt: bare.now + 5 }))).toMatchObject({ key: 'l.stop_unexpected' });
    expect(refusalOf(place({ ...until(5), type: 'market', price: undefined }))).toMatchObject({
      key: 'l.time_in_force',
    });
    expect(place(until(90 * DAY_MS))()).toMatchObject({ state: 'open' });
  });

  it('SPOT-145 the queue returns the earliest first after any removals', () => {
    const random = seededRandom(3);
    const queue = new ExpiryQueue();
    const present = new Set<SpotOrder>();
    for (let round = 0; round < 20_000; round += 1) {
      if (random.chance(0.6) || present.size === 0) {
        const order = { expireAt: instant(random.whole(1, 500)), rank: round } as SpotOrder;
        queue.add(order);
        present.add(order);
      } else {
        const order = random.chance(0.5) ? queue.next! : random.pick([...present].slice(0, 20));
        queue.remove(order);
        present.delete(order);
      }
      if (round % 97 !== 0 || present.size === 0) continue;
      const first = [...present].reduce((earliest, order) =>
        order.expireAt! < earliest.expireAt! ||
        (order.expireAt === earliest.expireAt && order.rank < earliest.rank)
          ? order
          : earliest,
      );
      expect(queue.next).toBe(first);
      expect(queue.size).toBe(present.size);
    }
  });
});
