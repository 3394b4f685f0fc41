import { cancelIceberg, createIceberg, icebergDetail } from '@exchange/wire/iceberg.ts';
import { messagePage } from '@exchange/wire/message.ts';
import * as wire from '@exchange/wire/spot.ts';
import { algoOrders } from '@exchange/wire/twap.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { RequestFields } from '../../../testing/calling.ts';
import { eventually } from '../../../testing/eventually.ts';
import { anExchange, type TestExchange, type TestTrader } from '../../../testing/exchange.ts';
import { operate } from '../../../testing/operators.ts';
import { balanceText, BTC_USDT, depth, limit, place, requireEmptyBook } from './testing/orders.ts';

type Fields = RequestFields<typeof createIceberg>;

describe('icebergs', () => {
  let exchange: TestExchange;
  let buyer: TestTrader;

  beforeAll(async () => {
    exchange = await anExchange();
    buyer = await exchange.aUser({ USDT: '100000' });
  });

  afterEach(async () => {
    await buyer.request(wire.cancelAllOrders, {});
    await requireEmptyBook(exchange);
  });

  afterAll(() => exchange.close());

  /** Request fields of an iceberg that sells 0.05 BTC in slices of 0.02 BTC. */
  function sale(changes: Fields = {}): Fields {
    return {
      ...BTC_USDT,
      tradeType: 'sell',
      price: '50000',
      amount: '0.05',
      visible: '0.02',
      ...changes,
    };
  }

  const titlesOf = async (trader: TestTrader) =>
    (await trader.request(messagePage, { type: '2' })).list.map(({ title }) => title);

  it('ALGO-039 ALGO-040 ALGO-044 ALGO-045 slices follow one another over restarts, once each; a repeated request places nothing; the end is one message', async () => {
    const trader = await exchange.aUser({ BTC: '0.05' });
    const placed = await trader.request(createIceberg, sale({ clientId: 'iceberg-1' }));
    await place(buyer, limit('buy', '50000', '0.025'));
    await exchange.restart();
    expect(await trader.request(createIceberg, sale({ clientId: 'iceberg-1' }))).toEqual(placed);
    expect(await balanceText(trader, 'BTC')).toBe('0 + 0.025');
    expect((await depth(exchange)).asks).toEqual([[50_000, 0.015]]);
    const { iceberg, orders } = await trader.request(icebergDetail, placed);
    expect(iceberg).toMatchObject({
      status: 'running',
      placedCount: 2,
      hiddenAmount: '0.01',
      filledAmount: '0.025',
      avgPrice: '50000.00',
    });
    expect(orders.map(({ amount, filledAmount, clientId }) => [amount, filledAmount, clientId])).toEqual([
      ['0.02', '0.02', placed.id],
      ['0.02', '0.005', placed.id],
    ]);
    expect((await trader.request(algoOrders)).list).toEqual([{ id: placed.id, iceberg }]);
    await place(buyer, limit('buy', '50000', '0.02'));
    await exchange.restart();
    await place(buyer, limit('buy', '50000', '0.005'));
    const ended = await trader.request(icebergDetail, placed);
    expect(ended.iceberg).toMatchObject({ status: 'ended', reason: 'filled', placedCount: 3, fee: '2.5' });
    expect(ended.orders.map(({ amount }) => amount)).toEqual(['0.02', '0.02', '0.01']);
    expect(await balanceText(trader, 'BTC')).toBe('0 + 0');
    expect((await trader.request(algoOrders)).list).toEqual([]);
    expect((await trader.request(algoOrders, { ended: '1' })).list).toEqual([
      { id: placed.id, iceberg: ended.iceberg },
    ]);
    await eventually(async () => expect(await titlesOf(trader)).toEqual(['Iceberg filled: BTC/USDT']));
  });

  it('ALGO-044 slices of several icebergs that one step placed keep their order on the book after a restart', async () => {
    const traders = await Promise.all(Array.from({ length: 6 }, () => exchange.aUser({ BTC: '0.05' })));
    const ids: string[] = [];
    for (const trader of traders) ids.push((await trader.request(createIceberg, sale())).id);
    // A single order fills the open slices of all icebergs, so one step replaces all of them.
    await place(buyer, limit('buy', '50000', '0.12'));
    await exchange.restart();
    const filled = async () =>
      Promise.all(
        traders.map(async (trader, index) => {
          const { iceberg } = await trader.request(icebergDetail, { id: ids[index]! });
          return iceberg.filledAmount;
        }),
      );
    await place(buyer, limit('buy', '50000', '0.05'));
    expect(await filled()).toEqual(['0.04', '0.04', '0.03', '0.02', '0.02', '0.02']);
    await place(buyer, limit('buy', '50000', '0.13'));
    expect(new Set(await filled())).toEqual(new Set(['0.05']));
  });

  it('ALGO-042 ALGO-044 a cancellation ends it once and releases everything; nobody else sees or cancels it', async () => {
    const trader = await exchange.aUser({ USDT: '5000' });
    const purchase = sale({ tradeType: 'buy', price: '49000', amount: '0.1', postOnly: '1' });
    const { id } = await trader.request(createIceberg, purchase);
    expect(await balanceText(trader, 'USDT')).toBe('100 + 4900');
    expect((await depth(exchange)).bids).toEqual([[49_000, 0.02]]);
    const other = await exchange.aUser();
    expect(await other.call(cancelIceberg, { id })).toMatchObject({ errKey: 'l.not_found' });
    expect(await other.call(icebergDetail, { id })).toMatchObject({ errKey: 'l.not_found' });
    const halt = { status: 'cancelOnly', reason: 'the index is in doubt', publicCause: 'prices' };
    await operate(exchange, '/ops/pairs/btcusdt/status', halt);
    expect(await trader.call(createIceberg, purchase)).toMatchObject({ errKey: 'l.pair_cancel_only' });
    expect(await trader.request(cancelIceberg, { id })).toEqual({ count: 1 });
    expect(await trader.request(cancelIceberg, { id })).toEqual({ count: 0 });
    await operate(exchange, '/ops/pairs/btcusdt/status', { status: 'open', reason: 'a false alarm' });
    expect(await balanceText(trader, 'USDT')).toBe('5000 + 0');
    expect((await trader.request(icebergDetail, { id })).iceberg).toMatchObject({
      status: 'ended',
      reason: 'user',
      hiddenAmount: '0',
    });
    expect(await titlesOf(trader)).toEqual([]);
  });

  it('ALGO-038 ALGO-041 refused icebergs reserve nothing: too little balance, too many slices, a post-only one that would trade', async () => {
    const trader = await exchange.aUser({ BTC: '0.05' });
    expect(await trader.call(createIceberg, sale({ amount: '0.06' }))).toMatchObject({
      code: -6,
      errKey: 'l.insufficient_balance',
      data: { field: 'amount', limit: '0.05', value: '0.06' },
    });
    expect(await trader.call(createIceberg, sale({ visible: '0.0004' }))).toMatchObject({
      errKey: 'l.iceberg_slices',
      data: { field: 'visible', value: '125' },
    });
    const bid = await place(buyer, limit('buy', '50000', '0.01'));
    expect(await trader.call(createIceberg, sale({ postOnly: '1' }))).toMatchObject({
      errKey: 'l.post_only_crosses',
      data: { field: 'price' },
    });
    expect(await balanceText(trader, 'BTC')).toBe('0.05 + 0');
    await buyer.request(wire.cancelOrder, { id: bid.id });
  });
});
