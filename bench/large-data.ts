/**
 * Creates a data folder of a large exchange and runs a server on it. Measures start, reconciliation, orders, how many
 * entries the users' statements lag behind, nearly every reading request of the public API and of the console, and
 * memory. At scale 1 the exchange has a million users, ten million orders and twenty million trades. Writes
 * `bench/results/large-data.json`.
 *
 * Run: npx tsx bench/large-data.ts --scale=0.2 [--folder=FOLDER]. The folder of the `--folder` option is not deleted,
 * so that the next run can use it again.
 */
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { totpCode } from '../apps/server/src/platform/secrets/totp.ts';
import type { FilledData } from './large-data/fill.ts';
import { tokenOf, userId } from './large-data/plan.ts';
import { consoleReads, publicReads, send, type Read } from './large-data/reads.ts';
import type { LargeServer } from './large-data/server.ts';
import { formPost, HttpConnection } from './measuring/http-client.ts';
import { watchMachine } from './measuring/machine.ts';
import {
  buildPrograms,
  runProgram,
  repositoryRoot,
  startProgram,
  temporaryFolder,
  type RunningProgram,
} from './measuring/programs.ts';
import { writeResults } from './measuring/results.ts';
import { median, percentile, round } from './measuring/statistics.ts';
import { instant } from '@exchange/core/time.ts';
import { API_BASE } from '@exchange/wire/endpoint.ts';
import { cancelOrder, createOrder } from '@exchange/wire/spot.ts';

const { values } = parseArgs({
  options: { scale: { type: 'string', default: '0.2' }, folder: { type: 'string' } },
});
const scale = Number(values.scale);
if (!(scale > 0 && scale <= 1))
  throw new Error(`--scale takes a number above 0 and up to 1, not "${values.scale}"`);

const ORDERS_FOR_MS = 8_000;
const READS = 5;
/** Median response time in milliseconds above which a reading request counts as slow. */
const SLOW_MS = 100;
const PLACE = `${API_BASE}${createOrder.path}`;
const CANCEL = `${API_BASE}${cancelOrder.path}`;
/**
 * Price of a buy order in per cent of the index price. Such an order rests in the book, but is within the price band.
 */
const BELOW_INDEX = 95n;
const MEGABYTE = 1_048_576;

const disturbance = watchMachine();
const temporary = values.folder === undefined ? await temporaryFolder() : undefined;
const folder = resolve(values.folder ?? temporary!.path);
const programs = await buildPrograms('large-data', {
  folder: 'large-data/folder.ts',
  server: 'large-data/server.ts',
});
try {
  const filled = await makeFolder();
  const server = await startServer();
  try {
    const figures = await measure(server);
    console.table(filled === undefined ? [] : [filled]);
    console.table([figures.server]);
    console.table(figures.orders);
    console.table(figures.slowest);
    console.log(`${figures.unserved.length} reads were refused: ${figures.unserved.join(' ')}`);
    await writeResults('large-data', { disturbance: disturbance(), scale, filled, ...figures });
  } finally {
    await server.stop();
  }
} finally {
  await temporary?.remove();
}

async function makeFolder(): Promise<FilledData | undefined> {
  await mkdir(folder, { recursive: true, mode: 0o755 });
  if (existsSync(join(folder, 'database'))) return undefined;
  const filled = await runProgram<FilledData>(programs.folder, [repositoryRoot, folder, scale]);
  console.table([filled]);
  return filled;
}

function startServer(): Promise<RunningProgram<LargeServer>> {
  const environment = {
    PORT: '0',
    CONSOLE_PORT: '0',
    HOST: '127.0.0.1',
    DATA_DIR: folder,
    MODE: 'demo',
    HOUSE_TRADING: 'off',
    LOG_LEVEL: 'warn',
  };
  return startProgram<LargeServer>(programs.server, [repositoryRoot], { environment });
}

interface Timed {
  readonly ms: number;
  readonly problems: readonly unknown[];
}

