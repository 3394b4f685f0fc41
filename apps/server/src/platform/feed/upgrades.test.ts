import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { ANYONE, endpoint, publicRead } from '@exchange/wire/endpoint.ts';
import { FEED_PATH } from '@exchange/wire/feed.ts';
import * as z from 'zod/mini';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runningEdge, sessionsInMemory, type RunningEdge } from '../../../testing/edge.ts';
import { eventually } from '../../../testing/eventually.ts';
import { systemClock } from '../clock.ts';
import { route } from '../http/route.ts';
import { Limits, LIMITS, NO_LIMITS, type LimitTable } from '../limits/limits.ts';
import { Metrics } from '../metrics/metrics.ts';
import { FeedHub } from './hub.ts';

const echo = endpoint({
  path: '/test/echo',
  summary: 'Returns its field.',
  access: ANYONE,
  charge: publicRead(1),
  fields: { word: z.string() },
  data: z.object({ word: z.string() }),
});

const upgrade = (path: string, ...more: readonly string[]) =>
  [`GET ${path} HTTP/1.1`, 'Host: 127.0.0.1', 'Connection: Upgrade', ...more, '', ''].join('\r\n');
const WEBSOCKET = ['Upgrade: websocket', 'Sec-WebSocket-Version: 13'];
const KEY = `Sec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}`;
const FORM = 'Content-Type: application/x-www-form-urlencoded';

/** HTTP requests for a WebSocket upgrade that the server must refuse, by the kind of fault. */
const REFUSED_UPGRADES: Readonly<Record<string, string>> = {
  'a wrong path': upgrade('/bb/app/other', ...WEBSOCKET, KEY),
  'a foreign origin': upgrade(FEED_PATH, ...WEBSOCKET, KEY, 'Origin: https://evil.test'),
  'a foreign name': upgrade(FEED_PATH, ...WEBSOCKET, KEY).replace('127.0.0.1', 'evil.test'),
  'a handshake without a key': upgrade(FEED_PATH, ...WEBSOCKET),
  'one connection too many': upgrade(FEED_PATH, ...WEBSOCKET, KEY),
};

/**
 * Other texts that a client may send before it resets the connection, by kind. Some are incomplete or not valid HTTP.
 */
const OTHERS: Readonly<Record<string, string>> = {
  'another protocol': upgrade(FEED_PATH, 'Upgrade: h2c'),
  'another protocol with a body': `POST /bb/app/test/echo HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n${FORM}\r\nContent-Length: 6\r\n\r\nwor`,
  'a tunnel': 'CONNECT evil.test:443 HTTP/1.1\r\nHost: evil.test:443\r\n\r\n',
  'an answered call': `POST /bb/app/test/echo HTTP/1.1\r\nHost: 127.0.0.1\r\n${FORM}\r\nContent-Length: 6\r\n\r\nword=x`,
  'half a body': `POST /bb/app/test/echo HTTP/1.1\r\nHost: 127.0.0.1\r\n${FORM}\r\nContent-Length: 60\r\n\r\nword=x`,
  'half a body in chunks': `POST /bb/app/test/echo HTTP/1.1\r\nHost: 127.0.0.1\r\n${FORM}\r\nTransfer-Encoding: chunked\r\n\r\n6\r\nword`,
  'half a head': 'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n',
  'no HTTP': 'nonsense\r\n\r\n',
  'too large a head': `GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`,
  'a call, then an upgrade': `GET /docs HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n${upgrade('/bb/app/other', ...WEBSOCKET, KEY)}`,
};

interface Scene extends RunningEdge {
  readonly hub: FeedHub;
}

async function startScene(capacity = 0, table: LimitTable = NO_LIMITS): Promise<Scene> {
  const charges = new Limits({ ...systemClock, monotonicMs: () => 0 }, table);
  const isOwnName = (host: string | undefined) => host === '127.0.0.1';
  const edge = await runningEdge({
    routes: [route(echo, ({ word }) => ({ word }))],
    limits: charges,
    isOwnName,
  });
  const hub = new FeedHub({
    clock: systemClock,
    log: edge.log,
    metrics: new Metrics(),
    charges,
    isOwnName,
    proxyHeader: undefined,
    publicUrl: undefined,
    limits: { connectionsPerAddress: capacity },
  });
  hub.attach(edge.app.server, sessionsInMemory());
  return { ...edge, hub };
}

/** Opens a connection, sends data and ignores errors, because the server may close the connection. */
function sendRaw(port: number, text: string | Buffer, allowHalfOpen = false): Socket {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen });
  socket.on('error', () => undefined);
  socket.write(text);
  return socket;
}

/** Resolves when the socket is closed, with or without an error. */
const closed = (socket: Socket) => new Promise((resolve) => socket.once('close', resolve));

const connectionsOf = ({ app }: Scene) =>
  new Promise<number>((resolve) => app.server.getConnections((_error, count) => resolve(count)));

async function answerTo(port: number, text: string): Promise<string> {
  const socket = sendRaw(port, text);
  let received = '';
  socket.on('data', (bytes) => (received += bytes.toString('utf8')));
  await closed(socket);
  return received;
}

