/**
 * A program that puts load on a server from one network address. It is started by `fork` with these
 * arguments: the kind of load, the port, the number of connections and, for signed-in requests, a token, an
 * order form and two paths. Most kinds of load send the next request when response data arrive. A connection
 * that ends is opened again.
 */
import { connect, type Socket } from 'node:net';

/**
 * The requests of one connection: `open` is sent when the connection opens, `again` each time response data
 * arrive.
 */
interface Load {
  readonly open: string;
  /**
   * Text that is sent each time response data arrive, unless earlier text waits to be sent; if undefined, the
   * connection sends no further request.
   */
  readonly again?: string;
  /**
   * `text` is sent every `everyMs` milliseconds, whether responses arrive or not; undefined if nothing is sent
   * regularly.
   */
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
const repeated = (text: string): Load => ({ open: text, again: text });
const signedIn = `X-Access-Token: ${token}\r\n`;
const nowMs = Math.floor(Date.now() / 1_000) * 1_000;
const tape = get(`/bb/app/proof/tape?symbol=btcusdt&from=${nowMs - 3_600_000}&to=${nowMs}`);
const klines = post('/huobi/getKline', 'symbol=btcusdt&timer=1min&size=2000');

const LOADS: ReadonlyMap<string, Load> = new Map([
  ['pipelined openapi.json', repeated(get('/bb/app/openapi.json').repeat(1_100))],
  ['pages and files', repeated(get('/pc/', 'Accept: text/html\r\n'))],
  ['k-lines', repeated(klines)],
  ['an hour of the tape', repeated(tape)],
  ['logins', repeated(post('/user/login', 'email=nobody@example.com&password=Jasmine4river'))],
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
    repeated(
      get(
        '/bb/app/ws',
        `Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}\r\n`,
      ),
    ),
  ],
  ['malformed requests', { open: 'NONSENSE / HTTP/9.9\r\n\r\n'.repeat(50) }],
  ['signed-in reads and orders', repeated(post(assetsPath, '', signedIn) + post(orderPath, order, signedIn))],
]);

const load = LOADS.get(kind);
if (load === undefined) throw new Error(`there is no load called ${kind}`);
let answers = 0;
let opened = 0;

function open(): void {
  opened += 1;
  const socket: Socket = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.1' });
  socket.on('error', () => undefined);
  socket.on('connect', () => socket.write(load!.open));
  if (load!.readsNothing === true) socket.pause();
  else
    socket.on('data', () => {
      answers += 1;
      if (load!.again !== undefined && socket.writableLength === 0) socket.write(load!.again);
    });
  const drip = load!.drip;
  const timer = drip && setInterval(() => socket.write(drip.text), drip.everyMs);
  socket.on('close', () => {
    clearInterval(timer);
    setTimeout(open, REOPEN_MS);
  });
}

for (let n = 0; n < Number(countText); n += 1) open();
process.on('message', () => process.send?.({ answers, opened }));
process.once('disconnect', () => process.exit(0));
