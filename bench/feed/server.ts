/**
 * Sends depth updates to all who listen. Arguments: `hub` for the exchange's live feed or `bare` for plain
 * TCP writes of the same bytes. Prints its port; asked `start N`, it sends N updates a second; asked `stop`,
 * it answers what it used meanwhile; asked `fill N`, it fills up the N readers that do not read; asked `look`,
 * it tells who is connected and what waits for them.
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
  /** The longest that the event loop was late, in milliseconds: the longest turn. */
  readonly longestTurnMs: number;
}

export interface Waiting {
  readonly connections: number;
  /** Over all readers, and for the one for whom most is waiting. */
  readonly waitingBytes: number;
  readonly mostWaitingBytes: number;
  readonly residentMegabytes: number;
}

interface Sender {
  readonly server: Server | ReturnType<typeof createTcpServer>;
  send(): void;
  /** Sends only to those who do not read. */
  fill(): void;
}

/** Stalled readers begin with this much waiting, so that both growing and full buffers are measured. */
const FILLED_BYTES = 930_000;
const FILLER = 'x'.repeat(16_000);
const LOOP_RESOLUTION_MS = 1;
const LAST_MESSAGES_MS = 500;

const sockets = new Set<Socket>();
const sender = process.argv[2] === 'bare' ? bare() : hub();
const loop = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS });
let timer: NodeJS.Timeout | undefined;
let updates = 0;
let before = process.cpuUsage();
let beganMs = 0;

sender.server.on('connection', (socket: Socket) => {
  sockets.add(socket);
  socket.on('close', () => sockets.delete(socket));
});
sender.server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify({ port: (sender.server.address() as AddressInfo).port })}\n`);
});
process.on('message', (question) => {
  const [word, number] = String(question).split(' ');
  if (word === 'look') process.send?.(waiting());
  else if (word === 'fill') void fillUp(Number(number)).then(() => process.send?.('filled'));
  else if (word === 'stop') void stop().then((usage) => process.send?.(usage));
  else {
    start(Number(number));
    process.send?.('started');
  }
});
process.once('SIGTERM', () => process.exit(0));

function start(perSecond: number): void {
  clearInterval(timer);
  updates = 0;
  before = process.cpuUsage();
  beganMs = performance.now();
  loop.reset();
  loop.enable();
  timer = setInterval(() => {
    updates += 1;
    sender.send();
  }, 1_000 / perSecond);
}

async function stop(): Promise<Usage> {
  clearInterval(timer);
  // What is still being handed out costs too, and is received too.
  await sleep(LAST_MESSAGES_MS);
  const { user, system } = process.cpuUsage(before);
  const seconds = (performance.now() - beganMs) / 1_000;
  loop.disable();
  const longestTurnMs = loop.max / 1e6 - LOOP_RESOLUTION_MS;
  return { updates, cpuMicroseconds: user + system, seconds, longestTurnMs, ...waiting() };
}

function waiting(): Waiting {
  const lengths = [...sockets].map(({ writableLength }) => writableLength);
  return {
    connections: sockets.size,
    waitingBytes: lengths.reduce((sum, length) => sum + length, 0),
    mostWaitingBytes: Math.max(0, ...lengths),
    residentMegabytes: process.memoryUsage.rss() / 1e6,
  };
}

async function fillUp(stalled: number): Promise<void> {
  const filled = () => [...sockets].filter(({ writableLength }) => writableLength >= FILLED_BYTES).length;
  while (filled() < stalled) {
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
    // All clients come from this machine, and none of them answers pings.
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
