import * as wire from '@exchange/wire/spot.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoParts } from '../../../testing/demo-parts.ts';
import { anExchange, type TestExchange } from '../../../testing/exchange.ts';

describe('the orders of a demo', () => {
  let exchange: TestExchange;

  beforeAll(async () => {
    exchange = await anExchange();
  });

  afterAll(() => exchange.close());

  it('FAU-007 the demo trader has orders in every state and trades, created once and settled like those of any user', async () => {
    const { doors, clock } = exchange;
    const trader = await exchange.aUser({ USDT: '50000', BTC: '1', ETH: '8', XRP: '6000' });
    const house = await exchange.aUser({
      USDT: '50000',
      BTC: '1',
      ETH: '8',
      XRP: '6000',
      DOGE: '20000',
    });
    const demo = {
      trader: trader.id,
      now: clock.now(),
      systemUser: () => Promise.resolve(house.id),
      person: () => Promise.resolve(house.id),
      fund: () => Promise.resolve(),
      ...demoParts(),
    };
    await doors.seedSpot(demo);
    const { list } = await trader.request(wire.orderRecords, { pageSize: '50' });
    const times = list.map(({ createTime }) => createTime);
    expect(times).toEqual(times.toSorted((left, right) => right - left));
    // One of the demo trader's orders waits, one is cancelled, one rests and five have traded. The list is
    // sorted, because orders of the same millisecond have no defined order.
    const seen = list.map(({ symbol, status, stopStatus }) => `${symbol} ${status} ${stopStatus}`);
    const expected = [
      'btcusdt 0 waiting',
      'btcusdt 3 ',
      'ethusdt 0 ',
      ...['ethusdt', 'dogeusdt', 'xrpusdt', 'ethusdt', 'btcusdt'].map((symbol) => `${symbol} 2 `),
    ];
    expect(seen.toSorted()).toEqual(expected.toSorted());
    const fills = await trader.request(wire.fillRecords, { pageSize: '50' });
    expect(fills.totalRow).toBe(5);
    expect(doors.spot.openOrders(house.id)).toEqual([]);

    await doors.seedSpot(demo);
    expect((await trader.request(wire.orderRecords, { pageSize: '50' })).list).toEqual(list);
    await trader.request(wire.cancelAllOrders);
  });
});
