import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import type { UserId } from '@exchange/core/ids.ts';
import { instant } from '@exchange/core/time.ts';
import { FEED_PATH, type ClientMessage } from '@exchange/wire/feed.ts';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket, type ClientOptions } from 'ws';
import { collectingLog, sessionsInMemory } from '../../../testing/edge.ts';
import { eventually } from '../../../testing/eventually.ts';
import { systemClock } from '../clock.ts';
import { Limits, LIMITS, NO_LIMITS, type LimitTable } from '../limits/limits.ts';
import { Metrics } from '../metrics/metrics.ts';
import { FeedHub, type FeedHubOptions } from './hub.ts';

interface Received {
  readonly op?: string;
  readonly code?: number;
  readonly msg?: string;
  readonly errKey?: string;
  readonly topic?: string;
  readonly type?: 'snapshot' | 'update';
  readonly seq?: number;
  readonly data?: unknown;
}

interface Reader {
  readonly socket: WebSocket;
  readonly received: Received[];
  say(message: ClientMessage): void;
  /** Waits until something received fits, and gives it. */
  until(fits: (message: Received) => boolean): Promise<Received>;
  closed: Promise<number>;
}

const closing: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function aFeed(options: Partial<FeedHubOptions> = {}) {
  const sessions = sessionsInMemory();
  const log = collectingLog();
  let passedMs = 0;
  const clock = { now: () => instant(Date.now()), monotonicMs: () => performance.now() + passedMs };
  const hub = new FeedHub({
    clock,
    log,
    metrics: new Metrics(),
    charges: new Limits(clock, NO_LIMITS),
    proxyHeader: undefined,
    publicUrl: undefined,
    ...options,
  });
  const server: Server = createServer();
  hub.attach(server, sessions);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  closing.push(async () => {
    await hub.stop();
    server.close();
  });
  const pass = (ms: number) => {
    passedMs += ms;
  };
  return {
    hub,
    port,
    sessions,
    log,
    pass,
    reader: (headers = {}, more = {}) => aReader(port, headers, more),
  };
}

