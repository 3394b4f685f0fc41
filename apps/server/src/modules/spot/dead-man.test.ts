import { later, type Instant } from '@exchange/core/time.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { spotCommands } from './commands.ts';
import { BareExchange, userOf } from './testing/bare-exchange.ts';

const SESSION = '0192f0c1-2f3a-7bd5-9f6e-6d4a3c2b1a00';

describe('a countdown', () => {
  let bare: BareExchange;

  beforeEach(async () => {
    bare = await BareExchange.open();
  });

  const bid = (user: number, price = '45000') => bare.place(user, { side: 'buy', price, amount: '0.01' });
  const openOf = (user: number) => bare.exchange.orders.ofOwner(userOf(user)).length;

  it("PAPI-056 cancels all orders of the account at its end, and nobody else's", () => {
    bare.tradeAt('50000');
    const order = bid(0);
    const stop = bare.place(0, { side: 'sell', type: 'stopMarket', stopPrice: '40000', amount: '0.01' });
    bid(1);
    bare.countdown(0, 1_000);
    bare.now = later(bare.now, 999);
    expect(bare.endCountdowns()).toBe(0);
    bare.now = later(bare.now, 1);
    expect(bare.endCountdowns()).toBe(2);
    expect(order).toMatchObject({ state: 'cancelled', reason: 'countdown' });
    expect(stop).toMatchObject({ state: 'cancelled', reason: 'countdown' });
    expect([openOf(0), openOf(1)]).toEqual([0, 1]);
    expect(bare.exchange.countdowns.isAnyDue(later(bare.now, 10_000))).toBe(false);
    expect(bare.problems()).toEqual([]);
  });

  it('PAPI-056 begins anew when it is set again, and ends with 0', () => {
    bid(0);
    bare.countdown(0, 1_000);
    bare.now = later(bare.now, 900);
    bare.countdown(0, 1_000);
    bare.now = later(bare.now, 900);
    expect(bare.endCountdowns()).toBe(0);
    bare.countdown(0, 0);
    bare.now = later(bare.now, 5_000);
    expect(bare.endCountdowns()).toBe(0);
    expect(openOf(0)).toBe(1);
  });

  it('PAPI-056 an account has one for each pair and one for all, and each ends by itself', () => {
    for (let round = 0; round < 3; round += 1) {
      bare.countdown(0, 1_000);
      bare.countdown(0, 500, 'btcusdt');
    }
    const owner = userOf(0);
    expect(bare.exchange.countdowns.get(owner, '')?.expireAt).toBe(later(bare.now, 1_000));
    expect([...bare.exchange.countdowns.due(later(bare.now, 1_000))]).toHaveLength(2);
    bid(0);
    bare.now = later(bare.now, 500);
    expect(bare.endCountdowns()).toBe(1);
    expect(bare.exchange.countdowns.get(owner, 'btcusdt')).toBeUndefined();
    expect(bare.exchange.countdowns.get(owner, '')).toBeDefined();
  });

  it('PAPI-057 no step trades with an order after its end, and orders placed after the end stay', () => {
    bid(0);
    bare.countdown(0, 1_000);
    const waits: Instant[] = [];
    const { place } = spotCommands(bare.exchange, undefined, (now) => waits.push(now));
    const input = { symbol: 'btcusdt' } as Parameters<NonNullable<typeof place.postponed>>[0];
    expect(place.postponed!(input, later(bare.now, 999))).toBeUndefined();
    bare.now = later(bare.now, 1_000);
    const postponement = place.postponed!(input, bare.now)!;
    expect(postponement.isOver()).toBe(false);
    // The check whether the command has to wait reports that the countdown has run out, so no timer is needed.
    expect(waits).toEqual([bare.now]);
    bare.now = later(bare.now, 50);
    const fresh = bid(0, '44000');
    expect(bare.endCountdowns()).toBe(1);
    expect(postponement.isOver()).toBe(true);
    expect(fresh.state).toBe('open');
    expect(place.postponed!(input, bare.now)).toBeUndefined();
  });

  it('PAPI-057 a countdown of accounts without orders on a pair holds up nobody there', () => {
    bare.countdown(0, 1_000);
    bare.now = later(bare.now, 1_000);
    const { place } = spotCommands(bare.exchange);
    const input = { symbol: 'btcusdt' } as Parameters<NonNullable<typeof place.postponed>>[0];
    expect(place.postponed!(input, bare.now)).toBeUndefined();
    expect(bare.endCountdowns()).toBe(0);
    expect(bare.exchange.countdowns.isAnyDue(bare.now)).toBe(false);
  });

  it('PAPI-057 a step cancels a limited number of orders, and the countdown stays due until all are', () => {
    const orders = Array.from({ length: 5 }, () => bid(0));
    bare.countdown(0, 1_000);
    bare.now = later(bare.now, 1_000);
    expect([bare.endCountdowns(2), bare.endCountdowns(2), bare.endCountdowns(2)]).toEqual([2, 2, 1]);
    expect(orders.every(({ state }) => state === 'cancelled')).toBe(true);
    expect(bare.exchange.countdowns.isAnyDue(bare.now)).toBe(false);
  });

  it('PAPI-059 a closed pair hinders nothing; orders with a halted coin are cancelled when the halt ends', () => {
    const order = bid(0);
    bare.countdown(0, 1_000);
    bare.haltAsset('BTC');
    bare.now = later(bare.now, 1_000);
    expect(bare.endCountdowns()).toBe(0);
    expect(order.state).toBe('open');
    expect(bare.exchange.countdowns.waitingFor('btcusdt')).toHaveLength(1);
    bare.liftHalt('BTC');
    bare.setStatus('closed');
    expect(bare.endCountdowns()).toBe(1);
    expect(order).toMatchObject({ state: 'cancelled', reason: 'countdown' });
    expect(bare.problems()).toEqual([]);
  });

  it('PAPI-056 cancels both orders of a list together', () => {
    bare.tradeAt('50000');
    const { limit, stop } = bare.oco(0, 'sell', {
      amount: '0.1',
      limitPrice: '52000',
      stopPrice: '49000',
    });
    bare.countdown(0, 1_000);
    bare.now = later(bare.now, 1_000);
    bare.endCountdowns();
    expect([limit.reason, stop.reason].toSorted()).toEqual(['countdown', 'oco']);
    expect(bare.problems()).toEqual([]);
  });

  it('PAPI-061 the end of a connection cancels the orders placed under it, and no others', () => {
    const [tied, free] = [
      bare.place(0, { side: 'buy', price: '45000', amount: '0.01', sessionId: SESSION }),
      bid(0),
    ];
    expect(bare.exchange.orders.sessionIds).toEqual([SESSION]);
    expect(bare.run('sessionEnd', { sessionId: SESSION, most: 256 })).toEqual({ count: 1 });
    expect(tied).toMatchObject({ state: 'cancelled', reason: 'disconnected' });
    expect(free.state).toBe('open');
    expect(bare.exchange.orders.sessionIds).toEqual([]);
    expect(bare.run('sessionEnd', { sessionId: SESSION, most: 256 })).toEqual({ count: 0 });
    expect(bare.problems()).toEqual([]);
  });
});
