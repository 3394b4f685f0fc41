import { DAY_MS } from '@exchange/core/time.ts';
import { exportRecords } from '@exchange/wire/export.ts';
import { marketDepth } from '@exchange/wire/market.ts';
import { cancelOrder, createOrder, orderRecords, spotAssets } from '@exchange/wire/spot.ts';
import { logout, revokeOtherSessions } from '@exchange/wire/user.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anApiNode, type TestApiNode } from '../../../testing/api-node.ts';
import { eventually } from '../../../testing/eventually.ts';
import { anExchange, type TestExchange, type TestTrader } from '../../../testing/exchange.ts';
import { LossyLink } from '../../../testing/feed-node.ts';
import { hasNats, NatsServer } from '../../../testing/nats.ts';
import { recordingLog } from '../../../testing/recording-log.ts';
import { NO_LIMITS } from '../limits/limits.ts';
import { aPicture, sendBody } from '../../modules/files/testing/uploads.ts';
import { makeHmacKey, ProgramSocket, type TestKey } from '../../modules/public-api/testing/programs.ts';
import { limit } from '../../modules/spot/testing/orders.ts';
import { NatsLink } from './nats-link.ts';

type Fields = Readonly<Record<string, string | undefined>>;

/** Rate limits for these tests: calls that end sessions, and the request weight of an address. */
const LIMITED = {
  ...NO_LIMITS,
  leaving: { per: 'user', perSecond: 0.001, burst: 5 },
  apiWeight: { per: 'address', perSecond: 0.001, burst: 6_000 },
} as const;

