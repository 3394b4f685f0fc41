import { randomUUID } from 'node:crypto';
import * as wire from '@exchange/wire/spot.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { anExchange, type Funds, type TestExchange, type TestTrader } from '../../../testing/exchange.ts';
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

describe('spot orders and their owners', () => {
  let exchange: TestExchange;
  let traders: TestTrader[] = [];

  beforeAll(async () => {
    exchange = await anExchange();
  });

  afterEach(async () => {
    for (const trader of traders) await trader.call(wire.cancelAllOrders);
    traders = [];
    await requireEmptyBook(exchange);
  });

  afterAll(() => exchange.close());

  async function aTrader(funds: Funds): Promise<TestTrader> {
    const trader = await exchange.aUser(funds);
    traders.push(trader);
    return trader;
  }

  /** Writes a pair's status into the database directly and restarts the server, so that it starts with this status. */
  async function setStatus(symbol: string, status: 'open' | 'cancelOnly' | 'closed'): Promise<void> {
    await exchange.database.pool.query(
      `insert into spot_pair_status values ($1, $2, 0) on conflict (symbol) do update set status = $2`,
      [symbol, status],
    );
    await exchange.restart();
  }

  it('SPOT-050 a cancelled order releases its remaining hold, once', async () => {
    const [maker, taker] = [await aTrader({ USDT: '1000' }), await aTrader({ BTC: '1' })];
    const { id } = await place(maker, limit('buy', '50000', '0.01'));
    await place(taker, market('sell', { amount: '0.004' }));
    const cancelled = await maker.request(wire.cancelOrder, { id });
    expect(cancelled).toMatchObject({ id, status: 4, reason: 'user', filledAmount: '0.004' });
    expect(await balanceText(maker, 'USDT')).toBe('800 + 0');
    const again = await maker.call(wire.cancelOrder, { id });
    expect(again).toMatchObject({ code: 0, errKey: 'l.order_not_open' });
    expect(await balanceText(maker, 'USDT')).toBe('800 + 0');
  });

  it('SPOT-051 cancelling all ends the orders of the named pair and side, and no orders of other users', async () => {
    const [one, other] = [
      await aTrader({ USDT: '10000', BTC: '1', ETH: '1' }),
      await aTrader({ USDT: '1000' }),
    ];
    await place(one, limit('buy', '49000', '0.001'));
    await place(one, limit('buy', '48000', '0.001'));
    await place(one, limit('sell', '51000', '0.001'));
    await place(one, limit('buy', '2400', '0.01', { baseCoin: 'ETH' }));
    await place(other, limit('buy', '47000', '0.001'));
    expect(await one.request(wire.cancelAllOrders, { ...BTC_USDT, tradeType: '1' })).toEqual({
      count: 2,
      entries: 2,
    });
    expect(await one.request(wire.cancelAllOrders, { baseCoin: 'ETH' })).toEqual({ count: 1, entries: 1 });
    expect(await depth(exchange)).toEqual({ bids: [[47_000, 0.001]], asks: [[51_000, 0.001]] });
    expect(await one.request(wire.cancelAllOrders)).toEqual({ count: 1, entries: 1 });
    expect(await one.request(wire.cancelAllOrders)).toEqual({ count: 0, entries: 0 });
    expect(await balanceText(one, 'USDT')).toBe('10000 + 0');
  });

  it('SPOT-052 an open order can be cancelled by its client id', async () => {
    const trader = await aTrader({ USDT: '1000' });
    const { id } = await place(trader, limit('buy', '49000', '0.01', { clientId: 'my-order' }));
    expect(await trader.request(wire.cancelOrder, { clientId: 'my-order' })).toMatchObject({ id, status: 3 });
    const again = await trader.call(wire.cancelOrder, { clientId: 'my-order' });
    expect(again).toMatchObject({ code: 0, errKey: 'l.not_found' });
    expect(await trader.call(wire.cancelOrder)).toMatchObject({ code: -1, data: { field: 'id' } });
  });

  it('SPOT-053 another user’s order is answered like an unknown one', async () => {
    const [owner, stranger] = [await aTrader({ USDT: '1000' }), await aTrader({})];
    const { id } = await place(owner, limit('buy', '49000', '0.01', { clientId: 'named' }));
    for (const endpoint of [wire.cancelOrder, wire.orderDetail]) {
      const [othersOrder, missing] = [
        await stranger.call(endpoint, { id }),
        await stranger.call(endpoint, { id: randomUUID() }),
      ];
      const { code, errKey, msg, data, status } = othersOrder;
      expect({ code, errKey, msg, data, status }).toEqual({
        code: missing.code,
        errKey: missing.errKey,
        msg: missing.msg,
        data: missing.data,
        status: missing.status,
      });
      expect(errKey).toBe('l.not_found');
    }
    expect(await stranger.call(wire.cancelOrder, { clientId: 'named' })).toMatchObject({
      errKey: 'l.not_found',
    });
    expect((await stranger.request(wire.orderRecords)).totalRow).toBe(0);
    expect(await detail(owner, { id })).toMatchObject({ status: 0 });
  });

  it('SPOT-054 a user who may not buy still sells and cancels', async () => {
    const [trader, other] = [await aTrader({ USDT: '1000', BTC: '1' }), await aTrader({ USDT: '1000' })];
    const { id } = await place(trader, limit('buy', '48000', '0.001'));
    await exchange.doors.identity.restrict(trader.id, { mayPurchase: false, reason: 'test' });
    for (const fields of [limit('buy', '49000', '0.001'), market('buy', { amount: '0.001' })]) {
      const buying = await trader.call(wire.createOrder, fields);
      expect(buying).toMatchObject({ code: -16, errKey: 'l.purchase_not_permitted' });
    }
    await place(other, limit('buy', '49500', '0.001'));
    expect(await place(trader, market('sell', { amount: '0.001' }))).toMatchObject({ status: 2 });
    expect(await trader.request(wire.cancelOrder, { id })).toMatchObject({ status: 3 });
    await exchange.doors.identity.restrict(trader.id, { mayPurchase: true, reason: 'test' });
    expect(await place(trader, limit('buy', '49000', '0.001'))).toMatchObject({ status: 0 });
  });

  it('SPOT-055 a frozen account is signed out and places nothing; its open orders stay', async () => {
    const trader = await exchange.aUser({ USDT: '1000' });
    const { id } = await place(trader, limit('buy', '49000', '0.001'));
    await exchange.doors.identity.restrict(trader.id, { frozen: true, reason: 'test' });
    expect(await trader.call(wire.createOrder, limit('buy', '49000', '0.001'))).toMatchObject({ code: -2 });
    expect(await depth(exchange)).toEqual({ bids: [[49_000, 0.001]], asks: [] });
    const inside = exchange.doors.spot.cancel(trader.id, id as never);
    await expect(inside).resolves.toMatchObject({ status: 3 });
  });

  it('SPOT-056 a user has at most 200 open orders on a pair', async () => {
    const trader = await aTrader({ USDT: '10000' });
    const many = Array.from({ length: 205 }, () =>
      trader.call(wire.createOrder, limit('buy', '49000', '0.0002')),
    );
    const answers = await Promise.all(many);
    expect(answers.filter(({ code }) => code === 1).length).toBe(200);
    expect(answers.find(({ code }) => code !== 1)).toMatchObject({
      code: -8,
      errKey: 'l.open_orders_max',
      data: { limit: '200' },
    });
    expect(await place(trader, limit('buy', '2400', '0.01', { baseCoin: 'ETH' }))).toMatchObject({
      status: 0,
    });
  });

  it('SPOT-057 a request id has one effect and one answer: concurrently, later and after a restart', async () => {
    const trader = await aTrader({ USDT: '1000' });
    const order = limit('buy', '49000', '0.001', { clientId: 'once' });
    const together = await Promise.all(
      Array.from({ length: 50 }, () => trader.call(wire.createOrder, order)),
    );
    const [first] = together;
    expect(first).toMatchObject({ code: 1, data: { clientId: 'once' } });
    for (const { data } of together) expect(data).toEqual(first!.data);
    await exchange.advanceTime(60_000);
    expect(await place(trader, order)).toEqual(first!.data);
    await exchange.restart();
    expect(await place(trader, order)).toEqual(first!.data);
    const byHeader = { ...order };
    delete byHeader.clientId;
    const headers = { 'idempotency-key': 'once' };
    expect((await trader.call(wire.createOrder, byHeader, { headers })).data).toEqual(first!.data);
    expect(await balanceText(trader, 'USDT')).toBe('951 + 49');
    expect((await trader.request(wire.orderRecords)).totalRow).toBe(1);
  });

  it('SPOT-058 a request id that was used for another order is refused, and request ids of different users are independent', async () => {
    const [trader, other] = [await aTrader({ USDT: '1000' }), await aTrader({ USDT: '1000' })];
    const { id } = await place(trader, limit('buy', '49000', '0.001', { clientId: 'k' }));
    for (const changed of [{ price: '49001' }, { amount: '0.002' }, { baseCoin: 'ETH', price: '2400' }]) {
      const answer = await trader.call(
        wire.createOrder,
        limit('buy', '49000', '0.001', { clientId: 'k', ...changed }),
      );
      expect(answer, JSON.stringify(changed)).toMatchObject({ code: -12, errKey: 'l.duplicate_key' });
    }
    const same = await place(other, limit('buy', '49000', '0.001', { clientId: 'k' }));
    expect(same.id).not.toBe(id);
    const afterRefusal = limit('buy', '49000', '1', { clientId: 'again' });
    expect(await trader.call(wire.createOrder, afterRefusal)).toMatchObject({ code: -6 });
    expect(await place(trader, { ...afterRefusal, amount: '0.001' })).toMatchObject({ clientId: 'again' });
  });

  it('SPOT-059 a stopped pair takes no orders, allows cancelling unless closed, and does not affect other pairs', async () => {
    const trader = await aTrader({ USDT: '10000', ETH: '1' });
    const stuck = await place(trader, limit('sell', '2600', '0.01', { baseCoin: 'ETH' }));
    await place(trader, limit('buy', '49000', '0.001'));
    await setStatus('ethusdt', 'closed');
    const placing = () => trader.call(wire.createOrder, limit('sell', '2600', '0.01', { baseCoin: 'ETH' }));
    expect(await placing()).toMatchObject({ code: -10, errKey: 'l.pair_closed' });
    expect(await trader.call(wire.cancelOrder, { id: stuck.id })).toMatchObject({ errKey: 'l.pair_closed' });
    expect(await trader.request(wire.cancelAllOrders)).toEqual({ count: 1, entries: 1 });
    expect(await depth(exchange, 'ethusdt')).toEqual({ bids: [], asks: [[2_600, 0.01]] });
    await setStatus('ethusdt', 'cancelOnly');
    expect(await placing()).toMatchObject({ code: -10, errKey: 'l.pair_cancel_only' });
    expect(await trader.request(wire.cancelAllOrders)).toEqual({ count: 1, entries: 1 });
    expect(await balanceText(trader, 'ETH')).toBe('1 + 0');
    await setStatus('ethusdt', 'open');
  });

  it('SPOT-060 after a restart the book has the same orders in the same sequence', async () => {
    const [first, second, taker] = [
      await aTrader({ BTC: '1' }),
      await aTrader({ BTC: '1' }),
      await aTrader({ USDT: '5000' }),
    ];
    const [one, two] = [
      await place(first, limit('sell', '50000', '0.004')),
      await place(second, limit('sell', '50000', '0.004')),
    ];
    await place(first, limit('sell', '50500', '0.01'));
    await place(taker, limit('buy', '49500.5', '0.01'));
    await place(taker, market('buy', { amount: '0.001' }));
    const before = await depth(exchange);
    await exchange.restart();
    expect(await depth(exchange)).toEqual(before);
    await place(taker, market('buy', { amount: '0.005' }));
    expect(await detail(first, one)).toMatchObject({ status: 2 });
    expect(await detail(second, two)).toMatchObject({ status: 1, filledAmount: '0.002' });
  });
});
