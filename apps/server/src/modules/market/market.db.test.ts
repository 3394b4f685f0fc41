import { CANDLE_TIMERS, type CandleTimer } from '@exchange/core/candle.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import { later } from '@exchange/core/time.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { testDatabase, type TestDatabase } from '../../../testing/database.ts';
import { aDeal, aMarket, MARKET_START } from '../../../testing/market.ts';
import { createAssets } from '../assets/index.ts';
import { databaseOver } from '../../platform/database/database.ts';
import { loadMarkets, readMarkets, saveMarkets } from './market-storage.ts';
import type { Candle } from './domain/candle-record.ts';
import { PairMarket } from './domain/pair-market.ts';
import { OwnMarket } from './own-market.ts';
import { MarketRepository } from './repository.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await testDatabase();
});
afterEach(() => database.drop());

const noDeals = async () => [];

/** Settings of a demo with the USDT pairs of two coins and the pair between these coins. */
const DEMO = { mode: 'demo', symbols: ['btcusdt', 'ethusdt', 'ethbtc'] } as const;

/**
 * Creates the function through which the market reads trades after a sequence number from the spot module; it
 * returns the given trades.
 */
const journal = (deals: readonly ReturnType<typeof aDeal>[]) => async (sequence: number, limit: number) =>
  deals.filter((deal) => deal.sequence > sequence).slice(0, limit);

/** The exchange's own market data without timers, so that the test controls every step. */
async function anOwnMarket(
  repository = new MarketRepository(databaseOver(database.pool)),
): Promise<OwnMarket> {
  const ignore = () => {};
  const log = { debug: ignore, info: ignore, warn: ignore, error: ignore };
  const [listed] = createAssets({ mode: 'live' }).pairs;
  const ownMarket = new OwnMarket(listed ? [listed.pair] : [], repository, log);
  await ownMarket.load();
  return ownMarket;
}

function candlesOf(market: OwnMarket, timer: CandleTimer): Candle[] {
  const candles = market.markets.get('btcusdt')!.candles(timer);
  return Array.from({ length: candles.length }, (_, at) => candles.at(at));
}

const lastCandle = (testMarket: ReturnType<typeof aMarket>) => testMarket.feed.snapshot('kline.btcusdt.1min');

