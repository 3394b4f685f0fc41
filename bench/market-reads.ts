/**
 * Measures market data requests per second over HTTP while the demo market runs, compared with Node's bare HTTP
 * server that returns the same bytes. Writes `bench/results/market-reads.json`. Run: npx tsx bench/market-reads.ts
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { watchMachine } from './measuring/machine.ts';
import {
  INDEX_WORKER,
  buildPrograms,
  repositoryRoot,
  startProgram,
  temporaryFolder,
  type RunningProgram,
} from './measuring/programs.ts';
import { writeResults } from './measuring/results.ts';
import { median, round } from './measuring/statistics.ts';

const REPEATS = 3;
const SECONDS = 2;
const CONNECTIONS = 64;
const CALLS = {
  ticker: ['/bb/app/huobi/getDetails', 'symbol=btcusdt'],
  tickers: ['/bb/app/huobi/getHuobiDetailsByQuoteCoin', 'quoteCoin=USDT'],
  'kline of 150': ['/bb/app/huobi/getKline', 'symbol=btcusdt&timer=1min&size=150'],
  depth: ['/bb/app/huobi/getHuobiContractDepthV2', 'symbol=btcusdt'],
  'trades, 50': ['/bb/app/huobi/getMarketTrade', 'symbol=btcusdt'],
} as const;
type Call = keyof typeof CALLS;
const CALL_NAMES = Object.keys(CALLS) as Call[];

interface Figures {
  readonly perSecond: number;
  /** Processor time of the server per request in microseconds. */
  readonly microseconds: number;
}
type Sides = Readonly<Record<'ours' | 'bare', Figures[]>>;

const disturbanceSoFar = watchMachine();
const folder = await temporaryFolder();
const programs = await buildPrograms('market-reads', {
  server: 'measuring/server.ts',
  'index-worker': INDEX_WORKER,
  bare: 'measuring/bare-http.ts',
});
const environment = {
  DATA_DIR: folder.path,
  HOST: '127.0.0.1',
  PORT: '0',
  CONSOLE_PORT: '0',
  LOG_LEVEL: 'error',
  MODE: 'demo',
};
const ours = await startProgram<{ app: string }>(programs.server, [repositoryRoot], { environment });
const ourAddress = ours.ready.app.replace('localhost', '127.0.0.1');
const bodies = join(folder.path, 'bodies.json');
await writeFile(bodies, JSON.stringify(await bodiesOf(ourAddress)));
const bare = await startProgram<{ port: number }>(programs.bare, [bodies]);
const figures = Object.fromEntries(
  CALL_NAMES.map((call) => [call, { ours: [], bare: [] }]),
) as unknown as Record<Call, Sides>;

for (let repeat = 0; repeat < REPEATS; repeat += 1) {
  for (const call of CALL_NAMES) {
    figures[call].bare.push(await measure(bare, `http://127.0.0.1:${bare.ready.port}`, call));
    figures[call].ours.push(await measure(ours, ourAddress, call));
  }
}
await bare.stop();
await ours.stop();
await folder.remove();
await report();

async function bodiesOf(address: string): Promise<Record<string, string>> {
  const responses: Record<string, string> = {};
  for (const [path, form] of Object.values(CALLS)) {
    const response = await fetch(address + path, { method: 'POST', body: new URLSearchParams(form) });
    responses[path] = await response.text();
    if (!responses[path].includes('"status":"ok"')) throw new Error(`${path} answers ${responses[path]}`);
  }
  return responses;
}

async function measure(server: RunningProgram<unknown>, address: string, call: Call): Promise<Figures> {
  const [path, body] = CALLS[call];
  const before = await server.request<number>('processor time');
  const result = await autocannon({
    url: address + path,
    connections: CONNECTIONS,
    duration: SECONDS,
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body,
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${path}: ${result.non2xx} refused, ${result.errors} failed`);
  const usedMicroseconds = (await server.request<number>('processor time')) - before;
  return { perSecond: result.requests.average, microseconds: usedMicroseconds / result.requests.total };
}

async function report(): Promise<void> {
  const rows = CALL_NAMES.map((call) => {
    const medianOf = (side: keyof Sides, figure: keyof Figures) =>
      median(figures[call][side].map((run) => run[figure]));
    return {
      call,
      perSecond: Math.round(medianOf('ours', 'perSecond')),
      barePerSecond: Math.round(medianOf('bare', 'perSecond')),
      ratio: round(medianOf('ours', 'perSecond') / medianOf('bare', 'perSecond')),
      microseconds: round(medianOf('ours', 'microseconds'), 1),
      bareMicroseconds: round(medianOf('bare', 'microseconds'), 1),
    };
  });
  console.table(rows);
  const disturbance = disturbanceSoFar();
  console.log(`load before ${disturbance.loadBefore}, steal ${disturbance.steal ?? 'unknown'}`);
  await writeResults('market-reads', {
    disturbance,
    repeats: REPEATS,
    connections: CONNECTIONS,
    rows,
  });
}
