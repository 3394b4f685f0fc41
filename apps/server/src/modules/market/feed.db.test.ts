import { later } from '@exchange/core/time.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '../../../testing/database.ts';
import { eventually } from '../../../testing/eventually.ts';
import { aDeal, aMarket, FakeVenue, MARKET_START } from '../../../testing/market.ts';

let database: TestDatabase;
let testMarket: ReturnType<typeof aMarket>;
const venues = ['a', 'b', 'c'].map((id) => new FakeVenue(id));

beforeEach(async () => {
  database = await testDatabase();
  testMarket = aMarket(database, { venues });
  await testMarket.market.start();
  await testMarket.market.catchUp(async () => []);
});
afterEach(async () => {
  await testMarket.market.stop();
  await database.drop();
});

describe('the public topics', () => {
  it('MKT-016 publish several changes of a level within 100 ms once, with the latest amount', async () => {
    testMarket.publishLevel('btcusdt', 'buy', '96000', '1');
    expect(testMarket.feed.snapshot('depth.btcusdt')).toEqual({ bids: [['96000', '1']], asks: [] });
    for (let amount = 1; amount <= 50; amount += 1)
      testMarket.publishLevel('btcusdt', 'buy', '97000', `${amount}`);
    testMarket.publishLevel('btcusdt', 'buy', '96000', '0');
    await eventually(() =>
      expect(testMarket.feed.messagesOf('depth.btcusdt')).toEqual([
        {
          bids: [
            ['96000', '0'],
            ['97000', '50'],
          ],
          asks: [],
        },
      ]),
    );
    expect(testMarket.feed.messagesOf('depth.ethusdt')).toEqual([]);
  });

  it('MKT-017 publish deals newest first, with their candle and ticker', async () => {
    testMarket.publishDeals(aDeal(1, '100', '2', MARKET_START), aDeal(2, '101', '1', MARKET_START));
    const deals = () => (testMarket.feed.messagesOf('trade.btcusdt') as { id: string }[][]).flat();
    await eventually(() => expect(deals().map(({ id }) => id)).toEqual(['trade-2', 'trade-1']));
    // The topic of all tickers is published last, so the other topics are complete then.
    await eventually(() => expect(testMarket.feed.messagesOf('tickers')).not.toEqual([]));
    const figures = { open: '100', close: '101', high: '101', low: '100', vol: '3', amount: '301' };
    const id = Math.floor(MARKET_START / 60_000) * 60;
    expect(testMarket.feed.messagesOf('kline.btcusdt.1min')).toEqual([{ id, ...figures }]);
    expect(testMarket.feed.messagesOf('ticker.btcusdt')).toEqual([{ symbol: 'btcusdt', ...figures }]);
    expect(testMarket.feed.messagesOf('tickers')).toEqual([[{ symbol: 'btcusdt', ...figures }]]);
    expect(testMarket.feed.snapshot('tickers')).toEqual([{ symbol: 'btcusdt', ...figures, spark: ['101'] }]);
  });

  it('MKT-017 publish the final form of a candle before the next candle', async () => {
    testMarket.publishDeals(aDeal(1, '100', '2', MARKET_START));
    const published = () =>
      testMarket.feed.messagesOf('kline.btcusdt.1min') as { close: string; open: string; vol: string }[];
    await eventually(() => expect(published()).not.toEqual([]));
    testMarket.publishDeals(aDeal(2, '103', '1', later(MARKET_START, 1)));
    testMarket.pass(60_000);
    await eventually(() =>
      expect(
        published()
          .slice(-2)
          .map(({ open, close, vol }) => [open, close, vol]),
      ).toEqual([
        ['100', '103', '3'],
        ['103', '103', '0'],
      ]),
    );
  });

  it('MKT-018 publish the index every second, including seconds without an index', async () => {
    const t = Math.floor(MARKET_START / 1_000) * 1_000;
    for (const venue of venues) venue.quote('btcusdt', '97000.5', MARKET_START);
    testMarket.pass(500);
    await eventually(() =>
      expect(testMarket.feed.messagesOf('index.btcusdt')).toEqual([{ t, price: '97000.5', flags: [] }]),
    );
    expect(testMarket.feed.messagesOf('index.ethusdt')).toEqual([
      { t, price: null, flags: ['insufficient'] },
    ]);
    expect(testMarket.feed.snapshot('index.btcusdt')).toEqual({ t, price: '97000.5', flags: [] });
    expect(testMarket.market.usdtPrice('BTC')?.toString()).toBe('97000.5');
    expect(testMarket.market.usdtPrice('USDT')?.toString()).toBe('1');
    expect(testMarket.market.usdtPrice('ETH')).toBeUndefined();
  });

  it('MKT-017 refuse topics of unknown pairs and intervals', () => {
    for (const topic of ['depth.nonesuch', 'kline.btcusdt.2min', 'ticker.x', 'index.']) {
      expect(testMarket.feed.snapshot(topic)).toBeUndefined();
    }
  });
});
