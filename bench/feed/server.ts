/**
 * Sends depth updates to all connected readers. The argument is `hub` for the exchange's live feed or `bare` for plain
 * TCP writes of the same bytes. Prints the port. The program understands these messages and answers each one:
 *
 * - `start N` starts to send N updates per second.
 * - `stop` stops the updates and is answered with the used resources.
 * - `fill N` fills the buffers of the N stalled readers and is answered when they are full.
 * - `look` is answered with the number of connections, their buffered bytes and the memory of the process.
 */
import { createServer, type Server } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../../apps/server/src/platform/clock.ts';
import { FeedHub } from '../../apps/server/src/platform/feed/hub.ts';
import { jsonLog } from '../../apps/server/src/platform/log/json-log.ts';
import { Limits, NO_LIMITS } from '../../apps/server/src/platform/limits/limits.ts';
import { Metrics } from '../../apps/server/src/platform/metrics/metrics.ts';
import { depthFrame, depthNow, FILLER_TOPIC, TOPIC } from './message.ts';

export interface Usage extends Waiting {
  readonly updates: number;
  readonly cpuMicroseconds: number;
  readonly seconds: number;
  /** The longest delay of the event loop during the measurement, in milliseconds. */
  readonly longestTurnMs: number;
}

export interface Waiting {
  readonly connections: number;
  /** Sum of the bytes buffered for all readers. `mostWaitingBytes` is the number for the reader with the most. */
  readonly waitingBytes: number;
  readonly mostWaitingBytes: number;
  readonly residentMegabytes: number;
}

interface Sender {
  readonly server: Server | ReturnType<typeof createTcpServer>;
  send(): void;
  /** Sends data to the stalled readers only. */
  fill(): void;
}

/**
 * Minimum number of bytes that are buffered for each stalled reader before the measurement. The measurement then
 * includes buffers that still grow and buffers that reach their limit.
 */
const FILLED_BYTES = 930_000;
const FILLER = 'x'.repeat(16_000);
const LOOP_RESOLUTION_MS = 1;
const LAST_MESSAGES_MS = 500;

const sockets = new Set<Socket>();
const sender = process.argv[2] === 'bare' ? bare() : hub();
const loop = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS });
let timer: NodeJS.Timeout | undefined;
let updates = 0;
let usageBefore = process.cpuUsage();
let startMs = 0;

sender.server.on('connection', (socket: Socket) => {
  sockets.add(socket);
  socket.on('close', () => sockets.delete(socket));
});
sender.server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify({ port: (sender.server.address() as AddressInfo).port })}\n`);
});
process.on('message', (command) => {
  const [action, argument] = String(command).split(' ');
  if (action === 'look') process.send?.(buffered());
  else if (action === 'fill') void fillUp(Number(argument)).then(() => process.send?.('filled'));
  else if (action === 'stop') void stop().then((usage) => process.send?.(usage));
  else {
    start(Number(argument));
    process.send?.('started');
  }
});
process.once('SIGTERM', () => process.exit(0));

function start(perSecond: number): void {
  clearInterval(timer);
  updates = 0;
  usageBefore = process.cpuUsage();
  startMs = performance.now();
  loop.reset();
  loop.enable();
  timer = setInterval(() => {
    updates += 1;
    sender.send();
  }, 1_000 / perSecond);
}

async function stop(): Promise<Usage> {
  clearInterval(timer);
  // Waits until the last updates have been sent and received, so that the measured processor time includes them.
  await sleep(LAST_MESSAGES_MS);
  const { user, system } = process.cpuUsage(usageBefore);
  const seconds = (performance.now() - startMs) / 1_000;
  loop.disable();
  const longestTurnMs = loop.max / 1e6 - LOOP_RESOLUTION_MS;
  return { updates, cpuMicroseconds: user + system, seconds, longestTurnMs, ...buffered() };
}

function buffered(): Waiting {
  const lengths = [...sockets].map(({ writableLength }) => writableLength);
  return {
    connections: sockets.size,
    waitingBytes: lengths.reduce((sum, length) => sum + length, 0),
    mostWaitingBytes: Math.max(0, ...lengths),
    residentMegabytes: process.memoryUsage.rss() / 1e6,
  };
}

async function fillUp(stalled: number): Promise<void> {
  const filledCount = () =>
    [...sockets].filter(({ writableLength }) => writableLength >= FILLED_BYTES).length;
  while (filledCount() < stalled) {
    sender.fill();
    await sleep(1);
  }
}

function hub(): Sender {
  const log = jsonLog({ level: 'warn', clock: systemClock, write: (line) => process.stderr.write(line) });
  const feed = new FeedHub({
    clock: systemClock,
    log,
    metrics: new Metrics(),
    charges: new Limits(systemClock, NO_LIMITS),
    proxyHeader: undefined,
    publicUrl: undefined,
    // The limits of the feed are raised: all readers connect from the same IP address, and readers that do not answer
    // pings must not be disconnected.
    limits: { connectionsPerAddress: 1_000_000, idleMs: 1e9 },
  });
  feed.serve('depth', depthNow);
  feed.serve(FILLER_TOPIC, () => '');
  const server = createServer();
  feed.attach(server, {
    remembered: () => undefined,
    find: () => undefined,
    onSessionEnded: () => undefined,
  });
  return {
    server,
    send: () => feed.publish(TOPIC, depthNow()),
    fill: () => feed.publish(FILLER_TOPIC, FILLER),
  };
}

function bare(): Sender {
  const server = createTcpServer((socket) => {
    socket.setNoDelay(true);
    socket.on('error', () => socket.destroy());
  });
  let seq = 0;
  const send = () => {
    seq += 1;
    const frame = depthFrame(seq);
    for (const socket of sockets) socket.write(frame);
  };
  return { server, send, fill: () => undefined };
}
