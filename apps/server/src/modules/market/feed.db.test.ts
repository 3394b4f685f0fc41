import { later } from '@exchange/core/time.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '../../../testing/database.ts';
import { eventually } from '../../../testing/eventually.ts';
import { aDeal, aMarket, FakeVenue, MARKET_START } from '../../../testing/market.ts';

let database: TestDatabase;
let there: ReturnType<typeof aMarket>;
const venues = ['a', 'b', 'c'].map((id) => new FakeVenue(id));

beforeEach(async () => {
  database = await testDatabase();
  there = aMarket(database, { venues });
  await there.market.start();
  await there.market.catchUp(async () => []);
});
afterEach(async () => {
  await there.market.stop();
  await database.drop();
});

describe('the public topics', () => {
  it('MKT-016 publish many changes of a level within a tenth of a second once, with the latest amount', async () => {
    there.publishLevel('btcusdt', 'buy', '96000', '1');
    expect(there.feed.snapshot('depth.btcusdt')).toEqual({ bids: [['96000', '1']], asks: [] });
    for (let amount = 1; amount <= 50; amount += 1)
      there.publishLevel('btcusdt', 'buy', '97000', `${amount}`);
    there.publishLevel('btcusdt', 'buy', '96000', '0');
    await eventually(() =>
      expect(there.feed.of('depth.btcusdt')).toEqual([
        {
          bids: [
            ['96000', '0'],
            ['97000', '50'],
          ],
          asks: [],
        },
      ]),
    );
    expect(there.feed.of('depth.ethusdt')).toEqual([]);
  });

  it('MKT-017 publish deals newest first, the candle and the ticker they make', async () => {
    there.publishDeals(aDeal(1, '100', '2', MARKET_START), aDeal(2, '101', '1', MARKET_START));
    const deals = () => (there.feed.of('trade.btcusdt') as { id: string }[][]).flat();
    await eventually(() => expect(deals().map(({ id }) => id)).toEqual(['trade-2', 'trade-1']));
    // All tickers come last, so that what is expected of the others is there.
    await eventually(() => expect(there.feed.of('tickers')).not.toEqual([]));
    const figures = { open: '100', close: '101', high: '101', low: '100', vol: '3', amount: '301' };
    const id = Math.floor(MARKET_START / 60_000) * 60;
    expect(there.feed.of('kline.btcusdt.1min')).toEqual([{ id, ...figures }]);
    expect(there.feed.of('ticker.btcusdt')).toEqual([{ symbol: 'btcusdt', ...figures }]);
    expect(there.feed.of('tickers')).toEqual([[{ symbol: 'btcusdt', ...figures }]]);
    expect(there.feed.snapshot('tickers')).toEqual([{ symbol: 'btcusdt', ...figures, spark: ['101'] }]);
  });

  it('MKT-017 publish a candle’s end before the next one’s beginning', async () => {
    there.publishDeals(aDeal(1, '100', '2', MARKET_START));
    const published = () =>
      there.feed.of('kline.btcusdt.1min') as { close: string; open: string; vol: string }[];
    await eventually(() => expect(published()).not.toEqual([]));
    there.publishDeals(aDeal(2, '103', '1', later(MARKET_START, 1)));
    there.pass(60_000);
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

  it('MKT-018 publish the index second by second, also that there is none', async () => {
    const t = Math.floor(MARKET_START / 1_000) * 1_000;
    for (const venue of venues) venue.quote('btcusdt', '97000.5', MARKET_START);
    there.pass(500);
    await eventually(() =>
      expect(there.feed.of('index.btcusdt')).toEqual([{ t, price: '97000.5', flags: [] }]),
    );
    expect(there.feed.of('index.ethusdt')).toEqual([{ t, price: null, flags: ['insufficient'] }]);
    expect(there.feed.snapshot('index.btcusdt')).toEqual({ t, price: '97000.5', flags: [] });
    expect(there.market.usdtPrice('BTC')?.toString()).toBe('97000.5');
    expect(there.market.usdtPrice('USDT')?.toString()).toBe('1');
    expect(there.market.usdtPrice('ETH')).toBeUndefined();
  });

  it('MKT-017 know no topic of an unknown pair or interval', () => {
    for (const topic of ['depth.nonesuch', 'kline.btcusdt.2min', 'ticker.x', 'index.']) {
      expect(there.feed.snapshot(topic)).toBeUndefined();
    }
  });
});
