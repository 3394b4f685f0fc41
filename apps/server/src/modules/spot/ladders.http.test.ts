import { cancelLadder, createLadder, ladderDetail, ladders } from '@exchange/wire/ladder.ts';
import * as wire from '@exchange/wire/spot.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { RequestFields } from '../../../testing/calling.ts';
import { anExchange, type TestExchange, type TestTrader } from '../../../testing/exchange.ts';
import { operate } from '../../../testing/operators.ts';
import { balanceText, BTC_USDT, depth, limit, place, requireEmptyBook } from './testing/orders.ts';

type Fields = RequestFields<typeof createLadder>;

describe('scaled ladders', () => {
  let exchange: TestExchange;

  beforeAll(async () => {
    exchange = await anExchange();
  });

  afterEach(() => requireEmptyBook(exchange));

  afterAll(() => exchange.close());

  function sale(changes: Fields = {}): Fields {
    return {
      ...BTC_USDT,
      tradeType: 'sell',
      fromPrice: '51000',
      toPrice: '52000',
      count: '5',
      amount: '0.05',
      ...changes,
    };
  }

  async function onlyLadder(trader: TestTrader, ended: '0' | '1') {
    const { list, totalRow } = await trader.request(ladders, { ended });
    expect(totalRow).toBe(1);
    return list[0]!;
  }

  it('ALGO-010 ALGO-012 all orders of a ladder rest after one request, also after a restart; a repeated key places nothing', async () => {
    const trader = await exchange.aUser({ BTC: '0.05' });
    const placed = await trader.request(createLadder, sale({ clientId: 'ladder-1' }));
    expect(placed.orders).toHaveLength(5);
    await exchange.restart();
    expect(await trader.request(createLadder, sale({ clientId: 'ladder-1' }))).toEqual(placed);
    expect(await balanceText(trader, 'BTC')).toBe('0 + 0.05');
    const { ladder, orders } = await trader.request(ladderDetail, { id: placed.id });
    expect(orders.map(({ id, price, amount, clientId }) => [id, price, amount, clientId])).toEqual(
      ['51000.00', '51250.00', '51500.00', '51750.00', '52000.00'].map((price, index) => [
        placed.orders[index],
        price,
        '0.01',
        placed.id,
      ]),
    );
    expect(ladder).toMatchObject({ openCount: 5, filledCount: 0, avgPrice: '', sizes: 'equal' });
    expect(await onlyLadder(trader, '0')).toEqual(ladder);
    expect(await trader.request(cancelLadder, { id: placed.id })).toEqual({ count: 5 });
  });

  it('ALGO-013 ALGO-014 progress and average follow the fills; one cancellation ends the rest, and a second one changes nothing', async () => {
    const trader = await exchange.aUser({ BTC: '1' });
    const buyer = await exchange.aUser({ USDT: '2000' });
    const { id } = await trader.request(createLadder, sale());
    await place(buyer, limit('buy', '51250', '0.015'));
    expect(await onlyLadder(trader, '0')).toMatchObject({
      openCount: 4,
      filledCount: 1,
      filledAmount: '0.015',
      filledTotal: '766.25',
      avgPrice: '51083.33',
      feeCoin: 'USDT',
    });
    expect((await trader.request(ladders, { ended: '1' })).list).toEqual([]);
    expect(await trader.request(cancelLadder, { id })).toEqual({ count: 4 });
    expect(await trader.request(cancelLadder, { id })).toEqual({ count: 0 });
    expect(await balanceText(trader, 'BTC')).toBe('0.985 + 0');
    expect((await trader.request(ladders)).list).toEqual([]);
    expect(await onlyLadder(trader, '1')).toMatchObject({ id, openCount: 0, filledAmount: '0.015' });
    const other = await exchange.aUser();
    expect(await other.call(cancelLadder, { id })).toMatchObject({ errKey: 'l.not_found' });
    expect(await other.call(ladderDetail, { id })).toMatchObject({ errKey: 'l.not_found' });
  });

  it('ALGO-010 ALGO-011 a refused ladder places and reserves nothing: too little balance, an order that would trade, too many orders', async () => {
    const trader = await exchange.aUser({ BTC: '0.0499' });
    expect(await trader.call(createLadder, sale())).toMatchObject({
      code: -6,
      errKey: 'l.insufficient_balance',
      data: { field: 'amount', limit: '0.0499', value: '0.05' },
    });
    const buyer = await exchange.aUser({ USDT: '600' });
    const bid = await place(buyer, limit('buy', '51100', '0.01'));
    expect(await trader.call(createLadder, sale({ amount: '0.04' }))).toMatchObject({
      errKey: 'l.ladder_crosses_sell',
      data: { field: 'fromPrice', limit: '51100.00' },
    });
    await buyer.request(wire.cancelOrder, { id: bid.id });
    expect(await trader.call(createLadder, sale({ count: '51' }))).toMatchObject({ errKey: 'l.field_max' });
    expect(await balanceText(trader, 'BTC')).toBe('0.0499 + 0');
    expect(await depth(exchange)).toEqual({ bids: [], asks: [] });
  });

  it('ALGO-014 ALGO-015 a pair that accepts cancellations only refuses a ladder, and cancels one', async () => {
    const trader = await exchange.aUser({ BTC: '1' });
    const { id } = await trader.request(createLadder, sale());
    const halt = { status: 'cancelOnly', reason: 'the index is in doubt', publicCause: 'prices' };
    await operate(exchange, '/ops/pairs/btcusdt/status', halt);
    expect(await trader.call(createLadder, sale())).toMatchObject({ errKey: 'l.pair_cancel_only' });
    expect(await trader.request(cancelLadder, { id })).toEqual({ count: 5 });
    await operate(exchange, '/ops/pairs/btcusdt/status', { status: 'open', reason: 'a false alarm' });
  });
});
