import { isDeepStrictEqual } from 'node:util';
import { Decimal } from '@exchange/core/decimal.ts';
import { MINUTE_MS } from '@exchange/core/time.ts';
import { marketDepth, marketDetails } from '@exchange/wire/market.ts';
import { API_CALLS } from '@exchange/wire/public-api/calls.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callOver } from '../../../testing/calling.ts';
import { anExchange, type TestExchange, type TestTrader } from '../../../testing/exchange.ts';
import { operate } from '../../../testing/operators.ts';
import { databaseOver } from '../../platform/database/database.ts';
import { LIMITS, NO_LIMITS } from '../../platform/limits/limits.ts';
import { tradedSeconds } from '../spot/pair-trades-repository.ts';
import { limit, market, place } from '../spot/testing/orders.ts';

type Json = Record<string, unknown>;

const SLIGHT = {
  ...NO_LIMITS,
  apiWeight: { ...LIMITS.apiWeight, perSecond: 0.01, burst: 2_000 },
  apiRefusal: LIMITS.apiRefusal,
};
const HAS_NO_EXPONENT = /^-?\d+(\.\d+)?$/;

/**
 * A candle in an answer of the API: opening time, four prices, volume, last millisecond, turnover, number of
 * trades, the volume and turnover that takers bought, and an unused cell.
 */
type Kline = [number, string, string, string, string, string, number, string, number, string, string, string];

