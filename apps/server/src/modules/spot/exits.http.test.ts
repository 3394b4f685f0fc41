import * as inbox from '@exchange/wire/message.ts';
import * as wire from '@exchange/wire/spot.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import { anExchange, type TestExchange, type TestTrader } from '../../../testing/exchange.ts';
import { detail, has, limit, market, place } from './testing/orders.ts';

describe('take-profit and stop-loss of a buy, on a database', () => {
  let exchange: TestExchange;
  let seller: TestTrader;

  beforeAll(async () => {
    exchange = await anExchange();
    seller = await exchange.aUser({ BTC: '5', USDT: '500000' });
  });

  afterAll(() => exchange.close());

  const EXITS = { takeProfitPrice: '52000', stopLossPrice: '48000' };
  const openOrders = async (trader: TestTrader) =>
    (await trader.ask(wire.orderRecords, { entryStatus: '0', pageSize: '50' })).list;

  async function placed(trader: TestTrader, entry: { id: string }) {
    return eventually(async () => {
      const found = await detail(trader, entry);
      expect(found.exitStatus).toBe('placed');
      return found;
    });
  }

  it('SPOT-290 SPOT-297 the prices are shown on the entry, and its exits name it; over a restart the legs stay tied', async () => {
    const trader = await exchange.aUser({ USDT: '9000' });
    const entry = await place(trader, limit('buy', '50000', '0.1', EXITS));
    expect(entry).toMatchObject({
      ...{ takeProfitPrice: '52000.00', stopLossPrice: '48000.00', stopLossLimitPrice: '' },
      ...{ exitStatus: 'waiting', entryId: '' },
    });
    await place(seller, limit('sell', '50000', '0.1'));
    expect(await placed(trader, entry)).toMatchObject({ status: wire.ORDER_STATUS.filled });
    await exchange.restart();
    const exits = await openOrders(trader);
    expect(exits.map(({ orderType }) => orderType).toSorted()).toEqual(['limit', 'stopMarket']);
    expect(exits.map(({ entryId }) => entryId)).toEqual([entry.id, entry.id]);
    expect(await has(trader, 'BTC')).toBe('0 + 0.0999');
    await place(seller, limit('buy', '47500', '1'));
    const other = await exchange.aUser({ BTC: '1' });
    await place(other, limit('sell', '47500', '0.01', { timeInForce: 'IOC' }));
    await eventually(async () => expect(await openOrders(trader)).toEqual([]));
    expect(await has(trader, 'BTC')).toBe('0 + 0');
    await place(other, limit('sell', '50000', '0.01'));
    await place(seller, limit('buy', '50000', '0.01', { timeInForce: 'IOC' }));
    await seller.ask(wire.cancelAllOrders);
  });

  it('SPOT-296 exits that a crash left unplaced are placed by the next start, once', async () => {
    const trader = await exchange.aUser({ USDT: '9000' });
    await place(seller, limit('sell', '50000', '0.1'));
    const entry = await place(trader, market('buy', { amount: '0.1' }, EXITS));
    await placed(trader, entry);
    await trader.ask(wire.cancelAllOrders);
    // As it is stored between the fill and its exits, which no stop in good order leaves behind.
    await exchange.database.pool.query(
      `update spot_order_terms set exit_status = 'waiting' where order_id = $1`,
      [entry.id],
    );
    await exchange.restart();
    await placed(trader, entry);
    expect(await openOrders(trader)).toHaveLength(2);
    await exchange.restart();
    expect(await openOrders(trader)).toHaveLength(2);
    expect(await has(trader, 'BTC')).toBe('0 + 0.0999');
    await trader.ask(wire.cancelAllOrders);
  });

  it('SPOT-293 a buy whose exits cannot be placed says why, and its owner is told in the inbox', async () => {
    const trader = await exchange.aUser({ USDT: '9000' });
    const entry = await place(trader, limit('buy', '50000', '0.1', EXITS));
    await place(seller, limit('sell', '50000', '0.0001'));
    await trader.ask(wire.cancelOrder, { id: entry.id });
    await eventually(async () => expect((await detail(trader, entry)).exitStatus).toBe('tooSmall'));
    await eventually(async () => {
      const { list } = await trader.ask(inbox.messagePage, { type: '2' });
      expect(list.map(({ title }) => title).toSorted()).toEqual([
        'Buy order partially filled: BTC/USDT',
        'Take profit and stop loss not placed: BTC/USDT',
      ]);
    });
    expect(await openOrders(trader)).toEqual([]);
  });

  it('SPOT-294 a refused price is named as it was sent, and one request id buys once', async () => {
    const trader = await exchange.aUser({ USDT: '9000' });
    const wrong = limit('buy', '49000', '0.1', { ...EXITS, takeProfitPrice: '48500' });
    expect(await trader.call(wire.createOrder, wrong)).toMatchObject({
      ...{ errKey: 'l.take_profit_side', data: { field: 'takeProfitPrice', limit: '49000.00' } },
    });
    const fields = limit('buy', '49000', '0.1', { ...EXITS, clientId: 'once' });
    const entry = await place(trader, fields);
    expect(await place(trader, fields)).toEqual(entry);
    await trader.ask(wire.cancelOrder, { id: entry.id });
    expect(await detail(trader, entry)).toMatchObject({ exitStatus: 'unfilled' });
    expect(await place(trader, fields)).toEqual(entry);
  });
});
