/**
 * Many readers of the feed in a process of their own. Arguments: `hub` or `bare`, port, how many. Prints a
 * line when all are connected; asked `begin` it forgets, asked `end` it answers what arrived meanwhile.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { FEED_PATH } from '@exchange/wire/feed.ts';
import { percentile } from '../measuring/statistics.ts';
import { latencyMs, TOPIC } from './message.ts';

export interface Received {
  readonly megabytes: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

const [kind = '', port = '', count = ''] = process.argv.slice(2);
/** Reading the time in every message of every reader would cost more than receiving it. */
const TIMED_EVERY = 20;
let bytes = 0;
let latenciesMs: number[] = [];

const sockets: Socket[] = [];
for (let index = 0; index < Number(count); index += 1) {
  const socket = connect({ host: '127.0.0.1', port: Number(port) });
  await once(socket, 'connect');
  if (kind === 'hub') await subscribe(socket);
  const isTimed = index % TIMED_EVERY === 0;
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    const latency = isTimed ? latencyMs(chunk.toString('latin1')) : undefined;
    if (latency !== undefined) latenciesMs.push(latency);
  });
  sockets.push(socket);
}
process.stdout.write(`${JSON.stringify({ connected: sockets.length })}\n`);
process.on('message', (question) => {
  if (question === 'end') {
    const received: Received = {
      megabytes: bytes / 1e6,
      p50Ms: percentile(latenciesMs, 0.5),
      p99Ms: percentile(latenciesMs, 0.99),
    };
    process.send?.(received);
    return;
  }
  bytes = 0;
  latenciesMs = [];
  process.send?.('begun');
});
process.once('SIGTERM', () => process.exit(0));

/** The WebSocket handshake and one masked text frame, by hand: a client library would be measured too. */
async function subscribe(socket: Socket): Promise<void> {
  const key = randomBytes(16).toString('base64');
  socket.write(
    `GET ${FEED_PATH} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
      `Sec-WebSocket-Key: ${key}\r\nSec-WebSocket-Version: 13\r\n\r\n`,
  );
  const [answer] = (await once(socket, 'data')) as [Buffer];
  const head = answer.toString('latin1');
  if (!head.startsWith('HTTP/1.1 101')) throw new Error(`no WebSocket: ${head}`);
  const text = Buffer.from(JSON.stringify({ op: 'subscribe', topics: [TOPIC] }));
  const mask = randomBytes(4);
  const masked = text.map((byte, at) => byte ^ (mask[at % 4] ?? 0));
  socket.write(Buffer.concat([Buffer.from([0x81, 0x80 | text.length]), mask, masked]));
}
