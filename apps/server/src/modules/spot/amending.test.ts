import { beforeEach, describe, expect, it } from 'vitest';
import { BareExchange, refusalOf } from './testing/bare-exchange.ts';

describe('amending', () => {
  let bare: BareExchange;

  beforeEach(async () => {
    bare = await BareExchange.open();
  });

  const queue = () => [...bare.market.book.resting('buy')].map(({ id }) => id);

  it('SPOT-130 a lower amount keeps its place in the queue; anything else goes to the back', () => {
    const place = (user: number) => bare.place(user, { side: 'buy', price: '50000', amount: '0.1' });
    const [one, two] = [place(0), place(1)];
    bare.amend(0, one, { amount: '0.05' });
    expect(queue()).toEqual([one.id, two.id]);
    expect(bare.has(0, 'USDT')).toBe('997500 + 2500');
    bare.amend(0, one, { amount: '0.06' });
    expect(queue()).toEqual([two.id, one.id]);
    expect(bare.has(0, 'USDT')).toBe('997000 + 3000');
    bare.amend(1, two, { price: '50001', amount: '0.05' });
    expect(queue()).toEqual([two.id, one.id]);
    expect(bare.has(1, 'USDT')).toBe('997499.95 + 2500.05');
    expect(bare.problems()).toEqual([]);
  });

  it('SPOT-131 a new price that crosses trades at once, as a taker; its id and its filled part stay', () => {
    const order = bare.place(0, { side: 'buy', price: '49000', amount: '0.1' });
    bare.place(1, { side: 'sell', price: '49000', amount: '0.03' });
    bare.place(1, { side: 'sell', price: '50000', amount: '0.02' });
    const amended = bare.amend(0, order, { price: '50500', amount: '0.08' });
    expect(amended).toBe(order);
    expect(order.filledAmount.toString()).toBe('0.05');
    expect(order.held.toString()).toBe('1515');
    bare.amend(0, order, { price: '51000' });
    bare.place(1, { side: 'sell', price: '51000', amount: '0.03' });
    expect(order.state).toBe('filled');
    expect(bare.problems()).toEqual([]);
  });

  it('SPOT-132 a change is refused where placing would be, and changes nothing', () => {
    const order = bare.place(0, { side: 'buy', price: '50000', amount: '0.1' });
    bare.place(1, { side: 'sell', price: '50000', amount: '0.04' });
    const amend = (change: { price?: string; amount?: string }) =>
      refusalOf(() => bare.amend(0, order, change));
    expect(amend({})).toMatchObject({ key: 'l.amend_nothing' });
    expect(amend({ price: '50000', amount: '0.1' })).toMatchObject({ key: 'l.amend_nothing' });
    expect(amend({ amount: '0.04' })).toMatchObject({ key: 'l.amend_filled', limit: '0.04', value: '0.04' });
    expect(amend({ amount: '0.04009' })).toMatchObject({ key: 'l.total_min', limit: '5', value: '4.5' });
    expect(amend({ amount: '0.1000001' })).toMatchObject({ key: 'l.amount_decimals' });
    expect(amend({ price: '50000.001' })).toMatchObject({ key: 'l.price_decimals' });
    expect(amend({ amount: '100' })).toMatchObject({ key: 'l.insufficient_balance' });
    expect(order).toMatchObject({ state: 'open' });
    expect([order.price!.toString(), order.amount!.toString()]).toEqual(['50000', '0.1']);
    bare.setStatus('cancelOnly');
    expect(amend({ amount: '0.05' })).toMatchObject({ key: 'l.pair_cancel_only' });
    expect(refusalOf(() => bare.amend(1, order, { amount: '0.05' }))).toMatchObject({
      key: 'l.order_not_open',
    });
    expect(bare.problems()).toEqual([]);
  });

  it('SPOT-133 a post-only order is not amended into a taker, and meeting oneself follows the order’s own mode', () => {
    const post = bare.place(0, { side: 'buy', price: '49000', amount: '0.1', postOnly: true });
    const own = bare.place(1, { side: 'buy', price: '49000', amount: '0.1', selfTrade: 'cancelMaker' });
    const mine = bare.place(1, { side: 'sell', price: '50000', amount: '0.1' });
    expect(refusalOf(() => bare.amend(0, post, { price: '50000' }))).toMatchObject({
      key: 'l.post_only_crosses',
    });
    expect(bare.amend(1, own, { price: '50000' })).toMatchObject({ state: 'open' });
    expect(mine).toMatchObject({ state: 'cancelled', reason: 'selfTrade' });
    expect(bare.problems()).toEqual([]);
  });

  it('SPOT-134 only orders on the book are amended: no waiting stop and no leg of an OCO', () => {
    bare.tradeAt('50000');
    const stop = bare.place(0, {
      side: 'sell',
      type: 'stopLimit',
      stopPrice: '49000',
      price: '48900',
      amount: '0.1',
    });
    expect(refusalOf(() => bare.amend(0, stop, { amount: '0.2' }))).toMatchObject({ key: 'l.amend_type' });
    const { limit } = bare.oco(0, 'sell', { amount: '0.1', limitPrice: '52000', stopPrice: '49000' });
    expect(refusalOf(() => bare.amend(0, limit, { amount: '0.2' }))).toMatchObject({ key: 'l.amend_type' });
    bare.place(1, { side: 'buy', price: '52000', amount: '0.05' });
    expect(bare.amend(0, limit, { price: '52500' }).price?.toString()).toBe('52500');
    bare.tradeAt('49000');
    bare.trigger();
    expect(bare.amend(0, stop, { amount: '0.2' }).held.toString()).toBe('0.2');
    expect(bare.problems()).toEqual([]);
  });
});

describe('self-trade prevention by decrement', () => {
  it('SPOT-135 lowers both by the smaller amount without a trade, and who reaches zero ends', async () => {
    const bare = await BareExchange.open();
    const mine = bare.place(0, { side: 'sell', price: '50000', amount: '0.1' });
    const small = bare.place(0, { side: 'buy', price: '50000', amount: '0.04', selfTrade: 'decrement' });
    expect(small).toMatchObject({ state: 'cancelled', reason: 'selfTrade' });
    expect(small.cancelledAmount.toString()).toBe('0.04');
    expect(mine.state).toBe('open');
    expect([mine.amount!.toString(), mine.cancelledAmount.toString(), mine.held.toString()]).toEqual([
      '0.1',
      '0.04',
      '0.06',
    ]);
    const large = bare.place(0, { side: 'buy', price: '50000', amount: '0.1', selfTrade: 'decrement' });
    expect(mine).toMatchObject({ state: 'cancelled', reason: 'selfTrade' });
    expect(large.state).toBe('open');
    expect(large.held.toString()).toBe('2000');
    expect(bare.has(0, 'BTC')).toBe('100 + 0');
    expect(bare.problems()).toEqual([]);
  });
});
