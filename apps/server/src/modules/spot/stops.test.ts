import { beforeEach, describe, expect, it } from 'vitest';
import { Decimal } from '@exchange/core/decimal.ts';
import { BareExchange, refusalOf } from './testing/bare-exchange.ts';
import type { OrderType, StopDirection } from '@exchange/core/spot.ts';
import type { Side } from '@exchange/core/pair.ts';

describe('stops', () => {
  let bare: BareExchange;

  beforeEach(async () => {
    bare = await BareExchange.open();
    bare.tradeAt('50000');
  });

  /** Large orders on both sides of the book, so that triggered orders can trade. */
  function liquidity(): void {
    bare.place(2, { side: 'sell', price: '51200', amount: '1' });
    bare.place(3, { side: 'buy', price: '48000', amount: '1' });
  }

  it.each<[OrderType, Side, StopDirection]>([
    ['stopMarket', 'sell', 'lte'],
    ['stopMarket', 'buy', 'gte'],
    ['takeProfitMarket', 'sell', 'gte'],
    ['takeProfitMarket', 'buy', 'lte'],
    ['stopLimit', 'sell', 'lte'],
    ['takeProfitLimit', 'buy', 'lte'],
  ])(
    'SPOT-100 a %s to %s waits off the book and triggers when the last price is %s its stop',
    (type, side, direction) => {
      const stopPrice = direction === 'gte' ? '51000' : '49000';
      const limits = type.endsWith('Limit') ? { price: stopPrice } : {};
      const order = bare.place(0, { side, type, stopPrice, amount: '0.1', ...limits });
      expect(order).toMatchObject({ state: 'open', stop: { status: 'waiting', direction } });
      expect(bare.market.book.size).toBe(0);
      bare.tradeAt(direction === 'gte' ? '50999.99' : '49000.01');
      expect(order.stop?.status).toBe('waiting');
      bare.now = (bare.now + 5) as typeof bare.now;
      bare.tradeAt(stopPrice);
      expect(order).toMatchObject({ state: 'open', stop: { status: 'due', triggeredAt: bare.now } });
      liquidity();
      expect(bare.trigger()).toBe(order);
      expect(order.stop?.status).toBe('triggered');
      expect(order.state).toBe(type.endsWith('Limit') ? 'open' : 'filled');
      expect(bare.problems()).toEqual([]);
    },
  );

  it('SPOT-620 a stop that becomes due between the detection of a halt and its storing stays due, and no balance changes', () => {
    bare.place(2, { side: 'sell', price: '51200', amount: '1' });
    const stop = bare.place(0, { side: 'buy', type: 'stopMarket', stopPrice: '51000', amount: '0.1' });
    bare.tradeAt('51000');
    expect(stop.stop?.status).toBe('due');
    const before = {
      buyer: bare.balanceText(0, 'USDT'),
      maker: bare.balanceText(2, 'BTC'),
      book: bare.market.book.amountAt('sell', 51_200_00n),
    };
    bare.ledger.halt('BTC', 'test', 'found broken');
    expect([...bare.exchange.ready()]).toEqual([]);
    expect(refusalOf(() => bare.trigger())).toMatchObject({ key: 'l.asset_halted', unit: 'BTC' });
    expect(bare.exchange.due.ids).toEqual([stop.id]);
    expect(bare.exchange.orders.get(stop.id)).toBe(stop);
    expect({
      buyer: bare.balanceText(0, 'USDT'),
      maker: bare.balanceText(2, 'BTC'),
      book: bare.market.book.amountAt('sell', 51_200_00n),
    }).toEqual(before);
    bare.liftHalt('BTC');
    expect(bare.trigger()).toBe(stop);
    expect(stop.state).toBe('filled');
    expect(bare.problems()).toEqual([]);
  });

  it('SPOT-620 while a halt is not stored yet, no cancel or expiry is applied partially', () => {
    const expireAt = bare.now + 60_000;
    const buy = bare.place(0, { side: 'buy', price: '49000', amount: '0.1' });
    const sell = bare.place(0, { side: 'sell', price: '52000', amount: '0.1' });
    const ending = bare.place(1, {
      side: 'buy',
      price: '48000',
      amount: '0.1',
      timeInForce: 'GTT',
      expireAt,
    });
    bare.ledger.halt('BTC', 'test', 'found broken');
    expect(refusalOf(() => bare.cancelAll(0))).toMatchObject({ key: 'l.asset_halted', unit: 'BTC' });
    expect([buy.state, sell.state]).toEqual(['open', 'open']);
    bare.now = expireAt as typeof bare.now;
    expect(refusalOf(() => bare.expire())).toMatchObject({ key: 'l.asset_halted' });
    expect(ending.state).toBe('open');
    expect(bare.market.book.size).toBe(3);
    bare.liftHalt('BTC');
    expect(bare.cancelAll(0)).toBe(2);
    expect(bare.expire()).toBe(1);
    expect(bare.market.book.size).toBe(0);
    expect(bare.problems()).toEqual([]);
  });

  it('SPOT-101 a stop beyond the last price is refused, and so is a stop before the first trade', async () => {
    const through = () =>
      bare.place(0, { side: 'sell', type: 'stopMarket', stopPrice: '50000', amount: '1' });
    expect(refusalOf(through)).toMatchObject({
      key: 'l.stop_price_side',
      value: '50000.00',
      limit: '50000.00',
    });
    const above = () =>
      bare.place(0, { side: 'sell', type: 'stopMarket', stopPrice: '50000', amount: '1', direction: 'gte' });
    expect(refusalOf(above)).toMatchObject({ key: 'l.stop_price_side' });
    const fresh = await BareExchange.open();
    const early = () => fresh.place(0, { side: 'sell', type: 'stopMarket', stopPrice: '1', amount: '1' });
    expect(refusalOf(early)).toMatchObject({ key: 'l.no_last_price' });
    expect(bare.balanceText(0, 'BTC')).toBe('100 + 0');
  });

  it('SPOT-102 a stop’s funds are held when it is placed: amount, price × amount, guard × amount, or total', () => {
    const buy = { side: 'buy', stopPrice: '51000' } as const;
    bare.place(0, { side: 'sell', type: 'stopMarket', stopPrice: '49000', amount: '0.5' });
    expect(bare.balanceText(0, 'BTC')).toBe('99.5 + 0.5');
    bare.place(0, { ...buy, type: 'stopLimit', price: '51500', amount: '0.1' });
    expect(bare.balanceText(0, 'USDT')).toBe('994850 + 5150');
    bare.place(0, { ...buy, type: 'stopMarket', amount: '0.1' });
    expect(bare.balanceText(0, 'USDT')).toBe('989495 + 10505');
    bare.place(0, { ...buy, type: 'stopMarket', total: '100' });
    expect(bare.balanceText(0, 'USDT')).toBe('989395 + 10605');
    const sale = () => bare.place(0, { side: 'sell', type: 'stopMarket', stopPrice: '49000', total: '100' });
    expect(refusalOf(sale)).toMatchObject({ key: 'l.amount_required' });
    expect(bare.problems()).toEqual([]);
  });

  it('SPOT-103 at most ten stops wait per user and pair, and they do not count as open orders', () => {
    const stop = () => bare.place(0, { side: 'sell', type: 'stopMarket', stopPrice: '49000', amount: '0.1' });
    for (let placed = 0; placed < 10; placed += 1) stop();
    expect(refusalOf(stop)).toMatchObject({ key: 'l.stop_orders_max', limit: '10', value: '10' });
    for (let placed = 0; placed < 200; placed += 1)
      bare.place(0, { side: 'buy', price: '45000', amount: '0.001' });
    const more = () => bare.place(0, { side: 'buy', price: '45000', amount: '0.001' });
    expect(refusalOf(more)).toMatchObject({ key: 'l.open_orders_max', limit: '200', value: '200' });
  });

  it('SPOT-104 a trailing stop follows the best price and triggers when the market turns by its distance', () => {
    const sell = bare.place(0, { side: 'sell', type: 'trailing', trail: '0.01', amount: '0.1' });
    const buy = bare.place(1, { side: 'buy', type: 'trailing', trail: '0.02', amount: '0.1' });
    expect(sell.stop?.price.toString()).toBe('49500');
    expect(buy.stop?.price.toString()).toBe('51000');
    expect(bare.balanceText(1, 'USDT')).toBe('994645 + 5355');
    bare.tradeAt('50333.33');
    expect(sell.stop?.extreme?.toString()).toBe('50333.33');
    // A sell stop trailing by 1 %: 50333.33 × 0.99 = 49829.9967, rounded up to the price tick.
    expect(sell.stop?.price.toString()).toBe('49830');
    expect(buy.stop?.price.toString()).toBe('51000');
    bare.tradeAt('49830.01');
    expect(bare.exchange.due.ids).toEqual([]);
    expect(buy.stop?.price.toString()).toBe('50826.61');
    bare.tradeAt('49830');
    expect(bare.exchange.due.ids).toEqual([sell.id]);
    bare.tradeAt('51000');
    expect(bare.exchange.due.ids).toEqual([sell.id, buy.id]);
    liquidity();
    bare.trigger();
    bare.trigger();
    expect([sell.state, buy.state]).toEqual(['filled', 'filled']);
    expect(bare.problems()).toEqual([]);
  });

  it('SPOT-105 a trailing distance lies between 0.1 % and 20 %, in hundredths of a percent', () => {
    const trailing = (trail: string) => () =>
      bare.place(0, { side: 'sell', type: 'trailing', trail, amount: '0.1' });
    expect(refusalOf(trailing('0.0009'))).toMatchObject({ key: 'l.trail_min', limit: '0.1', value: '0.09' });
    expect(refusalOf(trailing('0.2001'))).toMatchObject({ key: 'l.trail_max', limit: '20', value: '20.01' });
    expect(refusalOf(trailing('0.01001'))).toMatchObject({ key: 'l.field_decimals', field: 'trailPct' });
    const without = () => bare.place(0, { side: 'sell', type: 'trailing', amount: '0.1' });
    expect(refusalOf(without)).toMatchObject({ key: 'l.trail_required', field: 'trailPct' });
  });

  it('SPOT-106 trailing stops with different extremes keep them separate and trigger one by one', () => {
    const trailing = () => bare.place(0, { side: 'sell', type: 'trailing', trail: '0.01', amount: '0.1' });
    const first = trailing();
    bare.tradeAt('51000');
    bare.tradeAt('50600');
    const second = trailing();
    const third = trailing();
    bare.cancel(0, second);
    expect([first, third].map(({ stop }) => stop!.price.toString())).toEqual(['50490', '50094']);
    bare.tradeAt('50490');
    expect(bare.exchange.due.ids).toEqual([first.id]);
    bare.tradeAt('52000');
    expect(third.stop?.price.toString()).toBe('51480');
    expect(first.stop?.price.toString()).toBe('50490');
  });

  it('SPOT-107 triggered stops become due by trade and rank, and execute one by one in that order', () => {
    const stop = (user: number, stopPrice: string) =>
      bare.place(user, { side: 'sell', type: 'stopMarket', stopPrice, amount: '0.01' });
    const [far, near, alsoNear] = [stop(0, '48000'), stop(0, '49500'), stop(1, '49500')];
    bare.place(2, { side: 'buy', price: '49400', amount: '0.01' });
    bare.place(2, { side: 'buy', price: '47900', amount: '0.02' });
    bare.place(3, { side: 'sell', price: '47900', amount: '0.02', timeInForce: 'IOC' });
    expect(bare.exchange.due.ids).toEqual([near.id, alsoNear.id, far.id]);
    expect(bare.trigger()).toBe(near);
    expect(near.filledTotal.toString()).toBe('479');
    expect(bare.trigger()).toMatchObject({ id: alsoNear.id, state: 'cancelled', reason: 'noLiquidity' });
    expect(bare.trigger()).toMatchObject({ id: far.id, reason: 'noLiquidity' });
    expect(bare.trigger()).toBeUndefined();
    expect(bare.problems()).toEqual([]);
  });

  it('SPOT-108 an executed stop may trigger others: the cascade continues until nothing is due', () => {
    const stops = ['49500', '49000', '48500'].map((stopPrice) =>
      bare.place(0, { side: 'sell', type: 'stopMarket', stopPrice, amount: '0.01' }),
    );
    for (const price of ['49500', '49000', '48500', '48000'])
      bare.place(1, { side: 'buy', price, amount: '0.01' });
    bare.place(2, { side: 'sell', price: '49500', amount: '0.01', timeInForce: 'IOC' });
    const executed = [];
    while (bare.exchange.due.size > 0) executed.push(bare.trigger()!.id);
    expect(executed).toEqual(stops.map(({ id }) => id));
    expect(stops.map(({ filledTotal }) => filledTotal.toString())).toEqual(['490', '485', '480']);
    expect(bare.problems()).toEqual([]);
  });

  it('SPOT-109 a due stop can be cancelled, ends when its pair is halted, and releases its whole hold', () => {
    const stop = () => bare.place(0, { side: 'sell', type: 'stopMarket', stopPrice: '49000', amount: '0.1' });
    const [first, second] = [stop(), stop()];
    bare.tradeAt('49000');
    expect(bare.cancel(0, first)).toMatchObject({ state: 'cancelled', reason: 'user' });
    bare.setStatus('cancelOnly');
    expect(bare.trigger()).toMatchObject({ id: second.id, reason: 'pairHalted' });
    expect(bare.balanceText(0, 'BTC')).toBe('100 + 0');
  });

  it('LED-032 a due stop of a halted asset stays due, is not executed, and executes once the halt is lifted', () => {
    const stop = bare.place(0, { side: 'sell', type: 'stopMarket', stopPrice: '49000', amount: '0.1' });
    bare.tradeAt('49000');
    const { halts } = bare.exchange.ledger;
    halts.replace([{ asset: 'BTC', by: 'Ada', reason: 'looking at it', since: 1 }]);
    expect([...bare.exchange.ready()]).toEqual([]);
    expect(bare.trigger()).toBeUndefined();
    expect(stop).toMatchObject({ state: 'open', stop: { status: 'due' } });
    expect(() => bare.cancel(0, stop)).toThrow('l.asset_halted');
    halts.replace([]);
    expect([...bare.exchange.ready()]).toEqual([stop]);
    bare.place(2, { side: 'buy', price: '48900', amount: '0.1' });
    expect(bare.trigger()).toMatchObject({ id: stop.id, state: 'filled' });
    expect(bare.problems()).toEqual([]);
  });

  it('SPOT-007 a triggered market order does not trade further from the index than its guard price', () => {
    const order = bare.place(0, { side: 'sell', type: 'stopMarket', stopPrice: '49000', amount: '0.1' });
    bare.tradeAt('49000');
    bare.place(2, { side: 'buy', price: '47600', amount: '0.04' });
    bare.place(2, { side: 'buy', price: '47500', amount: '1' });
    bare.reference = Decimal.parse('50105');
    bare.trigger();
    // The guard price is 47599.75, which is 5 % below 50105. The best bid is above it, and the next bid is
    // below it.
    expect(order).toMatchObject({ state: 'cancelled', reason: 'guardReached' });
    expect(order.filledAmount.toString()).toBe('0.04');
    expect(bare.problems()).toEqual([]);
  });

  it('SPOT-110 a triggered buy pays no more than its hold, within the current guard price', () => {
    const order = bare.place(0, { side: 'buy', type: 'stopMarket', stopPrice: '51000', amount: '0.1' });
    bare.tradeAt('53000');
    bare.place(2, { side: 'sell', price: '53550', amount: '0.04' });
    bare.place(2, { side: 'sell', price: '53550.01', amount: '1' });
    bare.trigger();
    // The hold allows a price of 51000 × 1.05 = 53550; the current guard price of 56227.50 is higher.
    expect(order).toMatchObject({ state: 'cancelled', reason: 'guardReached' });
    expect(order.filledAmount.toString()).toBe('0.04');
    expect(bare.problems()).toEqual([]);
  });

  it('SPOT-111 a triggered limit order keeps its conditions: post-only and fill-or-kill orders end when they cannot be met', () => {
    const stop = {
      side: 'sell',
      type: 'stopLimit',
      stopPrice: '49000',
      price: '48900',
      amount: '0.1',
    } as const;
    const [post, kill, rests] = [
      bare.place(0, { ...stop, postOnly: true }),
      bare.place(0, { ...stop, timeInForce: 'FOK' }),
      bare.place(0, stop),
    ];
    bare.tradeAt('49000');
    bare.place(1, { side: 'buy', price: '48900', amount: '0.05' });
    expect(bare.trigger()).toMatchObject({ id: post.id, state: 'cancelled', reason: 'wouldCross' });
    expect(bare.trigger()).toMatchObject({ id: kill.id, state: 'cancelled', reason: 'fokUnfilled' });
    expect(bare.trigger()).toMatchObject({ id: rests.id, state: 'open' });
    expect(rests.filledAmount.toString()).toBe('0.05');
    expect(bare.problems()).toEqual([]);
  });

  it('SPOT-112 the limit price of a waiting order is checked against its stop price', () => {
    const stop = { side: 'sell', type: 'stopLimit', stopPrice: '49000', amount: '0.1' } as const;
    expect(refusalOf(() => bare.place(0, { ...stop, price: '39199.99' }))).toMatchObject({
      key: 'l.price_band_low',
      limit: '39200.00',
    });
    expect(refusalOf(() => bare.place(0, { ...stop, price: '48000', stopPrice: '49000.001' }))).toMatchObject(
      {
        key: 'l.price_decimals',
        field: 'stopPrice',
      },
    );
  });

  it('SPOT-114 a trailing stop with an activation price follows from that price on, and not before', () => {
    bare.tradeAt('50000');
    const request = {
      side: 'sell',
      type: 'trailing',
      trail: '0.05',
      amount: '0.1',
      activation: '52000',
    } as const;
    const stop = bare.place(0, request);
    expect(bare.balanceText(0, 'BTC')).toContain('0.1');
    // This fall would trigger the stop if it had no activation price.
    bare.tradeAt('45000');
    bare.tradeAt('51999.99');
    expect([stop.stop!.status, String(stop.stop!.activation)]).toEqual(['waiting', '52000']);
    bare.tradeAt('53000');
    expect([stop.stop!.activatedAt, String(stop.stop!.extreme), String(stop.stop!.price)]).toEqual([
      bare.now,
      '53000',
      '50350',
    ]);
    // After activation the stop still has its activation price, and its amount can be amended.
    expect(String(stop.stop!.activation)).toBe('52000');
    bare.amend(0, stop, { amount: '0.2' });
    bare.tradeAt('54000');
    expect(String(stop.stop!.price)).toBe('51300');
    bare.tradeAt('51300');
    expect(stop.stop!.status).toBe('due');
    expect(bare.problems()).toEqual([]);
  });

  it('SPOT-115 an activation price lies where the market would go in its favor, on the grid, and for trailing stops alone', () => {
    bare.tradeAt('50000');
    const refused = (change: Record<string, string>) =>
      refusalOf(() =>
        bare.place(0, { side: 'sell', type: 'trailing', trail: '0.05', amount: '0.1', ...change } as never),
      );
    expect(refused({ activation: '50000' })).toMatchObject({
      key: 'l.activation_side',
      field: 'activationPrice',
    });
    expect(refused({ side: 'buy', activation: '50000.01' })).toMatchObject({ key: 'l.activation_side' });
    expect(refused({ activation: '52000.001' })).toMatchObject({ key: 'l.price_decimals' });
    expect(refused({ type: 'limit', price: '51000', activation: '52000' })).toMatchObject({
      key: 'l.stop_unexpected',
      field: 'trailPct',
    });
  });
});
