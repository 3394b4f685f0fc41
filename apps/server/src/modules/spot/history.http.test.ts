import { exportRecords } from '@exchange/wire/export.ts';
import {
  cancelAllOrders,
  cancelOrder,
  fillRecords,
  orderRecords,
  spotAssets,
  spotBasics,
  spotMovements,
} from '@exchange/wire/spot.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RequestFields } from '../../../testing/calling.ts';
import { anExchange, type TestExchange } from '../../../testing/exchange.ts';
import { limit, market, place } from './testing/orders.ts';
import { storeOrders } from './testing/stored-history.ts';

describe('histories', () => {
  let exchange: TestExchange;
  beforeAll(async () => {
    exchange = await anExchange();
  });
  afterAll(() => exchange.close());

  it('SPOT-250 fills are listed by pair, side and time, and by type and state of the user’s own order', async () => {
    const [trader, other] = [
      await exchange.aUser({ USDT: '9000', BTC: '1' }),
      await exchange.aUser({ USDT: '9000', BTC: '1', ETH: '1' }),
    ];
    await place(other, limit('sell', '2400', '0.1', { baseCoin: 'ETH' }));
    const eth = await place(trader, limit('buy', '2400', '0.01', { baseCoin: 'ETH' }));
    // The trader's limit order trades with the other user's market order. In the history of each user, the fill has the
    // type of their own order.
    const sold = await place(trader, limit('sell', '50000', '0.002'));
    const taken = await place(other, market('buy', { amount: '0.001' }));
    await trader.request(cancelOrder, { id: sold.id });
    await place(other, limit('sell', '50000', '0.003'));
    const byMarket = await place(trader, market('buy', { amount: '0.001' }));
    const open = await place(trader, limit('buy', '50000', '0.005'));

    const filled = async (fields: RequestFields<typeof fillRecords>, user = trader) => {
      const { list, totalRow } = await user.request(fillRecords, fields);
      expect(totalRow).toBe(list.length);
      return list.map(({ orderId }) => orderId);
    };
    expect(await filled({})).toEqual([open.id, byMarket.id, sold.id, eth.id]);
    expect(await filled({ baseCoin: 'eth' })).toEqual([eth.id]);
    expect(await filled({ baseCoin: 'BTC', quoteCoin: 'USDT' })).toEqual([open.id, byMarket.id, sold.id]);
    expect(await filled({ quoteCoin: 'BTC' })).toEqual([]);
    expect(await filled({ tradeType: '1' })).toEqual([open.id, byMarket.id, eth.id]);
    expect(await filled({ tradeType: 'sell' })).toEqual([sold.id]);
    expect(await filled({ orderType: 'market' })).toEqual([byMarket.id]);
    expect(await filled({ orderType: 'limit' })).toEqual([open.id, sold.id, eth.id]);
    expect(await filled({ orderType: 'market' }, other)).toEqual([taken.id]);
    expect(await filled({ entryStatus: '0' })).toEqual([open.id]);
    expect(await filled({ entryStatus: '1' })).toEqual([byMarket.id, eth.id]);
    expect(await filled({ entryStatus: '2', tradeType: '2', orderType: 'limit' })).toEqual([sold.id]);

    const { list } = await trader.request(fillRecords);
    const times = list.map(({ ts }) => ts);
    const within = list.filter(({ ts }) => ts >= times[2]! && ts <= times[1]!).map(({ orderId }) => orderId);
    expect(await filled({ startTime: String(times[2]), endTime: String(times[1]) })).toEqual(within);
    expect(await filled({ endTime: String(times[3]! - 1) })).toEqual([]);
    expect(await filled({ startTime: String(times[0]! + 1) })).toEqual([]);
    await trader.request(cancelAllOrders);
    await other.request(cancelAllOrders);
  });

  it('SPOT-252 a period includes both its ends and nothing outside, to the millisecond', async () => {
    const trader = await exchange.aUser();
    const at = Date.now() - 1_000_000;
    await storeOrders(exchange.database.pool, trader.id, { count: 40, to: at });
    const { list } = await trader.request(orderRecords, { pageSize: '100' });
    const times = list.map(({ createTime }) => createTime);
    expect(times).toEqual(Array.from({ length: 40 }, (_, n) => at - n * 60));
    const counted = async (startTime: number, endTime: number) => {
      const fields = { startTime: String(startTime), endTime: String(endTime), pageSize: '100' };
      const page = await trader.request(orderRecords, fields);
      expect(page.totalRow).toBe(page.list.length);
      return page.totalRow;
    };
    expect(await counted(times[30]!, times[10]!)).toBe(21);
    expect(await counted(times[30]! + 1, times[10]! - 1)).toBe(19);
    expect(await counted(times[5]!, times[5]!)).toBe(1);
    expect(await counted(times[0]! + 1, times[0]! + 10_000)).toBe(0);
    expect(await counted(0, Date.now())).toBe(40);
  });

  it('SPOT-253 a coin, a pair or a kind of movement that does not exist is refused with its field, in every list', async () => {
    const trader = await exchange.aUser({ USDT: '9000' });
    const resting = await place(trader, limit('buy', '48000', '0.01'));
    const exported = { kind: 'orders', startTime: '0', endTime: '1' } as const;
    for (const [coins, errKey, data] of [
      [{ baseCoin: 'XYZ' }, 'l.field_choice', { field: 'baseCoin', value: 'XYZ' }],
      [{ quoteCoin: 'EUR' }, 'l.field_choice', { field: 'quoteCoin', value: 'EUR' }],
      // DOGE is listed, but no pair has it as its quote coin. SHIB and BTC are listed, but form no listed
      // pair.
      [{ quoteCoin: 'doge' }, 'l.field_choice', { field: 'quoteCoin', value: 'DOGE' }],
      [{ baseCoin: 'SHIB', quoteCoin: 'BTC' }, 'l.unknown_pair', { field: 'baseCoin', value: 'SHIB/BTC' }],
    ] as const) {
      const refused = { code: -1, errKey, data };
      for (const call of [orderRecords, fillRecords, cancelAllOrders, spotBasics]) {
        expect(await trader.call(call, coins)).toMatchObject(refused);
      }
      expect(await trader.call(exportRecords, { ...exported, ...coins })).toMatchObject(refused);
    }
    const unknown = { code: -1, errKey: 'l.field_choice', data: { field: 'currency', value: 'XYZ' } };
    expect(await trader.call(spotAssets, { currency: 'xyz' })).toMatchObject(unknown);
    expect(await trader.call(spotMovements, { currency: 'xyz' })).toMatchObject(unknown);
    expect(await trader.call(exportRecords, { ...exported, currency: 'xyz' })).toMatchObject(unknown);
    const kind = { code: -1, errKey: 'l.field_choice', data: { field: 'type', value: 'spot.hold' } };
    expect(await trader.call(spotMovements, { type: 'spot.hold' })).toMatchObject(kind);
    expect((await trader.request(orderRecords, { entryStatus: '0' })).list.map(({ id }) => id)).toEqual([
      resting.id,
    ]);
    await trader.request(cancelAllOrders);
  });

  it('SPOT-254 a period that ends before it begins is refused with the name of the field, in every list', async () => {
    const trader = await exchange.aUser();
    const backwards = { startTime: '1700000000000', endTime: '1699999999999' };
    const refused = {
      code: -1,
      errKey: 'l.period_backwards',
      data: { field: 'endTime' },
      msg: 'The end date is before the start date.',
    };
    for (const call of [orderRecords, fillRecords, spotMovements]) {
      expect(await trader.call(call, backwards)).toMatchObject(refused);
    }
    expect(await trader.call(exportRecords, { kind: 'movements', ...backwards })).toMatchObject(refused);
  });
});