describe('the stored market', () => {
  it('MKT-020 seeds a new demo and restores everything at the next start', async () => {
    const first = aMarket(database, DEMO);
    await first.market.start();
    await first.market.catchUp(noDeals);
    const candles = CANDLE_TIMERS.map((timer) => first.feed.snapshot(`kline.ethbtc.${timer}`));
    const tickers = first.feed.snapshot('tickers');
    const deals = first.feed.snapshot('trade.ethbtc');
    expect(deals).toHaveLength(100);
    await first.market.stop();

    const second = aMarket(database, DEMO);
    await second.market.start();
    await second.market.catchUp(noDeals);
    expect(CANDLE_TIMERS.map((timer) => second.feed.snapshot(`kline.ethbtc.${timer}`))).toEqual(candles);
    expect(second.feed.snapshot('tickers')).toEqual(tickers);
    expect(second.feed.snapshot('trade.ethbtc')).toEqual(deals);
    await second.market.stop();
  });

  it('MKT-022 shows generated deals until real deals arrive, which are numbered from one and counted once', async () => {
    const testMarket = aMarket(database, DEMO);
    await testMarket.market.start();
    await testMarket.market.catchUp(noDeals);
    type Deal = { id: string; price: string; vol: string; seeded: number; count: number };
    const deals = () => testMarket.feed.snapshot('trade.btcusdt') as Deal[];
    const seeded = deals();
    expect(seeded.every((deal) => deal.seeded === 1)).toBe(true);
    const tickerBefore = testMarket.feed.snapshot('ticker.btcusdt') as Deal;
    expect(seeded[0]?.price).toBe(testMarket.market.lastPrice('btcusdt')?.toString());
    const added = Decimal.parse('0.25');
    testMarket.publishDeals(aDeal(1, '97000', '0.25', testMarket.time.now));
    expect(deals().map(({ id, seeded: isSeeded }) => [id, isSeeded])).toEqual([
      ['trade-1', 0],
      ...seeded.slice(0, 99).map(({ id }) => [id, 1]),
    ]);
    const tickerAfter = testMarket.feed.snapshot('ticker.btcusdt') as Deal;
    expect(tickerAfter.vol).toBe(Decimal.parse(tickerBefore.vol).plus(added).toString());
    await testMarket.market.stop();

    const { rows } = await database.pool.query(
      "select deal_sequence::int, (select count(*)::int from spot_trade) as trades, (select count(*)::int from market_deal where symbol = 'btcusdt' and sequence < 0) as seeded from market_progress",
    );
    expect(rows).toEqual([{ deal_sequence: 1, trades: 0, seeded: 100 }]);
    // After a restart, generated trades are neither looked up in the trade record nor counted again.
    const restarted = aMarket(database, DEMO);
    await restarted.market.start();
    expect(await restarted.market.catchUp(noDeals)).toBe(0);
    expect(restarted.feed.snapshot('ticker.btcusdt')).toEqual(tickerAfter);
    expect((restarted.feed.snapshot('trade.btcusdt') as Deal[])[0]?.id).toBe('trade-1');
    await restarted.market.stop();
  });

  it('MKT-020 generates no history in live mode', async () => {
    const testMarket = aMarket(database, { mode: 'live' });
    await testMarket.market.start();
    expect(testMarket.feed.snapshot('tickers')).toEqual([]);
    expect(testMarket.feed.snapshot('trade.btcusdt')).toEqual([]);
    expect(testMarket.market.lastPrice('btcusdt')).toBeUndefined();
    await testMarket.market.stop();
  });

  it('MKT-013 counts each deal exactly once across a crash at any time', async () => {
    const deals = Array.from({ length: 12 }, (_, at) =>
      aDeal(at + 1, `${100 + at}`, '0.5', later(MARKET_START, at * 20_000)),
    );
    const crashed = await anOwnMarket();
    await crashed.catchUp(noDeals);
    for (const deal of deals.slice(0, 5)) crashed.receiveDeal(deal);
    await crashed.save(undefined);
    // These trades are counted in memory only, because the simulated process ends without another save.
    for (const deal of deals.slice(5, 9)) crashed.receiveDeal(deal);

    const restarted = aMarket(database, { startAt: later(MARKET_START, 240_000) });
    await restarted.market.start();
    // These trades are published before `catchUp` counts the past ones, and the trade record contains them too.
    restarted.publishDeals(...deals.slice(8, 10));
    expect(await restarted.market.catchUp(journal(deals.slice(0, 10)))).toBe(5);
    restarted.publishDeals(...deals.slice(9, 12));
    expect(lastCandle(restarted)).toMatchObject({
      open: '110',
      high: '111',
      low: '110',
      close: '111',
      vol: '1',
    });
    expect(restarted.feed.snapshot('ticker.btcusdt')).toMatchObject({
      open: '100',
      close: '111',
      vol: '6',
      amount: '633',
    });
    expect((restarted.feed.snapshot('trade.btcusdt') as unknown[]).length).toBe(12);
    await restarted.market.stop();
  });

  it('CLU-098 loads what was read ahead, and reads again what was saved since', async () => {
    const writer = await anOwnMarket();
    await writer.catchUp(noDeals);
    writer.receiveDeal(aDeal(1, '100', '1', MARKET_START));
    await writer.save(undefined);
    const standby = await anOwnMarket();
    const closeOf = (market: OwnMarket) => market.markets.get('btcusdt')?.candles('1min').last()?.close;
    expect(closeOf(standby)).toBe(10_000n);

    await standby.readAhead();
    writer.receiveDeal(aDeal(2, '101', '1', MARKET_START));
    await writer.save(undefined);
    await standby.load();
    expect(closeOf(standby)).toBe(10_100n);

    await standby.readAhead();
    // The rows are changed without a save, so the stored version stays the same, and the next `load` uses the rows that
    // were read ahead.
    await database.pool.query('update market_candle set close = close - 1');
    await standby.load();
    expect(closeOf(standby)).toBe(10_100n);
    await standby.load();
    expect(closeOf(standby)).toBe(10_099n);
  });

  it('CLU-098 loads in several reads what one read loads, whatever is saved and packed in between', async () => {
    const repository = new MarketRepository(databaseOver(database.pool));
    const writer = await anOwnMarket();
    await writer.catchUp(noDeals);
    const standby = await anOwnMarket();
    let sequence = 0;
    // The last trade, of minute 2, is older than the trades that are packed before it arrives.
    for (const minute of [0, 1, 3, 7, 8, 600, 601, 2]) {
      sequence += 1;
      writer.receiveDeal(aDeal(sequence, `${100 + minute}`, '1', later(MARKET_START, minute * 60_000)));
      await writer.save(undefined);
      if (sequence % 2 === 0) await standby.readAhead();
      const newest = writer.markets.get('btcusdt')!.candles('1min').last()!.opened;
      if (sequence % 3 === 0) await repository.pack({ symbol: 'btcusdt', timer: '1min' }, newest);
    }
    await standby.load();
    const cold = await anOwnMarket();
    for (const timer of CANDLE_TIMERS) expect(candlesOf(standby, timer)).toEqual(candlesOf(cold, timer));
    expect(await standby.catchUp(noDeals)).toBe(0);
    expect(candlesOf(standby, '1day')).toMatchObject([{ count: 8 }]);
  });

  it.each(['progress', 'looseCandles'] as const)(
    'MKT-013 CLU-098 counts each deal exactly once when the writer saves and packs after %s was read',
    async (read) => {
      const deals = [aDeal(1, '100', '1', MARKET_START), aDeal(2, '101', '2', later(MARKET_START, 60_000))];
      const writer = await anOwnMarket();
      await writer.catchUp(noDeals);
      writer.receiveDeal(deals[0]!);
      await writer.save(undefined);
      const repository = new MarketRepository(databaseOver(database.pool));
      const standby = await anOwnMarket(repository);
      const original = repository[read].bind(repository) as () => Promise<never>;
      vi.spyOn(repository, read).mockImplementationOnce(async (...parameters: unknown[]) => {
        const rows = await original(...(parameters as []));
        writer.receiveDeal(deals[1]!);
        await writer.save(undefined);
        const minute = writer.markets.get('btcusdt')!.candles('1min').last()!.opened;
        await repository.pack({ symbol: 'btcusdt', timer: '1min' }, minute);
        return rows;
      });

      await standby.load();
      await standby.catchUp(journal(deals));
      for (const timer of CANDLE_TIMERS) expect(candlesOf(standby, timer)).toEqual(candlesOf(writer, timer));
      expect(candlesOf(standby, '1day')).toMatchObject([{ volume: 300_000n, count: 2 }]);
    },
  );

  it('MKT-013 a trade that arrives while the history of a new demo is stored is counted once across a crash', async () => {
    const repository = new MarketRepository(databaseOver(database.pool));
    const seed = repository.seed.bind(repository);
    let resume = () => {};
    const storing = vi
      .spyOn(repository, 'seed')
      .mockRejectedValueOnce(new Error('the database is away'))
      .mockImplementationOnce(async (...parameters) => {
        await new Promise<void>((resolve) => (resume = resolve));
        await seed(...parameters);
      });
    const crashed = await anOwnMarket(repository);
    crashed.seed(MARKET_START, 7);
    await crashed.catchUp(noDeals);
    // The first attempt to store the generated history fails, and the first save makes the second attempt.
    await expect.poll(() => storing).toHaveBeenCalledTimes(1);
    await Promise.resolve();
    const saving = crashed.save(undefined);
    await expect.poll(() => storing).toHaveBeenCalledTimes(2);
    const deal = aDeal(1, '100', '1', MARKET_START);
    crashed.receiveDeal(deal);
    resume();
    await saving;
    const restarted = await anOwnMarket();
    await restarted.catchUp(journal([deal]));
    for (const timer of CANDLE_TIMERS)
      expect(candlesOf(restarted, timer).at(-1)).toEqual(candlesOf(crashed, timer).at(-1));
  });

  it('MKT-013 stores candles and the last deal they contain atomically', async () => {
    const repository = new MarketRepository(databaseOver(database.pool));
    const testMarket = aMarket(database);
    const [listed] = testMarket.assets.pairs;
    if (listed === undefined) throw new Error('no pairs');
    const markets = new Map([['btcusdt', new PairMarket(listed.pair)]]);
    const deal = {
      tradeId: 't',
      sequence: 1,
      at: MARKET_START,
      price: 5n,
      amount: 2n,
      takerSide: 'buy' as const,
    };
    markets.get('btcusdt')?.add(deal);
    const invalidDeal = { ...deal, amount: -1n };
    const saving = saveMarkets(repository, markets, [{ symbol: 'btcusdt', deal: invalidDeal }], {
      dealSequence: 1,
      path: undefined,
    });
    await expect(saving).rejects.toThrow('market_deal_amount_check');
    expect(await repository.progress()).toBeUndefined();
    expect(await repository.looseCandles()).toEqual([]);
    await saveMarkets(repository, markets, [{ symbol: 'btcusdt', deal }], {
      dealSequence: 1,
      path: undefined,
    });
    expect((await repository.progress())?.progress.dealSequence).toBe(1);
    expect(await repository.looseCandles()).toHaveLength(CANDLE_TIMERS.length);
  });

  it('MKT-040 loads candles of blocks and rows that older versions stored, whose takers were not counted', async () => {
    const key = { symbol: 'btcusdt', timer: '1min' } as const;
    const repository = new MarketRepository(databaseOver(database.pool));
    const writer = await anOwnMarket();
    await writer.catchUp(noDeals);
    const minutes = [0, 1, 2, 3, 4];
    const deals = minutes.map((minute) =>
      aDeal(minute + 1, '100', '1', later(MARKET_START, minute * 60_000)),
    );
    for (const deal of deals) writer.receiveDeal(deal);
    await writer.save(undefined);
    const [oldest] = candlesOf(writer, '1min');
    const newest = writer.markets.get('btcusdt')!.candles('1min').last()!.opened;
    await repository.pack(key, newest);
    // Simulates the data of an older version, which stored only the first eight numbers of each candle: shortens the
    // records of the packed block, and clears the taker columns of the candle that is not packed.
    await database.pool.query(
      `UPDATE market_candle_block SET fields = 8, candles = (
        SELECT string_agg(substr(candles, 1 + place * 80, 64), '' ORDER BY place)
        FROM generate_series(0, length(candles) / 80 - 1) AS place)`,
    );
    await database.pool.query('UPDATE market_candle SET taker_volume = NULL, taker_turnover = NULL');

    const reader = await anOwnMarket();
    const loaded = candlesOf(reader, '1min');
    expect(loaded).toHaveLength(minutes.length);
    const unknown = { takerVolume: undefined, takerTurnover: undefined };
    expect(loaded[0]).toEqual({ ...oldest, ...unknown });
    expect(loaded.at(-1)).toMatchObject({ ...unknown, count: 1 });
    expect(await repository.olderCandles(key, newest, 10)).toEqual(loaded.slice(0, -1));
    // A further trade in a candle whose takers were not counted leaves its taker volume undefined. The next candle
    // counts the takers of all its trades.
    await reader.catchUp(noDeals);
    reader.receiveDeal(aDeal(6, '100', '2', later(MARKET_START, 4 * 60_000)));
    reader.receiveDeal(aDeal(7, '100', '3', later(MARKET_START, 5 * 60_000)));
    expect(candlesOf(reader, '1min').slice(-2)).toMatchObject([unknown, { takerVolume: 300_000n }]);
    expect(candlesOf(reader, '1day')).toMatchObject([unknown]);
    await reader.save(undefined);
    const again = await anOwnMarket();
    for (const timer of CANDLE_TIMERS) expect(candlesOf(again, timer)).toEqual(candlesOf(reader, timer));
  });

  it('MKT-012 packs closed candles into blocks and finds them by time and after a restart', async () => {
    const repository = new MarketRepository(databaseOver(database.pool));
    const ownMarket = await anOwnMarket();
    await ownMarket.catchUp(noDeals);
    for (let minute = 0; minute < 4_200; minute += 1) {
      ownMarket.receiveDeal(aDeal(minute + 1, `${100 + minute}`, '1', later(MARKET_START, minute * 60_000)));
      if (minute % 1_500 === 1_499) await ownMarket.save(undefined);
    }
    await ownMarket.save(undefined);
    const loose = (await repository.looseCandles()).length;
    expect(loose).toBeGreaterThan(4_000);
    await ownMarket.pack();
    expect(await repository.looseCandles()).toHaveLength(CANDLE_TIMERS.length);

    const opened = Math.floor((MARKET_START + 600 * 60_000) / 60_000) * 60;
    const older = await repository.olderCandles({ symbol: 'btcusdt', timer: '1min' }, opened, 100);
    expect(older.at(-1)).toMatchObject({ opened: opened - 60, close: 69_900n });
    expect(older.length).toBeGreaterThanOrEqual(100);
    const reloaded = new Map(
      [...ownMarket.markets.values()].map(({ pair }) => [pair.symbol, new PairMarket(pair)]),
    );
    loadMarkets(reloaded, (await readMarkets(repository, reloaded, await repository.progress()))!);
    const [before, after] = [
      ownMarket.markets.get('btcusdt')?.candles('1min'),
      reloaded.get('btcusdt')?.candles('1min'),
    ];
    expect(after?.last()).toEqual(before?.last());
    expect(after?.at(after.length - 2_000)).toEqual(before?.at(before.length - 2_000));
    expect(await repository.latestDeals()).toHaveLength(100);
  });
});
