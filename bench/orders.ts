/**
 * Measures durable orders per second of the whole server over HTTP and over the WebSocket API. Compares them with the
 * same engine called in the same process, the bare group commits of the same rows, the design with one transaction per
 * order, and the engine without a database. Prints a table and the ratios, and writes `bench/results/orders.json`. Run:
 * npx tsx bench/orders.ts
 */
import { join } from 'node:path';
import { watchMachine } from './measuring/machine.ts';
import { startPostgres, urlOf, type BenchPostgres } from './measuring/postgres.ts';
import {
  INDEX_WORKER,
  LIVE_SERVER,
  buildPrograms,
  runProgram,
  repositoryRoot,
  startProgram,
  temporaryFolder,
  type RunningProgram,
} from './measuring/programs.ts';
import { writeResults, printRatios, type Ratio } from './measuring/results.ts';
import { median, round } from './measuring/statistics.ts';
import type { SideOutcome } from './orders/program.ts';
import { TRADERS } from './orders/workload.ts';

const REPEATS = Number(process.env['REPEATS'] ?? 3);
const RUN_MS = 4_000;
const STEADY_RUN_MS = 8_000;
const ENGINE_COMMANDS = 200_000;
const TRANSACTION_CONNECTIONS = [16, 64];
const HTTP_CONNECTIONS = [TRADERS, 200, 50];
const STEADY_SHARE = 0.4;
const SOCKETS = `WebSocket API, ${TRADERS} connections`;
const BARE_MESSAGES = `bare messages, ${TRADERS} connections`;
const BATCH_SIZE = 10;
const SOCKET_BATCHES = `WebSocket API, batches of ${BATCH_SIZE}, ${TRADERS} connections`;

const selection = process.argv.slice(2);
const disturbance = watchMachine();
const folder = await temporaryFolder();
const programs = await buildPrograms('orders', {
  side: 'orders/program.ts',
  load: 'orders/load.ts',
  socketLoad: 'orders/socket-load.ts',
  server: 'measuring/server.ts',
  bareSocket: 'measuring/bare-socket.ts',
  'index-worker': INDEX_WORKER,
});
const postgres = await startPostgres(folder.path);
const outcomes = new Map<string, SideOutcome[]>();
let copies = 0;

try {
  const template = await postgres.makeTemplate('stage');
  await runProgram(programs.side, ['prepare', JSON.stringify(template)]);
  const groups = join(folder.path, 'groups.json');
  const singles = join(folder.path, 'singles.json');
  await onCopy((database) => runProgram(programs.side, ['capture', database, groups, TRADERS]));
  await onCopy((database) => runProgram(programs.side, ['capture', database, singles, 1]));
  for (let repeat = 0; repeat < REPEATS; repeat += 1) {
    // Measurements that are divided by each other run in direct succession, because the speed of the machine changes
    // within minutes.
    await measure('bare group commits', (database) => ['groups', database, groups]);
    await measure('in process', (database) => ['callers', database, TRADERS, RUN_MS]);
    await measureSockets();
    for (const connections of HTTP_CONNECTIONS) await measureHttp(connections);
    await measure('engine, no database', () => ['engine', '{}', ENGINE_COMMANDS]);
    for (const connections of TRANSACTION_CONNECTIONS) {
      await measure(`transactions, ${connections} connections`, (database) => [
        'transactions',
        database,
        singles,
        connections,
      ]);
    }
    await measureSteady();
  }
} finally {
  await postgres.stop();
  await folder.remove();
}
await report();

async function measure(name: string, parameters: (database: string) => (string | number)[]): Promise<void> {
  if (!isWanted(name)) return;
  await onCopy(async (database) => {
    record(name, await runProgram<SideOutcome>(programs.side, parameters(database)));
  });
}

/**
 * Returns whether the benchmark measures the side with this name. Each command-line argument selects the sides whose
 * names contain it. Without arguments all sides are measured, and only then the results are written.
 */
function isWanted(name: string): boolean {
  return selection.length === 0 || selection.some((part) => name.includes(part));
}

