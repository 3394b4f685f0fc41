/**
 * What the edge costs: one signed-in POST through the whole edge (session, limits, idempotency key, metrics,
 * envelope) against node's bare http server with the same form decoding and the same field checks.
 * Run: npx tsx bench/http-edge.ts
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { coin, positiveDecimal, tradeType } from '@exchange/wire/codecs.ts';
import { endpoint, USER } from '@exchange/wire/endpoint.ts';
import * as z from 'zod/mini';
import { sessionsInMemory } from '../apps/server/testing/edge.ts';
import { systemClock } from '../apps/server/src/platform/clock.ts';
import { decodeForm } from '../apps/server/src/platform/http/form.ts';
import { route } from '../apps/server/src/platform/http/route.ts';
import { createHttpServer } from '../apps/server/src/platform/http/server.ts';
import { jsonLog } from '../apps/server/src/platform/log/json-log.ts';
import { Limits, NO_LIMITS } from '../apps/server/src/platform/limits/limits.ts';
import { Metrics } from '../apps/server/src/platform/metrics/metrics.ts';

const REPEATS = 3;
const SECONDS = 4;
const CONNECTIONS = 64;
const PATH = '/bb/app/bench/echo';
const BODY =
  'baseCoin=BTC&quoteCoin=USDT&tradeType=1&price=60000.10&amount=0.00125&clientId=8f14e45f-ceea-467f-a8d2';

const echo = endpoint({
  path: '/bench/echo',
  summary: 'Answers what it was sent.',
  access: USER,
  charge: { limit: 'order', weight: 1 },
  idempotent: true,
  fields: { baseCoin: coin, quoteCoin: coin, tradeType, price: positiveDecimal, amount: positiveDecimal },
  data: z.object({ symbol: z.string(), price: z.string(), amount: z.string() }),
});

interface Order {
  readonly baseCoin: string;
  readonly quoteCoin: string;
  readonly price: { toString(): string };
  readonly amount: { toString(): string };
}

function answered({ baseCoin, quoteCoin, price, amount }: Order) {
  return { symbol: (baseCoin + quoteCoin).toLowerCase(), price: price.toString(), amount: amount.toString() };
}

/** The least that does the same: bytes in, fields checked, JSON out. */
async function serveBare(): Promise<number> {
  const server = createServer((request: IncomingMessage, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const form = decodeForm(parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts));
      const checked = form.ok ? echo.fields.safeParse(form.value) : undefined;
      const data = checked?.success === true ? answered(checked.data) : {};
      const text = JSON.stringify({ code: 1, msg: 'success', data, ts: Date.now(), traceId: '1' });
      response.writeHead(200, {
        'content-type': 'application/json; charset=utf-8',
        'content-length': text.length,
      });
      response.end(text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

async function serveEdge(): Promise<number> {
  const sessions = sessionsInMemory();
  sessions.open('bench-token', 'bench-user');
  const app = await createHttpServer({
    clock: systemClock,
    log: jsonLog({ level: 'info', clock: systemClock, write: (line) => process.stderr.write(line) }),
    metrics: new Metrics(),
    sessions,
    limits: new Limits(systemClock, NO_LIMITS),
    proxyHeader: undefined,
    checksAnswers: false,
    mode: 'demo',
    version: 'bench',
    publicUrl: undefined,
    endpoints: [echo],
    routes: [route(echo, (fields) => answered(fields))],
    pages: [],
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  return (app.server.address() as AddressInfo).port;
}

type Kind = 'bare' | 'edge';

interface Server {
  readonly port: number;
  readonly child: ChildProcess;
}

interface Figures {
  readonly perSecond: number;
  /** Processor time of the server per request: unlike the rate, other programs hardly disturb it. */
  readonly microseconds: number;
}

function started(kind: Kind): Promise<Server> {
  const child = spawn(process.execPath, [...process.execArgv, fileURLToPath(import.meta.url), kind], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  return new Promise((resolve, reject) => {
    child.on('exit', (code) => reject(new Error(`the ${kind} server ended with ${code}`)));
    child.stdout?.on('data', (line: Buffer) => resolve({ port: Number(String(line)), child }));
  });
}

/** Processor time that a server has used, in microseconds. */
function processorTime(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    child.once('message', (used) => resolve(Number(used)));
    child.send('processor time');
  });
}

async function measured({ port, child }: Server, seconds: number): Promise<Figures> {
  const before = await processorTime(child);
  const result = await autocannon({
    url: `http://127.0.0.1:${port}${PATH}`,
    connections: CONNECTIONS,
    duration: seconds,
    method: 'POST',
    body: BODY,
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-access-token': 'bench-token' },
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${result.non2xx} refused, ${result.errors} failed`);
  const used = (await processorTime(child)) - before;
  return { perSecond: result.requests.average, microseconds: used / result.requests.total };
}

function median(figures: readonly number[]): number {
  return figures.toSorted((one, other) => one - other)[Math.floor(figures.length / 2)] ?? 0;
}

async function compare(): Promise<void> {
  const servers = { bare: await started('bare'), edge: await started('edge') };
  const figures = { bare: [] as Figures[], edge: [] as Figures[] };
  for (const kind of ['bare', 'edge'] as const) await measured(servers[kind], 1);
  for (let repeat = 0; repeat < REPEATS; repeat += 1) {
    for (const kind of ['bare', 'edge'] as const) figures[kind].push(await measured(servers[kind], SECONDS));
  }
  for (const { child } of Object.values(servers)) {
    child.removeAllListeners('exit');
    child.kill();
  }
  const medianOf = (kind: Kind, figure: keyof Figures) => median(figures[kind].map((one) => one[figure]));
  for (const figure of ['perSecond', 'microseconds'] as const) {
    const [bare, edge] = [medianOf('bare', figure), medianOf('edge', figure)];
    const ratio = figure === 'perSecond' ? edge / bare : bare / edge;
    process.stdout.write(
      `${figure}: bare ${bare.toFixed(1)}, edge ${edge.toFixed(1)}, ratio ${ratio.toFixed(2)}\n`,
    );
  }
}

const kind = process.argv[2];
if (kind === 'bare' || kind === 'edge') {
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send?.(user + system);
  });
  process.stdout.write(`${await (kind === 'bare' ? serveBare() : serveEdge())}\n`);
} else {
  await compare();
}
