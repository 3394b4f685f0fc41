import { MINUTE_MS } from '@exchange/core/time.ts';
import { cancelChase, chaseDetail, createChase } from '@exchange/wire/chase.ts';
import { messagePage } from '@exchange/wire/message.ts';
import * as wire from '@exchange/wire/spot.ts';
import { algoOrders } from '@exchange/wire/twap.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { RequestFields } from '../../../testing/calling.ts';
import { eventually } from '../../../testing/eventually.ts';
import { anExchange, type TestExchange, type TestTrader } from '../../../testing/exchange.ts';
import { operate } from '../../../testing/operators.ts';
import { balanceText, BTC_USDT, depth, limit, place, requireEmptyBook } from './testing/orders.ts';

type Fields = RequestFields<typeof createChase>;
/** The pause between two price changes of a chase order, in milliseconds. */
const PAUSE_MS = 2_000;

describe('chase orders', () => {
  let exchange: TestExchange;
  let leader: TestTrader;
  let seller: TestTrader;

  beforeAll(async () => {
    exchange = await anExchange();
    leader = await exchange.aUser({ USDT: '100000' });
    seller = await exchange.aUser({ BTC: '1' });
  });

  afterEach(async () => {
    await leader.request(wire.cancelAllOrders, {});
    await requireEmptyBook(exchange);
  });

  afterAll(() => exchange.close());

  /**
   * Request fields of a chase order that buys 0.1 BTC within ten minutes; its price follows the best bid up to one per
   * cent above the best bid at the start.
   */
  function purchase(changes: Fields = {}): Fields {
    return {
      ...BTC_USDT,
      tradeType: 'buy',
      amount: '0.1',
      distance: '1',
      minutes: '10',
      ...changes,
    };
  }

  const lead = (price: string) => place(leader, limit('buy', price, '0.01'));
  const shownOf = async (trader: TestTrader, id: string) => (await trader.request(chaseDetail, { id })).chase;
  const moved = (trader: TestTrader, id: string, moveCount: number, price: string) =>
    eventually(async () => expect(await shownOf(trader, id)).toMatchObject({ moveCount, price }));
  const titlesOf = async (trader: TestTrader) =>
    (await trader.request(messagePage, { type: '2' })).list.map(({ title }) => title);

  it('ALGO-048 ALGO-051 ALGO-054 its order follows the best price over restarts, once for each move; a repeated request starts nothing', async () => {
    const trader = await exchange.aUser({ USDT: '6000' });
    await lead('49000');
    const { id } = await trader.request(createChase, purchase({ clientId: 'chase-1' }));
    expect(await balanceText(trader, 'USDT')).toBe('1100 + 4900');
    await lead('49100');
    await exchange.advanceTime(PAUSE_MS);
    await moved(trader, id, 1, '49100.00');
    await place(seller, limit('sell', '49100', '0.05'));
    await exchange.restart();
    expect(await trader.request(createChase, purchase({ clientId: 'chase-1' }))).toEqual({ id });
    await lead('49600');
    await exchange.advanceTime(PAUSE_MS);
    await moved(trader, id, 2, '49490.00');
    const { chase, orders } = await trader.request(chaseDetail, { id });
    expect(chase).toMatchObject({
      status: 'running',
      startPrice: '49000.00',
      worstPrice: '49490.00',
      filledAmount: '0.04',
      avgPrice: '49100.00',
    });
    expect(orders).toMatchObject([{ clientId: id, postOnly: 1, amount: '0.1', filledAmount: '0.04' }]);
    expect(await balanceText(trader, 'USDT')).toBe('1066.6 + 2969.4');
    expect((await trader.request(algoOrders)).list).toEqual([{ id, chase }]);
    const detail = await trader.request(wire.orderDetail, { id: orders[0]!.id });
    expect(detail.amendments.map(({ price }) => price)).toEqual(['49100.00', '49490.00']);
    await leader.request(wire.cancelAllOrders, {});
    await place(seller, limit('sell', '49490', '0.06'));
    expect(await shownOf(trader, id)).toMatchObject({ status: 'ended', reason: 'filled' });
    expect((await trader.request(algoOrders, { ended: '1' })).list.map((algo) => algo.id)).toEqual([id]);
    await eventually(async () => expect(await titlesOf(trader)).toEqual(['Chase order filled: BTC/USDT']));
  });

  it('ALGO-052 ALGO-053 a halt keeps its order where it is; the end of its time cancels the rest with a message, also after an outage', async () => {
    const trader = await exchange.aUser({ USDT: '5000' });
    await lead('49000');
    const { id } = await trader.request(createChase, purchase());
    const halt = { status: 'cancelOnly', reason: 'the index is in doubt', publicCause: 'prices' };
    await lead('49100');
    await operate(exchange, '/ops/pairs/btcusdt/status', halt);
    await exchange.advanceTime(PAUSE_MS);
    expect(await shownOf(trader, id)).toMatchObject({ status: 'waiting', reason: 'halted', moveCount: 0 });
    expect(await trader.call(createChase, purchase())).toMatchObject({ errKey: 'l.pair_cancel_only' });
    await operate(exchange, '/ops/pairs/btcusdt/status', { status: 'open', reason: 'a false alarm' });
    await exchange.advanceTime(PAUSE_MS);
    await moved(trader, id, 1, '49100.00');
    await exchange.restart(() => Promise.resolve(exchange.clock.shift(10 * MINUTE_MS)));
    await eventually(async () =>
      expect(await shownOf(trader, id)).toMatchObject({ status: 'ended', reason: 'time' }),
    );
    expect(await balanceText(trader, 'USDT')).toBe('5000 + 0');
    await eventually(async () => expect(await titlesOf(trader)).toEqual(['Chase order ended: BTC/USDT']));
  });

  it('ALGO-050 ALGO-053 a cancellation ends it once; nobody else sees or cancels it; refused ones reserve nothing', async () => {
    const trader = await exchange.aUser({ USDT: '4940' });
    expect(await trader.call(createChase, purchase())).toMatchObject({ errKey: 'l.chase_no_price' });
    await lead('49000');
    expect(await trader.call(createChase, purchase())).toMatchObject({
      errKey: 'l.insufficient_balance',
      data: { field: 'amount', limit: '4940', value: '4949' },
    });
    expect(await trader.call(createChase, purchase({ distance: '5.01' }))).toMatchObject({
      errKey: 'l.field_max',
      data: { field: 'distance' },
    });
    const { id } = await trader.request(createChase, purchase({ limitPrice: '49300' }));
    const other = await exchange.aUser();
    expect(await other.call(cancelChase, { id })).toMatchObject({ errKey: 'l.not_found' });
    expect(await other.call(chaseDetail, { id })).toMatchObject({ errKey: 'l.not_found' });
    expect(await trader.request(cancelChase, { id })).toEqual({ count: 1 });
    expect(await trader.request(cancelChase, { id })).toEqual({ count: 0 });
    expect(await shownOf(trader, id)).toMatchObject({
      status: 'ended',
      reason: 'user',
      worstPrice: '49300.00',
    });
    expect(await balanceText(trader, 'USDT')).toBe('4940 + 0');
    expect((await depth(exchange)).bids).toEqual([[49_000, 0.01]]);
    expect(await titlesOf(trader)).toEqual([]);
  });
});