/** Creates a copy of the prepared database, passes its connection settings to `use` as JSON, and drops it. */
async function onCopy(use: (database: string) => Promise<unknown>): Promise<void> {
  copies += 1;
  const name = `copy_${copies}`;
  const database: Awaited<ReturnType<BenchPostgres['copy']>> = await postgres.copy('stage', name);
  await use(JSON.stringify(database));
  await postgres.drop(name);
}

/** Measures orders per second of the server over HTTP, with a new copy of the database and a newly started server. */
async function measureHttp(connections: number): Promise<void> {
  await measureServer(`HTTP, ${connections} connections`, programs.load, ['closed', connections, RUN_MS]);
}

/**
 * Measures orders per second over the WebSocket API with one connection per trader, with an order per message and with
 * batches, each with a new copy of the database and a newly started server.
 */
async function measureSockets(): Promise<void> {
  await measureBareMessages();
  await measureServer(SOCKETS, programs.socketLoad, [TRADERS, RUN_MS]);
  await measureServer(SOCKET_BATCHES, programs.socketLoad, [TRADERS, RUN_MS, BATCH_SIZE]);
}

/** Measures the messages of the WebSocket API against a server that does nothing but answer. */
async function measureBareMessages(): Promise<void> {
  if (!isWanted(BARE_MESSAGES)) return;
  const server = await startProgram<{ port: number }>(programs.bareSocket, []);
  await recordLoad(BARE_MESSAGES, server, programs.socketLoad, [server.ready.port, TRADERS, RUN_MS]);
}

/** Measures latency over HTTP at a steady rate of orders, which is a share of the best HTTP rate in this repeat. */
async function measureSteady(): Promise<void> {
  const rates = HTTP_CONNECTIONS.map((n) => outcomes.get(`HTTP, ${n} connections`)?.at(-1)?.perSecond ?? 0);
  const rate = Math.round(Math.max(...rates) * STEADY_SHARE);
  await measureServer('HTTP, steady', programs.load, ['steady', TRADERS, STEADY_RUN_MS, rate]);
}

/**
 * Measures a server under load. `parameters` are those of the program that sends the load. The texts among them come
 * before the port and the numbers after it.
 */
async function measureServer(
  name: string,
  load: string,
  parameters: readonly (string | number)[],
): Promise<void> {
  if (!isWanted(name)) return;
  await onCopy(async (databaseText) => {
    const environment = {
      ...LIVE_SERVER,
      DATABASE_URL: urlOf(JSON.parse(databaseText) as never),
      DATA_DIR: join(folder.path, `data-${copies}`),
    };
    const server = await startProgram<{ app: string }>(programs.server, [repositoryRoot], { environment });
    const port = Number(new URL(server.ready.app).port);
    // The load program expects the name of the run first, then the port, and then the numbers.
    const names = parameters.filter((parameter) => typeof parameter === 'string');
    const numbers = parameters.filter((parameter) => typeof parameter === 'number');
    await recordLoad(name, server, load, [...names, port, ...numbers]);
  });
}

/** Runs a program that sends load to a server, records its outcome with the server's processor time, and stops the server. */
async function recordLoad(
  name: string,
  server: RunningProgram<unknown>,
  load: string,
  parameters: readonly (string | number)[],
): Promise<void> {
  const usedBefore = await server.request<number>('processor time');
  const outcome = await runProgram<SideOutcome & { answeredInAll: number }>(load, parameters);
  const usedMicroseconds = (await server.request<number>('processor time')) - usedBefore;
  record(name, { ...outcome, cpuMicroseconds: usedMicroseconds / outcome.answeredInAll });
  await server.stop();
}

function record(name: string, outcome: SideOutcome): void {
  const recorded = outcomes.get(name) ?? [];
  recorded.push(outcome);
  outcomes.set(name, recorded);
  console.log(`${name}: ${Math.round(outcome.perSecond)} per second`);
}

function medianOf(name: string, figure: keyof SideOutcome = 'perSecond'): number {
  return median((outcomes.get(name) ?? []).flatMap((outcome) => outcome[figure] ?? []));
}

