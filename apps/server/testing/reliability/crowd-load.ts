/**
 * Loads a server from one address, as a process of its own: `fork`ed with a kind of load, the port and how many
 * connections. Each connection does its kind of harm as fast as it is answered, and is opened again when it was ended.
 */
import { connect, type Socket } from 'node:net';

/** What one connection of a kind sends: `open` at once, `again` after each answer; both may read nothing. */
interface Harm {
  readonly open: string;
  /** Sent whenever something has come back; undefined: nothing more. */
  readonly again?: string;
  /** Sent every so many milliseconds whatever comes back. */
  readonly drip?: { readonly text: string; readonly everyMs: number };
  readonly readsNothing?: boolean;
}

const [kind = '', portText = '', countText = '', token = '', order = '', assetsPath = '', orderPath = ''] =
  process.argv.slice(2);
const port = Number(portText);
const HOST = `Host: 127.0.0.1:${port}\r\n`;
const REOPEN_MS = 20;

const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\n${HOST}${headers}\r\n`;
const post = (path: string, body: string, headers = '') =>
  `POST /bb/app${path} HTTP/1.1\r\n${HOST}Content-Type: application/x-www-form-urlencoded\r\n${headers}` +
  `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
const loop = (text: string): Harm => ({ open: text, again: text });
const signedIn = `X-Access-Token: ${token}\r\n`;
const hour = Math.floor(Date.now() / 1_000) * 1_000;
const tape = get(`/bb/app/proof/tape?symbol=btcusdt&from=${hour - 3_600_000}&to=${hour}`);
const klines = post('/huobi/getKline', 'symbol=btcusdt&timer=1min&size=2000');

const HARMS: ReadonlyMap<string, Harm> = new Map([
  ['pipelined openapi.json', loop(get('/bb/app/openapi.json').repeat(1_100))],
  ['pages and files', loop(get('/pc/', 'Accept: text/html\r\n'))],
  ['k-lines', loop(klines)],
  ['an hour of the tape', loop(tape)],
  ['logins', loop(post('/user/login', 'email=nobody@example.com&password=Jasmine4river'))],
  ['slow readers', { open: klines.repeat(8), readsNothing: true }],
  [
    'slow heads and bodies',
    {
      open: `POST /bb/app/user/login HTTP/1.1\r\n${HOST}`,
      drip: { text: 'X-Slow: 1\r\n', everyMs: 500 },
    },
  ],
  [
    'websocket connects',
    loop(
      get(
        '/bb/app/ws',
        `Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}\r\n`,
      ),
    ),
  ],
  ['malformed requests', { open: 'NONSENSE / HTTP/9.9\r\n\r\n'.repeat(50) }],
  ['signed-in reads and orders', loop(post(assetsPath, '', signedIn) + post(orderPath, order, signedIn))],
]);

const harm = HARMS.get(kind);
if (harm === undefined) throw new Error(`there is no load called ${kind}`);
let answers = 0;
let opened = 0;

function open(): void {
  opened += 1;
  const socket: Socket = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.1' });
  socket.on('error', () => undefined);
  socket.on('connect', () => socket.write(harm!.open));
  if (harm!.readsNothing === true) socket.pause();
  else
    socket.on('data', () => {
      answers += 1;
      if (harm!.again !== undefined && socket.writableLength === 0) socket.write(harm!.again);
    });
  const drip = harm!.drip;
  const timer = drip && setInterval(() => socket.write(drip.text), drip.everyMs);
  socket.on('close', () => {
    clearInterval(timer);
    setTimeout(open, REOPEN_MS);
  });
}

for (let n = 0; n < Number(countText); n += 1) open();
process.on('message', () => process.send?.({ answers, opened }));
process.once('disconnect', () => process.exit(0));