describe('market data of the public trading API', () => {
  let exchange: TestExchange;
  let maker: TestTrader;
  let taker: TestTrader;
  let firstTradeId = 0;
  let startMs = 0;

  /** Requests a path and expects HTTP 200. */
  async function read<T = Json>(path: string): Promise<T> {
    const answer = await fetch(`${exchange.url}${path}`);
    expect([path, answer.status]).toEqual([path, 200]);
    return (await answer.json()) as T;
  }

  async function refusal(path: string, method = 'GET'): Promise<[status: number, code: number]> {
    const answer = await fetch(`${exchange.url}${path}`, { method });
    const { code, msg } = (await answer.json()) as { code: number; msg: string };
    expect(typeof msg).toBe('string');
    return [answer.status, code];
  }

  beforeAll(async () => {
    exchange = await anExchange({ limits: SLIGHT });
    startMs = exchange.clock.now();
    [maker, taker] = [await exchange.aUser({ BTC: '10' }), await exchange.aUser({ USDT: '500000' })];
    await place(maker, limit('sell', '50000', '0.1'));
    await place(maker, limit('sell', '50000', '0.2'));
    await place(maker, limit('sell', '50001.5', '0.4'));
    await place(maker, limit('sell', '50010', '1'));
    // Three fills of one order: two at one price, and one at the next.
    await place(taker, limit('buy', '50001.5', '0.5'));
    await place(taker, limit('buy', '49000', '0.3'));
    const [first] = await read<{ id: number }[]>('/api/v3/historicalTrades?symbol=BTCUSDT&fromId=0&limit=1');
    firstTradeId = first!.id;
  });
  afterAll(() => exchange.close());

  it('PAPI-001 an unknown path and an unknown method are answered with the error object', async () => {
    expect(await read('/api/v3/ping')).toEqual({});
    expect(await refusal('/api/v3/nothing')).toEqual([404, -1000]);
    expect(await refusal('/sapi/v1/nothing?symbol=BTCUSDT')).toEqual([404, -1000]);
    // Clients also try paths of other versions and families of the API, where this exchange has no calls; the
    // response is the same as for an unknown path.
    for (const path of ['/api/v1/depth', '/sapi/v3/asset/getUserAsset', '/fapi/v2/balance', '/eapi/v1/time'])
      expect([path, await refusal(path)]).toEqual([path, [404, -1000]]);
    expect(await refusal('/api/v3/depth?symbol=BTCUSDT', 'DELETE')).toEqual([405, -1000]);
    const { serverTime } = await read<{ serverTime: number }>('/api/v3/time');
    expect(Math.abs(serverTime - exchange.clock.now())).toBeLessThan(60_000);
    expect((await read('/fapi/v1/exchangeInfo'))['symbols']).toEqual([]);
  });

  it.each([
    ['/api/v3/depth', -1102],
    ['/api/v3/depth?symbol=', -1102],
    ['/api/v3/depth?symbol=BTCUSDT&symbol=BTCUSDT', -1101],
    ['/api/v3/depth?symbol=btcusdt', -1100],
    ['/api/v3/depth?symbol=NOPE', -1121],
    ['/api/v3/depth?symbol=BTCUSDT&limit=0', -1130],
    ['/api/v3/depth?symbol=BTCUSDT&limit=-5', -1100],
    ['/api/v3/depth?symbol=BTCUSDT&limit=1e3', -1100],
    ['/api/v3/klines?symbol=BTCUSDT', -1102],
    ['/api/v3/klines?symbol=BTCUSDT&interval=7m', -1120],
    ['/api/v3/klines?symbol=BTCUSDT&interval=1m&startTime=yesterday', -1100],
    ['/api/v3/klines?symbol=BTCUSDT&interval=1m&startTime=9999999999999999', -1130],
    ['/api/v3/ticker/price?symbol=BTCUSDT&symbols=%5B%22BTCUSDT%22%5D', -1128],
    ['/api/v3/ticker/price?symbols=%5B%22BTCUSDT%22%2C%22BTCUSDT%22%5D', -1101],
    ['/api/v3/ticker/price?symbols=BTCUSDT', -1100],
    ['/api/v3/ticker/price?symbols=%5B%5D', -1130],
    ['/api/v3/ticker/24hr?symbol=BTCUSDT&type=LONG', -1130],
    ['/api/v3/aggTrades?symbol=BTCUSDT&fromId=1&startTime=1', -1128],
  ])('PAPI-003 PAPI-004 %s is refused with %i', async (path, code) => {
    expect(await refusal(path)).toEqual([400, code]);
  });

  it('PAPI-003 PAPI-006 unknown parameters are ignored, and pages of every site may read', async () => {
    const answer = await fetch(`${exchange.url}/api/v3/ping?anything=1`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
  });

  it('PAPI-010 the pairs are listed with the limits that orders are checked against', async () => {
    const info = await read<{ symbols: Json[]; rateLimits: Json[] }>('/api/v3/exchangeInfo');
    expect(info.symbols.length).toBeGreaterThan(10);
    expect(info.rateLimits[0]).toMatchObject({ rateLimitType: 'REQUEST_WEIGHT', limit: 6_000 });
    const { symbols } = await read<{ symbols: Json[] }>('/api/v3/exchangeInfo?symbol=BTCUSDT');
    expect(symbols).toHaveLength(1);
    expect(symbols[0]).toMatchObject({
      symbol: 'BTCUSDT',
      status: 'TRADING',
      baseAsset: 'BTC',
      quoteAsset: 'USDT',
      isSpotTradingAllowed: true,
    });
    const filters = symbols[0]!['filters'] as Json[];
    expect(filters[0]).toMatchObject({ filterType: 'PRICE_FILTER', tickSize: '0.01' });
    expect(filters[1]).toMatchObject({ filterType: 'LOT_SIZE', stepSize: '0.00001', maxQty: '100.00000' });
  });

  it('PAPI-144 a pair that is not trading says why, and when there is news', async () => {
    const pairOf = async () =>
      (await read<{ symbols: Json[] }>('/api/v3/exchangeInfo?symbol=DOGEUSDT')).symbols[0]!;
    expect(await pairOf()).not.toHaveProperty('pause');
    const newsAt = exchange.clock.now() + MINUTE_MS;
    await operate(exchange, '/ops/pairs/dogeusdt/status', {
      status: 'cancelOnly',
      reason: 'a new node',
      publicCause: 'maintenance',
      newsAt: String(newsAt),
      noteEn: 'The network is upgraded.',
      noteZh: '网络正在升级。',
    });
    expect(await pairOf()).toMatchObject({
      status: 'CANCEL_ONLY',
      pause: {
        cause: 'maintenance',
        coin: null,
        newsTime: newsAt,
        note: { 'en-US': 'The network is upgraded.', 'zh-CN': '网络正在升级。' },
      },
    });
    await operate(exchange, '/ops/pairs/dogeusdt/status', { status: 'open', reason: 'the node is new' });
    expect(await pairOf()).not.toHaveProperty('pause');
  });

  it('PAPI-002 PAPI-011 the book is the app’s book, and a smaller limit is a prefix of a greater one', async () => {
    type Depth = { lastUpdateId: number; bids: [string, string][]; asks: [string, string][] };
    const full = await read<Depth>('/api/v3/depth?symbol=BTCUSDT&limit=99999');
    expect(full.asks).toEqual([
      ['50001.50', '0.20000'],
      ['50010.00', '1.00000'],
    ]);
    expect(full.bids).toEqual([['49000.00', '0.30000']]);
    const { data: app } = await callOver(exchange.url, marketDepth, { symbol: 'btcusdt', size: '20' });
    expect(full.asks.map((level) => level.map(Number))).toEqual(app.asks);
    const one = await read<Depth>('/api/v3/depth?symbol=BTCUSDT&limit=1');
    expect(one.asks).toEqual(full.asks.slice(0, 1));
    await place(taker, limit('buy', '48000', '0.01'));
    const next = await read<Depth>('/api/v3/depth?symbol=BTCUSDT&limit=1');
    expect(next.lastUpdateId).toBeGreaterThan(full.lastUpdateId);
    expect(Number.isSafeInteger(next.lastUpdateId)).toBe(true);
  });

  it('PAPI-012 trades are given from an id, from a time, up to a time, and otherwise the newest', async () => {
    type Trade = { id: number; price: string; qty: string; time: number; isBuyerMaker: boolean };
    const all = await read<Trade[]>('/api/v3/trades?symbol=BTCUSDT');
    expect(all.map(({ price, qty }) => [price, qty])).toEqual([
      ['50000.00', '0.10000'],
      ['50000.00', '0.20000'],
      ['50001.50', '0.20000'],
    ]);
    expect(all.every(({ isBuyerMaker }) => !isBuyerMaker)).toBe(true);
    expect(all.map(({ id }) => id)).toEqual([firstTradeId, firstTradeId + 1, firstTradeId + 2]);
    const newest = await read<Trade[]>('/api/v3/trades?symbol=BTCUSDT&limit=2');
    expect(newest).toEqual(all.slice(1));
    const fromId = await read<Trade[]>(
      `/api/v3/historicalTrades?symbol=BTCUSDT&fromId=${firstTradeId + 1}&limit=1`,
    );
    expect(fromId).toEqual(all.slice(1, 2));
    expect(await read('/api/v3/trades?symbol=ETHUSDT')).toEqual([]);
  });

  it('PAPI-013 fills of one order at one price are one row', async () => {
    type Row = { a: number; p: string; q: string; f: number; l: number; T: number };
    const rows = await read<Row[]>('/api/v3/aggTrades?symbol=BTCUSDT');
    expect(rows.map(({ p, q, f, l }) => [p, q, f - firstTradeId, l - firstTradeId])).toEqual([
      ['50000.00', '0.30000', 0, 1],
      ['50001.50', '0.20000', 2, 2],
    ]);
    const at = rows[0]!.T;
    expect(await read(`/api/v3/aggTrades?symbol=BTCUSDT&startTime=${at}&endTime=${at}`)).toEqual(rows);
    expect(await read(`/api/v3/aggTrades?symbol=BTCUSDT&startTime=${at + 1}`)).toEqual([]);
    expect(await read(`/api/v3/aggTrades?symbol=BTCUSDT&endTime=${at - 1}`)).toEqual([]);
  });

  it('PAPI-014 candles have no gaps, and longer ones are the exact fold of shorter ones', async () => {
    exchange.clock.shift(7 * MINUTE_MS);
    await place(maker, limit('sell', '49000', '0.05'));
    exchange.clock.shift(3 * MINUTE_MS);
    await place(maker, market('sell', { amount: '0.05' }));
    const path = `/api/v3/klines?symbol=BTCUSDT&interval=`;
    const minutes = await read<Kline[]>(`${path}1m&startTime=0`);
    expect(minutes.length).toBeGreaterThanOrEqual(10);
    for (const [index, [opened, , , , close]] of minutes.slice(1).entries()) {
      const [previousOpened, , , , previousClose] = minutes[index]!;
      expect(opened).toBe(previousOpened + MINUTE_MS);
      expect(minutes[index + 1]![8] > 0 || close === previousClose).toBe(true);
    }
    expect(minutes.flat().every((cell) => typeof cell === 'number' || HAS_NO_EXPONENT.test(cell))).toBe(true);
    for (const interval of ['3m', '5m', '2h', '8h', '3d', '1w', '1M']) {
      const longer = await read<Kline[]>(`${path}${interval}&startTime=0`);
      const sum = (rows: readonly Kline[], at: 5 | 7 | 8 | 9 | 10) =>
        rows.reduce((total, row) => total + Number(row[at]), 0);
      for (const at of [5, 7, 8, 9, 10] as const)
        expect(sum(longer, at).toFixed(6)).toBe(sum(minutes, at).toFixed(6));
      expect(longer[0]![1]).toBe(minutes[0]![1]);
      expect(longer.at(-1)![4]).toBe(minutes.at(-1)![4]);
      expect(Math.max(...longer.map((row) => Number(row[2])))).toBe(50_001.5);
      expect(Math.min(...longer.map((row) => Number(row[3])))).toBe(49_000);
    }
    const newest = await read<Kline[]>(`${path}1m&endTime=${minutes.at(-1)![0]}&limit=2`);
    expect(newest).toEqual(minutes.slice(-2));
    const upTo = await read<Kline[]>(`${path}1m&endTime=${minutes[3]![0]}&limit=2`);
    expect(upTo).toEqual(minutes.slice(2, 4));
    expect(await read(`${path}1m&startTime=${minutes[1]![0]}&endTime=${minutes[2]![0]}`)).toEqual(
      minutes.slice(1, 3),
    );
    expect(await read(`${path}1m&endTime=${startMs - 10 * MINUTE_MS}`)).toEqual([]);
    expect(await read(`/api/v3/klines?symbol=ETHUSDT&interval=1h`)).toEqual([]);
  });

  it('PAPI-146 candles say what takers bought', async () => {
    const path = '/api/v3/klines?symbol=BTCUSDT&interval=1w&startTime=0';
    const weeks = await read<Kline[]>(path);
    const trades = await read<{ qty: string; quoteQty: string; isBuyerMaker: boolean }[]>(
      '/api/v3/trades?symbol=BTCUSDT&limit=1000',
    );
    const bought = trades.filter(({ isBuyerMaker }) => !isBuyerMaker);
    expect(bought.length).toBeLessThan(trades.length);
    const sum = (texts: readonly string[]) =>
      texts.reduce((total, text) => total.plus(Decimal.parse(text)), Decimal.zero).toPlaces(8);
    expect(sum(weeks.map((row) => row[9]))).toBe(sum(bought.map(({ qty }) => qty)));
    expect(sum(weeks.map((row) => row[10]))).toBe(sum(bought.map(({ quoteQty }) => quoteQty)));
    expect(weeks.every((row) => row.length === 12 && row[11] === '0')).toBe(true);
  });

  it('PAPI-147 candles of one second are made from the trades and fold exactly to those of a minute', async () => {
    const path = '/api/v3/klines?symbol=BTCUSDT&interval=';
    const minutes = await read<Kline[]>(`${path}1m&startTime=0`);
    const traded = minutes.filter((row) => row[8] > 0);
    expect(traded.length).toBeGreaterThanOrEqual(3);
    const oldest = await read<Kline[]>(`${path}1s&startTime=0&limit=1`);
    expect(oldest[0]![8]).toBeGreaterThan(0);
    for (const [opened, open, high, low, close, volume, closed, turnover, count, ...takers] of traded) {
      const seconds = await read<Kline[]>(`${path}1s&startTime=${opened}&endTime=${closed}&limit=60`);

      expect(seconds.length).toBeGreaterThan(0);
      for (const [index, row] of seconds.slice(1).entries()) {
        expect(row[0]).toBe(seconds[index]![0] + 1_000);
        expect(row[6]).toBe(row[0] + 999);
        const flat = Array(4).fill(seconds[index]![4]);
        expect(row[8] > 0 || isDeepStrictEqual(row.slice(1, 5), flat)).toBe(true);
      }
      const sum = (at: 5 | 7 | 9 | 10) =>
        seconds.reduce((total, row) => total.plus(Decimal.parse(row[at])), Decimal.zero).toPlaces(8);
      const inEight = (text: string) => Decimal.parse(text).toPlaces(8);
      expect([sum(5), sum(7), sum(9), sum(10)]).toEqual(
        [volume, turnover, takers[0], takers[1]].map(inEight),
      );
      expect(seconds.reduce((total, row) => total + row[8], 0)).toBe(count);
      const withTrades = seconds.filter((row) => row[8] > 0);
      expect([withTrades[0]![1], withTrades.at(-1)![4]]).toEqual([open, close]);
      expect(Math.max(...withTrades.map((row) => Number(row[2])))).toBe(Number(high));
      expect(Math.min(...withTrades.map((row) => Number(row[3])))).toBe(Number(low));
    }
    const newest = await read<Kline[]>(`${path}1s&limit=5`);
    expect(newest).toHaveLength(5);
    const [end] = newest.at(-1)!;
    expect(Math.abs(end - exchange.clock.now())).toBeLessThan(60_000);
    const upTo = await read<Kline[]>(`${path}1s&endTime=${newest[2]![0]}&limit=2`);
    expect(upTo).toEqual(newest.slice(1, 3));
    expect(await read(`${path}1s&endTime=${startMs - MINUTE_MS}`)).toEqual([]);
    expect(await read('/api/v3/klines?symbol=ETHUSDT&interval=1s')).toEqual([]);
  });

  it('PAPI-147 seconds with more trades than one answer sums up are left out whole, on the side where reading ended', async () => {
    const reader = databaseOver(exchange.database.pool).reader;
    const symbol = 'btcusdt';
    const from = Math.floor(startMs / 1_000) - 60;
    const end = Math.ceil(exchange.clock.now() / 1_000) + 60;
    const range = { symbol, from, end };
    const all = await tradedSeconds(reader, { ...range, isNewestFirst: false });
    expect(all).toMatchObject({ from, end });
    expect(all.seconds.length).toBeGreaterThanOrEqual(3);
    const trades = all.seconds.reduce((sum, { count }) => sum + count, 0);
    for (let most = 1; most <= trades + 1; most += 1) {
      const oldest = await tradedSeconds(reader, { ...range, isNewestFirst: false }, most);
      expect(oldest.seconds).toEqual(all.seconds.filter(({ second }) => second < oldest.end));
      expect([oldest.from, oldest.end === end]).toEqual([from, most > trades]);
      const newest = await tradedSeconds(reader, { ...range, isNewestFirst: true }, most);
      expect(newest.seconds).toEqual(all.seconds.filter(({ second }) => second >= newest.from));
      expect([newest.end, newest.from === from]).toEqual([end, most > trades]);
    }
  });

  it('PAPI-132 rolling tickers are the fold of the minutes of their window, with its first and last trade', async () => {
    const minutes = await read<Kline[]>('/api/v3/klines?symbol=BTCUSDT&interval=1m&startTime=0&limit=1000');
    let shortest = Number.MAX_SAFE_INTEGER;
    for (const size of ['7d', '1d', '3h', '59m', '2m', '1m']) {
      const ticker = await read(`/api/v3/ticker?symbol=BTCUSDT&windowSize=${size}`);
      const [openTime, closeTime] = [Number(ticker['openTime']), Number(ticker['closeTime'])];
      expect(openTime % MINUTE_MS).toBe(0);
      expect(closeTime - openTime).toBeLessThan(shortest);
      shortest = closeTime - openTime;
      const traded = minutes.filter(([opened, , , , , , , , count]) => opened >= openTime && count > 0);
      const sum = (place: 5 | 7) =>
        traded.reduce((total, row) => total.plus(Decimal.parse(row[place])), Decimal.zero);
      const prices = traded.flatMap(([, , high, low]) => [Number(high), Number(low)]);
      const [first] = await read<{ f: number }[]>(
        `/api/v3/aggTrades?symbol=BTCUSDT&startTime=${openTime}&limit=1`,
      );
      expect([size, ticker]).toMatchObject([
        size,
        {
          count: traded.reduce((total, [, , , , , , , , count]) => total + count, 0),
          volume: sum(5).toPlaces(5),
          quoteVolume: sum(7).toPlaces(8),
          firstId: first?.f ?? -1,
          ...(traded.length > 0 && {
            openPrice: traded[0]![1],
            lastPrice: traded.at(-1)![4],
            highPrice: Math.max(...prices).toFixed(2),
            lowPrice: Math.min(...prices).toFixed(2),
          }),
        },
      ]);
    }
    const mini = await read('/api/v3/ticker?symbol=BTCUSDT&type=MINI');
    expect(mini).not.toHaveProperty('weightedAvgPrice');
    expect(mini).toHaveProperty('lastPrice');
    const [first, never] = await read<Json[]>('/api/v3/ticker?symbols=%5B%22BTCUSDT%22,%22ETHUSDT%22%5D');
    expect(first).toMatchObject({ symbol: 'BTCUSDT', firstId: firstTradeId });
    expect(never).toMatchObject({
      symbol: 'ETHUSDT',
      count: 0,
      firstId: -1,
      lastId: -1,
      volume: expect.stringMatching(/^0\.0+$/),
    });
    expect(await refusal('/api/v3/ticker')).toEqual([400, -1102]);
    for (const size of ['0m', '60m', '24h', '8d', '1w', '15'])
      expect([size, await refusal(`/api/v3/ticker?symbol=BTCUSDT&windowSize=${size}`)]).toEqual([
        size,
        [400, -1130],
      ]);
    expect(await refusal('/api/v3/ticker?symbol=BTCUSDT&symbols=%5B%22BTCUSDT%22%5D')).toEqual([400, -1128]);
  });

  it('PAPI-015 PAPI-016 tickers describe the same 24 hours as the app’s', async () => {
    const ticker = await read<Record<string, string>>('/api/v3/ticker/24hr?symbol=BTCUSDT');
    const { data: app } = await callOver(exchange.url, marketDetails, { symbol: 'btcusdt' });
    expect([ticker['lastPrice'], ticker['volume'], ticker['quoteVolume'], ticker['count']]).toEqual([
      app.close.toFixed(2),
      app.vol.toFixed(5),
      app.amount.toFixed(8),
      app.count,
    ]);
    expect(ticker).toMatchObject({ symbol: 'BTCUSDT', openPrice: '50000.00', firstId: firstTradeId });
    const mini = await read('/api/v3/ticker/24hr?symbol=BTCUSDT&type=MINI');
    expect(mini).not.toHaveProperty('bidPrice');
    expect(await read<Json[]>('/api/v3/ticker/24hr')).toHaveLength(
      (await read<Json[]>('/api/v3/ticker/price')).length,
    );
    expect(await read('/api/v3/ticker/price?symbols=%5B%22BTCUSDT%22%5D')).toEqual([
      { symbol: 'BTCUSDT', price: ticker['lastPrice'] },
    ]);
    expect(await read('/api/v3/ticker/bookTicker?symbol=BTCUSDT')).toMatchObject({
      bidPrice: ticker['bidPrice'],
      askPrice: '50001.50',
    });
    // A pair without trades also has a ticker.
    expect(await read('/api/v3/ticker/24hr?symbol=ETHUSDT')).toMatchObject({
      count: 0,
      firstId: -1,
      lastId: -1,
    });
    expect(await read('/api/v3/avgPrice?symbol=BTCUSDT')).toMatchObject({ mins: 5, price: '49000.00' });
    expect(await read('/api/v3/avgPrice?symbol=ETHUSDT')).toMatchObject({ price: '0.00' });
  });

  it('PAPI-007 the document describes every call with its parameters', async () => {
    const { paths } = await read<{ paths: Record<string, { get: { parameters: { name: string }[] } }> }>(
      '/api/openapi.json',
    );
    expect(Object.keys(paths)).toEqual([...new Set(API_CALLS.map(({ path }) => path))]);
    expect(paths['/api/v3/depth']!.get.parameters.map(({ name }) => name)).toEqual(['symbol', 'limit']);
    expect(paths['/cmc/orderbook/{pair}']!.get.parameters[0]).toMatchObject({ name: 'pair', in: 'path' });
  });

  it('PAPI-020 charts get the bars of the candles', async () => {
    const now = Math.floor(exchange.clock.now() / 1_000);
    const bars = await read<{ s: string; t: number[]; c: number[]; v: number[] }>(
      `/udf/history?symbol=BTCUSDT&resolution=1&from=0&to=${now}&countback=4`,
    );
    const klines = await read<[number, string, string, string, string, string][]>(
      `/api/v3/klines?symbol=BTCUSDT&interval=1m&endTime=${now * 1_000}&limit=4`,
    );
    expect(bars.s).toBe('ok');
    expect(bars.t).toEqual(klines.map(([opened]) => opened / 1_000));
    expect(bars.c).toEqual(klines.map((row) => Number(row[4])));
    expect(bars.v).toEqual(klines.map((row) => Number(row[5])));
    const future = await read<{ s: string; nextTime: number }>(
      `/udf/history?symbol=AMETHYST:BTCUSDT&resolution=1&from=${now + 100}&to=${now + 200}`,
    );
    // A new minute may have begun since the bars were read, so the newest bar may be the next one.
    const newest = bars.t.at(-1)!;
    expect(future.s).toBe('no_data');
    expect([newest, newest + MINUTE_MS / 1_000]).toContain(future.nextTime);
    expect(await read(`/udf/history?symbol=BTCUSDT&resolution=1&from=1&to=2`)).toEqual({ s: 'no_data' });
    expect(await read(`/udf/history?symbol=NOPE&resolution=1&from=1&to=2`)).toMatchObject({ s: 'error' });
    expect(await read(`/udf/history?symbol=BTCUSDT&resolution=7&from=1&to=2`)).toMatchObject({ s: 'error' });
    expect(await read('/udf/symbols?symbol=AMETHYST:BTCUSDT')).toMatchObject({ pricescale: 100 });
    expect((await fetch(`${exchange.url}/udf/symbols?symbol=NOPE`)).status).toBe(404);
    expect(await read<Json[]>('/udf/search?query=btc&limit=3')).toHaveLength(3);
    expect(await (await fetch(`${exchange.url}/udf/time`)).text()).toMatch(/^\d{10}$/);
  });

  it('PAPI-030 listing sites get pairs, tickers, books and trades', async () => {
    const ticker = await read<Record<string, string>>('/api/v3/ticker/24hr?symbol=BTCUSDT');
    const summary = await read<Json[]>('/cmc/summary');
    expect(summary.find((row) => row['trading_pairs'] === 'BTC_USDT')).toMatchObject({
      last_price: ticker['lastPrice'],
      base_volume: ticker['volume'],
      quote_volume: ticker['quoteVolume'],
    });
    expect((await read('/cmc/ticker'))['BTC_USDT']).toMatchObject({ base_id: 1, isFrozen: 0 });
    expect((await read('/cmc/assets'))['BTC']).toMatchObject({ name: 'Bitcoin', maker_fee: '0.001' });
    expect((await read('/cmc/orderbook/BTC_USDT?depth=2'))['asks']).toEqual([['50001.50', '0.20000']]);
    expect(await refusal('/cmc/orderbook/NO_PE')).toEqual([400, -1121]);
    expect(await read<Json[]>('/cmc/trades/BTC_USDT')).toHaveLength(5);
    expect(await read<Json[]>('/coingecko/pairs')).toContainEqual({
      ticker_id: 'BTC_USDT',
      base: 'BTC',
      target: 'USDT',
    });
    const trades = await read<{ buy: Json[]; sell: Json[] }>(
      '/coingecko/historical_trades?ticker_id=BTC_USDT&type=sell',
    );
    expect([trades.buy.length, trades.sell.length]).toEqual([0, 2]);
    expect(await read('/coingecko/orderbook?ticker_id=BTC_USDT&depth=0')).toMatchObject({
      ticker_id: 'BTC_USDT',
    });
  });

  it('PAPI-122 the charting library finds a pair by its search and gets as many bars as it counts back', async () => {
    // The requests that the library's UDF datafeed sends, in this order. The filters are empty before a user sets them.
    const config = await read<{ supported_resolutions: string[]; supports_search: boolean }>('/udf/config');
    expect(config.supports_search).toBe(true);
    const [found] = await read<Record<string, string>[]>(
      '/udf/search?limit=30&query=BTC%2FUSDT&type=&exchange=',
    );
    const symbol = await read<Record<string, unknown>>(
      `/udf/symbols?symbol=${encodeURIComponent(found!['full_name']!)}`,
    );
    expect(symbol).toMatchObject({ ticker: 'BTCUSDT', has_intraday: true, data_status: 'streaming' });
    expect(symbol['supported_resolutions']).toEqual(config.supported_resolutions);
    const seconds = Number(await (await fetch(`${exchange.url}/udf/time`)).text());
    for (const resolution of config.supported_resolutions) {
      const query = `symbol=BTCUSDT&resolution=${resolution}&from=${seconds - 60}&to=${seconds + 60}&countback=2`;
      const bars = await read<Record<string, number[]> & { s: string }>(`/udf/history?${query}`);
      expect([resolution, bars.s]).toEqual([resolution, 'ok']);
      const columns = ['t', 'o', 'h', 'l', 'c', 'v'].map((name) => bars[name]!);
      expect(new Set(columns.map(({ length }) => length)).size).toBe(1);
      const [times, opens, highs, lows, closes] = columns as [
        number[],
        number[],
        number[],
        number[],
        number[],
      ];
      expect(times).toEqual([...new Set(times)].sort((one, other) => one - other));
      for (const [index, high] of highs.entries()) {
        const body = [opens[index]!, closes[index]!];
        expect(high).toBeGreaterThanOrEqual(Math.max(...body));
        expect(lows[index]).toBeLessThanOrEqual(Math.min(...body));
      }
    }
  });

  it('PAPI-123 the rules of listing sites: one name for a pair, sound prices, whole books and trades', async () => {
    const pairs = await read<{ ticker_id: string; base: string; target: string }[]>('/coingecko/pairs');
    const names = pairs.map(({ ticker_id: name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const { ticker_id: name, base, target } of pairs) expect(name).toBe(`${base}_${target}`);
    const tickers = await read<Record<string, string>[]>('/coingecko/tickers');
    expect(tickers.map((ticker) => ticker['ticker_id'])).toEqual(names);
    const summary = await read<Record<string, string>[]>('/cmc/summary');
    expect(summary.map((row) => row['trading_pairs'])).toEqual(names);
    expect(Object.keys(await read('/cmc/ticker'))).toEqual(names);
    const assets = await read('/cmc/assets');
    for (const { base, target } of pairs) expect([base in assets, target in assets]).toEqual([true, true]);
    for (const ticker of tickers) {
      const [bid, ask, high, low] = ['bid', 'ask', 'high', 'low'].map((name) => Number(ticker[name])) as [
        number,
        number,
        number,
        number,
      ];
      expect(ask === 0 || bid < ask).toBe(true);
      expect(high).toBeGreaterThanOrEqual(low);
      for (const name of ['last_price', 'base_volume', 'target_volume', 'bid', 'ask', 'high', 'low'])
        expect([name, ticker[name]]).toEqual([name, expect.stringMatching(HAS_NO_EXPONENT)]);
    }
    const book = await read<{ bids: [string, string][]; asks: [string, string][]; timestamp: number }>(
      '/coingecko/orderbook?ticker_id=BTC_USDT&depth=100',
    );
    expect(String(book.timestamp)).toHaveLength(13);
    const asks = book.asks.map(([price]) => Number(price));
    expect(asks).toEqual([...asks].sort((one, other) => one - other));
    expect(Math.max(...book.bids.map(([price]) => Number(price)))).toBeLessThan(asks[0]!);
    const trades = await read<{
      buy: Record<string, string | number>[];
      sell: Record<string, string | number>[];
    }>('/coingecko/historical_trades?ticker_id=BTC_USDT&limit=500');
    for (const [type, rows] of Object.entries(trades))
      for (const row of rows) {
        expect(row['type']).toBe(type);
        expect(String(row['trade_timestamp'])).toHaveLength(13);
        expect(Number(row['price']) * Number(row['base_volume'])).toBeCloseTo(
          Number(row['target_volume']),
          6,
        );
      }
    expect(trades.buy.length).toBeGreaterThan(0);
    const anonymous = await fetch(`${exchange.url}/cmc/summary`);
    expect(anonymous.headers.get('access-control-allow-origin')).toBe('*');
  });

  it('PAPI-005 weight is charged before the call, and refused with the time to wait', async () => {
    const first = await fetch(`${exchange.url}/api/v3/ping`);
    const used = Number(first.headers.get('x-mbx-used-weight-1m'));
    expect(used).toBeGreaterThan(100);
    const book = await fetch(`${exchange.url}/api/v3/depth?symbol=BTCUSDT&limit=5000`);
    expect(Number(book.headers.get('x-mbx-used-weight-1m'))).toBe(used + 250);
    const statuses: number[] = [];
    for (let count = 0; count < 90; count += 1) {
      const answer = await fetch(`${exchange.url}/api/v3/depth?symbol=BTCUSDT&limit=5000`);
      statuses.push(answer.status);
      await answer.arrayBuffer();
      if (answer.status === 200) continue;
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect(statuses.filter((status) => status === 200).length).toBeLessThan(8);
    expect(statuses.indexOf(429)).toBeGreaterThan(-1);
    expect(statuses.at(-1)).toBe(418);
  });
});
