import { Decimal } from '@exchange/core/decimal.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import type { SpotOrder } from './domain/order.ts';
import { BareExchange, refusalOf, type OrderText } from './testing/bare-exchange.ts';

describe('amending', () => {
  let bare: BareExchange;

  beforeEach(async () => {
    bare = await BareExchange.open();
  });

  const queue = () => [...bare.market.book.resting('buy')].map(({ id }) => id);

  it('SPOT-130 a lower amount keeps its place in the queue; anything else goes to the back', () => {
    const place = (user: number) => bare.place(user, { side: 'buy', price: '50000', amount: '0.1' });
    const [first, second] = [place(0), place(1)];
    bare.amend(0, first, { amount: '0.05' });
    expect(queue()).toEqual([first.id, second.id]);
    expect(bare.balanceText(0, 'USDT')).toBe('997500 + 2500');
    bare.amend(0, first, { amount: '0.06' });
    expect(queue()).toEqual([second.id, first.id]);
    expect(bare.balanceText(0, 'USDT')).toBe('997000 + 3000');
    bare.amend(1, second, { price: '50001', amount: '0.05' });
    expect(queue()).toEqual([second.id, first.id]);
    expect(bare.balanceText(1, 'USDT')).toBe('997499.95 + 2500.05');
    expect(bare.problems()).toEqual([]);
  });

  it('SPOT-131 a new price that crosses trades at once, as a taker; its id and its filled amount stay', () => {
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

  it('SPOT-133 a post-only order is not amended into a taker, and self-trade prevention follows the order’s own mode', () => {
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

  const aStop = (change: Record<string, string> = {}) =>
    bare.place(0, {
      side: 'sell',
      type: 'stopLimit',
      stopPrice: '49000',
      price: '48900',
      amount: '0.1',
      ...change,
    });

  it('SPOT-134 a waiting stop is amended: its hold changes to the new need and it waits for its new price', () => {
    bare.tradeAt('50000');
    const stop = aStop();
    const buy = bare.place(1, { side: 'buy', type: 'stopMarket', stopPrice: '51000', amount: '0.1' });
    const heldBefore = buy.held;
    bare.amend(0, stop, { stopPrice: '48000', price: '47900', amount: '0.2' });
    expect([stop.stop!.price, stop.price, stop.amount, stop.held].map(String)).toEqual([
      '48000',
      '47900',
      '0.2',
      '0.2',
    ]);
    bare.amend(1, buy, { stopPrice: '52000', amount: '0.05' });
    expect(buy.held.isLess(heldBefore)).toBe(true);
    bare.tradeAt('48500');
    expect(stop.stop!.status).toBe('waiting');
    bare.tradeAt('48000');
    expect(stop.stop!.status).toBe('due');
    expect(refusalOf(() => bare.amend(0, stop, { amount: '0.3' }))).toMatchObject({ key: 'l.amend_type' });
    bare.trigger();
    expect(bare.amend(0, stop, { amount: '0.3' }).held.toString()).toBe('0.3');
    expect(bare.problems()).toEqual([]);
  });

  it('SPOT-136 fields that a stop does not have cannot change, and the limits of a new stop apply', () => {
    bare.tradeAt('50000');
    const [stop, trailing] = [
      aStop(),
      bare.place(0, { side: 'sell', type: 'trailing', trail: '0.05', amount: '0.1' }),
    ];
    const market = bare.place(0, { side: 'sell', type: 'stopMarket', stopPrice: '49000', amount: '0.1' });
    const amend = (order: typeof stop, change: { price?: string; amount?: string; stopPrice?: string }) =>
      refusalOf(() => bare.amend(0, order, change));
    expect(amend(stop, { stopPrice: '50001' })).toMatchObject({ key: 'l.stop_price_side' });
    expect(amend(stop, { stopPrice: '49000' })).toMatchObject({ key: 'l.amend_nothing' });
    expect(amend(stop, { amount: '100' })).toMatchObject({ key: 'l.insufficient_balance' });
    expect(amend(market, { price: '48000' })).toMatchObject({ key: 'l.amend_type', field: 'price' });
    expect(amend(trailing, { stopPrice: '48000' })).toMatchObject({
      key: 'l.amend_type',
      field: 'stopPrice',
    });
    expect(bare.amend(0, trailing, { amount: '0.2' }).held.toString()).toBe('0.2');
    const resting = bare.place(1, { side: 'buy', price: '40000', amount: '0.1' });
    expect(refusalOf(() => bare.amend(1, resting, { stopPrice: '41000' }))).toMatchObject({
      key: 'l.amend_type',
      field: 'stopPrice',
    });
    expect(bare.problems()).toEqual([]);
  });

  it('SPOT-137 an OCO is amended by either leg: the amount is that of both, the hold that of the dearer', () => {
    bare.tradeAt('50000');
    const { limit, stop } = bare.oco(0, 'sell', { amount: '0.1', limitPrice: '52000', stopPrice: '49000' });
    bare.amend(0, stop, { amount: '0.2', stopPrice: '48000' });
    expect([limit.amount, stop.amount, limit.held].map(String)).toEqual(['0.2', '0.2', '0.2']);
    bare.amend(0, limit, { price: '53000' });
    expect(bare.market.book.get(limit.id)?.price).toBe(5_300_000n);
    const amend = (order: typeof stop, change: { price?: string; stopPrice?: string }) =>
      refusalOf(() => bare.amend(0, order, change));
    expect(amend(limit, { price: '49500' })).toMatchObject({ key: 'l.oco_prices' });
    expect(amend(stop, { price: '47000' })).toMatchObject({ key: 'l.amend_type', field: 'price' });
    expect(amend(stop, { stopPrice: '48000' })).toMatchObject({ key: 'l.amend_nothing' });
    bare.tradeAt('48000');
    expect([stop.stop!.status, limit.state]).toEqual(['due', 'cancelled']);
    expect(stop.held.toString()).toBe('0.2');
    expect(bare.problems()).toEqual([]);
  });

  const EXITS = { takeProfit: '52000', stopLoss: '48000' };
  const aBuy = (user: number, exits: OrderText['exits'] = EXITS) =>
    bare.place(user, { side: 'buy', price: '50000', amount: '0.1', exits });
  const pricesOf = ({ exits }: SpotOrder) =>
    exits && [exits.takeProfit, exits.stopLoss, exits.stopLossLimit].map(String).join(' ');

  it('SPOT-298 exits are changed, added and removed without losing the place in the queue', () => {
    const [first, second] = [aBuy(0), bare.place(1, { side: 'buy', price: '50000', amount: '0.1' })];
    const three = aBuy(2);
    bare.amend(0, first, { exits: { takeProfit: '53000' } });
    expect(pricesOf(first)).toBe('53000 48000 undefined');
    bare.amend(0, first, { exits: { stopLoss: '0', takeProfit: '54000' } });
    expect(pricesOf(first)).toBe('54000 undefined undefined');
    bare.amend(0, first, { exits: { takeProfit: '0' } });
    expect(first.exits).toBeUndefined();
    bare.amend(1, second, { exits: { stopLoss: '47000', stopLossLimit: '46900' } });
    expect(second.exits?.status).toBe('waiting');
    // Removing the stop-loss also removes its limit price.
    bare.amend(1, second, { exits: { stopLoss: '0', takeProfit: '51000' } });
    expect(pricesOf(second)).toBe('51000 undefined undefined');
    expect(queue()).toEqual([first.id, second.id, three.id]);
    bare.place(3, { side: 'sell', price: '50000', amount: '0.3' });
    expect([...bare.exchange.owedExits.inOrder()]).toEqual([second, three]);
    bare.placeExits();
    expect([...bare.exchange.orders].filter(({ entryId }) => entryId !== '')).toMatchObject([
      { entryId: second.id, type: 'limit', groupId: '' },
    ]);
    expect(bare.problems()).toEqual([]);
  });

  it('SPOT-299 exits amended together with price and amount are checked against the new price; a lower amount keeps its place', () => {
    const [first, second] = [aBuy(0), aBuy(1)];
    expect(
      refusalOf(() => bare.amend(0, first, { price: '47000', exits: { takeProfit: '46000' } })),
    ).toMatchObject({
      key: 'l.take_profit_side',
    });
    bare.amend(0, first, { amount: '0.05', exits: { stopLoss: '49000' } });
    expect(queue()).toEqual([first.id, second.id]);
    bare.amend(0, first, { price: '47000', exits: { takeProfit: '50000', stopLoss: '46000' } });
    expect(`${first.price} ${first.amount} ${pricesOf(first)}`).toBe('47000 0.05 50000 46000 undefined');
    expect(queue()).toEqual([second.id, first.id]);
    // If the amended order trades at once, its exit orders have the amended terms.
    bare.place(3, { side: 'sell', price: '49000', amount: '0.05' });
    bare.place(3, { side: 'sell', price: '51000', amount: '0.05' });
    bare.amend(0, first, { price: '51000', exits: { takeProfit: '55000', stopLoss: '0' } });
    bare.placeExits();
    expect([...bare.exchange.orders].find(({ entryId }) => entryId === first.id)).toMatchObject({
      type: 'limit',
      groupId: '',
    });
    expect(bare.problems()).toEqual([]);
  });

  it('SPOT-300 exits are refused like at placement and for orders that cannot have exits; nothing changes', () => {
    bare.tradeAt('50000');
    const buy = aBuy(0);
    const amend = (exits: OrderText['exits'], order = buy, user = 0) =>
      refusalOf(() => bare.amend(user, order, { exits }));
    expect(amend({ takeProfit: '50000' })).toMatchObject({ key: 'l.take_profit_side', limit: '50000.00' });
    expect(amend({ stopLoss: '50000' })).toMatchObject({ key: 'l.stop_loss_side', limit: '50000.00' });
    expect(amend({ takeProfit: '52000.001' })).toMatchObject({ key: 'l.price_decimals' });
    expect(amend({ takeProfit: '60000.01' })).toMatchObject({ key: 'l.price_band_high' });
    expect(amend({ takeProfit: '-1' })).toMatchObject({ key: 'l.field_positive', field: 'takeProfitPrice' });
    expect(amend({ stopLossLimit: '30000' })).toMatchObject({
      key: 'l.price_band_low',
      field: 'stopLossLimitPrice',
    });
    expect(amend({ stopLoss: '0', stopLossLimit: '47000' })).toMatchObject({ key: 'l.stop_price_required' });
    expect(amend({ stopLoss: '0.01' })).toMatchObject({ key: 'l.total_min', field: 'stopLossPrice' });
    expect(amend({ takeProfit: '52000.00', stopLoss: '48000' })).toMatchObject({ key: 'l.amend_nothing' });
    const none = bare.place(0, { side: 'buy', price: '49000', amount: '0.1' });
    expect(amend({ takeProfit: '0', stopLoss: '0' }, none)).toMatchObject({ key: 'l.amend_nothing' });
    expect(amend({ takeProfit: '53000' }, buy, 1)).toMatchObject({ key: 'l.order_not_open' });
    const sale = bare.place(0, { side: 'sell', price: '51000', amount: '0.1' });
    expect(amend({ takeProfit: '52000' }, sale)).toMatchObject({ key: 'l.take_profit_side_sell' });
    const stop = aStop();
    expect(amend({ stopLoss: '48000' }, stop)).toMatchObject({ key: 'l.amend_type', field: 'stopLossPrice' });
    const { limit } = bare.oco(0, 'buy', { amount: '0.1', limitPrice: '49000', stopPrice: '51000' });
    expect(amend({ takeProfit: '52000' }, limit)).toMatchObject({ key: 'l.amend_type' });
    bare.setStatus('cancelOnly');
    expect(amend({ takeProfit: '53000' })).toMatchObject({ key: 'l.pair_cancel_only' });
    bare.setStatus('open');
    expect(pricesOf(buy)).toBe('52000 48000 undefined');
    bare.place(3, { side: 'sell', price: '50000', amount: '0.1' });
    expect(amend({ takeProfit: '53000' })).toMatchObject({ key: 'l.order_not_open' });
    expect(bare.problems()).toEqual([]);
  });

  it('SPOT-300 prices that stay are not checked again: exits can be changed after the index has moved away', () => {
    const buy = aBuy(0);
    bare.place(3, { side: 'sell', price: '50000', amount: '0.0999' });
    bare.reference = Decimal.parse('90000');
    expect(refusalOf(() => bare.amend(0, buy, { amount: '0.09995' }))).toMatchObject({
      key: 'l.price_band_low',
    });
    bare.amend(0, buy, { exits: { takeProfit: '55000' } });
    bare.cancel(0, buy);
    bare.placeExits();
    // The exit orders also cover the amount that was bought before the amendment.
    const legs = [...bare.exchange.orders].filter(({ entryId }) => entryId === buy.id);
    expect(legs.map(({ amount }) => String(amount))).toEqual(['0.0998', '0.0998']);
    expect(String(legs[0]!.price)).toBe('55000');
  });

  it('SPOT-135 lowers both by the smaller amount without a trade, and an order that reaches zero ends', async () => {
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
    expect(bare.balanceText(0, 'BTC')).toBe('100 + 0');
    expect(bare.problems()).toEqual([]);
  });
});