describe.skipIf(!hasNats)('an API node', () => {
  let nats: NatsServer;
  let exchange: TestExchange;
  let node: TestApiNode;
  let otherNode: TestApiNode;
  let link: LossyLink;
  let trader: TestTrader;
  let key: TestKey;
  const keys = (prefix: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${prefix}-${index}`);
  const order = (clientId: string, price = '40000') => ({ ...limit('buy', price, '0.001'), clientId });
  const metric = async (url: string, name: string) => {
    const text = await (await fetch(`${url}/metrics`)).text();
    return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  };
  const health = async () =>
    (await (await fetch(`${node.consoleUrl}/health`)).json()) as {
      status: string;
      components: Record<string, { isUp: boolean; reason?: string }>;
    };
  /** Returns the idempotency keys of the trader's open orders that begin with `prefix`. */
  const openKeys = async (prefix: string) => {
    const { list } = await trader.request(orderRecords, { entryStatus: '0', pageSize: '100' });
    return list
      .map(({ clientId }) => clientId ?? '')
      .filter((clientId) => clientId.startsWith(prefix))
      .toSorted();
  };

  beforeAll(async () => {
    nats = await NatsServer.start();
    exchange = await anExchange({
      hasSystemClock: true,
      openLink: () => new NatsLink({ url: nats.url, name: 'writer', log: recordingLog() }),
      limits: LIMITED,
    });
    link = new LossyLink(new NatsLink({ url: nats.url, name: 'api node', log: exchange.log }));
    node = await anApiNode(exchange.database, { link, natsUrl: nats.url, limits: LIMITED });
    const otherLink = new NatsLink({ url: nats.url, name: 'api node 2', log: exchange.log });
    otherNode = await anApiNode(exchange.database, { link: otherLink, natsUrl: nats.url, limits: LIMITED });
    trader = await exchange.aUser({ USDT: '900000' });
    key = await makeHmacKey(exchange, trader);
    await eventually(async () => expect((await health()).components['writer']?.isUp).toBe(true));
  });
  afterAll(async () => {
    await node.close();
    await otherNode.close();
    await exchange.close();
    await nats.stop();
  });

  it('CLU-060 calls are answered as by the writer: success, refusals of fields and of money, languages, unknown paths', async () => {
    const signedIn = { 'x-access-token': trader.token };
    /** Returns the result of a call, without ids and times, which differ between processes. */
    const said = async (url: string, path: string, fields: Fields, headers: object = signedIn) => {
      const response = await fetch(`${url}/bb/app${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
        body: new URLSearchParams(fields as Record<string, string>),
      });
      const { code, msg, errKey, ts, traceId } = (await response.json()) as Record<string, unknown>;
      expect([typeof ts, typeof traceId]).toEqual(['number', 'string']);
      return { status: response.status, code, msg, errKey };
    };
    const answersOf = async (url: string) => [
      // Each request is sent to the writer and to the node with the same idempotency key, so the order is placed once
      // and both processes give the same answer.
      await said(url, createOrder.path, order('one-order')),
      await said(url, createOrder.path, { ...order('x1'), price: 'many' }),
      await said(url, createOrder.path, { ...order('x2'), amount: '30' }, { ...signedIn, 'x-lang': 'ja-JP' }),
      await said(url, createOrder.path, order('x3'), {}),
      await said(url, '/no/such/call', {}),
      await said(url, createOrder.path, order(' spaced ')),
    ];
    const atWriter = await answersOf(exchange.url);
    const atNode = await answersOf(node.url);
    expect(atNode).toEqual(atWriter);
    expect(atNode.map(({ errKey }) => errKey)).toEqual([
      undefined,
      'l.field_number',
      'l.insufficient_balance',
      'l.session_ended',
      'l.not_found',
      'l.field_invalid',
    ]);
  });

  it('CLU-061 the same key is executed once, whichever process receives it', async () => {
    const { token } = trader;
    const first = await node.call(createOrder, order('once'), { token });
    const again = await otherNode.call(createOrder, order('once'), { token });
    const atWriter = await exchange.call(createOrder, order('once'), { token });
    expect([first.code, again.data, atWriter.data]).toEqual([1, first.data, first.data]);
    const other = await node.call(createOrder, order('once', '40001'), { token });
    expect(other.errKey).toBe('l.duplicate_key');
    expect(await openKeys('once')).toEqual(['once']);
  });

  it('CLU-062 files, uploads and pages arrive whole', async () => {
    const { token } = trader;
    expect((await node.call(createOrder, order('exported'), { token })).code).toBe(1);
    const texts: string[] = [];
    for (const { url } of [exchange, node]) {
      const now = exchange.clock.now();
      const period = { kind: 'orders', startTime: String(now - DAY_MS), endTime: String(now) };
      const response = await fetch(`${url}/bb/app${exportRecords.path}`, {
        method: exportRecords.method,
        headers: { 'x-access-token': token, 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(period),
      });
      expect(response.headers.get('content-type')).toContain('text/csv');
      texts.push(await response.text());
    }
    expect(texts[0]!.split('\n').length).toBeGreaterThan(2);
    expect(texts[1]).toBe(texts[0]);
    const body = new FormData();
    body.append('purpose', 'identity');
    body.append(
      'file',
      new Blob([(await aPicture('#445566', { width: 1_800, height: 1_400 })) as never]),
      'a.jpg',
    );
    const uploaded = await sendBody({ url: node.url, token }, body);
    expect(uploaded).toMatchObject({ code: 1, data: { width: 1_800 } });
    const pictures = await Promise.all(
      [exchange, node].map(async ({ url }) => {
        const answer = await fetch(url + uploaded.data.url, { headers: { 'x-access-token': token } });
        expect(answer.headers.get('content-type')).toBe('image/jpeg');
        return Buffer.from(await answer.arrayBuffer());
      }),
    );
    expect(pictures[1]!.equals(pictures[0]!)).toBe(true);
    for (const path of [
      '/status',
      '/status.json',
      '/dev/mail',
      '/llms.txt',
      '/api/openapi.json',
      '/docs/api',
    ]) {
      const [there, here] = await Promise.all([exchange, node].map(({ url }) => fetch(url + path)));
      expect([path, here!.status, here!.headers.get('content-type')]).toEqual([
        path,
        200,
        there!.headers.get('content-type'),
      ]);
    }
  });

  it('CLU-063 programs trade through a node: signatures, permissions, errors and documents are those of the writer', async () => {
    const request = async (url: string, method: string, path: string, query = '') => {
      const response = await fetch(`${url}${path}${query === '' ? '' : `?${query}`}`, {
        method,
        headers: { 'x-mbx-apikey': key.key },
      });
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    };
    const signed = (text: string) => `${text}&signature=${key.sign(text)}`;
    const text = new URLSearchParams({
      symbol: 'BTCUSDT',
      side: 'BUY',
      type: 'LIMIT',
      timeInForce: 'GTC',
      price: '41000',
      quantity: '0.001',
      newClientOrderId: 'program-1',
      timestamp: String(exchange.clock.now()),
    }).toString();
    const placed = await request(node.url, 'POST', '/api/v3/order', signed(text));
    expect(placed).toMatchObject({ status: 200, body: { clientOrderId: 'program-1', status: 'NEW' } });
    // The same signed request, sent to another node, is not executed a second time and gets the same answer.
    expect(await request(otherNode.url, 'POST', '/api/v3/order', signed(text))).toEqual(placed);
    for (const [method, path, query] of [
      ['POST', '/api/v3/order', `${text}&signature=wrong`],
      ['GET', '/api/v3/exchangeInfo', 'symbol=NOPE'],
      ['GET', '/api/v3/nothing', ''],
      ['GET', '/fapi/v1/time', ''],
    ] as const) {
      const [there, here] = await Promise.all(
        [exchange.url, node.url].map((url) => request(url, method, path, query)),
      );
      expect(here).toEqual(there);
      expect(here!.status).toBeGreaterThanOrEqual(400);
    }
  });

  it('CLU-080 programs trade over a WebSocket of an API node, with answers and events of the writer', async () => {
    const program = await ProgramSocket.open(node, '/ws-api/v3');
    const signed = (params: Readonly<Record<string, string | number>>) => {
      const all: Record<string, string | number> = {
        timestamp: exchange.clock.now(),
        ...params,
        apiKey: key.key,
      };
      const text = Object.keys(all)
        .toSorted()
        .map((name) => `${name}=${all[name]}`)
        .join('&');
      return { ...all, signature: key.sign(text) };
    };
    expect(await program.request('userDataStream.subscribe.signature', signed({}))).toMatchObject({
      status: 200,
    });
    const placed = await program.request(
      'order.place',
      signed({
        symbol: 'BTCUSDT',
        side: 'BUY',
        type: 'LIMIT',
        timeInForce: 'GTC',
        price: '40500',
        quantity: '0.001',
        newClientOrderId: 'over-a-socket',
      }),
    );
    expect(placed).toMatchObject({ status: 200, result: { clientOrderId: 'over-a-socket' } });
    await eventually(() => expect(program.events('executionReport')).toHaveLength(1));
    expect(await openKeys('over-a-')).toEqual(['over-a-socket']);
    program.send('no request');
    expect(await program.message(({ status }) => status === 400)).toBeDefined();
    expect(await metric(node.consoleUrl, 'cluster_program_sockets')).toBe(1);
    program.close();
    await eventually(async () =>
      expect(await metric(exchange.consoleUrl, 'api_sockets_connections')).toBe(0),
    );
  });

  it('CLU-064 a session that ends anywhere ends at every node at once, and its uses at nodes are recorded', async () => {
    const user = await exchange.aUser();
    const { token } = user;
    const at = (place: TestApiNode) => place.call(spotAssets, {}, { token });
    const seenAt = async () =>
      (
        await exchange.database.pool.query<{ seen_at: string }>(
          'select seen_at from user_session where user_id = $1',
          [user.id],
        )
      ).rows[0]!.seen_at;
    const before = await seenAt();
    expect([(await at(node)).code, (await at(otherNode)).code]).toEqual([1, 1]);
    exchange.clock.shift(10 * 60_000);
    expect((await at(node)).code).toBe(1);
    await eventually(async () => expect(Number(await seenAt())).toBeGreaterThan(Number(before)));
    expect((await node.call(logout, {}, { token })).code).toBe(1);
    await eventually(async () => {
      expect([(await at(node)).code, (await at(otherNode)).code]).toEqual([-2, -2]);
    });
  });

  it('CLU-065 a limit of a user holds for all processes together', async () => {
    const user = await exchange.aUser();
    const { token } = user;
    const urls = [node, otherNode];
    const codes: number[] = [];
    for (let count = 0; count < 8; count += 1) {
      const place = urls[count % 2]!;
      const answer = await place.call(revokeOtherSessions, {}, { token });
      codes.push(answer.code);
    }
    expect(codes).toEqual([1, 1, 1, 1, 1, -9, -9, -9]);
  });

  it('CLU-066 answers that are lost on their way lose and double nothing', async () => {
    const { token } = trader;
    let lost = 0;
    link.loses = (subject) => {
      if (!subject.startsWith('exchange.reply.') || lost > 0) return false;
      lost += 1;
      return true;
    };
    const answers = await Promise.all(
      keys('lossy', 20).map((clientId) => node.call(createOrder, order(clientId), { token })),
    );
    link.loses = () => false;
    expect(lost).toBe(1);
    expect(answers.map(({ code }) => code)).toEqual(Array.from({ length: 20 }, () => 1));
    expect(await openKeys('lossy-')).toEqual(keys('lossy', 20).toSorted());
    expect(await metric(node.consoleUrl, 'cluster_commands_repeated_total')).toBeGreaterThan(0);
  });

  it('CLU-067 CLU-081 orders in flight while the writer is replaced are executed once, and calls wait for the next one', async () => {
    const { token } = trader;
    const answers: Promise<{ code: number }>[] = [];
    let isOver = false;
    const sending = (async () => {
      for (const clientId of keys('failover', 40)) {
        answers.push(node.call(createOrder, order(clientId), { token }));
        await new Promise((resolve) => setTimeout(resolve, 10));
        if (isOver) break;
      }
    })();
    const connected = await ProgramSocket.open(node, '/ws-api/v3');
    await exchange.restart();
    isOver = true;
    await sending;
    // A WebSocket connection of a trading program is closed when another writer takes over.
    expect(await connected.closed).toEqual({ code: 1012, reason: 'restart' });
    expect(connected.events('serverShutdown')).toHaveLength(1);
    const settled = await Promise.all(answers);
    const sent = keys('failover', answers.length);
    // Requests without a successful answer are repeated with the same key, as the apps do.
    const unanswered = sent.filter((_clientId, index) => settled[index]?.code !== 1);
    const repeated = await Promise.all(
      unanswered.map((clientId) => node.call(createOrder, order(clientId), { token })),
    );
    expect(repeated.filter(({ code }) => code !== 1)).toEqual([]);
    expect(await openKeys('failover-')).toEqual(sent.toSorted());
  });

  it('CLU-114 identical calls of market data are one command, and none is older than what its caller knows', async () => {
    const sharedBefore = await metric(node.consoleUrl, 'shared_reads_total');
    const { token } = trader;
    const fields = { symbol: 'btcusdt', size: '20' };
    const end = new AbortController();
    const others = Array.from({ length: 8 }, async () => {
      const traceIds: string[] = [];
      while (!end.signal.aborted) {
        const { code, text } = await node.call(marketDepth, fields);
        expect(code).toBe(1);
        const { traceId } = JSON.parse(text) as { traceId: string };
        traceIds.push(traceId);
      }
      return traceIds;
    });
    try {
      for (const [index, clientId] of keys('seen', 20).entries()) {
        const price = String(42_000 + index);
        expect((await node.call(createOrder, order(clientId, price), { token })).code).toBe(1);
        const { data } = await node.call(marketDepth, fields);
        expect(data.bids.map(([level]) => level)).toContain(Number(price));
      }
    } finally {
      end.abort();
    }
    const traceIds = (await Promise.all(others)).flat();
    expect(new Set(traceIds).size).toBe(traceIds.length);
    expect(await metric(node.consoleUrl, 'shared_reads_total')).toBeGreaterThan(sharedBefore);
  });

  it('CLU-115 each program that shares an answer pays its weight, and those beyond the limit are refused', async () => {
    const used = Number((await fetch(`${node.url}/api/v3/ping`)).headers.get('x-mbx-used-weight-1m'));
    const sharedBefore = await metric(node.consoleUrl, 'shared_reads_total');
    const answers = await Promise.all(
      Array.from({ length: 40 }, async (_, index) => {
        const { url } = index % 8 === 0 ? otherNode : node;
        const response = await fetch(`${url}/api/v3/depth?symbol=BTCUSDT&limit=5000`);
        const { headers } = response;
        return {
          status: response.status,
          body: await response.text(),
          used: Number(headers.get('x-mbx-used-weight-1m')),
          waitSeconds: Number(headers.get('retry-after')),
        };
      }),
    );
    const served = answers.filter(({ status }) => status === 200);
    expect(served.length).toBe(Math.floor((6_000 - used) / 250));
    expect(new Set(served.map(({ body }) => body)).size).toBe(1);
    expect(Math.max(...served.map((answer) => answer.used))).toBe(used + 250 * served.length);
    for (const { status, body, waitSeconds } of answers.filter((answer) => answer.status !== 200)) {
      expect(status).toBe(429);
      expect(JSON.parse(body)).toMatchObject({ code: -1003 });
      expect(waitSeconds).toBeGreaterThan(0);
    }
    expect(await metric(node.consoleUrl, 'shared_reads_total')).toBeGreaterThan(sharedBefore);
  });

  it('CLU-068 health says what a node waits for', async () => {
    await nats.stop();
    await eventually(async () =>
      expect(await health()).toMatchObject({
        status: 'down',
        components: { nats: { isUp: false, reason: expect.stringContaining('NATS') } },
      }),
    );
    const { token } = trader;
    const refused = await node.call(cancelOrder, { clientId: 'once' }, { token });
    expect(refused).toMatchObject({ status: 503, errKey: 'l.busy' });
    await nats.start();
    await eventually(async () => expect((await health()).components['writer']?.isUp).toBe(true));
    expect((await node.call(cancelOrder, { clientId: 'once' }, { token })).code).toBe(1);
    expect(await metric(exchange.consoleUrl, 'cluster_api_nodes')).toBe(2);
  });
});
