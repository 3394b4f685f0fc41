import { MINUTE_MS } from '@exchange/core/time.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import { anExchange, type TestExchange, type TestTrader } from '../../../testing/exchange.ts';
import { limit, place } from '../spot/testing/orders.ts';
import { LocalBook, type DepthEvent, type DepthSnapshot, type Level } from './testing/local-book.ts';
import { ProgramSocket, type Json } from './testing/programs.ts';

describe('streams of market data', () => {
  let exchange: TestExchange;
  let maker: TestTrader;
  let taker: TestTrader;
  const opened: ProgramSocket[] = [];

  async function open(path: string, headers?: Readonly<Record<string, string>>): Promise<ProgramSocket> {
    const socket = await ProgramSocket.open(exchange, path, headers);
    opened.push(socket);
    return socket;
  }
  const rest = async <T = Json>(path: string) => (await (await fetch(`${exchange.url}${path}`)).json()) as T;

  beforeAll(async () => {
    exchange = await anExchange();
    maker = await exchange.aUser({ BTC: '50', USDT: '900000' });
    taker = await exchange.aUser({ BTC: '50', USDT: '900000' });
  });
  afterAll(() => {
    for (const socket of opened) socket.close();
    return exchange.close();
  });

  it('PAPI-071 trades are sent at once, and fills of one order at one price as one row', async () => {
    const socket = await open('/stream?streams=btcusdt@trade/btcusdt@aggTrade');
    await place(maker, limit('sell', '50000', '0.1'));
    await place(maker, limit('sell', '50000', '0.2'));
    await place(maker, limit('sell', '50010', '0.3'));
    await place(taker, limit('buy', '50010', '0.6'));
    await eventually(() => expect(socket.events('aggTrade')).toHaveLength(2));
    expect(socket.events('trade').map(({ s, p, q, m }) => [s, p, q, m])).toEqual([
      ['BTCUSDT', '50000.00', '0.10000', false],
      ['BTCUSDT', '50000.00', '0.20000', false],
      ['BTCUSDT', '50010.00', '0.30000', false],
    ]);
    const numbers = socket.events('trade').map(({ t }) => t);
    expect(socket.events('aggTrade').map(({ a, p, q, f, l }) => [a, p, q, f, l])).toEqual([
      [numbers[0], '50000.00', '0.30000', numbers[0], numbers[1]],
      [numbers[2], '50010.00', '0.30000', numbers[2], numbers[2]],
    ]);
    expect(socket.received[0]).toHaveProperty('stream', 'btcusdt@trade');
    const trades = await rest<readonly { id: number }[]>('/api/v3/trades?symbol=BTCUSDT&limit=3');
    expect(trades.map(({ id }) => id)).toEqual(numbers);
  });

  it('PAPI-072 changes of a book have no gap, and give the same book as a snapshot', async () => {
    const fast = await open('/ws/btcusdt@depth@100ms');
    const slow = await open('/ws/btcusdt@depth');
    await place(maker, limit('buy', '49000', '0.5'));
    await eventually(() => expect(fast.events('depthUpdate')).not.toHaveLength(0));
    const book = new LocalBook(await rest('/api/v3/depth?symbol=BTCUSDT&limit=5000'));
    const slowBook = new LocalBook(await rest('/api/v3/depth?symbol=BTCUSDT&limit=5000'));
    for (let step = 0; step < 25; step += 1) {
      await place(maker, limit('buy', String(48_000 + step * 7), '0.01'));
      await place(maker, limit('sell', String(51_000 - step * 3), '0.02'));
      if (step % 5 === 0) await place(taker, limit('sell', String(48_000 + step * 7), '0.015'));
    }
    const snapshot = await rest<DepthSnapshot>('/api/v3/depth?symbol=BTCUSDT&limit=5000');
    for (const [socket, local] of [
      [fast, book],
      [slow, slowBook],
    ] as const) {
      const events = () => socket.events('depthUpdate') as unknown as DepthEvent[];
      await eventually(() => expect(events().at(-1)!.u).toBe(snapshot.lastUpdateId));
      for (const event of events()) local.apply(event);
      expect(local.sorted('bids')).toEqual(snapshot.bids);
      expect(local.sorted('asks')).toEqual(snapshot.asks);
      const [first, ...others] = events();
      let last = first!.u;
      for (const { U, u } of others) {
        expect(U).toBe(last + 1);
        last = u;
      }
    }
  });

  it('PAPI-073 best levels, best prices, tickers, average price and candles follow the market', async () => {
    const socket = await open('/ws');
    const names = ['depth5@100ms', 'bookTicker', 'ticker', 'miniTicker', 'avgPrice', 'kline_1m'].map(
      (name) => `btcusdt@${name}`,
    );
    expect(await socket.request('SUBSCRIBE', [...names, '!miniTicker@arr'])).toEqual({ result: null, id: 1 });
    await place(maker, limit('buy', '49500', '0.4'));
    const best = await socket.message(({ u, b }) => u !== undefined && b === '49500.00');
    expect(best).toMatchObject({ s: 'BTCUSDT', B: '0.40000' });
    const levels = await socket.message(({ bids }) => (bids as Level[] | undefined)?.[0]?.[0] === '49500.00');
    expect(levels['bids']).toHaveLength(5);
    await place(taker, limit('sell', '49500', '0.4'));
    const ticker = await socket.message(({ e, c }) => e === '24hrTicker' && c === '49500.00');
    const day = await rest('/api/v3/ticker/24hr?symbol=BTCUSDT');
    expect(ticker).toMatchObject({
      o: day['openPrice'],
      h: day['highPrice'],
      v: day['volume'],
      q: day['quoteVolume'],
      F: day['firstId'],
      L: day['lastId'],
      n: day['count'],
    });
    await socket.message(({ e, c }) => e === '24hrMiniTicker' && c === '49500.00');
    await socket.message(({ e, i }) => e === 'avgPrice' && i === '5m');
    await eventually(() => {
      const lists = socket.received.filter((message) => Array.isArray(message)) as unknown as Json[][];
      expect(lists.flat()).toContainEqual(expect.objectContaining({ e: '24hrMiniTicker', s: 'BTCUSDT' }));
    });
    // The event of the trade's candle can already be that of a closed candle, if a minute ends right after the trade.
    const kline = (await socket.message(({ e, k }) => e === 'kline' && (k as Json)['L'] === day['lastId']))[
      'k'
    ] as Json;
    expect(kline).toMatchObject({ s: 'BTCUSDT', i: '1m', c: '49500.00' });
    await exchange.advanceTime(MINUTE_MS);
    const closed = await socket.message(
      ({ e, k }) => e === 'kline' && (k as Json)['x'] === true && (k as Json)['t'] === kline['t'],
    );
    expect(closed['k']).toMatchObject({ T: kline['T'], c: '49500.00', n: kline['n'] });
    await socket.message(({ e, k }) => e === 'kline' && Number((k as Json)['t']) > Number(kline['t']));
  });

  it('PAPI-073 a candle that closes right after the subscription is published closed', async () => {
    const socket = await open('/ws');
    await place(maker, limit('buy', '49400', '0.1'));
    await socket.request('SUBSCRIBE', ['btcusdt@kline_1m']);
    await place(taker, limit('sell', '49400', '0.1'));
    await exchange.advanceTime(MINUTE_MS);
    const { lastId } = await rest('/api/v3/ticker/24hr?symbol=BTCUSDT');
    const closed = await socket.message(({ e, k }) => e === 'kline' && (k as Json)['x'] === true);
    expect(closed['k']).toMatchObject({ c: '49400.00', L: lastId });
  });

  it('PAPI-146 PAPI-147 each second closes once, in order, as the call shows it, with what takers bought', async () => {
    const socket = await open('/ws');
    await socket.request('SUBSCRIBE', ['btcusdt@kline_1s']);
    await place(maker, limit('buy', '49300', '0.1'));
    await place(taker, limit('sell', '49300', '0.1'));
    await place(maker, limit('sell', '49310', '0.2'));
    await place(taker, limit('buy', '49310', '0.2'));
    const isClosed = ({ e, k }: Json) => e === 'kline' && (k as Json)['x'] === true;
    const boughtIn = ({ k }: Json) => (k as Json)['V'] !== '0.00000';
    const { k } = (await socket.message((message) => isClosed(message) && boughtIn(message))) as { k: Json };
    await socket.message(
      (message) => isClosed(message) && Number((message['k'] as Json)['t']) > Number(k['t']),
    );
    const rows = (await (
      await fetch(
        `${exchange.url}/api/v3/klines?symbol=BTCUSDT&interval=1s&startTime=${String(k['t'])}&limit=1`,
      )
    ).json()) as unknown[][];
    expect(['t', 'o', 'h', 'l', 'c', 'v', 'T', 'q', 'n', 'V', 'Q', 'B'].map((name) => k[name])).toEqual(
      rows[0],
    );
    const opened = socket.received.filter(isClosed).map((message) => Number((message['k'] as Json)['t']));
    expect(opened).toEqual(opened.map((_, place) => opened[0]! + place * 1_000));
  });

  it('PAPI-150 the list of all tickers has the pairs that have changed, and is never empty', async () => {
    const socket = await open('/stream?streams=!miniTicker@arr/btcusdt@kline_1s');
    const lists = () =>
      socket.received
        .filter(({ stream }) => stream === '!miniTicker@arr')
        .map(({ data }) => (data as readonly Json[]).map(({ s }) => s));
    const seconds = () => socket.received.filter(({ stream }) => stream === 'btcusdt@kline_1s').length;
    const trade = async () => {
      await place(maker, limit('buy', '49200', '0.1'));
      await place(taker, limit('sell', '49200', '0.1'));
    };
    await trade();
    await eventually(() => expect(lists().flat()).toContain('BTCUSDT'));
    // The candle of a second is published every second also in a quiet market, so after three of them the list has been
    // due at least once without a change.
    const secondsBefore = seconds();
    await eventually(() => expect(seconds()).toBeGreaterThanOrEqual(secondsBefore + 3));
    expect(lists()).not.toContainEqual([]);
    const listsBefore = lists().length;
    await trade();
    await eventually(() => expect(lists().slice(listsBefore)).toContainEqual(['BTCUSDT']));
  });

  it('PAPI-074 a connection subscribes, unsubscribes, lists and changes its framing', async () => {
    const socket = await open('/ws/anything');
    expect(await socket.request('LIST_SUBSCRIPTIONS')).toEqual({ result: [], id: 1 });
    await socket.request('SUBSCRIBE', ['btcusdt@trade', 'ethusdt@trade', 'btcusdt@trade']);
    expect((await socket.request('LIST_SUBSCRIPTIONS'))['result']).toEqual([
      'btcusdt@trade',
      'ethusdt@trade',
    ]);
    expect((await socket.request('GET_PROPERTY', ['combined']))['result']).toBe(false);
    await socket.request('SET_PROPERTY', ['combined', true]);
    expect((await socket.request('GET_PROPERTY', ['combined']))['result']).toBe(true);
    await place(maker, limit('buy', '47000', '0.2'));
    await place(taker, limit('sell', '47000', '0.01'));
    await socket.message(({ stream }) => stream === 'btcusdt@trade');
    await socket.request('UNSUBSCRIBE', ['btcusdt@trade']);
    const before = socket.events('trade').length;
    await place(taker, limit('sell', '47000', '0.01'));
    expect((await socket.request('LIST_SUBSCRIPTIONS'))['result']).toEqual(['ethusdt@trade']);
    expect(socket.events('trade')).toHaveLength(before);
  });

  it.each([
    ['no JSON', 'hello', 3, null],
    ['an unknown method', { method: 'FOO', id: 7 }, 2, 7],
    ['no list', { method: 'SUBSCRIBE', params: 'btcusdt@trade', id: 'a' }, 2, 'a'],
    ['an unknown stream', { method: 'SUBSCRIBE', params: ['btcusdt@nothing'], id: 9 }, 2, 9],
    ['an unknown pair', { method: 'SUBSCRIBE', params: ['abcdef@trade'], id: 9 }, 2, 9],
    ['an unknown property', { method: 'GET_PROPERTY', params: ['x'], id: 9 }, 0, 9],
    ['no truth value', { method: 'SET_PROPERTY', params: ['combined', 1], id: 9 }, 1, 9],
    ['a fraction as id', { method: 'LIST_SUBSCRIPTIONS', id: 1.5 }, 2, null],
  ])('PAPI-074 %s is refused, and the connection stays', async (_, message, code, id) => {
    const socket = await open('/ws');
    socket.send(message);
    const answer = await socket.message(({ error }) => error !== undefined);
    expect(answer).toMatchObject({ error: { code, msg: expect.any(String) }, id });
    expect(await socket.request('LIST_SUBSCRIPTIONS')).toEqual({ result: [], id: 1 });
  });

  it('PAPI-074 pages of other sites may read streams', async () => {
    const socket = await open('/ws/btcusdt@trade', { origin: 'https://elsewhere.example' });
    expect((await socket.request('LIST_SUBSCRIPTIONS'))['result']).toEqual(['btcusdt@trade']);
  });

  it('PAPI-075 a client that sends too much is disconnected', async () => {
    const socket = await open('/ws');
    for (let message = 0; message < 40; message += 1)
      socket.send({ method: 'LIST_SUBSCRIPTIONS', id: message });
    expect(await socket.closed).toEqual({ code: 1008, reason: 'too many messages' });
  });
});