async function measure(server: RunningProgram<LargeServer>) {
  const { ready } = server;
  const idle = await server.request<Timed>('reconcile');
  const orders = [await ordersOver(1), await ordersOver(30)];
  const lag = await server.request<number>('lag');
  const minute = await server.request<Timed>('reconcile');
  const fullPass = await server.request<Timed>('fullPass');
  const problems = [idle, minute, fullPass].flatMap((round) => round.problems);
  if (problems.length > 0) throw new Error(`the data do not add up: ${JSON.stringify(problems.slice(0, 5))}`);
  const reads = await readEverything(ready);
  const memory = await server.request<NodeJS.MemoryUsage>('memory');
  return {
    server: {
      databaseMs: Math.round(ready.databaseMs),
      startMs: Math.round(ready.startMs),
      idleRoundMs: Math.round(idle.ms),
      roundAfterOrdersMs: Math.round(minute.ms),
      fullPassMs: Math.round(fullPass.ms),
      entriesBehind: lag,
      rssMegabytes: Math.round(memory.rss / MEGABYTE),
      heapMegabytes: Math.round(memory.heapUsed / MEGABYTE),
    },
    orders,
    ...reads,
  };

  /**
   * Places limit orders below the index price and cancels them, with one request at a time on each
   * connection. Returns the number of orders and their response times. Throws if an order is refused.
   */
  async function ordersOver(connections: number) {
    const port = Number(new URL(ready.app).port);
    const index = await server.request<string>('index');
    const price = (BigInt(index.split('.')[0]!) * BELOW_INDEX) / 100n;
    const endMs = performance.now() + ORDERS_FOR_MS;
    const latencies: number[] = [];
    await Promise.all(
      Array.from({ length: connections }, async (_, index) => {
        const connection = await HttpConnection.open(port);
        const token = tokenOf(index + 2);
        const form = `baseCoin=BTC&quoteCoin=USDT&tradeType=buy&orderType=limit&price=${price}&amount=0.001&timeInForce=GTC`;
        while (performance.now() < endMs) {
          const startMs = performance.now();
          const body = await connection.send(formPost(PLACE, token, form));
          latencies.push(performance.now() - startMs);
          const { code, msg, data } = JSON.parse(body) as { code: number; msg: string; data: { id: string } };
          if (code !== 1) throw new Error(`an order was refused: ${msg}`);
          await connection.send(formPost(CANCEL, token, `id=${data.id}`));
        }
        connection.close();
      }),
    );
    return {
      connections,
      orders: latencies.length,
      p50Ms: round(median(latencies)),
      p99Ms: round(percentile(latencies, 0.99)),
    };
  }
}

/**
 * Measures the median time of each read in milliseconds for the user with the most rows, for a typical user
 * and for an operator. Returns the numbers of reads and of slow reads (see `SLOW_MS`), the 25 slowest, and
 * the names of those that failed.
 */
async function readEverything({ app, console: consoleUrl, operators, operations }: LargeServer) {
  const cookie = await signIn(consoleUrl, operators);
  const readers: readonly (readonly [string, string, Record<string, string>, readonly Read[]])[] = [
    ['busiest', app, { 'x-access-token': tokenOf(1) }, publicReads(Date.now())],
    ['usual', app, { 'x-access-token': tokenOf(2) }, publicReads(Date.now())],
    ['operator', consoleUrl, { cookie }, consoleReads(operations, userId(1))],
  ];
  const times: { reader: string; read: string; ms: number; slowestMs: number }[] = [];
  const unserved: string[] = [];
  for (const [reader, url, headers, reads] of readers) {
    for (const read of reads) {
      const durations = await timesOf(url, read, headers);
      if (durations === undefined) unserved.push(read.name);
      else
        times.push({
          reader,
          read: read.name,
          ms: round(median(durations)),
          slowestMs: round(Math.max(...durations)),
        });
    }
  }
  const slowest = times.toSorted((first, second) => second.ms - first.ms).slice(0, 25);
  const above = times.filter(({ ms }) => ms > SLOW_MS).length;
  return { reads: times.length, readsAbove100Ms: above, slowest, unserved: [...new Set(unserved)] };
}

async function timesOf(
  url: string,
  read: Read,
  headers: Readonly<Record<string, string>>,
): Promise<number[] | undefined> {
  for (const form of read.forms) {
    const first = await send(url, read, form, headers);
    if (!first.isServed) continue;
    const times: number[] = [];
    for (let index = 0; index < READS; index += 1) times.push((await send(url, read, form, headers)).ms);
    return times;
  }
  return undefined;
}

async function signIn(consoleUrl: string, operators: LargeServer['operators']): Promise<string> {
  const owner = operators.find(({ name }) => name === 'owner')!;
  const body = new URLSearchParams({
    name: owner.name,
    password: owner.password,
    code: totpCode(owner.key, instant(Date.now())),
  });
  const answer = await fetch(`${consoleUrl}/ops/session`, { method: 'POST', body });
  if (!answer.ok) throw new Error(await answer.text());
  return (answer.headers.get('set-cookie') ?? '').split(';')[0]!;
}
