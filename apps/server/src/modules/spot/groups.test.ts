import { beforeEach, describe, expect, it } from 'vitest';
import { BareExchange, refusalOf, userOf } from './testing/bare-exchange.ts';

describe('one cancels the other', () => {
  let bare: BareExchange;

  beforeEach(async () => {
    bare = await BareExchange.open();
    bare.tradeAt('50000');
  });

  const sell = (more: { stopLimitPrice?: string } = {}) =>
    bare.oco(0, 'sell', { amount: '0.1', limitPrice: '52000', stopPrice: '49000', ...more });
  const buy = (more: { stopLimitPrice?: string } = {}) =>
    bare.oco(0, 'buy', { amount: '0.1', limitPrice: '48000', stopPrice: '51000', ...more });

  it('SPOT-120 both legs are placed at once, and funds are held once, for the more expensive leg', () => {
    const { groupId, limit, stop } = sell();
    expect(limit).toMatchObject({ type: 'limit', groupId, state: 'open' });
    expect(stop).toMatchObject({ type: 'stopMarket', groupId, stop: { status: 'waiting' } });
    expect(bare.balanceText(0, 'BTC')).toBe('99.9 + 0.1');
    buy();
    // The hold of 5,355 USDT covers the stop leg, whose guard price of 53,550 is higher than the limit price.
    expect(bare.balanceText(0, 'USDT')).toBe('994645 + 5355');
    expect(bare.problems()).toEqual([]);
  });

  it('SPOT-121 any fill of the limit leg ends the stop, and the limit leg’s hold is reduced to its need', () => {
    const { limit, stop } = buy({ stopLimitPrice: '51500' });
    expect(bare.balanceText(0, 'USDT')).toBe('994850 + 5150');
    bare.place(1, { side: 'sell', price: '48000', amount: '0.04' });
    expect(stop).toMatchObject({ state: 'cancelled', reason: 'oco' });
    expect(limit.state).toBe('open');
    expect(limit.held.toString()).toBe('2880');
    expect(bare.balanceText(0, 'USDT')).toBe('995200 + 2880');
    bare.tradeAt('51000');
    expect(bare.exchange.due.ids).toEqual([]);
    expect(bare.problems()).toEqual([]);
  });

  it('SPOT-122 when the stop triggers the limit leg leaves the book in the same step, and its hold moves to the stop', () => {
    const { limit, stop } = buy({ stopLimitPrice: '51200' });
    bare.tradeAt('51000');
    expect(limit).toMatchObject({ state: 'cancelled', reason: 'oco' });
    expect(bare.market.book.get(limit.id)).toBeNull();
    expect(stop.held.toString()).toBe('5120');
    bare.trigger();
    expect(bare.market.book.get(stop.id)?.price).toBe(5_120_000n);
    expect(bare.problems()).toEqual([]);
    bare.cancel(0, stop);
    const sale = sell();
    bare.tradeAt('49000');
    bare.place(1, { side: 'buy', price: '48900', amount: '1' });
    bare.trigger();
    expect(sale.stop).toMatchObject({ state: 'filled' });
    expect(sale.limit).toMatchObject({ reason: 'oco' });
    expect(bare.problems()).toEqual([]);
  });

  it('SPOT-123 SPOT-1000 cancelling either leg ends both; cancelling all counts both, and one entry of a list', () => {
    const first = sell();
    bare.cancel(0, first.stop);
    expect([first.stop.reason, first.limit.reason]).toEqual(['user', 'oco']);
    const second = sell();
    bare.cancel(0, second.limit);
    expect([second.stop.reason, second.limit.reason]).toEqual(['oco', 'user']);
    const last = sell();
    const all = { owner: userOf(0), base: undefined, quote: undefined, side: undefined };
    expect(bare.run('cancelAll', all)).toEqual({ count: 2, entries: 1 });
    expect([last.limit.reason, last.stop.reason]).toEqual(['user', 'oco']);
    expect(bare.balanceText(0, 'BTC')).toBe('100 + 0');
    expect(bare.market.book.size).toBe(0);
  });

  it('SPOT-124 one leg must lie above the last price and one below, and the limit leg must rest', () => {
    const oco = (limitPrice: string, stopPrice: string) => () =>
      bare.oco(0, 'sell', { amount: '0.1', limitPrice, stopPrice });
    expect(refusalOf(oco('50000', '49000'))).toMatchObject({ key: 'l.oco_prices', last: '50000.00' });
    expect(refusalOf(oco('49500', '49000'))).toMatchObject({ key: 'l.oco_prices' });
    expect(refusalOf(oco('51000', '50500'))).toMatchObject({ key: 'l.oco_prices' });
    expect(refusalOf(oco('51000.001', '49000'))).toMatchObject({
      key: 'l.price_decimals',
      field: 'limitPrice',
    });
    bare.place(1, { side: 'buy', price: '51000', amount: '0.1' });
    expect(refusalOf(oco('51000', '49000'))).toMatchObject({ key: 'l.post_only_crosses' });
    expect(bare.balanceText(0, 'BTC')).toBe('100 + 0');
  });

  it('SPOT-125 self-trade prevention that reduces the limit leg ends the stop like a fill', () => {
    const { limit, stop } = sell();
    bare.place(0, { side: 'buy', price: '52000', amount: '0.04', selfTrade: 'decrement' });
    expect(stop).toMatchObject({ state: 'cancelled', reason: 'oco' });
    expect(limit.cancelledAmount.toString()).toBe('0.04');
    expect(limit.held.toString()).toBe('0.06');
    expect(bare.problems()).toEqual([]);
  });
});
