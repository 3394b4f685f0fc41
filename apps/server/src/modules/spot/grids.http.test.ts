import { cancelGrid, createGrid, gridDetail, gridOrders } from '@exchange/wire/grid.ts';
import { messageDetail, messagePage } from '@exchange/wire/message.ts';
import * as wire from '@exchange/wire/spot.ts';
import { algoOrders } from '@exchange/wire/twap.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { RequestFields } from '../../../testing/calling.ts';
import { eventually } from '../../../testing/eventually.ts';
import { anExchange, type TestExchange, type TestTrader } from '../../../testing/exchange.ts';
import { operate } from '../../../testing/operators.ts';
import { balanceText, BTC_USDT, limit, place, requireEmptyBook } from './testing/orders.ts';

type Fields = RequestFields<typeof createGrid>;

/**
 * Request fields of a grid with the prices 48,000, 49,000, … 52,000 and an investment of up to 1,000 USDT.
 */
function request(changes: Fields = {}): Fields {
  return {
    ...BTC_USDT,
    lowerPrice: '48000',
    upperPrice: '52000',
    levels: '5',
    investment: '1000',
    slippage: '1',
    ...changes,
  };
}

describe('grids', () => {
  let exchange: TestExchange;
  /** A user whose orders make the market and trade with the grids. */
  let maker: TestTrader;

  beforeAll(async () => {
    exchange = await anExchange();
    maker = await exchange.aUser({ BTC: '2', USDT: '100000' });
  });

  afterEach(async () => {
    await maker.request(wire.cancelAllOrders, {});
    await requireEmptyBook(exchange);
  });

  afterAll(() => exchange.close());

  const openMarket = async () => {
    await place(maker, limit('buy', '49990', '0.1'));
    await place(maker, limit('sell', '50010', '0.1'));
  };
  const detailOf = (trader: TestTrader, id: string) => trader.request(gridDetail, { id });
  const openPrices = async (trader: TestTrader, id: string) =>
    (await detailOf(trader, id)).orders.map(
      (order) => `${order.tradeType === 1 ? 'buy' : 'sell'} ${order.price}`,
    );
  const titlesOf = async (trader: TestTrader) =>
    (await trader.request(messagePage, { type: '2' })).list.map(({ title }) => title);

  it('GRID-010 GRID-012 GRID-017 buys and sells between its levels over restarts; a repeated request starts nothing', async () => {
    const trader = await exchange.aUser({ USDT: '1000' });
    await openMarket();
    const { id } = await trader.request(createGrid, request({ clientId: 'grid-1' }));
    expect(await openPrices(trader, id)).toEqual([
      'buy 48000.00',
      'buy 49000.00',
      'sell 51000.00',
      'sell 52000.00',
    ]);
    const { grid: started } = await detailOf(trader, id);
    expect(started).toMatchObject({ status: 'running', openCount: 4, placedCount: 5, rounds: 0 });
    await exchange.restart();
    // The price has changed since the grid was started; a repetition of the request with the same idempotency key still
    // returns the first response.
    await maker.request(wire.cancelAllOrders, {});
    await place(maker, limit('sell', '49000', '0.1'));
    expect(await trader.request(createGrid, request({ clientId: 'grid-1' }))).toEqual({ id });
    expect(await openPrices(trader, id)).toEqual([
      'buy 48000.00',
      'sell 50000.00',
      'sell 51000.00',
      'sell 52000.00',
    ]);
    await exchange.restart();
    await maker.request(wire.cancelAllOrders, {});
    await place(maker, limit('buy', '50000', '0.1'));
    await maker.request(wire.cancelAllOrders, {});
    const { grid, orders } = await detailOf(trader, id);
    expect(grid).toMatchObject({ rounds: 1, openCount: 4, price: '50000' });
    expect(
      orders.every(
        ({ clientId, parentId, postOnly }) => clientId === id && parentId === id && postOnly === 1,
      ),
    ).toBe(true);
    expect((await trader.request(algoOrders)).list).toEqual([{ id, grid }]);
    const placed = await trader.request(gridOrders, { id, pageSize: '3' });
    expect(placed.list.map(({ price }) => price)).toEqual(['49000.00', '50000.00', '52000.00']);
    expect(placed.totalRow).toBe(7);

    // The statistics agree with the fills that the owner's history shows.
    const fills = (await trader.request(wire.fillRecords, { pageSize: '50' })).list;
    const atoms = (text: string) => BigInt(Math.round(Number(text) * 1e8));
    const sums = { base: 0n, quote: atoms(started.startQuote) + atoms(started.startCost) };
    for (const fill of fills) {
      const isBuy = fill.tradeType === 1;
      sums.base += isBuy ? atoms(fill.amount) - atoms(fill.fee) : -atoms(fill.amount);
      sums.quote += isBuy ? -atoms(fill.total) : atoms(fill.total) - atoms(fill.fee);
    }
    expect([atoms(grid.base), atoms(grid.quote)]).toEqual([sums.base, sums.quote]);
    expect(await trader.request(cancelGrid, { id })).toMatchObject({ count: 1, soldBase: '0' });
  });

  it('GRID-014 GRID-016 one cancellation ends it; nobody else sees or cancels it; refused ones reserve nothing', async () => {
    const trader = await exchange.aUser({ USDT: '1000' });
    expect(await trader.call(createGrid, request())).toMatchObject({ errKey: 'l.grid_no_price' });
    await openMarket();
    expect(await trader.call(createGrid, request({ investment: '1000.01' }))).toMatchObject({
      errKey: 'l.insufficient_balance',
      data: { field: 'investment', limit: '1000', value: '1000.01' },
    });
    expect(await trader.call(createGrid, request({ levels: '50' }))).toMatchObject({ errKey: 'l.grid_fees' });
    expect(await balanceText(trader, 'USDT')).toBe('1000 + 0');
    const { id } = await trader.request(createGrid, request({ spacing: 'ratio' }));
    const other = await exchange.aUser();
    for (const endpoint of [cancelGrid, gridDetail, gridOrders])
      expect(await other.call(endpoint, { id })).toMatchObject({ errKey: 'l.not_found' });
    const halt = { status: 'cancelOnly', reason: 'the index is in doubt', publicCause: 'prices' };
    await operate(exchange, '/ops/pairs/btcusdt/status', halt);
    expect(await trader.call(createGrid, request())).toMatchObject({ errKey: 'l.pair_cancel_only' });
    expect(await trader.request(cancelGrid, { id })).toMatchObject({ count: 1, soldBase: '0' });
    expect(await trader.request(cancelGrid, { id })).toMatchObject({ count: 0, soldBase: '0' });
    await operate(exchange, '/ops/pairs/btcusdt/status', { status: 'open', reason: 'a false alarm' });
    expect((await detailOf(trader, id)).grid).toMatchObject({
      status: 'ended',
      reason: 'user',
      openCount: 0,
    });
    expect((await trader.request(algoOrders, { ended: '1' })).list.map((algo) => algo.id)).toEqual([id]);
    expect(await titlesOf(trader)).toEqual([]);
  });

  it('GRID-014 GRID-015 it ends with a message when self-trade prevention removes its last order', async () => {
    const trader = await exchange.aUser({ USDT: '3000', BTC: '0.1' });
    await openMarket();
    const levels = { levels: '2', lowerPrice: '49500', upperPrice: '50500', slippage: '1' };
    const { id } = await trader.request(createGrid, request(levels));
    await maker.request(wire.cancelAllOrders, {});
    const { orders } = await detailOf(trader, id);
    const side = orders[0]!.tradeType === 1 ? 'sell' : 'buy';
    await place(trader, { ...limit(side, orders[0]!.price, '0.01'), stp: 'cancelMaker' });
    await trader.request(wire.cancelAllOrders, {});
    expect((await detailOf(trader, id)).grid).toMatchObject({ status: 'ended', reason: 'selfTrade' });
    await eventually(async () => expect(await titlesOf(trader)).toEqual(['Grid ended: BTC/USDT']));
  });

  it('GRID-017 GRID-024 GRID-025 GRID-027 a trade at its stop-loss price ends it after a restart, and the message says what was sold', async () => {
    const trader = await exchange.aUser({ USDT: '1000' });
    await openMarket();
    const exits: Fields = {
      stopLossPrice: '47000',
      takeProfitPrice: '53000',
      sellAtEnd: '1',
    };
    expect(await trader.call(createGrid, request({ stopLossPrice: '48000' }))).toMatchObject({
      errKey: 'l.grid_stop_loss',
      data: { field: 'stopLossPrice', limit: '48000.00' },
    });
    expect(await trader.call(createGrid, request({ takeProfitPrice: '51999' }))).toMatchObject({
      errKey: 'l.grid_take_profit',
      data: { field: 'takeProfitPrice', limit: '52000.00' },
    });
    const { id } = await trader.request(createGrid, request({ ...exits, clientId: 'exits-1' }));
    expect((await detailOf(trader, id)).grid).toMatchObject({
      stopLossPrice: '47000.00',
      takeProfitPrice: '53000.00',
      sellAtEnd: 1,
      soldBase: '0',
    });
    await exchange.restart();
    await maker.request(wire.cancelAllOrders, {});
    await place(maker, limit('buy', '47000', '0.001'));
    await place(maker, limit('buy', '46900', '0.01'));
    const seller = await exchange.aUser({ BTC: '1' });
    await place(seller, limit('sell', '47000', '0.5', { timeInForce: 'IOC' }));
    const { grid, orders } = await detailOf(trader, id);
    expect(orders).toEqual([]);
    expect(grid).toMatchObject({ status: 'ended', reason: 'stopLoss', soldBase: '0.01', openCount: 0 });
    expect(await balanceText(trader, 'BTC')).toBe(`${grid.base} + 0`);
    const [sale] = (await trader.request(gridOrders, { id, pageSize: '1' })).list;
    expect(sale).toMatchObject({ tradeType: 2, filledAmount: '0.01', clientId: id });
    await eventually(async () => expect(await titlesOf(trader)).toEqual(['Grid ended: BTC/USDT']));
    const [listed] = (await trader.request(messagePage, { type: '2' })).list;
    const { content } = await trader.request(messageDetail, { id: listed!.id });
    const text = content.replaceAll('\u00A0', ' ');
    expect(text).toContain('reached its stop-loss price');
    expect(text).toContain('Sold at the end: 0.01 BTC');
    expect(text).toContain(`stay in your balance: ${grid.base} BTC`);
    await exchange.restart();
    expect((await detailOf(trader, id)).grid).toEqual(grid);
    expect(await trader.request(createGrid, request({ ...exits, clientId: 'exits-1' }))).toEqual({ id });
  });

  it('GRID-026 sells its coins at a cancellation if its owner chooses so, once', async () => {
    const trader = await exchange.aUser({ USDT: '1000' });
    await openMarket();
    const { id } = await trader.request(createGrid, request());
    const answer = await trader.request(cancelGrid, { id, sell: '1' });
    expect(answer.count).toBe(1);
    const { grid } = await detailOf(trader, id);
    expect(grid).toMatchObject({ reason: 'user', soldBase: answer.soldBase, soldQuote: answer.soldQuote });
    expect(Number(grid.soldBase)).toBeGreaterThan(0.005);
    expect(await trader.request(cancelGrid, { id, sell: '1' })).toEqual({
      count: 0,
      haltedOrders: 0,
      soldBase: '0',
      soldQuote: '0',
    });
    expect(await titlesOf(trader)).toEqual([]);
  });

  it('GRID-029 its cancellation frees what holds no halted coin at once, and the rest when the halt is lifted, after a restart too', async () => {
    const trader = await exchange.aUser({ USDT: '1000' });
    await openMarket();
    const { id } = await trader.request(createGrid, request());
    const { orders } = await detailOf(trader, id);
    const sales = orders.filter(({ tradeType }) => tradeType === 2);
    await exchange.doors.halting.halt('BTC', { by: 'test', reason: 'looking at it' });
    const answer = await trader.request(cancelGrid, { id, sell: '1' });
    expect(answer).toEqual({ count: 1, haltedOrders: sales.length, soldBase: '0', soldQuote: '0' });
    expect(sales.length).toBeGreaterThan(0);
    expect(orders.length).toBeGreaterThan(sales.length);
    expect(await trader.request(cancelGrid, { id })).toMatchObject({ count: 0, haltedOrders: 0 });
    expect(await balanceText(trader, 'USDT')).toMatch(/ \+ 0$/);
    const left = async () => {
      const { list } = await trader.request(wire.orderRecords, { entryStatus: '0', pageSize: '50' });
      return list.map((order) => order.id).toSorted();
    };
    const salesIds = sales.map((order) => order.id).toSorted();
    expect(await left()).toEqual(salesIds);
    await exchange.restart();
    expect((await detailOf(trader, id)).grid).toMatchObject({ status: 'ended', reason: 'user' });
    expect(await left()).toEqual(salesIds);
    expect((await exchange.audit()).problems).toEqual([]);
    await exchange.doors.halting.lift('BTC', { by: 'test', reason: 'all is well' });
    await eventually(async () => expect(await left()).toEqual([]));
    expect(await balanceText(trader, 'BTC')).toMatch(/ \+ 0$/);
    expect((await detailOf(trader, id)).grid.soldBase).toBe('0');
    expect((await exchange.audit()).problems).toEqual([]);
  });
});