describe('connections that the client aborts', () => {
  const uncaught: unknown[] = [];
  const record = (failure: unknown) => uncaught.push(failure);
  beforeEach(() => {
    uncaught.length = 0;
    process.on('uncaughtException', record).on('unhandledRejection', record);
  });
  afterEach(() => {
    process.off('uncaughtException', record).off('unhandledRejection', record);
  });

  /**
   * Sends each text `times` times, each time over a new connection, and resets the connections. The time of the reset
   * alternates: right after connecting, after some milliseconds, or when an answer arrives (at the latest after 300
   * ms).
   */
  async function resetAll(port: number, texts: readonly (string | Buffer)[], times: number): Promise<void> {
    const ends: Promise<unknown>[] = [];
    for (let n = 0; n < times; n += 1) {
      for (const text of texts) {
        const socket = sendRaw(port, text);
        ends.push(closed(socket));
        const reset = () => socket.resetAndDestroy();
        if (n % 3 === 0) socket.once('connect', () => setImmediate(reset));
        else if (n % 3 === 1) setTimeout(reset, 5 + n);
        else socket.once('data', reset).once('end', reset);
        // An incomplete request gets no answer, so the test resets its connection after 300 milliseconds.
        if (n % 3 === 2) setTimeout(reset, 300);
      }
    }
    await Promise.all(ends);
  }

  it('EDGE-179 aborted requests of any kind cause no uncaught error', async () => {
    const scene = await startScene();
    const texts = [...Object.values(REFUSED_UPGRADES), ...Object.values(OTHERS)];
    await resetAll(scene.port, texts, 30);
    expect(uncaught).toEqual([]);
    await eventually(async () => expect(await connectionsOf(scene)).toBe(0));
    const answer = await answerTo(
      scene.port,
      OTHERS['an answered call']!.replace('\r\n', '\r\nConnection: close\r\n'),
    );
    expect(answer).toContain('"word":"x"');
    expect(scene.log.events.filter(({ level }) => level === 'error')).toEqual([]);
    await scene.app.close();
    await scene.hub.stop();
  });

  it('EDGE-179 aborted subscriptions cause no uncaught error', async () => {
    const scene = await startScene(1_000);
    scene.hub.serve('tickers', () => 'x'.repeat(100_000));
    const text = Buffer.from('{"op":"subscribe","topics":["tickers"]}');
    const frame = Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), text]);
    const opening = Buffer.concat([Buffer.from(upgrade(FEED_PATH, ...WEBSOCKET, KEY)), frame]);
    await resetAll(scene.port, [opening], 60);
    scene.hub.publish('tickers', 1);
    expect(uncaught).toEqual([]);
    await eventually(async () => expect(await connectionsOf(scene)).toBe(0));
    await scene.app.close();
    await scene.hub.stop();
  });

  it('EDGE-179 aborted requests cause no uncaught error while the server stops', async () => {
    const scene = await startScene(1);
    const texts = [...Object.values(REFUSED_UPGRADES), ...Object.values(OTHERS)];
    const idle = Array.from({ length: 40 }, () => sendRaw(scene.port, ''));
    await eventually(async () => expect(await connectionsOf(scene)).toBe(40));
    const resets = resetAll(scene.port, texts, 9);
    const stops = Promise.all([scene.app.close(), scene.hub.stop()]);
    for (const [n, socket] of idle.entries()) {
      socket.write(texts[n % texts.length]!);
      setTimeout(() => socket.resetAndDestroy(), n);
    }
    await resets;
    scene.app.server.closeAllConnections();
    await stops;
    expect(uncaught).toEqual([]);
  });

  for (const [kind, text] of Object.entries(REFUSED_UPGRADES)) {
    it(`EDGE-171 a refused upgrade is closed although the client keeps its side open: ${kind}`, async () => {
      const scene = await startScene();
      const sockets = Array.from({ length: 50 }, () => sendRaw(scene.port, text, true));
      const answers: string[] = [];
      for (const socket of sockets) socket.once('data', (bytes) => answers.push(bytes.toString('latin1')));
      await eventually(() => expect(answers).toHaveLength(50));
      await eventually(async () => expect(await connectionsOf(scene)).toBe(0));
      for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
      for (const socket of sockets) socket.destroy();
      await scene.app.close();
      await scene.hub.stop();
    });
  }
});

describe('upgrade requests', () => {
  it('EDGE-172 every upgrade request is charged to its address, refused or not', async () => {
    const table = { ...LIMITS, publicRead: { ...LIMITS.publicRead, burst: 4 } };
    const scene = await startScene(10, table);
    const statuses: string[] = [];
    for (const text of [...Object.values(REFUSED_UPGRADES), REFUSED_UPGRADES['a wrong path']!].slice(0, 4)) {
      statuses.push((await answerTo(scene.port, text)).slice(9, 12));
    }
    expect(statuses).toEqual(['404', '403', '421', '400']);
    const refused = await answerTo(scene.port, upgrade(FEED_PATH, ...WEBSOCKET, KEY));
    expect(refused).toMatch(/^HTTP\/1\.1 429 Too Many Requests\r\nRetry-After: 1\r\n/);
    await scene.app.close();
    await scene.hub.stop();
  });

  it('EDGE-173 an upgrade to another protocol is served as a normal request, including its body', async () => {
    const scene = await startScene();
    const h2c = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n';
    const post = `POST /bb/app/test/echo HTTP/1.1\r\nHost: 127.0.0.1\r\n${h2c}${FORM}\r\nContent-Length: 6\r\n\r\n`;
    const socket = sendRaw(scene.port, post);
    let received = '';
    socket.on('data', (bytes) => (received += bytes.toString('utf8')));
    await pause(20);
    socket.write('word=x');
    await eventually(() => expect(received).toContain('"word":"x"'));
    expect(received).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    // After the answer, the connection can be used for further HTTP requests.
    received = '';
    socket.write(`GET ${FEED_PATH} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n${h2c}\r\n`);
    await closed(socket);
    expect(received).toMatch(/^HTTP\/1\.1 404 Not Found\r\n/);
    expect(received).toContain('"errKey":"l.not_found"');
    await scene.app.close();
    await scene.hub.stop();
  });
});