/**
 * Type of the function that returns one measured figure of a side of the comparison, from a single repeat.
 */
type FigureOf = (side: string, figure?: keyof SideOutcome) => number;

/**
 * Returns the median ratio over all repeats. The two figures of a ratio come from the same repeat,
 * because the speed of the machine changes between repeats.
 */
function ratioOf(
  name: string,
  what: string,
  floor: number,
  better: Ratio['better'],
  ratio: (figureOf: FigureOf) => number,
): Ratio {
  const ratios = Array.from({ length: REPEATS }, (_, repeat) =>
    ratio((side, figure = 'perSecond') => outcomes.get(side)?.[repeat]?.[figure] ?? Number.NaN),
  );
  const repeats = ratios.map((value) => round(value)).join(' ');
  return { name, what: `${what} (${repeats})`, value: median(ratios), floor, better };
}

async function report(): Promise<void> {
  const figures = [...outcomes.keys()].map((name) => ({
    side: name,
    perSecond: Math.round(medianOf(name)),
    p50Ms: round(medianOf(name, 'p50Ms')),
    p99Ms: round(medianOf(name, 'p99Ms')),
    refused: round(medianOf(name, 'refused'), 3),
    cpuMicroseconds: round(medianOf(name, 'cpuMicroseconds'), 1),
    callerMicroseconds: round(medianOf(name, 'callerMicroseconds'), 1),
    repeats: (outcomes.get(name) ?? []).map(({ perSecond }) => Math.round(perSecond)).join(' '),
  }));
  console.table(figures);
  const ratios = [
    ratioOf(
      'P1',
      'HTTP ÷ in process',
      0.5,
      'higher',
      (figureOf) => figureOf(`HTTP, ${TRADERS} connections`) / figureOf('in process'),
    ),
    ratioOf(
      'P7',
      'WebSocket API ÷ in process',
      0.8,
      'higher',
      (figureOf) => figureOf(SOCKETS) / figureOf('in process'),
    ),
    ratioOf(
      'P7b',
      `WebSocket API in batches of ${BATCH_SIZE} ÷ in process`,
      0.8,
      'higher',
      (figureOf) => figureOf(SOCKET_BATCHES) / figureOf('in process'),
    ),
    ratioOf(
      'P7c',
      'WebSocket API ÷ the rate at which one thread would process orders and bare messages',
      0.5,
      'higher',
      (figureOf) => {
        const inProcessUs = 1e6 / figureOf('in process');
        return (figureOf(SOCKETS) * (inProcessUs + figureOf(BARE_MESSAGES, 'cpuMicroseconds'))) / 1e6;
      },
    ),
    ratioOf('P2', 'in process ÷ one transaction per order', 4, 'higher', (figureOf) => {
      const rates = TRANSACTION_CONNECTIONS.map((n) => figureOf(`transactions, ${n} connections`));
      return figureOf('in process') / Math.max(...rates);
    }),
    ratioOf(
      'P3',
      'in process ÷ bare group commits of the same rows',
      0.75,
      'higher',
      (figureOf) => figureOf('in process') / figureOf('bare group commits'),
    ),
    ratioOf(
      'P6',
      'engine without database ÷ in process',
      15,
      'higher',
      (figureOf) => figureOf('engine, no database') / figureOf('in process'),
    ),
    ratioOf(
      'P4',
      'p99 ÷ p50 over HTTP at 40 % of saturation, open loop',
      8,
      'lower',
      (figureOf) => figureOf('HTTP, steady', 'p99Ms') / figureOf('HTTP, steady', 'p50Ms'),
    ),
  ];
  // Ratios of sides that were not selected have no value.
  printRatios(selection.length === 0 ? ratios : ratios.filter(({ value }) => !Number.isNaN(value)));
  const measuredDisturbance = disturbance();
  console.log(
    `load before ${measuredDisturbance.loadBefore}, steal ${measuredDisturbance.steal ?? 'unknown'}`,
  );
  if (selection.length === 0)
    await writeResults('orders', { disturbance: measuredDisturbance, repeats: REPEATS, figures, ratios });
}
