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
  /** Resolves to the first received feed message for which `fits` returns true. */
  until(fits: (message: Received) => boolean): Promise<Received>;
  closed: Promise<number>;
}

const closing: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function startFeed(options: Partial<FeedHubOptions> = {}) {
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
  const advanceClock = (ms: number) => {
    passedMs += ms;
  };
  return {
    hub,
    port,
    sessions,
    log,
    pass: advanceClock,
    reader: (headers = {}, more = {}) => connectReader(port, headers, more),
  };
}

async function connectReader(
  port: number,
  headers: Record<string, string> = {},
  more: ClientOptions = {},
): Promise<Reader> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${FEED_PATH}`, { headers, ...more });
  const received: Received[] = [];
  const waiting = new Set<() => void>();
  socket.on('message', (bytes: Buffer) => {
    received.push(JSON.parse(bytes.toString('utf8')) as Received);
    for (const check of waiting) check();
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
      const check = () => {
        const match = received.find(fits);
        if (match === undefined) return;
        clearTimeout(timer);
        waiting.delete(check);
        resolve(match);
      };
      waiting.add(check);
      check();
    });
  return { socket, received, until, closed, say: (message) => socket.send(JSON.stringify(message)) };
}

const seqsOf = (reader: Reader, topic: string) =>
  reader.received.filter((message) => message.topic === topic).map((message) => message.seq);
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
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

describe('a public topic', () => {
  it('EDGE-100 a subscription receives a snapshot first, then updates with consecutive sequence numbers', async () => {
    const feed = await startFeed();
    let best = 1;
    feed.hub.serve('depth', (topic) => (topic === 'depth.btcusdt' ? { best } : undefined));
    const reader = await feed.reader();
    reader.say({ op: 'subscribe', topics: ['depth.btcusdt', 'depth.nopair'] });
    expect(await reader.until((message) => message.topic === 'depth.btcusdt')).toMatchObject({
      type: 'snapshot',
      data: { best: 1 },
    });
    expect(await reader.until((message) => message.op === 'refused')).toMatchObject({
      topic: 'depth.nopair',
    });
    expect(feed.hub.hasListeners('depth.btcusdt')).toBe(true);
    expect(feed.hub.hasListeners('depth.nopair')).toBe(false);
    for (best = 2; best <= 200; best += 1) feed.hub.publish('depth.btcusdt', { best });
    await reader.until((message) => message.seq === 199);
    expect(seqsOf(reader, 'depth.btcusdt')).toEqual(Array.from({ length: 200 }, (_, n) => n));
  });

  it('EDGE-105 compressed and plain connections receive the same messages', async () => {
    const feed = await startFeed();
    const levels = Array.from({ length: 40 }, (_, row) => [`${60_000 + row}.25`, `0.0${row}`]);
    feed.hub.serve('depth', () => ({ levels }));
    const [compressing, plain] = await Promise.all([
      feed.reader(),
      feed.reader({}, { perMessageDeflate: false }),
    ]);
    expect([compressing, plain].map(({ socket }) => socket.extensions !== '')).toEqual([true, false]);
    for (const reader of [compressing, plain]) {
      reader.say({ op: 'subscribe', topics: ['depth.btcusdt'] });
      await reader.until((message) => message.type === 'snapshot');
    }
    const bytesOf = ({ socket }: Reader) => (socket as unknown as { _socket: Socket })._socket.bytesRead;
    const before = [bytesOf(compressing), bytesOf(plain)];
    for (let n = 0; n < 30; n += 1) {
      levels[0] = [`${59_000 + n}.75`, '0.5'];
      feed.hub.publish('depth.btcusdt', { levels });
    }
    await Promise.all([compressing, plain].map((reader) => reader.until((message) => message.seq === 30)));
    const updatesOf = ({ received }: Reader) => received.filter(({ type }) => type === 'update');
    expect(updatesOf(compressing)).toHaveLength(30);
    expect(updatesOf(compressing)).toEqual(updatesOf(plain));
    expect(bytesOf(compressing) - before[0]!).toBeLessThan((bytesOf(plain) - before[1]!) * 0.6);
  });

  it('EDGE-101 subscribers that come and go during updates receive a sequence without gaps', async () => {
    // This monotonic clock runs at a hundredth of the real speed, so the distribution of updates never counts as late,
    // even on a busy machine. Another test covers a late distribution.
    const clock = { now: () => instant(Date.now()), monotonicMs: () => performance.now() / 100 };
    const feed = await startFeed({ clock, limits: { connectionsPerAddress: 2_000 } });
    let state = 0;
    feed.hub.serve('tickers', () => state);
    const readers: Reader[] = [];
    for (let n = 0; n < 520; n += 20) {
      readers.push(...(await Promise.all(Array.from({ length: 20 }, () => feed.reader()))));
    }
    for (const reader of readers) reader.say({ op: 'subscribe', topics: ['tickers'] });
    await Promise.all(readers.map((reader) => reader.until((message) => message.topic === 'tickers')));
    const late = await feed.reader();
    for (let n = 0; n < 20; n += 1) {
      state += 1;
      feed.hub.publish('tickers', state);
      if (n === 10) late.say({ op: 'subscribe', topics: ['tickers'] });
      await nextTurn();
    }
    await Promise.all([...readers, late].map((reader) => reader.until((message) => message.data === state)));
    for (const reader of [...readers, late]) {
      const seqs = seqsOf(reader, 'tickers') as number[];
      expect(seqs).toEqual(seqs.map((_, index) => (seqs[0] ?? 0) + index));
      expect(reader.received.filter((message) => message.type === 'snapshot')).toHaveLength(1);
    }
  });

  it('EDGE-104 subscribers receive the current state when distribution falls behind', async () => {
    const feed = await startFeed({ limits: { connectionsPerAddress: 100 } });
    let state = 0;
    feed.hub.serve('tickers', () => state);
    const readers = await Promise.all(Array.from({ length: 60 }, () => feed.reader()));
    for (const reader of readers) reader.say({ op: 'subscribe', topics: ['tickers'] });
    await Promise.all(readers.map((reader) => reader.until((message) => message.topic === 'tickers')));
    for (const late of [0, 1_000, 0]) {
      feed.pass(late);
      state += 1;
      feed.hub.publish('tickers', state);
    }
    for (const reader of readers) {
      await reader.until((message) => message.seq === 3);
      expect(reader.received.map(({ type, seq, data }) => [type, seq, data])).toEqual([
        ['snapshot', 0, 0],
        ['snapshot', 3, 3],
      ]);
    }
  });

  it('EDGE-102 nothing is sent after unsubscribing, and a repeated subscription sends a new snapshot', async () => {
    const feed = await startFeed();
    feed.hub.serve('index', () => 'now');
    const reader = await feed.reader();
    reader.say({ op: 'subscribe', topics: ['index.btcusdt'] });
    await reader.until((message) => message.type === 'snapshot');
    reader.say({ op: 'subscribe', topics: ['index.btcusdt'] });
    reader.say({ op: 'unsubscribe', topics: ['index.btcusdt'] });
    reader.say({ op: 'ping', ts: 5 });
    expect(await reader.until((message) => message.op === 'pong')).toMatchObject({ ts: 5 });
    feed.hub.publish('index.btcusdt', 'later');
    await nextTurn();
    expect(
      reader.received.filter((message) => message.topic !== undefined).map((message) => message.type),
    ).toEqual(['snapshot', 'snapshot']);
    expect(feed.hub.hasListeners('index.btcusdt')).toBe(false);
  });
});

describe('a private topic', () => {
  const alice = 'alice' as UserId;

  it('EDGE-110 a private topic requires a session and sends only the user’s own state', async () => {
    const feed = await startFeed();
    feed.sessions.open('token-a', 'alice');
    feed.sessions.open('token-b', 'bob');
    feed.hub.servePrivate('asset', (userId) => Promise.resolve({ of: userId }));
    const visitor = await feed.reader();
    visitor.say({ op: 'subscribe', topics: ['asset'] });
    expect(await visitor.until((message) => message.op === 'refused')).toMatchObject({
      code: -2,
      topic: 'asset',
    });
    visitor.say({ op: 'auth', token: 'guess' });
    await visitor.until((message) => message.op === 'refused' && message.topic === undefined);

    const [a, b] = [await feed.reader(), await feed.reader()];
    a.say({ op: 'auth', token: 'token-a' });
    b.say({ op: 'auth', token: 'token-b' });
    for (const reader of [a, b]) reader.say({ op: 'subscribe', topics: ['asset'] });
    expect(await a.until((message) => message.topic === 'asset')).toMatchObject({
      type: 'snapshot',
      data: { of: 'alice' },
    });
    expect(await b.until((message) => message.topic === 'asset')).toMatchObject({ data: { of: 'bob' } });
    feed.hub.publishPrivate('asset', alice, 'for alice');
    await a.until((message) => message.data === 'for alice');
    expect(b.received.some((message) => message.data === 'for alice')).toBe(false);
  });

  it('EDGE-111 updates that arrive while a snapshot loads are sent after it', async () => {
    const feed = await startFeed();
    feed.sessions.open('token-a', 'alice');
    let load: (state: string) => void = () => undefined;
    feed.hub.servePrivate('order', () => new Promise((resolve) => (load = resolve)));
    const reader = await feed.reader();
    reader.say({ op: 'auth', token: 'token-a' });
    reader.say({ op: 'subscribe', topics: ['order'] });
    while (!feed.hub.hasPrivateListener('order', alice)) await nextTurn();
    feed.hub.publishPrivate('order', alice, 'first');
    feed.hub.publishPrivate('order', alice, 'second');
    load('state');
    await reader.until((message) => message.data === 'second');
    const received = reader.received.filter((message) => message.topic === 'order');
    expect(received.map((message) => [message.type, message.seq, message.data])).toEqual([
      ['snapshot', 0, 'state'],
      ['update', 1, 'first'],
      ['update', 2, 'second'],
    ]);
  });

  it('EDGE-112 a connection is closed within 5 seconds after its session ended, notified or polled', async () => {
    const feed = await startFeed({ limits: { roundMs: 50 } });
    feed.hub.servePrivate('notice', () => Promise.resolve(0));
    feed.hub.serve('tickers', () => []);
    const session = feed.sessions.open('token-a', 'alice');
    const listening = async () => {
      const reader = await feed.reader();
      reader.say({ op: 'auth', token: 'token-a' });
      reader.say({ op: 'subscribe', topics: ['notice', 'tickers'] });
      await reader.until((message) => message.topic === 'notice');
      return reader;
    };
    const notifiedReader = await listening();
    feed.sessions.end('token-a');
    expect(await notifiedReader.until((message) => message.op === 'ended')).toMatchObject({ code: -2 });
    expect(feed.hub.hasPrivateListener('notice', session.userId)).toBe(false);
    await notifiedReader.closed;
    await eventually(() => expect(feed.hub.hasListeners('tickers')).toBe(false));

    feed.sessions.open('token-a', 'alice');
    const polledReader = await listening();
    // The feed gets no message about a session that another process has revoked, so only its next check of sessions
    // detects this.
    feed.sessions.find = () => undefined;
    await polledReader.until((message) => message.op === 'ended');
    expect(feed.hub.hasPrivateListener('notice', session.userId)).toBe(false);
    await polledReader.closed;
  });

  it('a failed snapshot is reported to the subscriber and logged', async () => {
    const feed = await startFeed();
    feed.sessions.open('token-a', 'alice');
    feed.hub.servePrivate('asset', () => Promise.reject(new Error('no database')));
    feed.hub.serve('trade', () => {
      throw new Error('bug');
    });
    const reader = await feed.reader();
    reader.say({ op: 'auth', token: 'token-a' });
    reader.say({ op: 'subscribe', topics: ['asset', 'trade.btcusdt'] });
    expect(await reader.until((message) => message.topic === 'asset')).toMatchObject({
      op: 'refused',
      code: 0,
    });
    expect(await reader.until((message) => message.topic === 'trade.btcusdt')).toMatchObject({
      op: 'refused',
      code: 0,
    });
    expect(feed.log.events.filter(({ event }) => event === 'feed.snapshot_failed')).toHaveLength(2);
    expect(feed.hub.hasPrivateListener('asset', alice)).toBe(false);
  });
});

describe('a slow reader', () => {
  /** Subscribes to a feed topic over a raw socket, so that the test controls when the client reads. */
  async function connectRawReader(port: number): Promise<Socket> {
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

  it('EDGE-120 a slow reader misses updates beyond its buffer and then receives a new snapshot; others miss nothing', async () => {
    const feed = await startFeed();
    const filler = 'x'.repeat(50_000);
    let state = 0;
    feed.hub.serve('tickers', () => ({ state, filler }));
    const healthy = await feed.reader();
    healthy.say({ op: 'subscribe', topics: ['tickers'] });
    await healthy.until((message) => message.type === 'snapshot');
    const slow = await connectRawReader(feed.port);
    for (let n = 0; n < 50; n += 1) await nextTurn();
    for (state = 1; state <= 400; state += 1) {
      feed.hub.publish('tickers', { state, filler });
      await nextTurn();
    }
    await healthy.until((message) => message.seq === 400);
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

  it('EDGE-121 a reader that stays behind is disconnected within 30 seconds', async () => {
    const feed = await startFeed({ limits: { roundMs: 20, idleMs: 1e9 } });
    const filler = 'x'.repeat(200_000);
    feed.hub.serve('tickers', () => filler);
    const slow = await connectRawReader(feed.port);
    while (!feed.hub.hasListeners('tickers')) await nextTurn();
    for (let n = 0; n < 100; n += 1) {
      feed.hub.publish('tickers', filler);
      await nextTurn();
    }
    // A client may read too slowly for 26 seconds. The test first advances the clock by only 13 seconds,
    // because the clock also advances with real time, and on a busy machine sending the messages takes
    // seconds.
    feed.pass(13_000);
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(feed.hub.hasListeners('tickers')).toBe(true);
    feed.pass(14_000);
    while (feed.hub.hasListeners('tickers')) await nextTurn();
    expect(slow.destroyed).toBe(false);
  });
});

describe('refusals of the feed', () => {
  it('EDGE-130 invalid messages are refused, and many of them end the connection', async () => {
    const feed = await startFeed();
    const reader = await feed.reader();
    for (const text of ['', '{', '[]', 'null', '{"op":"login"}', '{"op":"subscribe","topics":"tickers"}']) {
      reader.received.length = 0;
      reader.socket.send(text);
      expect(await reader.until((message) => message.op === 'refused')).toMatchObject({ code: -1 });
    }
    reader.socket.send(Buffer.from([0xff]));
    reader.received.length = 0;
    for (let n = 0; n < 30; n += 1) reader.socket.send('{');
    expect(await reader.closed).toBe(1008);
    // Before the server closes a connection because of a fault, its last message states the reason.
    expect(reader.received.at(-1)).toMatchObject({ op: 'refused', code: -9, errKey: 'l.rate_limited' });
  });

  it('EDGE-136 an unknown topic is refused by name in the connection’s language; valid topics beside it are served', async () => {
    const feed = await startFeed();
    feed.hub.serve('depth', (topic) => (topic === 'depth.btcusdt' ? {} : undefined));
    const reader = await feed.reader({ 'accept-language': 'zh-CN' });
    const long = 'x'.repeat(300);
    const unknown = ['depth.nopair', 'depth.*', 'depth.btcusdt.more', 'kline.btcusdt.7min', '', long];
    reader.say({ op: 'subscribe', topics: [...unknown, 'depth.btcusdt'] });
    await reader.until((message) => message.topic === 'depth.btcusdt' && message.type === 'snapshot');
    const refused = reader.received.filter((message) => message.op === 'refused');
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
    const feed = await startFeed();
    const reader = await feed.reader();
    reader.socket.send('x'.repeat(5_000));
    expect(await reader.closed).toBe(1009);
  });

  it('EDGE-132 more than 10 messages a second are refused with code −9, more than 50 topics with code −8', async () => {
    const feed = await startFeed();
    const symbols = Array.from({ length: 51 }, (_, n) => `ticker.coin${n}usdt`);
    feed.hub.serve('ticker', () => 0);
    const reader = await feed.reader();
    reader.say({ op: 'subscribe', topics: symbols.slice(0, 50) });
    reader.say({ op: 'subscribe', topics: symbols.slice(50) });
    expect(await reader.until((message) => message.op === 'refused')).toEqual({
      op: 'refused',
      code: -8,
      errKey: 'l.topics_max',
      topic: symbols[50],
      msg: 'A connection can follow at most 50 topics. This would make 51.',
      data: { field: 'topics', limit: '50', value: '51' },
    });
    reader.received.length = 0;
    reader.say({ op: 'subscribe', topics: [...symbols, 'tickers'] });
    expect(await reader.until((message) => message.op === 'refused')).toMatchObject({
      code: -8,
      errKey: 'l.topics_max',
      data: { limit: '50', value: '52' },
    });
    reader.received.length = 0;
    for (let n = 0; n < 25; n += 1) reader.say({ op: 'ping', ts: n });
    await reader.until((message) => message.op === 'refused' && message.code === -9);
  });

  it('EDGE-133 foreign origins, other paths and too many connections are refused', async () => {
    const feed = await startFeed({
      limits: { connectionsPerAddress: 3 },
      publicUrl: 'https://exchange.test',
    });
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
    const feed = await startFeed();
    feed.sessions.open('token-a', 'alice');
    const readers = await Promise.all(Array.from({ length: 6 }, () => feed.reader()));
    for (const reader of readers) {
      reader.say({ op: 'auth', token: 'token-a' });
      await reader.until((message) => message.op !== undefined);
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
    // A connection whose sign-in was refused stays open for public topics.
    feed.hub.serve('tickers', () => []);
    readers[5]?.say({ op: 'subscribe', topics: ['tickers', 'asset'] });
    await readers[5]?.until((message) => message.topic === 'tickers');
    await readers[5]?.until((message) => message.topic === 'asset' && message.code === -2);
  });

  it('EDGE-176 an account shared by all visitors may have many more connections', async () => {
    const feed = await startFeed();
    const { userId } = feed.sessions.open('token-demo', 'demo');
    feed.hub.share(userId);
    const readers = await Promise.all(Array.from({ length: 12 }, () => feed.reader()));
    for (const reader of readers) {
      reader.say({ op: 'auth', token: 'token-demo' });
      expect(await reader.until((message) => message.op !== undefined)).toMatchObject({
        op: 'authenticated',
      });
    }
  });

  it('EDGE-174 a token is looked up only when the address can pay for it', async () => {
    const table = { ...LIMITS, publicRead: { ...LIMITS.publicRead, burst: 12 } };
    const feed = await startFeed({ charges: new Limits({ ...systemClock, monotonicMs: () => 0 }, table) });
    let lookups = 0;
    feed.sessions.open('token-a', 'alice');
    feed.sessions.find = () => {
      lookups += 1;
      return undefined;
    };
    const reader = await feed.reader();
    for (let n = 0; n < 5; n += 1) reader.say({ op: 'auth', token: `guess-${n}` });
    reader.say({ op: 'auth', token: 'token-a' });
    await reader.until((message) => message.op === 'authenticated');
    expect(lookups).toBe(2);
    expect(reader.received.map(({ code }) => code)).toEqual([-2, -2, -9, -9, -9, undefined]);
  });

  it('EDGE-174 repeated sign-ins on a connection end it', async () => {
    const feed = await startFeed();
    const reader = await feed.reader();
    for (let n = 0; n < 25; n += 1) {
      reader.say({ op: 'auth', token: 'guess' });
      if (n % 10 === 9) feed.pass(2_000);
      await nextTurn();
    }
    expect(await reader.closed).toBe(1008);
    expect(reader.received.filter(({ code }) => code === -2)).toHaveLength(20);
    expect(reader.received.at(-1)).toMatchObject({ code: -9, data: { seconds: '60' } });
  });

  it('EDGE-175 a topic repeated in a message is answered once', async () => {
    const feed = await startFeed();
    feed.hub.serve('depth', () => 'x'.repeat(6_000));
    const reader = await feed.reader();
    const topics = [...Array<string>(40).fill('depth.btcusdt'), ...Array<string>(40).fill('depth.*')];
    for (let n = 0; n < 2; n += 1) {
      reader.received.length = 0;
      reader.say({ op: 'subscribe', topics });
      reader.say({ op: 'ping', ts: n });
      await reader.until((message) => message.op === 'pong');
      expect(reader.received.map(({ op, type }) => op ?? type)).toEqual(['snapshot', 'refused', 'pong']);
    }
  });

  it('EDGE-175 snapshots are charged to the address, private ones to the user; beyond the limit one refusal says when to retry', async () => {
    const table: LimitTable = {
      ...LIMITS,
      publicRead: { ...LIMITS.publicRead, burst: 8 },
      signedInRead: { ...LIMITS.signedInRead, burst: 2 },
    };
    const feed = await startFeed({ charges: new Limits({ ...systemClock, monotonicMs: () => 0 }, table) });
    feed.sessions.open('token-a', 'alice');
    feed.hub.serve('ticker', () => 0);
    feed.hub.servePrivate('asset', () => Promise.resolve(0));
    const reader = await feed.reader();
    const subscribeTo = async (...topics: readonly string[]) => {
      reader.received.length = 0;
      reader.say({ op: 'subscribe', topics: [...topics] });
      reader.say({ op: 'ping', ts: 1 });
      await reader.until((message) => message.op === 'pong');
      await nextTurn();
      return reader.received.filter(({ op }) => op !== 'pong').map(({ code, topic }) => code ?? topic);
    };
    // Opening the connection has already used one of the eight units of the rate limit.
    expect(await subscribeTo('ticker.btcusdt', 'ticker.ethusdt', 'ticker.xrpusdt')).toHaveLength(3);
    expect(await subscribeTo('ticker.btcusdt', 'ticker.ethusdt', 'ticker.nopair')).toHaveLength(3);
    expect(await subscribeTo('ticker.btcusdt', 'ticker.ethusdt')).toEqual([-9]);
    expect(reader.received[0]).toMatchObject({ errKey: 'l.rate_limited', data: { seconds: '1' } });
    reader.say({ op: 'auth', token: 'token-a' });
    expect(await subscribeTo('asset')).toContain('asset');
    expect(await subscribeTo('asset')).toContain('asset');
    expect(await subscribeTo('asset')).toEqual([-9]);
  });

  it('EDGE-752 names of object members are no topics: refused by name, not charged, and without effect on the limit', async () => {
    const table: LimitTable = { ...LIMITS, publicRead: { ...LIMITS.publicRead, burst: 5 } };
    const feed = await startFeed({ charges: new Limits({ ...systemClock, monotonicMs: () => 0 }, table) });
    feed.hub.serve('ticker', () => 0);
    const reader = await feed.reader();
    const subscribeTo = async (...topics: readonly string[]) => {
      reader.received.length = 0;
      reader.say({ op: 'subscribe', topics: [...topics] });
      reader.say({ op: 'ping', ts: 1 });
      await reader.until((message) => message.op === 'pong');
      return reader.received.filter(({ op }) => op !== 'pong').map(({ code, type }) => code ?? type);
    };
    expect(await subscribeTo('constructor', '__proto__', 'toString', 'hasOwnProperty')).toEqual(
      Array(4).fill(-1),
    );
    // Opening the connection has already used one of the five units of the rate limit.
    for (let n = 0; n < 4; n += 1) expect(await subscribeTo('ticker.btcusdt')).toEqual(['snapshot']);
    expect(await subscribeTo('ticker.btcusdt', 'constructor')).toEqual([-9]);
    expect(await subscribeTo('ticker.btcusdt')).toEqual([-9]);
  });

  it('EDGE-752 messages without a valid topic end the connection like other invalid ones', async () => {
    const feed = await startFeed();
    const reader = await feed.reader();
    for (let n = 0; n < 25; n += 1) {
      reader.say({ op: 'subscribe', topics: ['constructor'] });
      if (n % 10 === 9) feed.pass(2_000);
      await nextTurn();
    }
    expect(await reader.closed).toBe(1008);
  });

  it('EDGE-135 a connection without messages for a minute is closed; a connection that answers pings is not', async () => {
    const feed = await startFeed({ limits: { roundMs: 20 } });
    const silentReader = await connectReader(feed.port);
    const reader = await feed.reader();
    silentReader.socket.pause();
    let pings = 0;
    reader.socket.on('ping', () => (pings += 1));
    for (let n = 0; n < 7; n += 1) {
      feed.pass(10_000);
      // The test waits for several rounds of pings before it advances the clock, so that pongs arrive even on a slow
      // machine.
      const pingsBefore = pings;
      await eventually(() => expect(pings).toBeGreaterThan(pingsBefore + 2));
    }
    silentReader.socket.resume();
    expect(await silentReader.closed).toBe(1006);
    expect(reader.socket.readyState).toBe(WebSocket.OPEN);
  });
});
