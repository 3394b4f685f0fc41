/**
 * Measures calls of market data through an API node of the demo market with few and with many callers at once: the
 * writer's and the node's processor time for a call, and how many calls were answered by the command of another caller.
 * Needs nats-server. Prints a table and the ratio, and writes `bench/results/shared-reads.json`.
 * Run: npx tsx bench/shared-reads.ts
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import autocannon from 'autocannon';
import { hasNats, NatsServer } from '../apps/server/testing/nats.ts';
import { processorTimeOf, startClusterServer } from './cluster/servers.ts';
import { watchMachine } from './measuring/machine.ts';
import { startPostgres } from './measuring/postgres.ts';
import { INDEX_WORKER, buildPrograms, temporaryFolder } from './measuring/programs.ts';
import { printRatios, writeResults } from './measuring/results.ts';
import { median, round } from './measuring/statistics.ts';

const REPEATS = Number(process.env['REPEATS'] ?? 3);
const SECONDS = 4;
/** Milliseconds without calls, before each measurement, in which the writer's own work is measured. */
const IDLE_MS = 4_000;
/** Milliseconds after the start, in which the demo market creates its history. */
const SETTLED_MS = 30_000;
/** Numbers of callers that read the same at once; each waits for its answer before it calls again. */
const CALLERS = [1, 16, 128] as const;
const CALLS = {
  'depth of the apps': {
    path: '/bb/app/huobi/getHuobiContractDepthV2',
    method: 'POST',
    body: 'symbol=btcusdt',
  },
  'depth of the public API, 100': {
    path: '/api/v3/depth?symbol=BTCUSDT&limit=100',
    method: 'GET',
    body: '',
  },
  'all day tickers of the public API': { path: '/api/v3/ticker/24hr', method: 'GET', body: '' },
} as const;
type Call = keyof typeof CALLS;
const CALL_NAMES = Object.keys(CALLS) as Call[];

interface Outcome {
  readonly call: Call;
  readonly callers: number;
  readonly perSecond: number;
  readonly p99Ms: number;
  readonly writerUs: number;
  readonly nodeUs: number;
  /** Share (0 to 1) of the calls that were answered by the command of another caller. */
  readonly shared: number;
}

if (!hasNats) throw new Error('nats-server is missing; run: node tools/gates/nats.mjs');
const disturbanceSoFar = watchMachine();
const folder = await temporaryFolder();
const programs = await buildPrograms('shared-reads', {
  server: 'measuring/server.ts',
  'index-worker': INDEX_WORKER,
});
const nats = await NatsServer.start();
const postgres = await startPostgres(folder.path);
await postgres.makeTemplate('empty');
const database = await postgres.copy('empty', 'demo');
const server = (role: 'writer' | 'api') =>
  startClusterServer(programs.server, {
    role,
    natsUrl: nats.url,
    database,
    dataFolder: join(folder.path, role),
    mode: 'demo',
  });
const writer = await server('writer');
const node = await server('api');
const address = node.ready.app.replace('localhost', '127.0.0.1');
const outcomes: Outcome[] = [];

try {
  await sleep(SETTLED_MS);
  for (let repeat = 0; repeat < REPEATS; repeat += 1)
    for (const call of CALL_NAMES) for (const callers of CALLERS) outcomes.push(await measure(call, callers));
} finally {
  await node.stop();
  await writer.stop();
  await postgres.stop();
  await nats.stop();
  await folder.remove();
}
await report();

/** Returns the writer's processor time in microseconds for a second without calls, which the demo market takes. */
async function idleTime(): Promise<number> {
  const before = await processorTimeOf([writer]);
  await sleep(IDLE_MS);
  return ((await processorTimeOf([writer])) - before) / (IDLE_MS / 1_000);
}

async function measure(call: Call, callers: number): Promise<Outcome> {
  const { path, method, body } = CALLS[call];
  const idleUs = await idleTime();
  const before = { writer: await processorTimeOf([writer]), node: await processorTimeOf([node]) };
  const sharedBefore = await sharedCalls();
  const startMs = performance.now();
  const result = await autocannon({
    url: address + path,
    connections: callers,
    duration: SECONDS,
    method,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body,
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${path}: ${result.non2xx} refused, ${result.errors} failed`);
  const idle = idleUs * ((performance.now() - startMs) / 1_000);
  const { total } = result.requests;
  return {
    call,
    callers,
    perSecond: result.requests.average,
    p99Ms: result.latency.p99,
    writerUs: ((await processorTimeOf([writer])) - before.writer - idle) / total,
    nodeUs: ((await processorTimeOf([node])) - before.node) / total,
    shared: ((await sharedCalls()) - sharedBefore) / total,
  };
}

async function sharedCalls(): Promise<number> {
  const metrics = await (await fetch(`${node.ready.console}/metrics`)).text();
  return Number(/^shared_reads_total (\d+)$/m.exec(metrics)?.[1] ?? 0);
}

async function report(): Promise<void> {
  const rows = CALL_NAMES.flatMap((call) =>
    CALLERS.map((callers) => {
      const ofRow = outcomes.filter((outcome) => outcome.call === call && outcome.callers === callers);
      const figure = (read: (outcome: Outcome) => number, digits = 1) =>
        round(median(ofRow.map(read)), digits);
      return {
        call,
        callers,
        perSecond: figure(({ perSecond }) => perSecond, 0),
        p99Ms: figure(({ p99Ms }) => p99Ms),
        writerUs: figure(({ writerUs }) => writerUs),
        nodeUs: figure(({ nodeUs }) => nodeUs),
        shared: figure(({ shared }) => shared, 2),
      };
    }),
  );
  console.table(rows);
  const writerUsOf = (call: Call, callers: number) =>
    rows.find((row) => row.call === call && row.callers === callers)?.writerUs ?? Number.NaN;
  const ratios = CALL_NAMES.map((call, index) => ({
    name: `N${index + 2}`,
    what: `${call}: the writer’s processor time for a call of 128 callers ÷ of one`,
    value: writerUsOf(call, 128) / writerUsOf(call, 1),
    floor: 0.2,
    better: 'lower' as const,
  }));
  printRatios(ratios);
  const disturbance = disturbanceSoFar();
  console.log(`load before ${disturbance.loadBefore}, steal ${disturbance.steal ?? 'unknown'}`);
  await writeResults('shared-reads', { disturbance, repeats: REPEATS, rows, ratios });
}
