import { generateKeyPairSync, sign } from 'node:crypto';
import { apiKeyRequests, apiKeys, revokeApiKey } from '@exchange/wire/api-key.ts';
import * as spot from '@exchange/wire/spot.ts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import { anExchange, type TestExchange, type TestTrader } from '../../../testing/exchange.ts';
import { LIMITS, NO_LIMITS } from '../../platform/limits/limits.ts';
import { limit, place } from '../spot/testing/orders.ts';
import { makeHmacKey, makeTestKey, ProgramSocket, type Json, type TestKey } from './testing/programs.ts';

const API = '/ws-api/v3';
/** A price at which no order matches; it is within the price band around both the index price and the last trade. */
const QUIET_PRICE = '45000';
const BUY = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC' } as const;

describe('the WebSocket API', () => {
  let exchange: TestExchange;
  let trader: TestTrader;
  let other: TestTrader;
  let key: TestKey;
  const opened: ProgramSocket[] = [];

  async function open(path = API): Promise<ProgramSocket> {
    const socket = await ProgramSocket.open(exchange, path);
    opened.push(socket);
    return socket;
  }

  /** Adds time, API key and signature to parameters. */
  function signed(params: Readonly<Record<string, string | number>> = {}, by: TestKey = key) {
    const all: Record<string, string | number> = {
      timestamp: exchange.clock.now(),
      ...params,
      apiKey: by.key,
    };
    const text = Object.keys(all)
      .toSorted()
      .map((name) => `${name}=${all[name]}`)
      .join('&');
    return { ...all, signature: by.sign(text) };
  }

  /** The result of a WebSocket request that is expected to succeed. */
  async function resultOf<T = Json>(socket: ProgramSocket, method: string, params?: unknown): Promise<T> {
    const answer = await socket.request(method, params);
    if (answer['status'] !== 200) throw new Error(`${method} was refused: ${JSON.stringify(answer)}`);
    return answer['result'] as T;
  }

  const reports = (socket: ProgramSocket) =>
    socket.events('executionReport').map(({ x, X, l, z }) => [x, X, l, z]);

  beforeAll(async () => {
    exchange = await anExchange({
      limits: { ...NO_LIMITS, apiWeight: { ...LIMITS.apiWeight, perSecond: 0.01, burst: 100_000 } },
    });
    trader = await exchange.aUser({ USDT: '100000', BTC: '5' });
    other = await exchange.aUser({ USDT: '500000', BTC: '10' });
    key = await makeHmacKey(exchange, trader);
  });
  afterAll(() => {
    for (const socket of opened) socket.close();
    return exchange.close();
  });

  it('PAPI-076 open calls answer as over HTTP, with the used weight', async () => {
    const socket = await open();
    const answer = await socket.request('depth', { symbol: 'BTCUSDT', limit: 5 });
    expect(answer).toMatchObject({
      id: 1,
      status: 200,
      rateLimits: [{ limit: 6_000, count: expect.any(Number) }],
    });
    const depth = await fetch(`${exchange.url}/api/v3/depth?symbol=BTCUSDT&limit=5`);
    expect(answer['result']).toEqual(await depth.json());
    const quiet = await socket.request('ping', { returnRateLimits: false });
    expect(quiet).toEqual({ id: 2, status: 200, result: {} });
    const listed = await resultOf<readonly Json[]>(socket, 'ticker.price', {
      symbols: ['BTCUSDT', 'ETHUSDT'],
    });
    expect(listed.map(({ symbol }) => symbol)).toEqual(['BTCUSDT', 'ETHUSDT']);
  });

  it.each([
    ['no object', '[]', 400, -1130],
    ['no JSON', '{', 400, -1130],
    ['an unknown method', { id: 1, method: 'order.steal' }, 404, -1000],
    ['a missing parameter', { id: 1, method: 'depth', params: {} }, 400, -1102],
    ['an unknown pair', { id: 1, method: 'depth', params: { symbol: 'NOTHING' } }, 400, -1121],
    ['no key', { id: 1, method: 'account.status', params: {} }, 401, -2014],
    ['an unknown key', { id: 1, method: 'account.status', params: { apiKey: 'a'.repeat(64) } }, 401, -2015],
    ['no session', { id: 1, method: 'userDataStream.subscribe', params: {} }, 401, -2015],
    [
      'an unknown subscription',
      { id: 1, method: 'userDataStream.unsubscribe', params: { subscriptionId: 9 } },
      400,
      -1130,
    ],
  ])('PAPI-076 %s is refused, and the connection stays', async (_, message, status, code) => {
    const socket = await open();
    socket.send(message);
    expect(await socket.message(({ error }) => error !== undefined)).toMatchObject({
      status,
      error: { code },
    });
    socket.send({ id: 'again', method: 'ping' });
    await socket.message(({ id, status: answered }) => id === 'again' && answered === 200);
  });

  it('PAPI-077 signed orders are placed, found and cancelled; a wrong signature or time is refused', async () => {
    const socket = await open();
    const order = { ...BUY, price: QUIET_PRICE, quantity: '0.01', newClientOrderId: 'first' };
    const placed = await resultOf(socket, 'order.place', signed(order));
    expect(placed).toMatchObject({ symbol: 'BTCUSDT', status: 'NEW', clientOrderId: 'first' });
    const orderId = placed['orderId'] as number;
    expect(await resultOf(socket, 'order.status', signed({ symbol: 'BTCUSDT', orderId }))).toMatchObject({
      orderId,
    });
    const params = signed({ symbol: 'BTCUSDT', orderId });
    expect(await socket.request('order.cancel', { ...params, signature: '00' })).toMatchObject({
      status: 400,
      error: { code: -1022 },
    });
    expect(
      await socket.request('order.cancel', signed({ symbol: 'BTCUSDT', orderId, timestamp: 1 })),
    ).toMatchObject({
      status: 400,
      error: { code: -1021 },
    });
    expect(await resultOf(socket, 'order.cancel', params)).toMatchObject({ status: 'CANCELED' });
    expect(await resultOf(socket, 'openOrders.status', signed())).toEqual([]);
  });

  it('PAPI-078 a connection that is logged on needs no signatures, and repeats of a request are recognised', async () => {
    const pair = generateKeyPairSync('ed25519');
    const publicKey = pair.publicKey.export({ type: 'spki', format: 'pem' }).toString();
    const created = await makeTestKey(exchange, trader, publicKey);
    const ed: TestKey = {
      key: created.key,
      sign: (text) => sign(null, Buffer.from(text), pair.privateKey).toString('base64'),
    };
    const socket = await open();
    expect(await resultOf(socket, 'session.status')).toMatchObject({ apiKey: null, authorizedSince: null });
    expect(await socket.request('account.status', { timestamp: exchange.clock.now() })).toMatchObject({
      status: 401,
    });
    expect(await resultOf(socket, 'session.logon', signed({}, ed))).toMatchObject({ apiKey: ed.key });
    const order = { ...BUY, price: '41000', quantity: '0.01', timestamp: exchange.clock.now() };
    const placed = await resultOf(socket, 'order.place', order);
    const again = await open();
    await resultOf(again, 'session.logon', signed({}, ed));
    // A client that lost the answer sends the same request with the same id on another connection.
    again.send({ id: 4, method: 'order.place', params: order });
    expect((await again.message(({ id }) => id === 4))['result']).toMatchObject({
      orderId: placed['orderId'],
    });
    again.send({ id: 5, method: 'order.place', params: order });
    expect((await again.message(({ id }) => id === 5))['result']).not.toMatchObject({
      orderId: placed['orderId'],
    });
    expect(
      await resultOf(again, 'openOrders.cancelAll', { symbol: 'BTCUSDT', timestamp: exchange.clock.now() }),
    ).toHaveLength(2);
    await resultOf(socket, 'session.logout');
    expect(await socket.request('order.place', order)).toMatchObject({ status: 401 });
  });

  it('PAPI-079 events of orders and balances arrive in order by both routes, and only for their user', async () => {
    const socket = await open();
    const subscribed = await resultOf(socket, 'userDataStream.subscribe.signature', signed());
    expect(subscribed).toEqual({ subscriptionId: 1 });
    const headers = { 'x-mbx-apikey': key.key };
    const created = await fetch(`${exchange.url}/api/v3/userDataStream`, { method: 'POST', headers });
    const { listenKey } = (await created.json()) as { listenKey: string };
    expect(listenKey).toMatch(/^[A-Za-z0-9]{60,}$/);
    const listening = await open(`/ws/${listenKey}`);
    const combined = await open(`/stream?streams=${listenKey}`);
    const otherKey = await makeHmacKey(exchange, other);
    const stranger = await open();
    await resultOf(stranger, 'userDataStream.subscribe.signature', signed({}, otherKey));

    await place(other, limit('sell', '52000', '0.1'));
    await resultOf(
      socket,
      'order.place',
      signed({ ...BUY, price: '52000', quantity: '0.3', newClientOrderId: 'mine' }),
    );
    await eventually(() => expect(reports(socket)).toHaveLength(2));
    expect(reports(socket)).toEqual([
      ['NEW', 'NEW', '0.00000', '0.00000'],
      ['TRADE', 'PARTIALLY_FILLED', '0.10000', '0.10000'],
    ]);
    const [opening, trade] = socket.events('executionReport');
    expect(opening).toMatchObject({
      s: 'BTCUSDT',
      c: 'mine',
      C: '',
      S: 'BUY',
      o: 'LIMIT',
      f: 'GTC',
      w: true,
      t: -1,
      N: null,
    });
    expect(trade).toMatchObject({ L: '52000.00', N: 'BTC', m: false, M: true });
    await place(other, limit('sell', '52000', '0.05'));
    await resultOf(socket, 'openOrders.cancelAll', signed({ symbol: 'BTCUSDT' }));
    await eventually(() => expect(reports(socket)).toHaveLength(4));
    expect(reports(socket).slice(2)).toEqual([
      ['TRADE', 'PARTIALLY_FILLED', '0.05000', '0.15000'],
      ['CANCELED', 'CANCELED', '0.00000', '0.15000'],
    ]);
    expect(socket.events('executionReport')[2]).toMatchObject({ m: true });
    expect(socket.events('executionReport')[3]).toMatchObject({
      c: expect.stringMatching(/^cancel-/),
      C: 'mine',
      w: false,
    });
    expect(socket.events('balanceUpdate')).toEqual([]);
    const account = await resultOf<{ balances: readonly Json[] }>(socket, 'account.status', signed());
    const usdt = account.balances.find(({ asset }) => asset === 'USDT')!;
    const position = socket.events('outboundAccountPosition').at(-1)!['B'] as readonly Json[];
    expect(position.find(({ a }) => a === 'USDT')).toEqual({ a: 'USDT', f: usdt['free'], l: usdt['locked'] });

    await exchange.fund(trader, { ETH: '3' });
    expect(
      await socket.message(({ event }) => (event as Json | undefined)?.['e'] === 'balanceUpdate'),
    ).toMatchObject({
      subscriptionId: 1,
      event: { a: 'ETH', d: '3' },
    });
    await eventually(() => expect(reports(listening)).toEqual(reports(socket)));
    expect(reports(combined)).toEqual(reports(socket));
    expect(combined.received[0]).toHaveProperty('stream', listenKey);
    // The other account, which only sells, received reports of its own orders only.
    expect(stranger.events('executionReport').every(({ S }) => S === 'SELL')).toBe(true);

    const change = (method: string, name: string) =>
      fetch(`${exchange.url}/api/v3/userDataStream?listenKey=${name}`, { method, headers });
    expect((await change('PUT', listenKey)).status).toBe(200);
    expect(await (await change('PUT', 'unknown')).json()).toEqual({
      code: -1125,
      msg: 'This listenKey does not exist.',
    });
    const foreign = await fetch(`${exchange.url}/api/v3/userDataStream?listenKey=${listenKey}`, {
      method: 'DELETE',
      headers: { 'x-mbx-apikey': otherKey.key },
    });
    expect(foreign.status).toBe(400);
    expect((await change('DELETE', listenKey)).status).toBe(200);
    await listening.message(({ e }) => e === 'listenKeyExpired');
    const before = listening.received.length;
    await resultOf(socket, 'userDataStream.unsubscribe', { subscriptionId: 1 });
    const seen = socket.events('executionReport').length;
    await resultOf(socket, 'order.test', signed({ ...BUY, price: QUIET_PRICE, quantity: '0.01' }));
    const last = await resultOf(
      socket,
      'order.place',
      signed({ ...BUY, price: QUIET_PRICE, quantity: '0.01' }),
    );
    await resultOf(socket, 'order.cancel', signed({ symbol: 'BTCUSDT', orderId: last['orderId'] as number }));
    expect(listening.received).toHaveLength(before);
    expect(socket.events('executionReport')).toHaveLength(seen);
  });

  it('PAPI-080 an amendment, a triggered stop and the remainder of an order that must fill at once are reported', async () => {
    const socket = await open();
    await resultOf(socket, 'userDataStream.subscribe.signature', signed());
    const placed = await place(trader, limit('buy', '45000', '0.2'));
    await trader.request(spot.amendOrder, { id: placed.id, price: '44000', amount: '0.2' });
    await eventually(() => expect(reports(socket).map(([x]) => x)).toEqual(['NEW', 'REPLACED']));
    expect(socket.events('executionReport')[1]).toMatchObject({ p: '44000.00', X: 'NEW' });
    await trader.request(spot.cancelOrder, { id: placed.id });
    await place(other, limit('sell', '53000', '0.02'));
    await resultOf(
      socket,
      'order.place',
      signed({ ...BUY, timeInForce: 'IOC', price: '53000', quantity: '0.05' }),
    );
    await eventually(() => expect(reports(socket)).toHaveLength(6));
    expect(reports(socket).slice(2)).toEqual([
      ['CANCELED', 'CANCELED', '0.00000', '0.00000'],
      ['NEW', 'NEW', '0.00000', '0.00000'],
      ['TRADE', 'PARTIALLY_FILLED', '0.02000', '0.02000'],
      ['EXPIRED', 'EXPIRED', '0.00000', '0.02000'],
    ]);
  });

  it('PAPI-095 PAPI-096 a batch is placed in its order over a connection, once, and cancelled', async () => {
    const socket = await open();
    const items = Array.from({ length: 20 }, (_, index) => ({
      ...BUY,
      price: QUIET_PRICE,
      quantity: index === 7 ? '0' : '0.001',
      newClientOrderId: index === 9 ? 'batch-0' : `batch-${index}`,
    }));
    const request = signed({ batchOrders: JSON.stringify(items) });
    const placed = await resultOf<readonly Json[]>(socket, 'order.place.batch', request);
    expect(placed.map(({ code }) => code ?? 'placed')).toEqual(
      items.map((_, index) => (index === 7 ? -1013 : index === 9 ? -2010 : 'placed')),
    );
    const numbers = placed.flatMap(({ orderId }) => (orderId === undefined ? [] : [Number(orderId)]));
    expect(numbers).toEqual(numbers.toSorted((left, right) => left - right));
    expect(await resultOf(socket, 'order.place.batch', request)).toEqual(placed);
    const cancelled = await resultOf<readonly Json[]>(
      socket,
      'order.cancel.batch',
      signed({ symbol: 'BTCUSDT', orderIdList: JSON.stringify(numbers) }),
    );
    expect(cancelled.map(({ orderId, status }) => [orderId, status])).toEqual(
      numbers.map((number) => [number, 'CANCELED']),
    );
  });

  it('PAPI-076 PAPI-091 PAPI-097 a refused replacement names the result of its parts, and placed orders are counted', async () => {
    const socket = await open();
    const order = { ...BUY, price: QUIET_PRICE, quantity: '0.01', cancelReplaceMode: 'ALLOW_FAILURE' };
    const replaced = await socket.request('order.cancelReplace', signed({ ...order, cancelOrderId: 7 }));
    expect(replaced).toMatchObject({
      status: 409,
      error: { code: -2021, data: { cancelResult: 'FAILURE', newOrderResult: 'SUCCESS' } },
    });
    const tested = await resultOf<readonly Json[]>(socket, 'account.rateLimits.orders', signed());
    expect(tested.map(({ rateLimitType, interval }) => [rateLimitType, interval])).toEqual([
      ['ORDERS', 'SECOND'],
      ['ORDERS', 'DAY'],
    ]);
    const placed = await socket.request(
      'order.place',
      signed({ ...BUY, price: QUIET_PRICE, quantity: '0.01' }),
    );
    const limits = placed['rateLimits'] as readonly Json[];
    expect(limits.map(({ interval }) => interval)).toEqual(['SECOND', 'DAY', 'MINUTE']);
    await resultOf(socket, 'openOrders.cancelAll', signed({ symbol: 'BTCUSDT' }));
  });

  it('PAPI-141 the orders of an OTO are reported as they are placed, and the list when it begins and ends', async () => {
    const socket = await open();
    await resultOf(socket, 'userDataStream.subscribe.signature', signed());
    const placed = await resultOf(
      socket,
      'orderList.place.oto',
      signed({
        symbol: 'BTCUSDT',
        workingType: 'LIMIT',
        workingSide: 'BUY',
        workingPrice: '41000',
        workingQuantity: '0.01',
        workingTimeInForce: 'GTC',
        workingClientOrderId: 'entry',
        pendingType: 'LIMIT',
        pendingSide: 'BUY',
        pendingQuantity: '0.01',
        pendingPrice: '40500',
        pendingTimeInForce: 'GTC',
        pendingClientOrderId: 'second',
      }),
    );
    const orderListId = placed['orderListId'] as number;
    await place(other, limit('sell', '41000', '0.01'));
    await place(other, limit('sell', '40500', '0.01'));
    await eventually(() =>
      expect(socket.events('listStatus').filter(({ g }) => g === orderListId)).toHaveLength(2),
    );
    const reports = socket.events('executionReport').filter(({ g }) => g === orderListId);
    const lifeOf = (name: string) => reports.filter(({ c }) => c === name).map(({ x, X, w }) => [x, X, w]);
    expect(lifeOf('entry')).toEqual([
      ['NEW', 'NEW', true],
      ['TRADE', 'FILLED', false],
    ]);
    expect(lifeOf('second')).toEqual([
      ['NEW', 'PENDING_NEW', false],
      ['NEW', 'NEW', true],
      ['TRADE', 'FILLED', false],
    ]);
    const lists = socket.events('listStatus').filter(({ g }) => g === orderListId);
    expect(lists.map(({ c, L, O }) => [c, L, (O as Json[]).map((order) => order['c'])])).toEqual([
      ['OTO', 'EXECUTING', ['entry', 'second']],
      ['OTO', 'ALL_DONE', ['entry', 'second']],
    ]);
    expect(await resultOf(socket, 'allOrderLists', signed({ limit: 1 }))).toHaveLength(1);
  });

  it('PAPI-099 PAPI-101 the begin and the end of a list of orders are reported after the reports of its orders', async () => {
    const socket = await open();
    await resultOf(socket, 'userDataStream.subscribe.signature', signed());
    await place(other, limit('sell', '52000', '0.01'));
    await place(trader, limit('buy', '52000', '0.01'));
    const placed = await resultOf(
      socket,
      'orderList.place.oco',
      signed({
        symbol: 'BTCUSDT',
        side: 'SELL',
        quantity: '0.01',
        aboveType: 'LIMIT_MAKER',
        abovePrice: '53000',
        belowType: 'STOP_LOSS',
        belowStopPrice: '50000',
      }),
    );
    const orderListId = placed['orderListId'] as number;
    expect(await resultOf(socket, 'orderList.status', signed({ orderListId }))).toMatchObject({
      orderListId,
    });
    expect(await resultOf(socket, 'openOrderLists.status', signed())).toHaveLength(1);
    await place(other, limit('buy', '53000', '0.01'));
    await eventually(() => expect(socket.events('listStatus')).toHaveLength(2));
    expect(socket.events('listStatus').map(({ g, c, l, L }) => [g, c, l, L])).toEqual([
      [orderListId, 'OCO', 'EXEC_STARTED', 'EXECUTING'],
      [orderListId, 'OCO', 'ALL_DONE', 'ALL_DONE'],
    ]);
    const ofList = socket.received
      .map(({ event }) => event as Json | undefined)
      .filter((event) => event?.['g'] === orderListId)
      .map((event) => [event!['e'], event!['X'] ?? event!['l']]);
    expect(ofList).toEqual([
      ['executionReport', 'NEW'],
      ['executionReport', 'NEW'],
      ['listStatus', 'EXEC_STARTED'],
      ['executionReport', 'CANCELED'],
      ['executionReport', 'FILLED'],
      ['listStatus', 'ALL_DONE'],
    ]);
    expect(
      await socket.request('orderList.cancel', signed({ symbol: 'BTCUSDT', orderListId })),
    ).toMatchObject({
      error: { code: -2011 },
    });
  });

  it('PAPI-081 a revoked key ends its streams within seconds', async () => {
    const revoked = await makeHmacKey(exchange, trader);
    const socket = await open();
    await resultOf(socket, 'userDataStream.subscribe.signature', signed({}, revoked));
    const { list } = await trader.request(apiKeys);
    const { id } = list.find((listed) => listed.key === revoked.key)!;
    await trader.request(revokeApiKey, { id });
    await socket.message(({ event }) => (event as Json | undefined)?.['e'] === 'eventStreamTerminated');
    const before = socket.received.length;
    const order = await place(trader, limit('buy', '45000', '0.01'));
    await trader.request(spot.cancelOrder, { id: order.id });
    expect(socket.received).toHaveLength(before);
    expect(await socket.request('account.status', signed({}, revoked))).toMatchObject({ status: 401 });
  });

  it('PAPI-060 a countdown is set on a connection; the same signed request again does not prolong it', async () => {
    const socket = await open();
    const counting = await resultOf(
      socket,
      'countdownCancelAll',
      signed({ symbol: 'BTCUSDT', countdownTime: 30_000 }),
    );
    expect(counting).toEqual({
      symbol: 'BTCUSDT',
      countdownTime: '30000',
      cancelTime: expect.any(Number),
    });
    const whole = signed({ countdownTime: 20_000 });
    const first = await resultOf(socket, 'countdownCancelAll', whole);
    await exchange.advanceTime(2_000);
    expect(await resultOf(socket, 'countdownCancelAll', whole)).toEqual(first);
    await resultOf(socket, 'order.place', signed({ ...BUY, price: QUIET_PRICE, quantity: '0.01' }));
    await exchange.advanceTime(18_000);
    await eventually(async () => expect(await resultOf(socket, 'openOrders.status', signed())).toEqual([]));
    expect(
      await resultOf(socket, 'countdownCancelAll', signed({ symbol: 'BTCUSDT', countdownTime: 0 })),
    ).toMatchObject({ cancelTime: 0 });
  });

  it.each([
    ['a pair that does not exist', { symbol: 'NOTHING', countdownTime: 1_000 }, -1121],
    ['no duration', {}, -1102],
    ['a duration of more than a day', { countdownTime: 86_400_001 }, -1130],
    ['a malformed duration', { countdownTime: '1e3' }, -1100],
  ])('PAPI-060 %s is refused, and no countdown begins', async (_, params, code) => {
    const socket = await open();
    expect(await socket.request('countdownCancelAll', signed(params))).toMatchObject({ error: { code } });
  });

  it('PAPI-061 with the option on, orders of a connection are cancelled when it ends, and no others', async () => {
    const socket = await open();
    const option = (enabled: boolean) => resultOf(socket, 'session.cancelOnDisconnect', { enabled });
    expect(await socket.request('session.cancelOnDisconnect', { enabled: true })).toMatchObject({
      status: 401,
    });
    await resultOf(socket, 'session.logon', signed());
    expect(await socket.request('session.cancelOnDisconnect', {})).toMatchObject({ error: { code: -1102 } });
    expect(await resultOf(socket, 'session.status')).toMatchObject({ cancelOnDisconnect: false });
    const timestamp = exchange.clock.now();
    const send = async (name: string) =>
      resultOf(socket, 'order.place', {
        ...BUY,
        price: QUIET_PRICE,
        quantity: '0.01',
        newClientOrderId: name,
        timestamp,
      });
    await send('before');
    expect(await option(true)).toMatchObject({ cancelOnDisconnect: true });
    await send('during');
    await resultOf(socket, 'orderList.place.oco', {
      symbol: 'BTCUSDT',
      side: 'BUY',
      quantity: '0.01',
      belowType: 'LIMIT_MAKER',
      belowPrice: '40100',
      aboveType: 'STOP_LOSS',
      aboveStopPrice: '60000',
      timestamp,
    });
    expect(await option(false)).toMatchObject({ cancelOnDisconnect: false });
    await send('after');
    const watching = await open();
    const openNames = async () =>
      (await resultOf<readonly Json[]>(watching, 'openOrders.status', signed())).map(
        ({ clientOrderId }) => clientOrderId,
      );
    expect(await openNames()).toHaveLength(5);
    socket.close();
    await eventually(async () => expect(await openNames()).toEqual(['before', 'after']));
    const ended = await resultOf<readonly Json[]>(
      watching,
      'allOrders',
      signed({ symbol: 'BTCUSDT', limit: 5 }),
    );
    expect(ended.find(({ clientOrderId }) => clientOrderId === 'during')).toMatchObject({
      status: 'CANCELED',
    });
    await resultOf(watching, 'openOrders.cancelAll', signed({ symbol: 'BTCUSDT' }));
  });

  it('PAPI-058 PAPI-062 after a crash, connections have ended and countdowns have run out meanwhile', async () => {
    const socket = await open();
    await resultOf(socket, 'session.logon', signed());
    await resultOf(socket, 'session.cancelOnDisconnect', { enabled: true });
    const timestamp = exchange.clock.now();
    const order = { ...BUY, price: QUIET_PRICE, quantity: '0.01', timestamp };
    await resultOf(socket, 'order.place', { ...order, newClientOrderId: 'tied' });
    const watching = await open();
    const otherKey = await makeHmacKey(exchange, other);
    await resultOf(
      watching,
      'order.place',
      signed({ ...BUY, price: QUIET_PRICE, quantity: '0.01' }, otherKey),
    );
    await resultOf(watching, 'countdownCancelAll', signed({ countdownTime: 60_000 }, otherKey));
    // Simulates a process that ends before it cancels the connection's orders; the next start cancels them.
    vi.spyOn(exchange.doors.spot, 'endSession').mockResolvedValue();
    await exchange.restart(async () => {
      exchange.clock.shift(61_000);
    });
    const again = await open();
    expect(await resultOf(again, 'openOrders.status', signed())).toEqual([]);
    expect(await resultOf(again, 'openOrders.status', signed({}, otherKey))).toEqual([]);
    const rows = await exchange.database.pool.query<{ reason: string }>(
      `select reason from spot_order order by updated_at desc, rank limit 2`,
    );
    expect(rows.rows.map(({ reason }) => reason).toSorted()).toEqual(['countdown', 'disconnected']);
    const running = await exchange.database.pool.query(
      'select 1 from spot_countdown where due_at is not null',
    );
    expect(running.rows).toEqual([]);
  });

  it('KEY-030 KEY-031 requests over HTTP and connections are recorded with their outcome, and nothing that was sent', async () => {
    const logged = await makeHmacKey(exchange, trader);
    const { list: keys } = await trader.request(apiKeys);
    const { id } = keys.find((listed) => listed.key === logged.key)!;
    expect(await trader.request(apiKeyRequests, { id })).toMatchObject({ list: [], usedWeight: 0 });
    const socket = await open();
    await resultOf(socket, 'session.logon', signed({}, logged));
    const order = { ...BUY, price: QUIET_PRICE, quantity: '0.01', newClientOrderId: 'unseen' };
    await resultOf(socket, 'order.test', { ...order, timestamp: exchange.clock.now() });
    await socket.request('order.status', signed({ symbol: 'BTCUSDT', orderId: 7 }, logged));
    const query = `timestamp=${exchange.clock.now()}`;
    const headers = { 'x-mbx-apikey': logged.key };
    await fetch(`${exchange.url}/api/v3/account?${query}&signature=${logged.sign(query)}`, { headers });
    await fetch(`${exchange.url}/api/v3/account?${query}&signature=00`, { headers });
    const answer = await trader.request(apiKeyRequests, { id });
    expect(answer.list.map(({ method, path, status, code }) => [method, path, status, code])).toEqual([
      ['GET', '/api/v3/account', 200, 0],
      ['WS', 'order.status', 400, -2013],
      ['WS', 'order.test', 200, 0],
      ['WS', 'session.logon', 200, 0],
    ]);
    expect(answer.unprovenCount).toBe(1);
    const unproven = await trader.request(apiKeyRequests, { id, unproven: '1' });
    expect(unproven.list.map(({ path, status, code }) => [path, status, code])).toEqual([
      ['/api/v3/account', 400, -1022],
    ]);
    expect(answer.usedWeight).toBe(answer.list.reduce((sum, { weight }) => sum + weight, 0));
    expect(answer.list.every(({ durationUs, address }) => durationUs >= 0 && address !== '')).toBe(true);
    expect(JSON.stringify(answer)).not.toMatch(/signature|unseen|orderId/);
    const used = (await trader.request(apiKeys)).list.find((listed) => listed.id === id);
    expect(used?.lastUsedTime).toBeGreaterThan(keys.find((listed) => listed.id === id)!.lastUsedTime);
    expect((await other.call(apiKeyRequests, { id })).errKey).toBe('l.not_found');
    await exchange.advanceTime(61_000);
    expect(await trader.request(apiKeyRequests, { id })).toMatchObject({ usedWeight: 0, sum: 4 });
    await trader.request(revokeApiKey, { id });
    const left = await exchange.database.pool.query('select 1 from api_key_request where key_id = $1', [id]);
    expect(left.rows).toEqual([]);
  });

  it('KEY-032 KEY-036 a key has its last 1,000 requests, however many it sends, and whatever others send in its name', async () => {
    await makeHmacKey(exchange, trader);
    const { list: keys } = await trader.request(apiKeys);
    const { id } = keys[0]!;
    const record = (from: number, count: number, ring: 'proven' | 'unproven' = 'proven') => {
      for (let number = from; number < from + count; number += 1)
        exchange.doors.apiKeys.requests.record({
          keyId: id,
          at: exchange.clock.now(),
          method: 'GET',
          path: `/${number}`,
          weight: 1,
          status: 200,
          code: 0,
          address: '203.0.113.7',
          durationUs: 1,
          ring,
        });
    };
    const newest = async () => {
      const { list, sum } = await trader.request(apiKeyRequests, { id, pageSize: '2' });
      return [sum, ...list.map(({ path }) => path)];
    };
    record(1, 1_500);
    expect(await newest()).toEqual([1_000, '/1500', '/1499']);
    record(1, 5_000, 'unproven');
    record(1_501, 300);
    record(5_001, 7, 'unproven');
    expect(await newest()).toEqual([1_000, '/1800', '/1799']);
    const unproven = await trader.request(apiKeyRequests, { id, unproven: '1', pageSize: '2' });
    expect([unproven.sum, unproven.unprovenCount]).toEqual([100, 5_007]);
    expect(unproven.list.map(({ path }) => path)).toEqual(['/5007', '/5006']);
    const { rows } = await exchange.database.pool.query<{ count: bigint; oldest: string }>(
      `select count(*) as count, min(substr(path, 2)::integer) as oldest from api_key_request where key_id = $1`,
      [id],
    );
    expect([Number(rows[0]!.count), Number(rows[0]!.oldest)]).toEqual([1_000, 801]);
  });

  it('PAPI-082 the weight of an address counts over HTTP and connections together', async () => {
    const socket = await open();
    const before = (await socket.request('ping'))['rateLimits'] as readonly { count: number }[];
    await fetch(`${exchange.url}/api/v3/ticker/24hr`);
    const after = (await socket.request('ping'))['rateLimits'] as readonly { count: number }[];
    expect(after[0]!.count - before[0]!.count).toBe(81);
  });
});
