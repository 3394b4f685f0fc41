/**
 * Runs many readers of the feed in one process. The arguments are `hub`, `compressed` or `bare`, the port, the number
 * of readers, and how many of them stop reading. Prints a line as soon as all readers are connected. The message
 * `begin` resets the counters. The answer to the message `end` is what the readers that do not stop have received since
 * `begin`.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { FEED_PATH } from '@exchange/wire/feed.ts';
import { MessageParser } from './messages.ts';
import { FILLER_TOPIC, latencyMs, MESSAGE_BYTES, TOPIC } from './message.ts';

export interface Received {
  readonly megabytes: number;
  readonly messages: number;
  readonly latenciesMs: readonly number[];
}

const [kind = '', port = '', count = '', stalled = '0'] = process.argv.slice(2);
/** Only every 20th reader parses the time of sending, because parsing a message costs more than receiving it. */
const TIMED_EVERY = 20;
const OFFER =
  kind === 'compressed' ? 'Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n' : '';
let bytes = 0;
/**
 * Number of received compressed messages. For plain messages only the bytes are counted, because all plain messages
 * have the same length.
 */
let compressed = 0;
let latenciesMs: number[] = [];

const sockets: Socket[] = [];
for (let index = 0; index < Number(count); index += 1) {
  const socket = connect({ host: '127.0.0.1', port: Number(port) });
  await once(socket, 'connect');
  sockets.push(socket);
  if (index < Number(stalled)) await stall(socket);
  else await receive(socket, index % TIMED_EVERY === 0);
}
process.stdout.write(`${JSON.stringify({ connected: sockets.length })}\n`);
process.on('message', (command) => {
  if (command === 'end') {
    const messages = kind === 'compressed' ? compressed : bytes / MESSAGE_BYTES;
    const received: Received = { megabytes: bytes / 1e6, messages, latenciesMs };
    process.send?.(received);
    return;
  }
  bytes = 0;
  compressed = 0;
  latenciesMs = [];
  process.send?.('begun');
});
process.once('SIGTERM', () => process.exit(0));

async function receive(socket: Socket, isTimed: boolean): Promise<void> {
  if (kind !== 'bare') await subscribe(socket, [TOPIC]);
  if (kind === 'compressed') {
    receiveCompressed(socket, isTimed);
    return;
  }
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    const latency = isTimed ? latencyMs(chunk.toString('latin1')) : undefined;
    if (latency !== undefined) latenciesMs.push(latency);
  });
}

function receiveCompressed(socket: Socket, isTimed: boolean): void {
  const messages = new MessageParser();
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    for (const message of messages.parse(chunk)) {
      compressed += 1;
      const latency = isTimed ? latencyMs(message.text()) : undefined;
      if (latency !== undefined) latenciesMs.push(latency);
    }
  });
}

/**
 * Subscribes and then stops reading. Stalled readers also subscribe to a second topic, so that the server can fill the
 * operating system's buffers of these readers only.
 */
async function stall(socket: Socket): Promise<void> {
  // Errors are ignored, because the server disconnects stalled readers.
  socket.on('error', () => undefined);
  await subscribe(socket, [TOPIC, FILLER_TOPIC]);
  socket.pause();
}

/**
 * Sends the WebSocket handshake and a masked text frame that subscribes to topics. No library is used, because its time
 * would be measured too. Throws if the server refuses the handshake.
 */
async function subscribe(socket: Socket, topics: readonly string[]): Promise<void> {
  const key = randomBytes(16).toString('base64');
  socket.write(
    `GET ${FEED_PATH} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
      `Sec-WebSocket-Key: ${key}\r\nSec-WebSocket-Version: 13\r\n${OFFER}\r\n`,
  );
  const [answer] = (await once(socket, 'data')) as [Buffer];
  const head = answer.toString('latin1');
  if (!head.startsWith('HTTP/1.1 101')) throw new Error(`no WebSocket: ${head}`);
  const text = Buffer.from(JSON.stringify({ op: 'subscribe', topics }));
  const mask = randomBytes(4);
  const masked = text.map((byte, at) => byte ^ (mask[at % 4] ?? 0));
  socket.write(Buffer.concat([Buffer.from([0x81, 0x80 | text.length]), mask, masked]));
}
