import { later, SECOND_MS } from '@exchange/core/time.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Iceberg } from './domain/iceberg.ts';
import { BareExchange, refusalOf } from './testing/bare-exchange.ts';

/** An iceberg that sells 5 BTC in slices of 1 BTC. */
const SALE = { side: 'sell', price: '50000', amount: '5', visible: '1' } as const;

describe('icebergs', () => {
  let bare: BareExchange;

  beforeEach(async () => {
    bare = await BareExchange.open();
    bare.tradeAt('50000');
  });

  const buy = (amount: string, price = '50000') => bare.place(1, { side: 'buy', price, amount });
  const asks = () =>
    bare.market.book.depth(9).asks.map(({ price, amount }) => `${price / 100n}: ${Number(amount) / 100_000}`);
  const ownersInQueue = () =>
    [...bare.market.book.resting('sell')].map(({ owner }) => Number(owner.slice(-2)));
  const figuresOf = (iceberg: Iceberg) =>
    [iceberg.filledAmount, iceberg.filledTotal, iceberg.fee, iceberg.reserved].map(String);

  it('ALGO-037 ALGO-039 the book shows one slice, the funds of all are reserved, and the next slice follows a filled one', () => {
    const iceberg = bare.iceberg(0, SALE);
    expect(asks()).toEqual(['50000: 1']);
    expect(bare.balanceText(0, 'BTC')).toBe('95 + 5');
    expect(figuresOf(iceberg)).toEqual(['0', '0', '0', '4']);
    const first = bare.sliceOf(iceberg);
    buy('0.4');
    expect(bare.sliceOf(iceberg)).toBe(first);
    expect(asks()).toEqual(['50000: 0.6']);
    buy('0.6');
    expect(first).toMatchObject({ state: 'filled', clientId: iceberg.id });
    expect(bare.sliceOf(iceberg)).not.toBe(first);
    expect(asks()).toEqual(['50000: 1']);
    expect(iceberg).toMatchObject({ placed: 2, ending: undefined });
    expect(figuresOf(iceberg)).toEqual(['1', '50000', '50', '3']);
    expect(bare.problems()).toEqual([]);
  });

  it('ALGO-036 ALGO-040 an order meets the hidden slices before it trades at a worse price, and ends the iceberg with the last', () => {
    const iceberg = bare.iceberg(0, { ...SALE, amount: '2.5' });
    bare.place(2, { side: 'sell', price: '50000', amount: '0.3' });
    bare.place(2, { side: 'sell', price: '50100', amount: '1' });
    const taker = buy('3', '50100');
    expect(String(taker.filledTotal)).toBe('150020');
    expect(iceberg).toMatchObject({ ending: 'filled', placed: 3, slice: undefined });
    expect(figuresOf(iceberg)).toEqual(['2.5', '125000', '125', '0']);
    expect(bare.exchange.icebergs.size).toBe(0);
    expect(bare.balanceText(0, 'BTC')).toBe('97.5 + 0');
    expect(asks()).toEqual(['50100: 0.8']);
    expect(bare.problems()).toEqual([]);
  });

  it('ALGO-036 a new slice is behind the orders that rest at its price, also among several icebergs', () => {
    bare.iceberg(0, SALE);
    bare.place(2, { side: 'sell', price: '50000', amount: '1' });
    bare.iceberg(3, SALE);
    expect(ownersInQueue()).toEqual([0, 2, 3]);
    buy('1');
    expect(ownersInQueue()).toEqual([2, 3, 0]);
    buy('2.5');
    expect(ownersInQueue()).toEqual([0, 3]);
    expect(bare.problems()).toEqual([]);
  });

  it('ALGO-038 a fill-or-kill order and a sale by total count the hidden amount exactly', () => {
    bare.iceberg(0, { side: 'buy', price: '50000', amount: '3', visible: '0.5' });
    bare.place(2, { side: 'buy', price: '49000', amount: '1' });
    const kill = (amount: string) =>
      bare.place(1, { side: 'sell', price: '50000', amount, timeInForce: 'FOK' });
    expect(refusalOf(() => kill('3.00001')).key).toBe('l.fok_unfilled');
    expect(kill('1.2').state).toBe('filled');
    const sale = bare.place(1, { side: 'sell', type: 'market', total: '100000' });
    expect([sale.filledAmount, sale.filledTotal].map(String)).toEqual(['2.00408', '99999.92']);
    expect(bare.problems()).toEqual([]);
  });

  it('ALGO-037 a purchase reserves its price times the amount, and each slice holds its part', () => {
    const iceberg = bare.iceberg(0, {
      side: 'buy',
      price: '49999.99',
      amount: '0.00123',
      visible: '0.0005',
      postOnly: true,
    });
    expect(bare.balanceText(0, 'USDT')).toBe('999938.5000123 + 61.4999877');
    expect(String(bare.sliceOf(iceberg).held)).toBe('24.999995');
    // The last slice has the amount that is left, which is less than the visible amount.
    bare.place(1, { side: 'sell', price: '49000', amount: '0.0005' });
    expect(String(bare.sliceOf(iceberg).amount)).toBe('0.0005');
    bare.place(1, { side: 'sell', price: '49000', amount: '0.0005' });
    expect([bare.sliceOf(iceberg).amount, iceberg.reserved].map(String)).toEqual(['0.00023', '0']);
    bare.place(1, { side: 'sell', price: '49000', amount: '0.00023' });
    expect(iceberg.ending).toBe('filled');
    expect(bare.balanceText(0, 'USDT')).toBe('999938.5000123 + 0');
    expect(bare.problems()).toEqual([]);
  });

  it('ALGO-041 what would trade at once trades first; the rest goes to the book in slices; post-only is refused', () => {
    bare.place(2, { side: 'buy', price: '50100', amount: '0.7' });
    bare.place(2, { side: 'buy', price: '49900', amount: '1' });
    expect(refusalOf(() => bare.iceberg(0, { ...SALE, postOnly: true }))).toMatchObject({
      key: 'l.post_only_crosses',
      field: 'price',
    });
    const iceberg = bare.iceberg(0, SALE);
    expect(figuresOf(iceberg)).toEqual(['0.7', '35070', '35.07', '3.3']);
    expect(iceberg).toMatchObject({ placed: 2, ending: undefined });
    expect(asks()).toEqual(['50000: 1']);
    bare.cancel(0, bare.sliceOf(iceberg));
    bare.place(2, { side: 'buy', price: '50000', amount: '9' });
    expect(bare.iceberg(0, SALE)).toMatchObject({ ending: 'filled', placed: 1, slice: undefined });
    expect(bare.exchange.icebergs.size).toBe(0);
    expect(bare.problems()).toEqual([]);
  });

  it('ALGO-041 an own order in the way ends it as it ends a limit order', () => {
    bare.place(0, { side: 'buy', price: '50000', amount: '1' });
    expect(bare.iceberg(0, SALE)).toMatchObject({ ending: 'selfTrade', placed: 1 });
    expect(bare.balanceText(0, 'BTC')).toBe('100 + 0');
    expect(bare.problems()).toEqual([]);
  });

  it('ALGO-042 one cancellation ends it once; so does the cancellation of its slice, of all orders, and a countdown', () => {
    const end = (iceberg: Iceberg, user = 0) =>
      bare.run('cancelIceberg', { owner: bare.ownerOf(user), id: iceberg.id }).count;
    const first = bare.iceberg(0, SALE);
    expect([end(first, 1), end(first), end(first)]).toEqual([0, 1, 0]);
    const second = bare.iceberg(0, SALE);
    bare.cancel(0, bare.sliceOf(second));
    const third = bare.iceberg(0, SALE);
    expect(bare.cancelAll(0)).toBe(1);
    const fourth = bare.iceberg(0, SALE);
    bare.countdown(0, 5_000);
    bare.now = later(bare.now, 6 * SECOND_MS);
    expect(bare.endCountdowns()).toBe(1);
    expect([first, second, third, fourth].map(({ ending }) => ending)).toEqual([
      'user',
      'user',
      'user',
      'countdown',
    ]);
    expect(bare.balanceText(0, 'BTC')).toBe('100 + 0');
    expect(asks()).toEqual([]);
    expect(bare.problems()).toEqual([]);
  });

  it('ALGO-042 self-trade prevention of another order removes a slice, and with it the iceberg', () => {
    const iceberg = bare.iceberg(0, SALE);
    bare.place(0, { side: 'buy', price: '50000', amount: '0.4', selfTrade: 'decrement' });
    expect([asks(), iceberg.ending]).toEqual([['50000: 0.6'], undefined]);
    buy('0.6');
    expect(iceberg).toMatchObject({ placed: 2, ending: undefined });
    bare.place(0, { side: 'buy', price: '50000', amount: '0.1', selfTrade: 'cancelMaker' });
    expect(iceberg.ending).toBe('selfTrade');
    expect(bare.balanceText(0, 'BTC')).toBe('99.4 + 0');
    expect(bare.problems()).toEqual([]);
  });

  it('ALGO-043 a slice cannot be amended; a pair that accepts cancellations only refuses an iceberg and cancels one', () => {
    const iceberg = bare.iceberg(0, SALE);
    const slice = bare.sliceOf(iceberg);
    expect(refusalOf(() => bare.amend(0, slice, { price: '50010' })).key).toBe('l.amend_type');
    bare.setStatus('cancelOnly');
    expect(refusalOf(() => bare.iceberg(1, SALE)).key).toBe('l.pair_cancel_only');
    expect(bare.run('cancelIceberg', { owner: iceberg.owner, id: iceberg.id })).toEqual({ count: 1 });
  });

  it('ALGO-039 ALGO-043 too little balance and too many icebergs are refused', () => {
    const shown = refusalOf(() =>
      bare.iceberg(0, { side: 'buy', price: '50000', amount: '20.5', visible: '1' }),
    );
    expect(shown).toMatchObject({ key: 'l.insufficient_balance', field: 'amount', limit: '1000000' });
    for (let count = 0; count < 10; count += 1) bare.iceberg(0, { ...SALE, amount: '2', price: '50010' });
    expect(refusalOf(() => bare.iceberg(0, { ...SALE, amount: '2' }))).toMatchObject({
      key: 'l.iceberg_max',
      limit: '10',
    });
    expect(bare.problems()).toEqual([]);
  });

  it('ALGO-036 stops that a sweep through hidden slices reaches are marked once', () => {
    const iceberg = bare.iceberg(0, { ...SALE, price: '51000' });
    const stop = bare.place(2, { side: 'buy', type: 'stopMarket', stopPrice: '51000', amount: '0.1' });
    buy('4.5', '51000');
    expect(stop.stop!.status).toBe('due');
    expect(bare.trigger()!.state).toBe('filled');
    expect([iceberg.filledAmount, bare.sliceOf(iceberg).amount].map(String)).toEqual(['4.6', '1']);
    expect(bare.problems()).toEqual([]);
  });
});
