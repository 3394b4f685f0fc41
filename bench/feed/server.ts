/**
 * Sends depth updates to all who listen. Arguments: `hub` for the exchange's live feed or `bare` for plain
 * TCP writes of the same bytes. Prints its port; asked `start N`, it sends N updates a second, asked `stop`
 * it answers what it used meanwhile.
 */
import { createServer, type Server } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { systemClock } from '../../apps/server/src/platform/clock.ts';
import { textFrame } from '../../apps/server/src/platform/feed/frame.ts';
import { FeedHub } from '../../apps/server/src/platform/feed/hub.ts';
import { jsonLog } from '../../apps/server/src/platform/log/json-log.ts';
import { Metrics } from '../../apps/server/src/platform/metrics/metrics.ts';
import { depthNow, TOPIC } from './message.ts';

export interface Usage {
  readonly updates: number;
  readonly cpuMicroseconds: number;
  readonly seconds: number;
  readonly residentMegabytes: number;
}

interface Sender {
  readonly server: Server | ReturnType<typeof createTcpServer>;
  send(): void;
}

const sender = process.argv[2] === 'hub' ? hub() : bare();
let timer: NodeJS.Timeout | undefined;
let updates = 0;
let before = process.cpuUsage();
let beganMs = 0;

sender.server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify({ port: (sender.server.address() as AddressInfo).port })}\n`);
});
process.on('message', (question) => {
  const [word, perSecond] = String(question).split(' ');
  clearInterval(timer);
  if (word === 'stop') {
    const { user, system } = process.cpuUsage(before);
    const seconds = (performance.now() - beganMs) / 1_000;
    const residentMegabytes = process.memoryUsage.rss() / 1e6;
    const usage: Usage = { updates, cpuMicroseconds: user + system, seconds, residentMegabytes };
    process.send?.(usage);
    return;
  }
  updates = 0;
  before = process.cpuUsage();
  beganMs = performance.now();
  timer = setInterval(
    () => {
      updates += 1;
      sender.send();
    },
    1_000 / Number(perSecond),
  );
  process.send?.('started');
});
process.once('SIGTERM', () => process.exit(0));

function hub(): Sender {
  const log = jsonLog({ level: 'warn', clock: systemClock, write: (line) => process.stderr.write(line) });
  const feed = new FeedHub({
    clock: systemClock,
    log,
    metrics: new Metrics(),
    proxyHeader: undefined,
    publicUrl: undefined,
    // All clients come from this machine.
    limits: { connectionsPerAddress: 1_000_000 },
  });
  feed.serve('depth', depthNow);
  const server = createServer();
  feed.attach(server, { find: () => undefined, onSessionEnded: () => undefined });
  return { server, send: () => feed.publish(TOPIC, depthNow()) };
}

function bare(): Sender {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    socket.setNoDelay(true);
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
  });
  let seq = 0;
  const send = () => {
    seq += 1;
    const data = JSON.stringify(depthNow());
    const head = `{"topic":"${TOPIC}","type":"update","seq":${seq},"ts":${systemClock.now()},"data":`;
    const frame = textFrame(`${head}${data}}`);
    for (const socket of sockets) socket.write(frame);
  };
  return { server, send };
}
