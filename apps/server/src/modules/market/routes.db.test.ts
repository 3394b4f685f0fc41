import { CANDLE_TIMERS } from '@exchange/core/candle.ts';
import type { Side } from '@exchange/core/pair.ts';
import { Refused } from '@exchange/core/refusal.ts';
import { later } from '@exchange/core/time.ts';
import {
  kline,
  marketDepth,
  marketDetails,
  marketsByQuote,
  marketSymbols,
  marketTrades,
} from '@exchange/wire/market.ts';
import type { Endpoint } from '@exchange/wire/endpoint.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '../../../testing/database.ts';
import { aDeal, aMarket, MARKET_START } from '../../../testing/market.ts';
import { exactJson } from '../../platform/http/exact-json.ts';
import type { Caller } from '../../platform/http/route.ts';

const CALLER: Caller = {
  session: undefined,
  locale: 'en-US',
  address: '127.0.0.1',
  userAgent: '',
  traceId: '',
  key: undefined,
  submission: undefined,
};

let demoDatabase: TestDatabase;
let liveDatabase: TestDatabase;
let demo: ReturnType<typeof aMarket>;
let live: ReturnType<typeof aMarket>;

beforeAll(async () => {
  [demoDatabase, liveDatabase] = await Promise.all([testDatabase(), testDatabase()]);
  demo = aMarket(demoDatabase, { mode: 'demo' });
  live = aMarket(liveDatabase, { mode: 'live' });
  for (const { market } of [demo, live]) {
    await market.start();
    await market.catchUp(async () => []);
  }
});
afterAll(async () => {
  await demo.market.stop();
  await live.market.stop();
  await Promise.all([demoDatabase.drop(), liveDatabase.drop()]);
});

/** The response text of an endpoint, validated against the endpoint's schema. */
async function textOf(
  testMarket: ReturnType<typeof aMarket>,
  endpoint: Endpoint,
  fields: Record<string, string> = {},
) {
  const route = testMarket.market.routes.find((candidate) => candidate.endpoint === endpoint);
  if (route === undefined) throw new Error(`${endpoint.path} is not served`);
  const text = exactJson(await route.serve(endpoint.fields.parse(fields), CALLER));
  endpoint.data.parse(JSON.parse(text));
  return text;
}

async function answerOf<T>(
  testMarket: ReturnType<typeof aMarket>,
  endpoint: Endpoint,
  fields: Record<string, string> = {},
) {
  return JSON.parse(await textOf(testMarket, endpoint, fields)) as T;
}

interface CandleAnswer {
  readonly id: number;
  readonly close: number;
  readonly vol: number;
  readonly seeded: number;
}

