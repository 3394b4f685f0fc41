/**
 * Market calls per second over HTTP, the demo market running behind them, beside node's bare http server that
 * answers the same bytes. Writes `bench/results/market-reads.json`. Run: npx tsx bench/market-reads.ts
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { watchMachine } from './measuring/machine.ts';
import {
  builtPrograms,
  repositoryRoot,
  runningProgram,
  temporaryFolder,
  type RunningProgram,
} from './measuring/programs.ts';
import { keepResults } from './measuring/results.ts';
import { median, rounded } from './measuring/statistics.ts';

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
  /** Processor time of the server per call. */
  readonly microseconds: number;
}
type Sides = Readonly<Record<'ours' | 'bare', Figures[]>>;

const seen = watchMachine();
const folder = await temporaryFolder();
const programs = await builtPrograms('market-reads', {
  server: 'measuring/server.ts',
  bare: 'measuring/raw-http.ts',
});
const environment = {
  DATA_DIR: folder.path,
  HOST: '127.0.0.1',
  PORT: '0',
  CONSOLE_PORT: '0',
  LOG_LEVEL: 'error',
  MODE: 'demo',
};
const ours = await runningProgram<{ app: string }>(programs.server, [repositoryRoot], { environment });
const ourAddress = ours.ready.app.replace('localhost', '127.0.0.1');
const bodies = join(folder.path, 'bodies.json');
await writeFile(bodies, JSON.stringify(await bodiesOf(ourAddress)));
const bare = await runningProgram<{ port: number }>(programs.bare, [bodies]);
const figures = Object.fromEntries(
  CALL_NAMES.map((call) => [call, { ours: [], bare: [] }]),
) as unknown as Record<Call, Sides>;

for (let repeat = 0; repeat < REPEATS; repeat += 1) {
  for (const call of CALL_NAMES) {
    figures[call].bare.push(await measured(bare, `http://127.0.0.1:${bare.ready.port}`, call));
    figures[call].ours.push(await measured(ours, ourAddress, call));
  }
}
await bare.stop();
await ours.stop();
await folder.remove();
await report();

async function bodiesOf(address: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const [path, form] of Object.values(CALLS)) {
    const response = await fetch(address + path, { method: 'POST', body: new URLSearchParams(form) });
    found[path] = await response.text();
    if (!found[path].includes('"status":"ok"')) throw new Error(`${path} answers ${found[path]}`);
  }
  return found;
}

async function measured(server: RunningProgram<unknown>, address: string, call: Call): Promise<Figures> {
  const [path, body] = CALLS[call];
  const before = await server.ask<number>('processor time');
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
  const used = (await server.ask<number>('processor time')) - before;
  return { perSecond: result.requests.average, microseconds: used / result.requests.total };
}

async function report(): Promise<void> {
  const rows = CALL_NAMES.map((call) => {
    const middle = (side: keyof Sides, figure: keyof Figures) =>
      median(figures[call][side].map((one) => one[figure]));
    return {
      call,
      perSecond: Math.round(middle('ours', 'perSecond')),
      barePerSecond: Math.round(middle('bare', 'perSecond')),
      ratio: rounded(middle('ours', 'perSecond') / middle('bare', 'perSecond')),
      microseconds: rounded(middle('ours', 'microseconds'), 1),
      bareMicroseconds: rounded(middle('bare', 'microseconds'), 1),
    };
  });
  console.table(rows);
  const disturbance = seen();
  console.log(`load before ${disturbance.loadBefore}, steal ${disturbance.steal ?? 'unknown'}`);
  await keepResults('market-reads', {
    disturbance,
    repeats: REPEATS,
    connections: CONNECTIONS,
    rows,
  });
}