async function aReader(
  port: number,
  headers: Record<string, string> = {},
  more: ClientOptions = {},
): Promise<Reader> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${FEED_PATH}`, { headers, ...more });
  const received: Received[] = [];
  const waiting = new Set<() => void>();
  socket.on('message', (bytes: Buffer) => {
    received.push(JSON.parse(bytes.toString('utf8')) as Received);
    for (const look of waiting) look();
  });
  const closed = new Promise<number>((resolve) => socket.on('close', resolve));
  await new Promise<void>((resolve, reject) => {
    socket.on('open', resolve);
    socket.on('error', reject);
  });
  closing.push(() => socket.terminate());
  const until = (fits: (message: Received) => boolean) =>
    new Promise<Received>((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`never received; received ${JSON.stringify(received).slice(0, 900)}`)),
        60_000,
      );
      const look = () => {
        const found = received.find(fits);
        if (found === undefined) return;
        clearTimeout(timer);
        waiting.delete(look);
        resolve(found);
      };
      waiting.add(look);
      look();
    });
  return { socket, received, until, closed, say: (message) => socket.send(JSON.stringify(message)) };
}

const seqsOf = (reader: Reader, topic: string) =>
  reader.received.filter((one) => one.topic === topic).map((one) => one.seq);
const statusOf = (port: number, headers: Record<string, string>, path = FEED_PATH) =>
  new Promise<number>((resolve) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers });
    socket.on('unexpected-response', (_request, response) => {
      resolve(response.statusCode ?? 0);
      socket.terminate();
    });
    socket.on('open', () => {
      resolve(101);
      closing.push(() => socket.terminate());
    });
    socket.on('error', () => undefined);
  });
const breathe = () => new Promise((resolve) => setImmediate(resolve));

describe('a public topic', () => {
  it('EDGE-100 gives its snapshot first, then updates whose seq grows by one', async () => {
    const feed = await aFeed();
    let best = 1;
    feed.hub.serve('depth', (topic) => (topic === 'depth.btcusdt' ? { best } : undefined));
    const reader = await feed.reader();
    reader.say({ op: 'subscribe', topics: ['depth.btcusdt', 'depth.nopair'] });
    expect(await reader.until((one) => one.topic === 'depth.btcusdt')).toMatchObject({
      type: 'snapshot',
      data: { best: 1 },
    });
    expect(await reader.until((one) => one.op === 'refused')).toMatchObject({ topic: 'depth.nopair' });
    expect(feed.hub.hasListeners('depth.btcusdt')).toBe(true);
    expect(feed.hub.hasListeners('depth.nopair')).toBe(false);
    for (best = 2; best <= 200; best += 1) feed.hub.publish('depth.btcusdt', { best });
    await reader.until((one) => one.seq === 199);
    expect(seqsOf(reader, 'depth.btcusdt')).toEqual(Array.from({ length: 200 }, (_, n) => n));
  });

  it('EDGE-105 comes compressed to those who offer that, and the same to those who do not', async () => {
    const feed = await aFeed();
    const levels = Array.from({ length: 40 }, (_, row) => [`${60_000 + row}.25`, `0.0${row}`]);
    feed.hub.serve('depth', () => ({ levels }));
    const [compressing, plain] = await Promise.all([
      feed.reader(),
      feed.reader({}, { perMessageDeflate: false }),
    ]);
    expect([compressing, plain].map(({ socket }) => socket.extensions !== '')).toEqual([true, false]);
    for (const reader of [compressing, plain]) {
      reader.say({ op: 'subscribe', topics: ['depth.btcusdt'] });
      await reader.until((one) => one.type === 'snapshot');
    }
    const bytesOf = ({ socket }: Reader) => (socket as unknown as { _socket: Socket })._socket.bytesRead;
    const before = [bytesOf(compressing), bytesOf(plain)];
    for (let n = 0; n < 30; n += 1) {
      levels[0] = [`${59_000 + n}.75`, '0.5'];
      feed.hub.publish('depth.btcusdt', { levels });
    }
    await Promise.all([compressing, plain].map((reader) => reader.until((one) => one.seq === 30)));
    const updatesOf = ({ received }: Reader) => received.filter(({ type }) => type === 'update');
    expect(updatesOf(compressing)).toHaveLength(30);
    expect(updatesOf(compressing)).toEqual(updatesOf(plain));
    expect(bytesOf(compressing) - before[0]!).toBeLessThan((bytesOf(plain) - before[1]!) * 0.6);
  });

  it('EDGE-101 stays without a gap for readers that come and go while it is published to many', async () => {
    // A slow clock: on a busy machine handing out would otherwise fall behind, which is another test's subject.
    const clock = { now: () => instant(Date.now()), monotonicMs: () => performance.now() / 100 };
    const feed = await aFeed({ clock, limits: { connectionsPerAddress: 2_000 } });
    let state = 0;
    feed.hub.serve('tickers', () => state);
    const readers: Reader[] = [];
    for (let n = 0; n < 520; n += 20) {
      readers.push(...(await Promise.all(Array.from({ length: 20 }, () => feed.reader()))));
    }
    for (const reader of readers) reader.say({ op: 'subscribe', topics: ['tickers'] });
    await Promise.all(readers.map((reader) => reader.until((one) => one.topic === 'tickers')));
    const late = await feed.reader();
    for (let n = 0; n < 20; n += 1) {
      state += 1;
      feed.hub.publish('tickers', state);
      if (n === 10) late.say({ op: 'subscribe', topics: ['tickers'] });
      await breathe();
    }
    await Promise.all([...readers, late].map((reader) => reader.until((one) => one.data === state)));
    for (const reader of [...readers, late]) {
      const seqs = seqsOf(reader, 'tickers') as number[];
      expect(seqs).toEqual(seqs.map((_, index) => (seqs[0] ?? 0) + index));
      expect(reader.received.filter((one) => one.type === 'snapshot')).toHaveLength(1);
    }
  });

  it('EDGE-104 gives many readers the present state where handing out falls behind', async () => {
    const feed = await aFeed({ limits: { connectionsPerAddress: 100 } });
    let state = 0;
    feed.hub.serve('tickers', () => state);
    const readers = await Promise.all(Array.from({ length: 60 }, () => feed.reader()));
    for (const reader of readers) reader.say({ op: 'subscribe', topics: ['tickers'] });
    await Promise.all(readers.map((reader) => reader.until((one) => one.topic === 'tickers')));
    for (const late of [0, 1_000, 0]) {
      feed.pass(late);
      state += 1;
      feed.hub.publish('tickers', state);
    }
    for (const reader of readers) {
      await reader.until((one) => one.seq === 3);
      expect(reader.received.map(({ type, seq, data }) => [type, seq, data])).toEqual([
        ['snapshot', 0, 0],
        ['snapshot', 3, 3],
      ]);
    }
  });

  it('EDGE-102 is silent after unsubscribing, and gives a new snapshot to who asks again', async () => {
    const feed = await aFeed();
    feed.hub.serve('index', () => 'now');
    const reader = await feed.reader();
    reader.say({ op: 'subscribe', topics: ['index.btcusdt'] });
    await reader.until((one) => one.type === 'snapshot');
    reader.say({ op: 'subscribe', topics: ['index.btcusdt'] });
    reader.say({ op: 'unsubscribe', topics: ['index.btcusdt'] });
    reader.say({ op: 'ping', ts: 5 });
    expect(await reader.until((one) => one.op === 'pong')).toMatchObject({ ts: 5 });
    feed.hub.publish('index.btcusdt', 'later');
    await breathe();
    expect(reader.received.filter((one) => one.topic !== undefined).map((one) => one.type)).toEqual([
      'snapshot',
      'snapshot',
    ]);
    expect(feed.hub.hasListeners('index.btcusdt')).toBe(false);
  });
});

describe('a private topic', () => {
  const alice = 'alice' as UserId;

  it('EDGE-110 needs a session, and gives every user the own state only', async () => {
    const feed = await aFeed();
    feed.sessions.open('token-a', 'alice');
    feed.sessions.open('token-b', 'bob');
    feed.hub.servePrivate('asset', (userId) => Promise.resolve({ of: userId }));
    const visitor = await feed.reader();
    visitor.say({ op: 'subscribe', topics: ['asset'] });
    expect(await visitor.until((one) => one.op === 'refused')).toMatchObject({ code: -2, topic: 'asset' });
    visitor.say({ op: 'auth', token: 'guess' });
    await visitor.until((one) => one.op === 'refused' && one.topic === undefined);

    const [a, b] = [await feed.reader(), await feed.reader()];
    a.say({ op: 'auth', token: 'token-a' });
    b.say({ op: 'auth', token: 'token-b' });
    for (const reader of [a, b]) reader.say({ op: 'subscribe', topics: ['asset'] });
    expect(await a.until((one) => one.topic === 'asset')).toMatchObject({
      type: 'snapshot',
      data: { of: 'alice' },
    });
    expect(await b.until((one) => one.topic === 'asset')).toMatchObject({ data: { of: 'bob' } });
    feed.hub.publishPrivate('asset', alice, 'for alice');
    await a.until((one) => one.data === 'for alice');
    expect(b.received.some((one) => one.data === 'for alice')).toBe(false);
  });

  it('EDGE-111 puts updates that come while the snapshot is loaded after it', async () => {
    const feed = await aFeed();
    feed.sessions.open('token-a', 'alice');
    let load: (state: string) => void = () => undefined;
    feed.hub.servePrivate('order', () => new Promise((resolve) => (load = resolve)));
    const reader = await feed.reader();
    reader.say({ op: 'auth', token: 'token-a' });
    reader.say({ op: 'subscribe', topics: ['order'] });
    while (!feed.hub.hasPrivateListener('order', alice)) await breathe();
    feed.hub.publishPrivate('order', alice, 'first');
    feed.hub.publishPrivate('order', alice, 'second');
    load('state');
    await reader.until((one) => one.data === 'second');
    const received = reader.received.filter((one) => one.topic === 'order');
    expect(received.map((one) => [one.type, one.seq, one.data])).toEqual([
      ['snapshot', 0, 'state'],
      ['update', 1, 'first'],
      ['update', 2, 'second'],
    ]);
  });

  it('EDGE-112 is closed when its session ends, told or found out within 5 seconds', async () => {
    const feed = await aFeed({ limits: { roundMs: 50 } });
    feed.hub.servePrivate('notice', () => Promise.resolve(0));
    feed.hub.serve('tickers', () => []);
    const session = feed.sessions.open('token-a', 'alice');
    const listening = async () => {
      const reader = await feed.reader();
      reader.say({ op: 'auth', token: 'token-a' });
      reader.say({ op: 'subscribe', topics: ['notice', 'tickers'] });
      await reader.until((one) => one.topic === 'notice');
      return reader;
    };
    const told = await listening();
    feed.sessions.end('token-a');
    expect(await told.until((one) => one.op === 'ended')).toMatchObject({ code: -2 });
    expect(feed.hub.hasPrivateListener('notice', session.userId)).toBe(false);
    await told.closed;
    await eventually(() => expect(feed.hub.hasListeners('tickers')).toBe(false));

    feed.sessions.open('token-a', 'alice');
    const asked = await listening();
    // A session that another process revoked is not told; only asking again finds it gone.
    feed.sessions.find = () => undefined;
    await asked.until((one) => one.op === 'ended');
    expect(feed.hub.hasPrivateListener('notice', session.userId)).toBe(false);
    await asked.closed;
  });

  it('tells the reader when the snapshot cannot be made, and logs why', async () => {
    const feed = await aFeed();
    feed.sessions.open('token-a', 'alice');
    feed.hub.servePrivate('asset', () => Promise.reject(new Error('no database')));
    feed.hub.serve('trade', () => {
      throw new Error('bug');
    });
    const reader = await feed.reader();
    reader.say({ op: 'auth', token: 'token-a' });
    reader.say({ op: 'subscribe', topics: ['asset', 'trade.btcusdt'] });
    expect(await reader.until((one) => one.topic === 'asset')).toMatchObject({ op: 'refused', code: 0 });
    expect(await reader.until((one) => one.topic === 'trade.btcusdt')).toMatchObject({
      op: 'refused',
      code: 0,
    });
    expect(feed.log.events.filter(({ event }) => event === 'feed.snapshot_failed')).toHaveLength(2);
    expect(feed.hub.hasPrivateListener('asset', alice)).toBe(false);
  });
});

describe('a slow reader', () => {
  /** Subscribes over a bare socket, so that the test decides when anything is read. */
  async function aBareReader(port: number): Promise<Socket> {
    const socket = connect(port, '127.0.0.1');
    closing.push(() => {
      socket.destroy();
    });
    const key = Buffer.alloc(16).toString('base64');
    socket.write(
      `GET ${FEED_PATH} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
        `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`,
    );
    await new Promise((resolve) => socket.once('data', resolve));
    socket.pause();
    const text = Buffer.from('{"op":"subscribe","topics":["tickers"]}');
    socket.write(Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), text]));
    return socket;
  }

  it('EDGE-120 misses what does not fit its buffer, then gets a fresh snapshot; others miss nothing', async () => {
    const feed = await aFeed();
    const filler = 'x'.repeat(50_000);
    let state = 0;
    feed.hub.serve('tickers', () => ({ state, filler }));
    const healthy = await feed.reader();
    healthy.say({ op: 'subscribe', topics: ['tickers'] });
    await healthy.until((one) => one.type === 'snapshot');
    const slow = await aBareReader(feed.port);
    for (let n = 0; n < 50; n += 1) await breathe();
    for (state = 1; state <= 400; state += 1) {
      feed.hub.publish('tickers', { state, filler });
      await breathe();
    }
    await healthy.until((one) => one.seq === 400);
    expect(seqsOf(healthy, 'tickers')).toEqual(Array.from({ length: 401 }, (_, n) => n));

    let text = '';
    slow.on('data', (bytes) => (text += bytes.toString('latin1')));
    slow.resume();
    const marks = () =>
      [...text.matchAll(/"type":"(snapshot|update)","seq":(\d+)/g)].map(([, type, seq]) => `${type} ${seq}`);
    while (marks().at(-1) !== 'snapshot 400') await new Promise((resolve) => setTimeout(resolve, 10));
    expect(marks()[0]).toBe('snapshot 0');
    expect(marks().length).toBeLessThan(300);
    state = 401;
    feed.hub.publish('tickers', { state, filler });
    while (marks().at(-1) !== 'update 401') await new Promise((resolve) => setTimeout(resolve, 10));
  });

  it('EDGE-121 that stays behind is cut off within 30 seconds', async () => {
    const feed = await aFeed({ limits: { roundMs: 20, idleMs: 1e9 } });
    const filler = 'x'.repeat(200_000);
    feed.hub.serve('tickers', () => filler);
    const slow = await aBareReader(feed.port);
    while (!feed.hub.hasListeners('tickers')) await breathe();
    for (let n = 0; n < 100; n += 1) {
      feed.hub.publish('tickers', filler);
      await breathe();
    }
    feed.pass(25_000);
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(feed.hub.hasListeners('tickers')).toBe(true);
    feed.pass(2_000);
    while (feed.hub.hasListeners('tickers')) await breathe();
    expect(slow.destroyed).toBe(false);
  });
});

