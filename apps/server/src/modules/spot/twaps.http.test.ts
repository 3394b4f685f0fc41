import { MINUTE_MS } from '@exchange/core/time.ts';
import { createLadder } from '@exchange/wire/ladder.ts';
import { messagePage } from '@exchange/wire/message.ts';
import * as wire from '@exchange/wire/spot.ts';
import { algoOrders, cancelTwap, createTwap, twapDetail } from '@exchange/wire/twap.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { RequestFields } from '../../../testing/calling.ts';
import { eventually } from '../../../testing/eventually.ts';
import { anExchange, type TestExchange, type TestTrader } from '../../../testing/exchange.ts';
import { operate } from '../../../testing/operators.ts';
import { balanceText, BTC_USDT, limit, place, requireEmptyBook } from './testing/orders.ts';

type Fields = RequestFields<typeof createTwap>;

describe('TWAP orders', () => {
  let exchange: TestExchange;
  let seller: TestTrader;

  beforeAll(async () => {
    exchange = await anExchange();
    seller = await exchange.aUser({ BTC: '20' });
  });

  afterEach(async () => {
    await seller.request(wire.cancelAllOrders, {});
    await requireEmptyBook(exchange);
  });

  afterAll(() => exchange.close());

  /** Input of a TWAP order that buys 0.04 BTC in four child orders, a minute apart. */
  function purchase(changes: Fields = {}): Fields {
    return {
      ...BTC_USDT,
      tradeType: 'buy',
      amount: '0.04',
      minutes: '4',
      count: '4',
      slippage: '1',
      ...changes,
    };
  }

  const shownOf = async (trader: TestTrader, id: string) => (await trader.request(twapDetail, { id })).twap;
  const placed = (trader: TestTrader, id: string, count: number) =>
    eventually(async () => expect((await shownOf(trader, id)).placedCount).toBe(count));
  const titlesOf = async (trader: TestTrader) =>
    (await trader.request(messagePage, { type: '2' })).list.map(({ title }) => title);

  it('ALGO-027 ALGO-030 ALGO-032 a repeated request starts nothing; no child is lost or placed twice over restarts, and the end is a message', async () => {
    const trader = await exchange.aUser({ USDT: '3000' });
    await place(seller, limit('sell', '50000', '1'));
    const { id } = await trader.request(createTwap, purchase({ clientId: 'twap-1' }));
    await placed(trader, id, 1);
    await exchange.restart();
    expect(await trader.request(createTwap, purchase({ clientId: 'twap-1' }))).toEqual({ id });
    for (const count of [2, 3]) {
      await exchange.advanceTime(MINUTE_MS);
      await placed(trader, id, count);
    }
    await exchange.restart(() => Promise.resolve(exchange.clock.shift(MINUTE_MS)));
    await placed(trader, id, 4);
    const { twap, orders } = await trader.request(twapDetail, { id });
    expect(
      orders.map(({ amount, filledAmount, clientId, timeInForce }) => [
        amount,
        filledAmount,
        clientId,
        timeInForce,
      ]),
    ).toEqual(Array.from({ length: 4 }, () => ['0.01', '0.01', id, 'IOC']));
    expect(twap).toMatchObject({
      status: 'ended',
      reason: 'filled',
      avgPrice: '50000.00',
      slippageBps: '0',
      feeCoin: 'BTC',
    });
    expect(await balanceText(trader, 'USDT')).toBe('1000 + 0');
    expect((await trader.request(algoOrders)).list).toEqual([]);
    const ended = await trader.request(algoOrders, { ended: '1' });
    expect(ended.list).toEqual([{ id, twap }]);
    await eventually(async () => expect(await titlesOf(trader)).toEqual(['TWAP order completed: BTC/USDT']));
  });

  it('ALGO-029 the cancellation of all orders ends the running TWAP orders that match', async () => {
    const trader = await exchange.aUser({ USDT: '2100' });
    await place(seller, limit('sell', '50000', '1'));
    const { id } = await trader.request(createTwap, purchase());
    await placed(trader, id, 1);
    await place(trader, limit('buy', '49000', '0.01'));
    const cancelAll = (filter: object) => trader.request(wire.cancelAllOrders, filter);
    expect(await cancelAll({ tradeType: '2' })).toEqual({ count: 0, entries: 0 });
    expect(await cancelAll({ baseCoin: 'ETH', quoteCoin: 'USDT' })).toEqual({ count: 0, entries: 0 });
    expect(await shownOf(trader, id)).toMatchObject({ status: 'running' });
    expect(await cancelAll({ tradeType: '1' })).toEqual({ count: 1, entries: 2 });
    expect(await shownOf(trader, id)).toMatchObject({ status: 'ended', reason: 'user' });
    await exchange.advanceTime(MINUTE_MS);
    await exchange.restart();
    expect(await shownOf(trader, id)).toMatchObject({ status: 'ended', filledAmount: '0.01' });
  });

  it('ALGO-028 ALGO-029 a child without funds pauses with a message and goes on when they are there; a cancellation ends it once', async () => {
    const trader = await exchange.aUser({ USDT: '2100' });
    await place(seller, limit('sell', '50000', '1'));
    const { id } = await trader.request(createTwap, purchase());
    await placed(trader, id, 1);
    const bid = await place(trader, limit('buy', '49000', '0.03'));
    await exchange.advanceTime(MINUTE_MS);
    await eventually(async () =>
      expect(await shownOf(trader, id)).toMatchObject({ status: 'paused', reason: 'funds' }),
    );
    await eventually(async () => expect(await titlesOf(trader)).toEqual(['TWAP order paused: BTC/USDT']));
    await trader.request(wire.cancelOrder, { id: bid.id });
    await exchange.advanceTime(5_000);
    await placed(trader, id, 2);
    expect(await shownOf(trader, id)).toMatchObject({ status: 'running', reason: '', filledAmount: '0.02' });
    const other = await exchange.aUser();
    expect(await other.call(cancelTwap, { id })).toMatchObject({ errKey: 'l.not_found' });
    expect(await other.call(twapDetail, { id })).toMatchObject({ errKey: 'l.not_found' });
    expect(await trader.request(cancelTwap, { id })).toEqual({ count: 1 });
    expect(await trader.request(cancelTwap, { id })).toEqual({ count: 0 });
    expect(await shownOf(trader, id)).toMatchObject({ status: 'ended', reason: 'user', nextTime: 0 });
    expect(await titlesOf(trader)).toHaveLength(1);
  });

  it('ALGO-026 ALGO-028 ALGO-031 a halted pair pauses it and refuses another; after an outage beyond its time it ends', async () => {
    const trader = await exchange.aUser({ USDT: '5000' });
    await place(seller, limit('sell', '50000', '1'));
    const { id } = await trader.request(createTwap, purchase());
    await placed(trader, id, 1);
    const halt = { status: 'cancelOnly', reason: 'the index is in doubt', publicCause: 'prices' };
    await operate(exchange, '/ops/pairs/btcusdt/status', halt);
    await exchange.advanceTime(MINUTE_MS);
    await eventually(async () =>
      expect(await shownOf(trader, id)).toMatchObject({ status: 'paused', reason: 'halted' }),
    );
    expect(await trader.call(createTwap, purchase())).toMatchObject({ errKey: 'l.pair_cancel_only' });
    await operate(exchange, '/ops/pairs/btcusdt/status', { status: 'open', reason: 'a false alarm' });
    await exchange.restart(() => Promise.resolve(exchange.clock.shift(10 * MINUTE_MS)));
    await eventually(async () =>
      expect(await shownOf(trader, id)).toMatchObject({ status: 'ended', reason: 'time' }),
    );
    expect(await shownOf(trader, id)).toMatchObject({ placedCount: 1, filledAmount: '0.01' });
    await eventually(async () => expect(await titlesOf(trader)).toContain('TWAP order ended: BTC/USDT'));
  });

  it('ALGO-033 the list of algo orders has ladders and TWAP orders, newest first; the end of a ladder is a message', async () => {
    const trader = await exchange.aUser({ BTC: '1', USDT: '1000' });
    const ladder = await trader.request(createLadder, {
      ...BTC_USDT,
      tradeType: 'sell',
      fromPrice: '50100',
      toPrice: '50200',
      count: '2',
      amount: '0.02',
    });
    await place(seller, limit('sell', '50000', '0.001'));
    const { id } = await trader.request(createTwap, purchase({ amount: '0.002', count: '2' }));
    const listed = await trader.request(algoOrders);
    expect(listed.list.map((algo) => [algo.id, algo.twap === undefined])).toEqual([
      [id, false],
      [ladder.id, true],
    ]);
    await trader.request(cancelTwap, { id });
    await seller.request(wire.cancelAllOrders, {});
    await exchange.restart();
    const buyer = await exchange.aUser({ USDT: '2000' });
    await place(buyer, limit('buy', '50200', '0.02'));
    await eventually(async () => expect(await titlesOf(trader)).toContain('Ladder ended: BTC/USDT'));
    expect((await trader.request(algoOrders, { ended: '1' })).list.map((algo) => algo.id)).toEqual([
      id,
      ladder.id,
    ]);
  });
});
