import { createServer } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { instant } from '@exchange/core/time.ts';
import { FEED_PATH } from '@exchange/wire/feed.ts';
import { afterEach, describe, expect, it } from 'vitest';
import { collectingLog, sessionsInMemory } from '../../../testing/edge.ts';
import { Limits, NO_LIMITS } from '../limits/limits.ts';
import { Metrics } from '../metrics/metrics.ts';
import { HUB_LIMITS } from './feed.ts';
import { FeedHub } from './hub.ts';

const READERS = 60;
const STALLED = 6;
const UPDATES = 240;
/**
 * Text that pads each update, so that the total size of the updates exceeds the system's and the feed's
 * buffers of a connection.
 */
const FILLER = 'x'.repeat(40_000);
const UPDATE = '"type":"update"';

const closing: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

const pauseMs = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await pauseMs(5);
}

async function startFeed() {
  let passedMs = 0;
  const clock = { now: () => instant(Date.now()), monotonicMs: () => performance.now() + passedMs };
  const hub = new FeedHub({
    clock,
    log: collectingLog(),
    metrics: new Metrics(),
    charges: new Limits(clock, NO_LIMITS),
    proxyHeader: undefined,
    publicUrl: undefined,
    limits: { connectionsPerAddress: READERS, roundMs: 20, idleMs: 1e9 },
  });
  const server = createServer();
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  hub.attach(server, sessionsInMemory());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(async () => {
    await hub.stop();
    server.close();
  });
  const advanceClock = (ms: number) => {
    passedMs += ms;
  };
  return { hub, port: (server.address() as AddressInfo).port, sockets, pass: advanceClock };
}

/**
 * Subscribes to a feed topic over a raw socket. If `isStalled` is true, the client reads nothing after the
 * subscription. Returns an object that counts the updates as they arrive.
 */
async function connectReader(port: number, isStalled: boolean) {
  const socket = connect(port, '127.0.0.1');
  closing.push(() => {
    socket.destroy();
  });
  socket.on('error', () => undefined);
  socket.write(
    `GET ${FEED_PATH} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
      `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}\r\n\r\n`,
  );
  await new Promise((resolve) => socket.once('data', resolve));
  const reader = { updates: 0 };
  if (isStalled) socket.pause();
  else {
    let rest = '';
    socket.on('data', (bytes: Buffer) => {
      const text = rest + bytes.toString('latin1');
      reader.updates += text.split(UPDATE).length - 1;
      rest = text.slice(1 - UPDATE.length);
    });
  }
  const text = Buffer.from('{"op":"subscribe","topics":["tickers"]}');
  socket.write(Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), text]));
  return reader;
}

describe('readers that stop reading', () => {
  it('EDGE-122 stalled readers buffer at most 1 MiB each and are disconnected; other readers receive every update', async () => {
    const { hub, port, sockets, pass } = await startFeed();
    let snapshots = 0;
    hub.serve('tickers', () => {
      snapshots += 1;
      return '';
    });
    const healthy = await Promise.all(
      Array.from({ length: READERS - STALLED }, () => connectReader(port, false)),
    );
    for (let n = 0; n < STALLED; n += 1) await connectReader(port, true);
    await until(() => hub.hasListeners('tickers') && sockets.size === READERS);
    await pauseMs(50);

    let largest = 0;
    for (let n = 1; n <= UPDATES; n += 1) {
      hub.publish('tickers', FILLER);
      await until(() => healthy.every(({ updates }) => updates === n));
      largest = Math.max(largest, ...[...sockets].map(({ writableLength }) => writableLength));
    }
    expect(largest).toBeGreaterThan(HUB_LIMITS.bufferBytes / 2);
    expect(largest).toBeLessThanOrEqual(HUB_LIMITS.bufferBytes);
    expect(snapshots).toBeLessThan(READERS);

    expect(sockets.size).toBe(READERS);
    pass(HUB_LIMITS.stalledMs + 1_000);
    await until(() => sockets.size === READERS - STALLED);
    hub.publish('tickers', FILLER);
    await until(() => healthy.every(({ updates }) => updates === UPDATES + 1));
  });
});