describe('the market endpoints', () => {
  it('MKT-030 refuse an unknown pair', async () => {
    for (const endpoint of [marketDetails, kline, marketDepth, marketTrades]) {
      await expect(answerOf(demo, endpoint, { symbol: 'nonesuch' })).rejects.toThrow(Refused);
    }
    for (const endpoint of [marketsByQuote, marketSymbols]) {
      await expect(answerOf(demo, endpoint, { quoteCoin: 'EUR' })).rejects.toThrow(/field_choice.*quoteCoin/);
    }
  });

  it('MKT-031 return the 24-hour ticker of a pair, and of all pairs with a quote coin', async () => {
    const tick = await answerOf<Record<string, number>>(demo, marketDetails, {
      symbol: 'BTCUSDT',
      timer: '1day',
      size: '1',
    });
    expect(tick).toMatchObject({ close: 97_000, seeded: 1 });
    expect(tick['low']).toBeLessThanOrEqual(tick['open'] ?? 0);
    const list = await answerOf<{ symbol: string; tick: unknown; logo: string }[]>(demo, marketsByQuote);
    expect(list.map(({ symbol }) => symbol)).toEqual(
      ['btc', 'eth', 'eos', 'ltc', 'xrp', 'ada', 'doge', 'shib', 'orch'].map((base) => `${base}usdt`),
    );
    expect(list[0]).toMatchObject({
      tick,
      baseCoin: 'BTC',
      quoteCoin: 'USDT',
      source: 'simulated',
      logo: '/coins/btc.svg',
    });
    expect(await answerOf<unknown[]>(demo, marketsByQuote, { quoteCoin: 'ETH' })).toHaveLength(3);
  });

  it('MKT-031 list all pairs, or the pairs with a quote coin', async () => {
    const symbols = async (fields: Record<string, string>) =>
      (await answerOf<{ symbol: string }[]>(demo, marketSymbols, fields)).map(({ symbol }) => symbol);
    const [all, inEther] = [await symbols({}), await symbols({ quoteCoin: 'eth' })];
    expect(all.length).toBe(demo.assets.pairs.length);
    expect(inEther).toEqual(all.filter((symbol) => symbol.endsWith('eth')));
    expect(inEther).toHaveLength(3);
    const [first] = await answerOf<unknown[]>(demo, marketSymbols);
    expect(first).toEqual({
      symbol: 'btcusdt',
      baseCoin: 'BTC',
      quoteCoin: 'USDT',
      pricePrecision: 2,
      amountPrecision: 5,
      logo: '/coins/btc.svg',
      source: 'simulated',
    });
  });

  it('MKT-032 return up to 2,000 candles of every interval, oldest first, ending with the current candle', async () => {
    for (const timer of CANDLE_TIMERS) {
      const candles = await answerOf<CandleAnswer[]>(demo, kline, { symbol: 'adaeth', timer, size: '2000' });
      expect(candles).toHaveLength(timer === '1week' ? 286 : 2_000);
      const latest = await answerOf<CandleAnswer[]>(demo, kline, { symbol: 'adaeth', timer, size: '3' });
      expect(latest).toEqual(candles.slice(-3));
      expect(await answerOf(demo, kline, { symbol: 'adaeth', timer, size: '1' })).toEqual(candles.slice(-1));
    }
    expect(await answerOf<unknown[]>(demo, kline, { symbol: 'btcusdt' })).toHaveLength(150);
  });

  it('MKT-032 return candles opened before a second, from the database beyond those in memory', async () => {
    const all = await answerOf<CandleAnswer[]>(demo, kline, {
      symbol: 'btcusdt',
      timer: '1day',
      size: '2000',
    });
    const end = all[1_000]?.id ?? 0;
    const earlierCandles = await answerOf(demo, kline, {
      symbol: 'btcusdt',
      timer: '1day',
      size: '10',
      endTime: String(end),
    });
    expect(earlierCandles).toEqual(all.slice(990, 1_000));
    const first = String(all[3]?.id ?? 0);
    expect(
      await answerOf(demo, kline, { symbol: 'btcusdt', timer: '1day', size: '10', endTime: first }),
    ).toEqual(all.slice(0, 3));
  });

  it('MKT-033 return the best twenty levels and follow the book at once', async () => {
    const publish = (side: Side, price: string, amount: string) =>
      live.publishLevel('xrpbtc', side, price, amount);
    for (let level = 1; level <= 25; level += 1) {
      publish('buy', `0.0000230${String(level).padStart(2, '0')}`, '10');
      publish('sell', `0.0000231${String(level).padStart(2, '0')}`, '20');
    }
    const depth = await textOf(live, marketDepth, { symbol: 'xrpbtc', timer: 'x', type: 'step0' });
    const { bids, asks } = JSON.parse(depth) as { bids: number[][]; asks: number[][] };
    expect([bids.length, asks.length]).toEqual([20, 20]);
    expect([bids[0], asks[0]]).toEqual([
      [0.000023025, 10],
      [0.000023101, 20],
    ]);
    expect(depth).toContain('[0.000023025,10]');
    publish('buy', '0.000023025', '0');
    const next = await answerOf<{ bids: number[][] }>(live, marketDepth, { symbol: 'xrpbtc', size: '5' });
    expect(next.bids[0]).toEqual([0.000023024, 10]);
    expect(live.market.bestPrice('xrpbtc', 'sell')?.toString()).toBe('0.000023101');
  });

  it('MKT-034 return the latest deals, newest first, with all their digits', async () => {
    live.publishDeals(aDeal(1, '97000.12', '0.00001', MARKET_START), {
      ...aDeal(2, '12345678.9', '0.5', later(MARKET_START, 5)),
      takerSide: 'sell',
    });
    const text = await textOf(live, marketTrades, { symbol: 'btcusdt' });
    expect(text).toBe(
      `[{"id":"trade-2","ts":${MARKET_START + 5},"price":12345678.9,"amount":0.5,"direction":"sell","seeded":0},` +
        `{"id":"trade-1","ts":${MARKET_START},"price":97000.12,"amount":0.00001,"direction":"buy","seeded":0}]`,
    );
    expect(await answerOf<unknown[]>(live, marketTrades, { symbol: 'btcusdt', size: '1' })).toHaveLength(1);
    const tick = await textOf(live, marketDetails, { symbol: 'btcusdt' });
    // Volume 0.50001 BTC; turnover in USDT: 97000.12 × 0.00001 + 12345678.9 × 0.5.
    expect(tick).toContain('"vol":0.50001,"amount":6172840.4200012,"count":2,"seeded":0');
    const candle = await textOf(live, kline, { symbol: 'btcusdt', size: '1' });
    expect(candle).toContain('"open":97000.12,"close":12345678.9');
  });

  it('MKT-031 return no volume and the last known price for a pair without trades', async () => {
    expect(await answerOf(live, marketDetails, { symbol: 'ltcusdt' })).toMatchObject({
      open: 0,
      close: 0,
      vol: 0,
      count: 0,
    });
    expect(await answerOf(live, kline, { symbol: 'ltcusdt' })).toEqual([]);
    expect(await answerOf(live, marketTrades, { symbol: 'ltcusdt' })).toEqual([]);
  });

  it('MKT-035 respond with text that is written once per change', async () => {
    const route = demo.market.routes.find(({ endpoint }) => endpoint === kline);
    const fields = kline.fields.parse({ symbol: 'btcusdt', size: '2000' });
    await route?.serve(fields, CALLER);
    const started = performance.now();
    for (let call = 0; call < 2_000; call += 1) await route?.serve(fields, CALLER);
    // A cached text takes microseconds; writing 2,000 candles takes milliseconds on any machine.
    expect((performance.now() - started) / 2_000).toBeLessThan(2);
  });
});