describe('what the feed refuses', () => {
  it('EDGE-130 messages that are none of its own are refused, and many of them end the connection', async () => {
    const feed = await aFeed();
    const reader = await feed.reader();
    for (const text of ['', '{', '[]', 'null', '{"op":"login"}', '{"op":"subscribe","topics":"tickers"}']) {
      reader.received.length = 0;
      reader.socket.send(text);
      expect(await reader.until((one) => one.op === 'refused')).toMatchObject({ code: -1 });
    }
    reader.socket.send(Buffer.from([0xff]));
    reader.received.length = 0;
    for (let n = 0; n < 30; n += 1) reader.socket.send('{');
    expect(await reader.closed).toBe(1008);
    // Whoever goes too far reads why as the last word.
    expect(reader.received.at(-1)).toMatchObject({ op: 'refused', code: -9, errKey: 'l.rate_limited' });
  });

  it('EDGE-136 a topic that does not exist is refused by its name, in the language of the connection; those beside it are served', async () => {
    const feed = await aFeed();
    feed.hub.serve('depth', (topic) => (topic === 'depth.btcusdt' ? {} : undefined));
    const reader = await feed.reader({ 'accept-language': 'zh-CN' });
    const long = 'x'.repeat(300);
    const unknown = ['depth.nopair', 'depth.*', 'depth.btcusdt.more', 'kline.btcusdt.7min', '', long];
    reader.say({ op: 'subscribe', topics: [...unknown, 'depth.btcusdt'] });
    await reader.until((one) => one.topic === 'depth.btcusdt' && one.type === 'snapshot');
    const refused = reader.received.filter((one) => one.op === 'refused');
    expect(refused.map(({ topic }) => topic)).toEqual(unknown);
    expect(refused[0]).toEqual({
      op: 'refused',
      code: -1,
      errKey: 'l.topic_unknown',
      topic: 'depth.nopair',
      msg: '主题 depth.nopair 不存在。',
      data: { field: 'topics', value: 'depth.nopair' },
    });
    expect(refused.at(-1)).toMatchObject({ data: { value: 'x'.repeat(60) } });
  });

  it('EDGE-131 a message above 4 KiB ends the connection', async () => {
    const feed = await aFeed();
    const reader = await feed.reader();
    reader.socket.send('x'.repeat(5_000));
    expect(await reader.closed).toBe(1009);
  });

  it('EDGE-132 more than 10 messages a second are refused with code −9, more than 50 topics with code −8', async () => {
    const feed = await aFeed();
    const symbols = Array.from({ length: 51 }, (_, n) => `ticker.coin${n}usdt`);
    feed.hub.serve('ticker', () => 0);
    const reader = await feed.reader();
    reader.say({ op: 'subscribe', topics: symbols.slice(0, 50) });
    reader.say({ op: 'subscribe', topics: symbols.slice(50) });
    expect(await reader.until((one) => one.op === 'refused')).toEqual({
      op: 'refused',
      code: -8,
      errKey: 'l.topics_max',
      topic: symbols[50],
      msg: 'A connection can follow at most 50 topics. This would make 51.',
      data: { field: 'topics', limit: '50', value: '51' },
    });
    reader.received.length = 0;
    reader.say({ op: 'subscribe', topics: [...symbols, 'tickers'] });
    expect(await reader.until((one) => one.op === 'refused')).toMatchObject({
      code: -8,
      errKey: 'l.topics_max',
      data: { limit: '50', value: '52' },
    });
    reader.received.length = 0;
    for (let n = 0; n < 25; n += 1) reader.say({ op: 'ping', ts: n });
    await reader.until((one) => one.op === 'refused' && one.code === -9);
  });

  it('EDGE-133 pages of another origin, other paths, and too many connections are turned away', async () => {
    const feed = await aFeed({ limits: { connectionsPerAddress: 3 }, publicUrl: 'https://exchange.test' });
    const host = `127.0.0.1:${feed.port}`;
    expect(await statusOf(feed.port, { origin: 'https://evil.test' })).toBe(403);
    expect(await statusOf(feed.port, { origin: 'null' })).toBe(403);
    expect(await statusOf(feed.port, {}, '/bb/app/other')).toBe(404);
    expect(await statusOf(feed.port, { origin: `http://${host}` })).toBe(101);
    expect(await statusOf(feed.port, { origin: 'https://exchange.test' })).toBe(101);
    expect(await statusOf(feed.port, {})).toBe(101);
    expect(await statusOf(feed.port, {})).toBe(429);
  });

  it('EDGE-134 a user may have five connections', async () => {
    const feed = await aFeed();
    feed.sessions.open('token-a', 'alice');
    const readers = await Promise.all(Array.from({ length: 6 }, () => feed.reader()));
    for (const reader of readers) {
      reader.say({ op: 'auth', token: 'token-a' });
      await reader.until((one) => one.op !== undefined);
    }
    expect(readers.map((reader) => reader.received[0]?.op)).toEqual([
      ...Array<string>(5).fill('authenticated'),
      'refused',
    ]);
    expect(readers[5]?.received[0]).toMatchObject({
      code: -8,
      errKey: 'l.connections_max',
      data: { limit: '5', value: '6' },
      msg: 'An account can have at most 5 live connections. Close another page or program that is logged in.',
    });
    // It stays open: what is public is for everybody.
    feed.hub.serve('tickers', () => []);
    readers[5]?.say({ op: 'subscribe', topics: ['tickers', 'asset'] });
    await readers[5]?.until((one) => one.topic === 'tickers');
    await readers[5]?.until((one) => one.topic === 'asset' && one.code === -2);
  });

  it('EDGE-176 an account that everybody shares may have many more', async () => {
    const feed = await aFeed();
    const { userId } = feed.sessions.open('token-demo', 'demo');
    feed.hub.share(userId);
    const readers = await Promise.all(Array.from({ length: 12 }, () => feed.reader()));
    for (const reader of readers) {
      reader.say({ op: 'auth', token: 'token-demo' });
      expect(await reader.until((one) => one.op !== undefined)).toMatchObject({ op: 'authenticated' });
    }
  });

  it('EDGE-174 looks a token up only for who has something left to pay with', async () => {
    const table = { ...LIMITS, publicRead: { ...LIMITS.publicRead, burst: 12 } };
    const feed = await aFeed({ charges: new Limits({ ...systemClock, monotonicMs: () => 0 }, table) });
    let asked = 0;
    feed.sessions.open('token-a', 'alice');
    feed.sessions.find = () => {
      asked += 1;
      return undefined;
    };
    const reader = await feed.reader();
    for (let n = 0; n < 5; n += 1) reader.say({ op: 'auth', token: `guess-${n}` });
    reader.say({ op: 'auth', token: 'token-a' });
    await reader.until((one) => one.op === 'authenticated');
    expect(asked).toBe(2);
    expect(reader.received.map(({ code }) => code)).toEqual([-2, -2, -9, -9, -9, undefined]);
  });

  it('EDGE-174 ends a connection on which somebody signs in again and again', async () => {
    const feed = await aFeed();
    const reader = await feed.reader();
    for (let n = 0; n < 25; n += 1) {
      reader.say({ op: 'auth', token: 'guess' });
      if (n % 10 === 9) feed.pass(2_000);
      await breathe();
    }
    expect(await reader.closed).toBe(1008);
    expect(reader.received.filter(({ code }) => code === -2)).toHaveLength(20);
    expect(reader.received.at(-1)).toMatchObject({ code: -9, data: { seconds: '60' } });
  });

  it('EDGE-175 a topic that is named again and again in one message is answered once', async () => {
    const feed = await aFeed();
    feed.hub.serve('depth', () => 'x'.repeat(6_000));
    const reader = await feed.reader();
    const topics = [...Array<string>(40).fill('depth.btcusdt'), ...Array<string>(40).fill('depth.*')];
    for (let n = 0; n < 2; n += 1) {
      reader.received.length = 0;
      reader.say({ op: 'subscribe', topics });
      reader.say({ op: 'ping', ts: n });
      await reader.until((one) => one.op === 'pong');
      expect(reader.received.map(({ op, type }) => op ?? type)).toEqual(['snapshot', 'refused', 'pong']);
    }
  });

  it('EDGE-175 snapshots count against the address, the own against the user; beyond that one refusal says when', async () => {
    const table: LimitTable = {
      ...LIMITS,
      publicRead: { ...LIMITS.publicRead, burst: 8 },
      signedInRead: { ...LIMITS.signedInRead, burst: 2 },
    };
    const feed = await aFeed({ charges: new Limits({ ...systemClock, monotonicMs: () => 0 }, table) });
    feed.sessions.open('token-a', 'alice');
    feed.hub.serve('ticker', () => 0);
    feed.hub.servePrivate('asset', () => Promise.resolve(0));
    const reader = await feed.reader();
    const asking = async (...topics: readonly string[]) => {
      reader.received.length = 0;
      reader.say({ op: 'subscribe', topics: [...topics] });
      reader.say({ op: 'ping', ts: 1 });
      await reader.until((one) => one.op === 'pong');
      await breathe();
      return reader.received.filter(({ op }) => op !== 'pong').map(({ code, topic }) => code ?? topic);
    };
    // One of the eight was for the connection.
    expect(await asking('ticker.btcusdt', 'ticker.ethusdt', 'ticker.xrpusdt')).toHaveLength(3);
    expect(await asking('ticker.btcusdt', 'ticker.ethusdt', 'ticker.nopair')).toHaveLength(3);
    expect(await asking('ticker.btcusdt', 'ticker.ethusdt')).toEqual([-9]);
    expect(reader.received[0]).toMatchObject({ errKey: 'l.rate_limited', data: { seconds: '1' } });
    reader.say({ op: 'auth', token: 'token-a' });
    expect(await asking('asset')).toContain('asset');
    expect(await asking('asset')).toContain('asset');
    expect(await asking('asset')).toEqual([-9]);
  });

  it('EDGE-752 names of object members are no topics: refused by name, charged nothing, and the limit goes on counting', async () => {
    const table: LimitTable = { ...LIMITS, publicRead: { ...LIMITS.publicRead, burst: 5 } };
    const feed = await aFeed({ charges: new Limits({ ...systemClock, monotonicMs: () => 0 }, table) });
    feed.hub.serve('ticker', () => 0);
    const reader = await feed.reader();
    const subscribing = async (...topics: readonly string[]) => {
      reader.received.length = 0;
      reader.say({ op: 'subscribe', topics: [...topics] });
      reader.say({ op: 'ping', ts: 1 });
      await reader.until((one) => one.op === 'pong');
      return reader.received.filter(({ op }) => op !== 'pong').map(({ code, type }) => code ?? type);
    };
    expect(await subscribing('constructor', '__proto__', 'toString', 'hasOwnProperty')).toEqual(
      Array(4).fill(-1),
    );
    // One of the five was for the connection.
    for (let n = 0; n < 4; n += 1) expect(await subscribing('ticker.btcusdt')).toEqual(['snapshot']);
    expect(await subscribing('ticker.btcusdt', 'constructor')).toEqual([-9]);
    expect(await subscribing('ticker.btcusdt')).toEqual([-9]);
  });

  it('EDGE-752 messages that name no topic end the connection like other unfit ones', async () => {
    const feed = await aFeed();
    const reader = await feed.reader();
    for (let n = 0; n < 25; n += 1) {
      reader.say({ op: 'subscribe', topics: ['constructor'] });
      if (n % 10 === 9) feed.pass(2_000);
      await breathe();
    }
    expect(await reader.closed).toBe(1008);
  });

  it('EDGE-135 who sends nothing for a minute is cut off; who answers pings is not', async () => {
    const feed = await aFeed({ limits: { roundMs: 20 } });
    const deaf = await aReader(feed.port);
    const reader = await feed.reader();
    deaf.socket.pause();
    let pings = 0;
    reader.socket.on('ping', () => (pings += 1));
    for (let n = 0; n < 7; n += 1) {
      feed.pass(10_000);
      // Several rounds have passed then, so that the reader's answers count, however slow the machine.
      const before = pings;
      await eventually(() => expect(pings).toBeGreaterThan(before + 2));
    }
    deaf.socket.resume();
    expect(await deaf.closed).toBe(1006);
    expect(reader.socket.readyState).toBe(WebSocket.OPEN);
  });
});
