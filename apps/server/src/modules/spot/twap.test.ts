import { Decimal } from '@exchange/core/decimal.ts';
import { later, MINUTE_MS, SECOND_MS } from '@exchange/core/time.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { BareExchange, refusalOf, type TwapText } from './testing/bare-exchange.ts';

/** Input of a TWAP order that buys 0.4 BTC in four child orders, a minute apart. */
const BUY: TwapText = { side: 'buy', amount: '0.4', minutes: 4, count: 4, bound: '0.01' };

describe('TWAP orders', () => {
  let bare: BareExchange;

  beforeEach(async () => {
    bare = await BareExchange.open();
    bare.tradeAt('50000');
  });

  const sell = (price: string, amount: string) => bare.place(1, { side: 'sell', price, amount });
  const pass = (ms: number) => (bare.now = later(bare.now, ms));

  it('ALGO-022 ALGO-027 ALGO-030 children trade at their times, each once, and end with sums that follow from their fills', () => {
    sell('50000', '1');
    const twap = bare.twap(0, BUY);
    expect(bare.balanceText(0, 'USDT')).toBe('1000000 + 0');
    expect(bare.nextChild(twap)).toBe(1);
    // Placing the first child a second time, or the second child before its time, has no effect.
    expect(bare.nextChild(twap, 0)).toBe(0);
    expect(bare.nextChild(twap)).toBe(0);
    for (let child = 1; child < 4; child += 1) {
      pass(MINUTE_MS);
      expect(bare.nextChild(twap)).toBe(1);
    }
    expect(twap).toMatchObject({ ending: 'filled', placed: 4, next: 4, startPrice: Decimal.parse('50000') });
    expect([twap.filledAmount, twap.filledTotal, twap.fee].map(String)).toEqual(['0.4', '20000', '0.0004']);
    expect(bare.balanceText(0, 'BTC')).toBe('100.3996 + 0');
    expect(bare.nextChild(twap)).toBe(0);
    expect(bare.exchange.twaps.get(twap.id)).toBeUndefined();
    expect(bare.problems()).toEqual([]);
  });

  it('ALGO-023 ALGO-024 what a child could not fill within its bound is spread over the next ones', () => {
    sell('50000', '0.04');
    sell('50600', '5');
    const twap = bare.twap(0, BUY);
    bare.nextChild(twap);
    expect(String(twap.filledAmount)).toBe('0.04');
    pass(MINUTE_MS);
    bare.nextChild(twap);
    expect(String(twap.filledAmount)).toBe('0.16');
    expect(twap.ending).toBeUndefined();
    pass(2 * MINUTE_MS);
    // No call places the third child, so it is skipped. The fourth buys at most twice an equal share (0.2 BTC).
    bare.nextChild(twap);
    expect(twap).toMatchObject({ ending: 'time', placed: 3, next: 4 });
    expect(String(twap.filledAmount)).toBe('0.36');
    expect(bare.problems()).toEqual([]);
  });

  it('ALGO-028 a child waits without a book, beyond the limit price or without funds, and is placed when it can be', () => {
    sell('50000', '0.1');
    const twap = bare.twap(0, { ...BUY, limitPrice: '50100' });
    bare.nextChild(twap);
    pass(MINUTE_MS);
    expect(bare.nextChild(twap)).toBe(0);
    expect(twap).toMatchObject({ pause: 'book', notified: 'book', next: 1 });
    sell('50200', '1');
    expect(bare.nextChild(twap)).toBe(0);
    expect(twap).toMatchObject({ pause: 'limit', notified: 'book' });
    sell('50100', '1');
    const spent = bare.place(0, { side: 'buy', price: '45000', amount: '22.1' });
    expect(bare.nextChild(twap)).toBe(0);
    expect(twap).toMatchObject({ pause: 'funds', notified: 'book funds' });
    bare.cancel(0, spent);
    pass(30 * SECOND_MS);
    expect(bare.nextChild(twap)).toBe(1);
    expect(twap).toMatchObject({ pause: undefined, next: 2, placed: 2 });
    expect(String(twap.filledAmount)).toBe('0.2');
    expect(bare.problems()).toEqual([]);
  });

  it('ALGO-028 ALGO-029 a halt pauses; the end of its time ends a paused order with what it has', () => {
    sell('50000', '1');
    const twap = bare.twap(0, BUY);
    bare.nextChild(twap);
    bare.haltAsset('BTC');
    pass(MINUTE_MS);
    bare.nextChild(twap);
    expect(twap).toMatchObject({ pause: 'halted', notified: 'halted' });
    expect(bare.run('endTwap', { owner: twap.owner, id: twap.id, by: 'time' })).toEqual({ count: 0 });
    pass(3 * MINUTE_MS);
    expect(bare.run('endTwap', { owner: twap.owner, id: twap.id, by: 'time' })).toEqual({ count: 1 });
    expect(twap).toMatchObject({ ending: 'time', pause: undefined, placed: 1 });
  });

  it('ALGO-031 children that were missed are left out: one child after an outage, not several', () => {
    sell('50000', '1');
    const twap = bare.twap(0, BUY);
    bare.nextChild(twap);
    pass(2.5 * MINUTE_MS);
    expect(bare.nextChild(twap)).toBe(1);
    expect(twap).toMatchObject({ placed: 2, next: 3 });
    expect(String(twap.filledAmount)).toBe('0.25');
    expect(bare.nextChild(twap)).toBe(0);
    pass(10 * MINUTE_MS);
    expect(bare.nextChild(twap)).toBe(0);
    expect(twap).toMatchObject({ ending: 'time', placed: 2 });
  });

  it('ALGO-029 a cancelled order places no child, and nobody else can cancel it', () => {
    sell('50000', '1');
    const twap = bare.twap(0, BUY);
    bare.nextChild(twap);
    const end = (owner: number) =>
      bare.run('endTwap', { owner: bare.ownerOf(owner), id: twap.id, by: 'user' });
    expect(end(1)).toEqual({ count: 0 });
    expect(end(0)).toEqual({ count: 1 });
    expect(end(0)).toEqual({ count: 0 });
    pass(MINUTE_MS);
    expect(bare.nextChild(twap)).toBe(0);
    expect(twap).toMatchObject({ ending: 'user', placed: 1 });
  });

  it('ALGO-025 ALGO-026 too little balance, an empty book and too many running orders are refused', () => {
    expect(refusalOf(() => bare.twap(0, BUY)).key).toBe('l.no_liquidity');
    sell('50000', '1');
    expect(refusalOf(() => bare.twap(0, { ...BUY, amount: '19.9' }))).toMatchObject({
      key: 'l.insufficient_balance',
      field: 'amount',
      limit: '1000000',
      value: '1004950',
    });
    for (let count = 0; count < 10; count += 1) bare.twap(0, BUY);
    expect(refusalOf(() => bare.twap(0, BUY))).toMatchObject({ key: 'l.twap_max', limit: '10' });
    expect(bare.twap(1, { ...BUY, side: 'sell' }, '49000')).toMatchObject({ next: 0 });
  });

  it('ALGO-028 an own order on the other side is not traded with, and the amount is carried on', () => {
    bare.place(0, { side: 'sell', price: '50000', amount: '1' });
    sell('50010', '1');
    const twap = bare.twap(0, BUY);
    expect(bare.nextChild(twap)).toBe(1);
    expect(twap).toMatchObject({ placed: 1, ending: undefined });
    expect(String(twap.filledAmount)).toBe('0');
    expect(bare.problems()).toEqual([]);
  });

  it('ALGO-029 a rest that is too small for an order ends it', () => {
    sell('50000', '0.0001');
    const twap = bare.twap(0, { ...BUY, amount: '0.0002', count: 2, minutes: 2 });
    sell('40000', '0.00015');
    // At the lower price each of two children would be below the minimum order value, so one child orders the
    // whole amount, of which only 0.00015 BTC is offered.
    bare.nextChild(twap);
    expect(String(twap.filledAmount)).toBe('0.00015');
    expect(twap.ending).toBeUndefined();
    pass(MINUTE_MS);
    expect(bare.nextChild(twap)).toBe(0);
    expect(twap).toMatchObject({ ending: 'rest', placed: 1 });
    expect(bare.problems()).toEqual([]);
  });
});
