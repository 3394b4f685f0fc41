import * as inbox from '@exchange/wire/message.ts';
import * as wire from '@exchange/wire/spot.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import { anExchange, type TestExchange, type TestTrader } from '../../../testing/exchange.ts';
import { PrivateFeed } from '../../../testing/reliability/private-feed.ts';
import type { RequestFields } from '../../../testing/calling.ts';
import { detail, balanceText, limit, market, place } from './testing/orders.ts';

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
    (await trader.request(wire.orderRecords, { entryStatus: '0', pageSize: '50' })).list;

  async function placed(trader: TestTrader, entry: { id: string }) {
    return eventually(async () => {
      const found = await detail(trader, entry);
      expect(found.exitStatus).toBe('placed');
      return found;
    });
  }

  it('SPOT-290 SPOT-297 the entry shows the exit prices and its exits refer to it; after a restart the legs stay linked', async () => {
    const trader = await exchange.aUser({ USDT: '9000' });
    const entry = await place(trader, limit('buy', '50000', '0.1', EXITS));
    expect(entry).toMatchObject({
      takeProfitPrice: '52000.00',
      stopLossPrice: '48000.00',
      stopLossLimitPrice: '',
      exitStatus: 'waiting',
      entryId: '',
    });
    await place(seller, limit('sell', '50000', '0.1'));
    expect(await placed(trader, entry)).toMatchObject({ status: wire.ORDER_STATUS.filled });
    await exchange.restart();
    const exits = await openOrders(trader);
    expect(exits.map(({ orderType }) => orderType).toSorted()).toEqual(['limit', 'stopMarket']);
    expect(exits.map(({ entryId }) => entryId)).toEqual([entry.id, entry.id]);
    expect(await balanceText(trader, 'BTC')).toBe('0 + 0.0999');
    await place(seller, limit('buy', '47500', '1'));
    const other = await exchange.aUser({ BTC: '1' });
    await place(other, limit('sell', '47500', '0.01', { timeInForce: 'IOC' }));
    await eventually(async () => expect(await openOrders(trader)).toEqual([]));
    expect(await balanceText(trader, 'BTC')).toBe('0 + 0');
    await place(other, limit('sell', '50000', '0.01'));
    await place(seller, limit('buy', '50000', '0.01', { timeInForce: 'IOC' }));
    await seller.request(wire.cancelAllOrders);
  });

  it('SPOT-296 exits that a crash left unplaced are placed by the next start, once', async () => {
    const trader = await exchange.aUser({ USDT: '9000' });
    await place(seller, limit('sell', '50000', '0.1'));
    const entry = await place(trader, market('buy', { amount: '0.1' }, EXITS));
    await placed(trader, entry);
    await trader.request(wire.cancelAllOrders);
    // Simulates a crash between the fill of an order and the placement of its exits, by a change of the
    // stored status.
    await exchange.database.pool.query(
      `update spot_order_terms set exit_status = 'waiting' where order_id = $1`,
      [entry.id],
    );
    await exchange.restart();
    await placed(trader, entry);
    expect(await openOrders(trader)).toHaveLength(2);
    await exchange.restart();
    expect(await openOrders(trader)).toHaveLength(2);
    expect(await balanceText(trader, 'BTC')).toBe('0 + 0.0999');
    await trader.request(wire.cancelAllOrders);
  });

  it('SPOT-293 a buy whose exits cannot be placed shows the reason, and its owner gets an inbox message', async () => {
    const trader = await exchange.aUser({ USDT: '9000' });
    const entry = await place(trader, limit('buy', '50000', '0.1', EXITS));
    await place(seller, limit('sell', '50000', '0.0001'));
    await trader.request(wire.cancelOrder, { id: entry.id });
    await eventually(async () => expect((await detail(trader, entry)).exitStatus).toBe('tooSmall'));
    await eventually(async () => {
      const { list } = await trader.request(inbox.messagePage, { type: '2' });
      expect(list.map(({ title }) => title).toSorted()).toEqual([
        'Buy order partially filled: BTC/USDT',
        'Take profit and stop loss not placed: BTC/USDT',
      ]);
    });
    expect(await openOrders(trader)).toEqual([]);
  });

  it('SPOT-294 a refused price is reported with the field as sent, and a request id buys once', async () => {
    const trader = await exchange.aUser({ USDT: '9000' });
    const wrong = limit('buy', '49000', '0.1', { ...EXITS, takeProfitPrice: '48500' });
    expect(await trader.call(wire.createOrder, wrong)).toMatchObject({
      errKey: 'l.take_profit_side',
      data: { field: 'takeProfitPrice', limit: '49000.00' },
    });
    const fields = limit('buy', '49000', '0.1', { ...EXITS, clientId: 'once' });
    const entry = await place(trader, fields);
    expect(await place(trader, fields)).toEqual(entry);
    await trader.request(wire.cancelOrder, { id: entry.id });
    expect(await detail(trader, entry)).toMatchObject({ exitStatus: 'unfilled' });
    expect(await place(trader, fields)).toEqual(entry);
  });

  it('SPOT-298 SPOT-301 changed exits are published, stored with the order’s amendments and kept over a restart; a request id changes them once', async () => {
    const trader = await exchange.aUser({ USDT: '9000' });
    const feed = await PrivateFeed.open(exchange.url, trader.token, '10.0.0.1');
    const { id } = await place(trader, limit('buy', '48500', '0.1', EXITS));
    const change = { id, takeProfitPrice: '53000', stopLossPrice: '0', clientId: 'exitsOnce' };
    const amended = await trader.request(wire.amendOrder, change);
    expect(amended).toMatchObject({
      id,
      price: '48500.00',
      amount: '0.1',
      exitStatus: 'waiting',
      takeProfitPrice: '53000.00',
      stopLossPrice: '',
    });
    await eventually(() => expect(feed.orders.get(id)).toMatchObject(amended));
    expect(feed.problems).toEqual([]);
    feed.close();
    await trader.request(wire.amendOrder, { id, takeProfitPrice: '0' });
    // An amendment that is repeated with the same idempotency key returns the first response, although the order has
    // changed since.
    expect(await trader.request(wire.amendOrder, change)).toEqual(amended);
    expect(await trader.call(wire.amendOrder, { ...change, takeProfitPrice: '54000' })).toMatchObject({
      errKey: 'l.duplicate_key',
    });
    await exchange.restart();
    expect(await trader.request(wire.amendOrder, change)).toEqual(amended);
    const none = { takeProfitPrice: '', stopLossPrice: '', stopLossLimitPrice: '' };
    expect(await detail(trader, { id })).toMatchObject({
      ...none,
      exitStatus: '',
      amendments: [
        {
          takeProfitPrice: '53000.00',
          takeProfitPriceBefore: '52000.00',
          stopLossPrice: '',
          stopLossPriceBefore: '48000.00',
          price: '48500.00',
          priceBefore: '48500.00',
        },
        { takeProfitPrice: '', takeProfitPriceBefore: '53000.00' },
      ],
    });
  });

  it('SPOT-299 SPOT-300 price, amount and exits change in one step; refusals name the field, and another user’s order looks like an unknown one', async () => {
    const trader = await exchange.aUser({ USDT: '9000' });
    const { id } = await place(trader, limit('buy', '48000', '0.1'));
    const amend = (fields: RequestFields<typeof wire.amendOrder>) =>
      trader.call(wire.amendOrder, { id, ...fields });
    expect(await amend({ takeProfitPrice: '48000' })).toMatchObject({
      errKey: 'l.take_profit_side',
      data: { field: 'takeProfitPrice', limit: '48000.00' },
    });
    for (const odd of ['NaN', '1e5', '-1', '0x10', '52000.001', '9'.repeat(41), ' ', 'Infinity'])
      expect(await amend({ takeProfitPrice: odd }), odd).toMatchObject({ code: -1 });
    expect(await amend({ takeProfitPrice: '0', stopLossPrice: '0.00' })).toMatchObject({
      errKey: 'l.amend_nothing',
    });
    const wrong = await amend({ price: '47000', takeProfitPrice: '46000' });
    expect(wrong).toMatchObject({ errKey: 'l.take_profit_side', data: { limit: '47000.00' } });
    expect(await detail(trader, { id })).toMatchObject({
      price: '48000.00',
      takeProfitPrice: '',
      exitStatus: '',
      amendments: [],
    });
    await trader.request(wire.amendOrder, {
      id,
      price: '47000',
      amount: '0.15',
      takeProfitPrice: '51000',
      stopLossPrice: '46000',
      stopLossLimitPrice: '45900',
    });
    expect(await detail(trader, { id })).toMatchObject({
      price: '47000.00',
      amount: '0.15',
      exitStatus: 'waiting',
      takeProfitPrice: '51000.00',
      stopLossPrice: '46000.00',
      stopLossLimitPrice: '45900.00',
      amendments: [{ takeProfitPriceBefore: '', stopLossLimitPrice: '45900.00', priceBefore: '48000.00' }],
    });
    const stranger = await exchange.aUser({});
    expect(await stranger.call(wire.amendOrder, { id, takeProfitPrice: '52000' })).toMatchObject({
      errKey: 'l.not_found',
    });
    await trader.request(wire.cancelOrder, { id });
    expect(await amend({ takeProfitPrice: '52000' })).toMatchObject({ errKey: 'l.order_not_open' });
  });

  it('SPOT-301 an answer stored before exits could be changed is still returned completely', async () => {
    const trader = await exchange.aUser({ USDT: '9000' });
    const fields = limit('buy', '48500', '0.1', { ...EXITS, clientId: 'longAgo' });
    const entry = await place(trader, fields);
    await exchange.database.pool.query(
      `update idempotency set answer = array_to_string((string_to_array(answer, '|'))[1:14], '|') where actor = $1`,
      [trader.id],
    );
    await exchange.restart();
    expect(await place(trader, fields)).toEqual(entry);
    await trader.request(wire.cancelOrder, { id: entry.id });
  });

  it('SPOT-1030 SPOT-1033 a sale buys back with its proceeds; its exits are changed, shown and kept over a restart', async () => {
    const trader = await exchange.aUser({ BTC: '1' });
    const exits = { takeProfitPrice: '49000', stopLossPrice: '53000', stopLossLimitPrice: '53100' };
    const entry = await place(trader, limit('sell', '51000', '0.1', exits));
    expect(entry).toMatchObject({
      takeProfitPrice: '49000.00',
      stopLossPrice: '53000.00',
      stopLossLimitPrice: '53100.00',
      exitStatus: 'waiting',
    });
    const wrong = await trader.call(wire.amendOrder, { id: entry.id, takeProfitPrice: '51000' });
    expect(wrong).toMatchObject({
      errKey: 'l.take_profit_side_sell',
      data: { field: 'takeProfitPrice', limit: '51000.00' },
    });
    await trader.request(wire.amendOrder, { id: entry.id, takeProfitPrice: '48900' });
    await place(seller, limit('buy', '51000', '0.1'));
    await placed(trader, entry);
    await exchange.restart();
    const legs = await openOrders(trader);
    // 5,094.9 USDT buy 0.09594 BTC at 53,100.
    const shown = new Map(
      legs.map(({ orderType, price, amount, entryId }) => [orderType, [price, amount, entryId]]),
    );
    expect(shown).toEqual(
      new Map([
        ['limit', ['48900.00', '0.09594', entry.id]],
        ['stopLimit', ['53100.00', '0.09594', entry.id]],
      ]),
    );
    expect(await balanceText(trader, 'BTC')).toBe('0.9 + 0');
    expect(await balanceText(trader, 'USDT')).toBe('0.486 + 5094.414');
    await trader.request(wire.cancelAllOrders);
  });
});
