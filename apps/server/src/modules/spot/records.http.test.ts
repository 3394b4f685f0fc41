import { Decimal, sum } from '@exchange/core/decimal.ts';
import * as wire from '@exchange/wire/spot.ts';
import { marketTrades } from '@exchange/wire/market.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anExchange, type TestExchange } from '../../../testing/exchange.ts';
import { BTC_USDT, balanceText, limit, market, place } from './testing/orders.ts';

const FEE_MEMORY_MS = 600_000;

describe('spot records', () => {
  let exchange: TestExchange;

  beforeAll(async () => {
    exchange = await anExchange();
  });

  afterAll(() => exchange.close());

  it('SPOT-070 orders are listed newest first, page by page, by pair, side, kind, state and time', async () => {
    const [trader, maker] = [
      await exchange.aUser({ USDT: '10000', BTC: '1' }),
      await exchange.aUser({ BTC: '1' }),
    ];
    const ids: string[] = [];
    for (let n = 0; n < 7; n += 1)
      ids.unshift((await place(trader, limit('buy', `${49_000 + n}`, '0.001'))).id);
    const eth = await place(trader, limit('buy', '2400', '0.01', { baseCoin: 'ETH' }));
    const sell = await place(trader, limit('sell', '55000', '0.001'));
    await trader.request(wire.cancelOrder, { id: ids[6]! });
    await place(maker, limit('sell', '50000', '0.001'));
    const bought = await place(trader, market('buy', { amount: '0.001' }));
    const listed = async (fields: Parameters<typeof trader.request<typeof wire.orderRecords>>[1]) => {
      const { list, totalRow } = await trader.request(wire.orderRecords, fields);
      return { ids: list.map(({ id }) => id), totalRow };
    };
    const all = [bought.id, sell.id, eth.id, ...ids];
    expect(await listed({})).toEqual({ ids: all, totalRow: 10 });
    expect(await listed({ pageNo: '2', pageSize: '4' })).toEqual({ ids: all.slice(4, 8), totalRow: 10 });
    expect(await listed({ pageNo: '4', pageSize: '4' })).toEqual({ ids: [], totalRow: 10 });
    expect(await listed({ entryStatus: '0' })).toEqual({
      ids: [sell.id, eth.id, ...ids.slice(0, 6)],
      totalRow: 8,
    });
    expect(await listed({ entryStatus: '1' })).toEqual({ ids: [bought.id], totalRow: 1 });
    expect(await listed({ entryStatus: '2' })).toEqual({ ids: [ids[6]], totalRow: 1 });
    expect(await listed({ baseCoin: 'ETH' })).toEqual({ ids: [eth.id], totalRow: 1 });
    expect(await listed({ quoteCoin: 'ETH' })).toEqual({ ids: [], totalRow: 0 });
    expect(await listed({ tradeType: '2' })).toEqual({ ids: [sell.id], totalRow: 1 });
    expect(await listed({ orderType: 'market' })).toEqual({ ids: [bought.id], totalRow: 1 });
    const times = { startTime: String(eth.createTime), endTime: String(sell.createTime) };
    const between = await listed(times);
    expect(between.ids).toContain(eth.id);
    expect(between.ids).not.toContain(bought.createTime > sell.createTime ? bought.id : ids[6]);
    await trader.request(wire.cancelAllOrders);
  });

  it('SPOT-071 a trade is in the fills of both sides, each with its own fee, and among the public deals', async () => {
    const [maker, taker] = [await exchange.aUser({ BTC: '1' }), await exchange.aUser({ USDT: '1000' })];
    const resting = await place(maker, limit('sell', '50000', '0.01'));
    const taken = await place(taker, limit('buy', '50000', '0.004'));
    const { list: bought } = await taker.request(wire.fillRecords, BTC_USDT);
    const { list: sold, totalRow } = await maker.request(wire.fillRecords);
    expect(bought).toMatchObject([
      {
        orderId: taken.id,
        role: 'taker',
        tradeType: 1,
        amount: '0.004',
        total: '200',
        fee: '0.000004',
        feeCoin: 'BTC',
      },
    ]);
    expect(sold).toMatchObject([
      {
        orderId: resting.id,
        role: 'maker',
        tradeType: 2,
        amount: '0.004',
        total: '200',
        fee: '0.2',
        feeCoin: 'USDT',
      },
    ]);
    expect(totalRow).toBe(1);
    expect(sold[0]!.tradeId).toBe(bought[0]!.tradeId);
    expect((await maker.request(wire.fillRecords, { tradeType: '1' })).totalRow).toBe(0);
    const deals = await exchange.call(marketTrades, { symbol: 'btcusdt', size: '1' });
    expect(deals.data).toMatchObject([
      { id: bought[0]!.tradeId, price: 50_000, amount: 0.004, direction: 'buy' },
    ]);
    await maker.request(wire.cancelAllOrders);
  });

  it('SPOT-072 the statement names every movement, and its amounts add up to the balances', async () => {
    const [maker, taker] = [await exchange.aUser({ BTC: '1' }), await exchange.aUser({ USDT: '1000' })];
    await place(maker, limit('sell', '50000', '0.003'));
    await place(taker, limit('buy', '50100', '0.005'));
    await taker.request(wire.cancelAllOrders);
    await exchange.doors.movements.catchUp();
    const { list, totalRow } = await taker.request(wire.spotMovements, { currency: 'USDT', pageSize: '100' });
    expect(list.length).toBe(totalRow);
    const kinds = new Set(list.map(({ type }) => type));
    expect(kinds).toEqual(new Set(['inventory.funded', 'spot.held', 'spot.traded', 'spot.released']));
    const ofBucket = (bucket: string) => list.filter(({ refType }) => refType === bucket);
    const added = (bucket: string) =>
      sum(ofBucket(bucket).map(({ amount }) => Decimal.parse(amount))).toString();
    expect(`${added('available')} + ${added('frozen')}`).toBe('850 + 0');
    expect(await balanceText(taker, 'USDT')).toBe('850 + 0');
    // Movements are listed newest first, so the first movement of each part of the balance (available or frozen) has
    // its current amount.
    expect([ofBucket('available')[0]?.balance, ofBucket('frozen')[0]?.balance]).toEqual(['850', '0']);
    const held = await taker.request(wire.spotMovements, { type: 'spot.held' });
    expect(held.list.map(({ amount }) => amount).sort()).toEqual(['-250.5', '250.5']);
  });

  it('SPOT-073 balances list every coin with its worth in USDT', async () => {
    const trader = await exchange.aUser({ USDT: '1000', BTC: '0.5' });
    await place(trader, limit('sell', '55000', '0.1'));
    const { list, total } = await trader.request(wire.spotAssets);
    expect(list.length).toBe(9);
    expect(list.find(({ currencyName }) => currencyName === 'BTC')).toMatchObject({
      availableCurrency: '0.4',
      frozenCurrency: '0.1',
      price: '50000',
      total: '25000',
    });
    expect(total).toBe('26000');
    expect((await trader.request(wire.spotAssets, { currency: 'btc' })).list.length).toBe(1);
    expect(await trader.request(wire.spotAssets, { pageNo: '3', pageSize: '4' })).toMatchObject({
      totalRow: 9,
      sum: 9,
      pageNo: 3,
      pageSize: 4,
      total: '26000',
      list: [list[8]],
    });
    await trader.request(wire.cancelAllOrders);
  });

  it('SPOT-1020 everybody can read all tiers and pays by their own tier', async () => {
    const { list } = (await exchange.call(wire.feeTiers)).data;
    expect(list.map(({ tier }) => tier)).toEqual(list.map((_, index) => index));
    const { tier, maker, taker, next } = await (await exchange.aUser()).request(wire.feeRates);
    expect(list[tier]).toMatchObject({ maker, taker, volume: '0' });
    expect(list[tier + 1]).toMatchObject({ ...next });
  });

  it('SPOT-074 fees fall with the 30-day volume, and orders keep the rates of their placement', async () => {
    const [maker, taker] = [await exchange.aUser({ BTC: '3' }), await exchange.aUser({ USDT: '200000' })];
    expect(await maker.request(wire.feeRates)).toEqual({
      tier: 0,
      maker: '0.001',
      taker: '0.001',
      volume30d: '0',
      next: { volume: '50000', maker: '0.0009', taker: '0.001' },
    });
    await place(maker, limit('sell', '50000', '1'));
    const early = await place(maker, limit('sell', '51000', '0.1'));
    await place(taker, limit('buy', '50000', '1'));
    // The fee tier is cached for ten minutes, so the trade has no effect on it yet.
    expect(await maker.request(wire.feeRates)).toMatchObject({ tier: 0 });
    await exchange.advanceTime(FEE_MEMORY_MS);
    expect(await maker.request(wire.feeRates)).toMatchObject({
      tier: 1,
      maker: '0.0009',
      volume30d: '50000',
    });
    await place(maker, limit('sell', '51000', '0.1'));
    await place(taker, limit('buy', '51000', '0.2'));
    const { list } = await maker.request(wire.fillRecords, { pageSize: '2' });
    expect(list.map(({ fee }) => fee)).toEqual(['4.59', '5.1']);
    expect(list[1]!.orderId).toBe(early.id);
    await exchange.advanceTime(30 * 86_400_000);
    const afterwards = await exchange.doors.spot.fees.tierOf(maker.id);
    expect([afterwards.tier.tier, afterwards.volume.toString()]).toEqual([0, '0']);
  });
});
