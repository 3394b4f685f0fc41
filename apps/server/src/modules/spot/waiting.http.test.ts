import * as wire from '@exchange/wire/spot.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import { anExchange, type Funds, type TestExchange, type TestTrader } from '../../../testing/exchange.ts';
import type { RequestFields } from '../../../testing/calling.ts';
import { PrivateFeed } from '../../../testing/reliability/private-feed.ts';
import {
  BTC_USDT,
  depth,
  detail,
  balanceText,
  limit,
  market,
  place,
  requireEmptyBook,
} from './testing/orders.ts';

describe('orders that wait', () => {
  let exchange: TestExchange;
  let traders: TestTrader[] = [];

  beforeAll(async () => {
    exchange = await anExchange();
  });

  afterEach(async () => {
    for (const trader of traders) await trader.request(wire.cancelAllOrders);
    traders = [];
    await requireEmptyBook(exchange);
  });

  afterAll(() => exchange.close());

  async function aTrader(funds: Funds): Promise<TestTrader> {
    const trader = await exchange.aUser(funds);
    traders.push(trader);
    return trader;
  }

  /** Returns a function with which two users trade at a price, so that it becomes the last price. */
  async function startTrades(): Promise<(price: string) => Promise<void>> {
    const [seller, buyer] = [await aTrader({ BTC: '1' }), await aTrader({ USDT: '90000' })];
    return async (price) => {
      await place(seller, limit('sell', price, '0.001'));
      await place(buyer, limit('buy', price, '0.001', { timeInForce: 'IOC' }));
    };
  }

  const stop = (side: 'buy' | 'sell', stopPrice: string): RequestFields<typeof wire.createOrder> => ({
    ...BTC_USDT,
    tradeType: side,
    orderType: 'stopMarket',
    stopPrice,
    amount: '0.01',
  });

  const trailing = (trailPct: string): RequestFields<typeof wire.createOrder> => ({
    ...BTC_USDT,
    tradeType: 'sell',
    orderType: 'trailing',
    trailPct,
    amount: '0.01',
  });

  /** Waits until a stop order has a stop status and is no longer open; returns its detail. */
  async function waitForStopStatus(trader: TestTrader, order: { id: string }, stopStatus = 'triggered') {
    return eventually(async () => {
      const found = await detail(trader, order);
      expect(found.stopStatus).toBe(stopStatus);
      expect(found.status).not.toBe(0);
      return found;
    });
  }

  it('SPOT-150 a stop is shown with its trigger, off the public book, and executes by itself', async () => {
    const [trader, maker, tape] = [
      await aTrader({ BTC: '1' }),
      await aTrader({ USDT: '1000' }),
      await startTrades(),
    ];
    await tape('50000');
    const order = await place(trader, stop('sell', '49000'));
    expect(order).toMatchObject({
      orderType: 'stopMarket',
      status: 0,
      price: '',
      stopPrice: '49000.00',
      direction: 'lte',
      stopStatus: 'waiting',
      trailPct: '',
      expireTime: 0,
      groupId: '',
      timeInForce: 'IOC',
    });
    expect(await depth(exchange)).toEqual({ bids: [], asks: [] });
    expect(await trader.request(wire.orderRecords, { entryStatus: '0' })).toMatchObject({ list: [order] });
    await tape('49000');
    expect(await waitForStopStatus(trader, order)).toMatchObject({ status: 3, reason: 'noLiquidity' });
    await tape('50000');
    const other = await place(trader, stop('sell', '49000'));
    const bid = await place(maker, limit('buy', '49000', '0.02'));
    await place(traders[2]!, limit('sell', '49000', '0.001'));
    const executed = await waitForStopStatus(trader, other);
    expect(executed).toMatchObject({
      status: 2,
      filledAmount: '0.01',
      avgPrice: '49000.00',
      takerRate: '0.001',
    });
    expect(executed.triggerTime).toBeGreaterThanOrEqual(executed.createTime);
    expect(executed.fills).toHaveLength(1);
    expect(await detail(maker, bid)).toMatchObject({ status: 1, filledAmount: '0.011' });
  });

  it('SPOT-151 after a restart stops wait as before, trailing stops with their extremes, and OCOs stay linked', async () => {
    const [trader, tape] = [await aTrader({ BTC: '1', USDT: '2000' }), await startTrades()];
    await tape('50000');
    const followed = await place(trader, trailing('2'));
    expect(followed.trailPct).toBe('2');
    expect(followed.stopPrice).toBe('49000.00');
    const plain = await place(trader, stop('sell', '48000'));
    const oco = await trader.request(wire.createOco, {
      ...BTC_USDT,

      tradeType: 'buy',
      amount: '0.01',
      limitPrice: '46000',
      stopPrice: '53000',
      stopLimitPrice: '53100',
    });
    await tape('51000');
    expect((await detail(trader, followed)).stopPrice).toBe('49980.00');
    const before = await trader.request(wire.orderRecords, { entryStatus: '0' });
    const funds = [await balanceText(trader, 'BTC'), await balanceText(trader, 'USDT')];
    await exchange.restart();
    expect(await trader.request(wire.orderRecords, { entryStatus: '0' })).toEqual(before);
    expect([await balanceText(trader, 'BTC'), await balanceText(trader, 'USDT')]).toEqual(funds);
    await trader.request(wire.cancelOrder, { id: oco.ids[1]! });
    expect(await detail(trader, { id: oco.ids[0]! })).toMatchObject({ status: 3, reason: 'oco' });
    await tape('49980.01');
    expect(await detail(trader, followed)).toMatchObject({ stopStatus: 'waiting' });
    await tape('49980');
    expect(await waitForStopStatus(trader, followed)).toMatchObject({
      reason: 'noLiquidity',
      stopPrice: '49980.00',
    });
    await tape('48000');
    expect(await waitForStopStatus(trader, plain)).toMatchObject({ reason: 'noLiquidity' });
  });

  it('SPOT-180 subscribers of their orders receive a trailing stop’s trigger price each time it moves', async () => {
    const [trader, tape] = [await aTrader({ BTC: '1' }), await startTrades()];
    await tape('50000');
    const [near, far] = [await place(trader, trailing('2')), await place(trader, trailing('10'))];
    const feed = await PrivateFeed.open(exchange.url, trader.token, '10.0.0.1');
    try {
      await tape('51000');
      await eventually(() => {
        expect(feed.triggers.get(near.id)).toBe('49980.00');
        expect(feed.triggers.get(far.id)).toBe('45900.00');
      });
      // A trade below the highest price so far does not move the trailing stop. A trade at its trigger price
      // triggers it.
      await tape('50500');
      await tape('49980');
      await eventually(() => expect(feed.orders.get(near.id)).toMatchObject({ stopStatus: 'triggered' }));
      expect([...feed.triggers]).toEqual([
        [near.id, '49980.00'],
        [far.id, '45900.00'],
      ]);
      expect(feed.problems).toEqual([]);
    } finally {
      feed.close();
    }
  });

  it('SPOT-152 a stop that was due when the server died executes before anything else after the start', async () => {
    const [trader, maker, tape] = [
      await aTrader({ BTC: '1' }),
      await aTrader({ USDT: '1000' }),
      await startTrades(),
    ];
    await tape('50000');
    const order = await place(trader, stop('sell', '49000'));
    await place(maker, limit('buy', '48500', '0.01'));
    // Simulates a crash between the step that marked the stop as due and the step that executes it.
    await exchange.database.pool.query(
      `update spot_order_terms set stop_status = 'due', triggered_at = 1, trade_sequence = 1 where order_id = $1`,
      [order.id],
    );
    await exchange.restart();
    const { status, stopStatus, avgPrice } = await detail(trader, order);
    expect({ status, stopStatus, avgPrice }).toEqual({
      status: 2,
      stopStatus: 'triggered',
      avgPrice: '48500.00',
    });
  });

  it('SPOT-153 a GTT order ends by itself, also when its time passes while the server is down', async () => {
    const trader = await aTrader({ USDT: '2000' });
    const until = (ms: number) => ({
      timeInForce: 'GTT' as const,
      expireTime: String(exchange.clock.now() + ms),
    });
    const soon = await place(trader, limit('buy', '49000', '0.01', until(60_000)));
    const later = await place(trader, limit('buy', '49000', '0.01', until(3_600_000)));
    expect(soon).toMatchObject({ timeInForce: 'GTT', status: 0 });
    await exchange.advanceTime(60_001);
    const expired = { status: 3, reason: 'expired' };
    await eventually(async () => expect(await detail(trader, soon)).toMatchObject(expired));
    await exchange.advanceTime(3_600_000);
    await exchange.restart();
    await eventually(async () => expect(await detail(trader, later)).toMatchObject(expired));
    expect(await balanceText(trader, 'USDT')).toBe('2000 + 0');
  });

  it('SPOT-154 an amended order shows its amendments, keeps its id, and is amended once per request id', async () => {
    const trader = await aTrader({ USDT: '2000' });
    const { id } = await place(trader, limit('buy', '49000', '0.01'));
    const change: RequestFields<typeof wire.amendOrder> = {
      id,
      price: '49500',
      amount: '0.02',
      clientId: 'once',
    };
    const amended = await trader.request(wire.amendOrder, change);
    expect(amended).toMatchObject({ id, price: '49500.00', amount: '0.02', status: 0 });
    expect(await trader.request(wire.amendOrder, change)).toEqual(amended);
    expect((await detail(trader, { id })).amendments).toMatchObject([
      { price: '49500.00', amount: '0.02', priceBefore: '49000.00', amountBefore: '0.01' },
    ]);
    expect(await balanceText(trader, 'USDT')).toBe('1010 + 990');
    await exchange.restart();
    expect(await detail(trader, { id })).toMatchObject({ price: '49500.00', amount: '0.02' });
    expect(await depth(exchange)).toEqual({ bids: [[49_500, 0.02]], asks: [] });
    const stranger = await aTrader({});
    expect(await stranger.call(wire.amendOrder, { id, price: '1' })).toMatchObject({ errKey: 'l.not_found' });
    await trader.request(wire.cancelOrder, { id });
    expect(await trader.call(wire.amendOrder, { id, price: '49000' })).toMatchObject({
      errKey: 'l.order_not_open',
    });
  });

  it('SPOT-114 SPOT-302 a trailing stop waits for its activation price and follows after it, over restarts; the activation price and time stay known', async () => {
    const [trader, tape] = [await aTrader({ BTC: '1' }), await startTrades()];
    await tape('50000');
    const { id } = await place(trader, { ...trailing('5'), activationPrice: '52000' });
    expect(await detail(trader, { id })).toMatchObject({
      activationPrice: '52000.00',
      activatedTime: 0,
      stopPrice: '49400.00',
    });
    await exchange.restart();
    await tape('47000');
    expect(await detail(trader, { id })).toMatchObject({
      activationPrice: '52000.00',
      activatedTime: 0,
      stopStatus: 'waiting',
    });
    await tape('53000');
    const { activatedTime } = await detail(trader, { id });
    const sinceThen = exchange.clock.now() - activatedTime;
    expect(sinceThen >= 0 && sinceThen < 60_000, `${sinceThen} ms`).toBe(true);
    const active = { activationPrice: '52000.00', activatedTime };
    await exchange.restart();
    expect(await detail(trader, { id })).toMatchObject({ ...active, stopPrice: '50350.00' });
    await tape('54000');
    expect(await trader.request(wire.amendOrder, { id, amount: '0.011' })).toMatchObject({
      ...active,
      stopPrice: '51300.00',
    });
    await tape('51300');
    await eventually(async () =>
      expect(await detail(trader, { id })).toMatchObject({ ...active, stopStatus: 'triggered' }),
    );
  });

  it('SPOT-134 SPOT-137 an amended stop and an amended OCO are kept over a restart, with their amendments', async () => {
    const [trader, tape] = [await aTrader({ BTC: '1' }), await startTrades()];
    await tape('50000');
    const { id } = await place(trader, stop('sell', '49000'));
    const oco = await trader.request(wire.createOco, {
      ...BTC_USDT,
      tradeType: 'sell',
      amount: '0.01',
      limitPrice: '52000',
      stopPrice: '48000',
    });
    const change = { id, stopPrice: '48500', amount: '0.02', clientId: 'moved' };
    const amended = await trader.request(wire.amendOrder, change);
    expect(amended).toMatchObject({ id, stopPrice: '48500.00', amount: '0.02', stopStatus: 'waiting' });
    expect(await trader.request(wire.amendOrder, change)).toEqual(amended);
    await trader.request(wire.amendOrder, { id: oco.ids[0]!, price: '53000', amount: '0.03' });
    expect(await balanceText(trader, 'BTC')).toBe('0.95 + 0.05');
    await exchange.restart();
    expect(await detail(trader, { id })).toMatchObject({
      stopPrice: '48500.00',
      amount: '0.02',
      amendments: [
        {
          price: '',
          priceBefore: '',
          amount: '0.02',
          amountBefore: '0.01',
          stopPrice: '48500.00',
          stopPriceBefore: '49000.00',
        },
      ],
    });
    expect(await detail(trader, { id: oco.ids[1]! })).toMatchObject({
      amount: '0.03',
      stopPrice: '48000.00',
    });
    expect((await depth(exchange)).asks).toEqual([[53_000, 0.03]]);
    await trader.request(wire.cancelAllOrders);
    expect(await balanceText(trader, 'BTC')).toBe('1 + 0');
  });

  it('SPOT-155 one request id places one OCO, and its answer names both legs', async () => {
    const [trader, tape] = [await aTrader({ BTC: '1' }), await startTrades()];
    await tape('50000');
    const fields: RequestFields<typeof wire.createOco> = {
      ...BTC_USDT,
      tradeType: 'sell',
      amount: '0.1',
      limitPrice: '55000',
      stopPrice: '45000',
      clientId: 'pair',
    };
    const placed = await trader.request(wire.createOco, fields);
    expect(await trader.request(wire.createOco, fields)).toEqual(placed);
    expect(placed.orders.map(({ id }) => id)).toEqual(placed.ids);
    expect(placed.orders).toMatchObject([
      { orderType: 'limit', groupId: placed.groupId },
      { orderType: 'stopMarket', groupId: placed.groupId, stopStatus: 'waiting' },
    ]);
    expect(await balanceText(trader, 'BTC')).toBe('0.9 + 0.1');
    expect(await trader.request(wire.cancelAllOrders)).toEqual({ count: 2, entries: 1 });
  });

  it('SPOT-157 every order type that a pair names is accepted, and no other', async () => {
    const [trader, tape] = [await aTrader({ USDT: '9000', BTC: '1' }), await startTrades()];
    await tape('50000');
    await place(await aTrader({ BTC: '1' }), limit('sell', '50100', '0.1'));
    const base = { ...BTC_USDT, tradeType: 'buy', amount: '0.001' } as const;
    const stopped = { stopPrice: '50500' };
    const ways: Readonly<Record<string, () => Promise<{ code: number }>>> = {
      limit: () => trader.call(wire.createOrder, limit('buy', '49000', '0.001')),
      market: () => trader.call(wire.createOrder, market('buy', { amount: '0.001' })),
      stopLimit: () =>
        trader.call(wire.createOrder, { ...base, ...stopped, orderType: 'stopLimit', price: '50500' }),
      stopMarket: () => trader.call(wire.createOrder, { ...base, ...stopped, orderType: 'stopMarket' }),
      takeProfitLimit: () =>
        trader.call(wire.createOrder, {
          ...base,
          orderType: 'takeProfitLimit',
          stopPrice: '49000',
          price: '49000',
        }),
      takeProfitMarket: () =>
        trader.call(wire.createOrder, { ...base, orderType: 'takeProfitMarket', stopPrice: '49000' }),
      trailing: () => trader.call(wire.createOrder, { ...base, orderType: 'trailing', trailPct: '2' }),
      oco: () => trader.call(wire.createOco, { ...base, limitPrice: '49000', stopPrice: '51000' }),
    };
    const { data } = await exchange.call(wire.spotBasics, BTC_USDT);
    expect(data[0]?.orderTypes.toSorted()).toEqual(Object.keys(ways).toSorted());
    for (const [kind, way] of Object.entries(ways)) expect([kind, (await way()).code]).toEqual([kind, 1]);
    const odd = await trader.call(wire.createOrder, { ...base, orderType: 'iceberg' as never });
    expect(odd).toMatchObject({ code: -1, errKey: 'l.field_choice', data: { field: 'orderType' } });
  });

  it('SPOT-156 the pairs’ description has all limits, and fields that do not belong together are named in refusals', async () => {
    const { data } = await exchange.call(wire.spotBasics, { baseCoin: 'BTC' });
    expect(data[0]).toMatchObject({
      tickSize: '0.01',
      stepSize: '0.00001',
      minTotal: '5',
      priceBand: '0.2',
      marketGuard: '0.05',

      maxOpenOrders: 200,
      maxStopOrders: 10,
      minTrail: '0.001',
      maxTrail: '0.2',
      maxLifetimeMs: 7_776_000_000,
      orderTypes: [...wire.ORDER_TYPES, 'oco'],
      timesInForce: [...wire.TIMES_IN_FORCE],
    });
    const trader = await aTrader({ USDT: '1000' });
    const refused = async (fields: RequestFields<typeof wire.createOrder>) => {
      const { code, errKey, data } = await trader.call(wire.createOrder, fields);
      return { code, errKey, data };
    };
    const odd = { code: -1, errKey: 'l.stop_unexpected' };
    expect(await refused(limit('buy', '50000', '0.01', { stopPrice: '1' }))).toMatchObject({
      ...odd,
      data: { field: 'stopPrice' },
    });
    expect(await refused(limit('buy', '50000', '0.01', { trailPct: '0.1' }))).toMatchObject({
      ...odd,
      data: { field: 'trailPct' },
    });
    expect(await refused(market('buy', { amount: '0.01' }, { price: '1' }))).toMatchObject({
      ...odd,
      data: { field: 'price' },
    });
    expect(await refused(limit('buy', '50000', '0.01', { timeInForce: 'IOC', postOnly: '1' }))).toMatchObject(
      {
        code: -1,
        errKey: 'l.time_in_force',
      },
    );
    expect(await balanceText(trader, 'USDT')).toBe('1000 + 0');
  });
});
