/**
 * Measures what it costs to divide the exchange among processes: durable orders through two API nodes (R1) and with a
 * synchronous standby of the database (R2), each compared with orders in one process, and the writer's processor time
 * for each update of the live feed with three feed nodes compared with one (R6). Needs nats-server. Prints a table and
 * the ratios, and writes `bench/results/cluster.json`. Run: npx tsx bench/cluster.ts
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { hasNats, NatsServer } from '../apps/server/testing/nats.ts';
import type { WriterUsage } from './cluster/feed-writer.ts';
import { processorTimeOf, startClusterServer } from './cluster/servers.ts';
import { watchMachine } from './measuring/machine.ts';
import { startPostgres, type BenchDatabase } from './measuring/postgres.ts';
import {
  INDEX_WORKER,
  buildPrograms,
  runProgram,
  startProgram,
  temporaryFolder,
} from './measuring/programs.ts';
import { printRatios, writeResults, type Ratio } from './measuring/results.ts';
import { median, round } from './measuring/statistics.ts';
import type { SideOutcome } from './orders/program.ts';
import { TRADERS } from './orders/workload.ts';

const REPEATS = Number(process.env['REPEATS'] ?? 3);
const RUN_MS = 4_000;
const API_NODES = 2;
const UPDATES_PER_SECOND = 2_000;
const FEED_WARM_MS = 2_000;
const FEED_RUN_MS = 6_000;
/** The numbers of feed nodes that are compared. */
const FEED_NODES = [1, 3] as const;
const POLL_MS = 20;

interface NodesOutcome extends SideOutcome {
  /**
   * Processor time in microseconds that the writer (`writerMicroseconds`) and all API nodes together
   * (`nodeMicroseconds`) used, divided by the number of answered commands.
   */
  readonly writerMicroseconds: number;
  readonly nodeMicroseconds: number;
}

if (!hasNats) throw new Error('nats-server is missing; run: node tools/gates/nats.mjs');
const disturbanceSoFar = watchMachine();
const folder = await temporaryFolder();
const programs = await buildPrograms('cluster', {
  side: 'orders/program.ts',
  load: 'orders/load.ts',
  server: 'measuring/server.ts',
  'index-worker': INDEX_WORKER,
  feedWriter: 'cluster/feed-writer.ts',
  feedNode: 'cluster/feed-node.ts',
});
const nats = await NatsServer.start();
const postgres = await startPostgres(folder.path);
const inProcess: SideOutcome[] = [];
const withStandby: SideOutcome[] = [];
const throughNodes: NodesOutcome[] = [];
const feedMicroseconds: Readonly<Record<(typeof FEED_NODES)[number], number[]>> = { 1: [], 3: [] };
let copies = 0;
let starts = 0;

try {
  const template = await postgres.makeTemplate('stage');
  await runProgram(programs.side, ['prepare', JSON.stringify(template)]);
  for (let repeat = 0; repeat < REPEATS; repeat += 1) {
    inProcess.push(await onCopy(measureInProcess));
    throughNodes.push(await onCopy(measureNodes));
    const standby = await postgres.withStandby(join(folder.path, 'standby'));
    withStandby.push(await onCopy(measureInProcess));
    await standby.end();
    const order = repeat % 2 === 0 ? FEED_NODES : FEED_NODES.toReversed();
    for (const nodes of order) feedMicroseconds[nodes].push(await measureFeed(nodes));
  }
} finally {
  await postgres.stop();
  await nats.stop();
  await folder.remove();
}
await report();

/** Runs a measurement on a new copy of the prepared database. */
async function onCopy<T>(measure: (database: BenchDatabase) => Promise<T>): Promise<T> {
  copies += 1;
  const name = `copy_${copies}`;
  const outcome = await measure(await postgres.copy('stage', name));
  await postgres.drop(name);
  return outcome;
}

function measureInProcess(database: BenchDatabase): Promise<SideOutcome> {
  return runProgram(programs.side, ['callers', JSON.stringify(database), TRADERS, RUN_MS]);
}

/** Measures orders over HTTP through API nodes that forward them to a writer over NATS. */
async function measureNodes(database: BenchDatabase): Promise<NodesOutcome> {
  const writer = await startServer('writer', database);
  const nodes = await Promise.all(Array.from({ length: API_NODES }, () => startServer('api', database)));
  const ports = nodes.map(({ ready }) => new URL(ready.app).port).join(',');
  const before = { writer: await processorTimeOf([writer]), nodes: await processorTimeOf(nodes) };
  const outcome = await runProgram<SideOutcome & { answeredInAll: number }>(programs.load, [
    'closed',
    ports,
    TRADERS,
    RUN_MS,
  ]);
  const usedByWriter = (await processorTimeOf([writer])) - before.writer;
  const usedByNodes = (await processorTimeOf(nodes)) - before.nodes;
  for (const node of nodes) await node.stop();
  await writer.stop();
  return {
    ...outcome,
    writerMicroseconds: usedByWriter / outcome.answeredInAll,
    nodeMicroseconds: usedByNodes / outcome.answeredInAll,
  };
}

function startServer(role: 'writer' | 'api', database: BenchDatabase) {
  starts += 1;
  return startClusterServer(programs.server, {
    role,
    natsUrl: nats.url,
    database,
    dataFolder: join(folder.path, `data-${starts}`),
  });
}

/**
 * Measures the writer's processor time in microseconds for each update of the feed that is sent to feed nodes. Throws
 * if a feed node missed an update.
 */
async function measureFeed(nodeCount: number): Promise<number> {
  const writer = await startProgram(programs.feedWriter, [nats.url]);
  const nodes = await Promise.all(
    Array.from({ length: nodeCount }, (_, index) =>
      startProgram(programs.feedNode, [nats.url, `node-${nodeCount}-${index}`]),
    ),
  );
  while (!(await writer.request<boolean>('nodes'))) await sleep(POLL_MS);
  await writer.request(`start ${UPDATES_PER_SECOND}`);
  await sleep(FEED_WARM_MS);
  await writer.request('stop');
  await writer.request(`start ${UPDATES_PER_SECOND}`);
  await sleep(FEED_RUN_MS);
  const { updates, cpuMicroseconds } = await writer.request<WriterUsage>('stop');
  for (const node of nodes) {
    const received = await node.request<number>('received');
    if (received < updates) throw new Error(`a feed node received ${received} of ${updates} updates`);
    await node.stop();
  }
  await writer.stop();
  return cpuMicroseconds / updates;
}

/**
 * Builds a ratio of the results. Its value is the median of `values`: one ratio per repeat, whose two figures
 * were measured one after the other.
 */
function ratio(name: string, what: string, floor: number, values: readonly number[]): Ratio {
  const repeats = values.map((value) => round(value)).join(' ');
  const better = name === 'R6' ? 'lower' : 'higher';
  return { name, what: `${what} (${repeats})`, value: median(values), floor, better };
}

async function report(): Promise<void> {
  const medianOf = <T>(outcomes: readonly T[], figure: (outcome: T) => number) =>
    median(outcomes.map(figure));
  const rows = [
    { side: 'in process', outcomes: inProcess },
    { side: 'in process, synchronous standby', outcomes: withStandby },
    { side: `HTTP, ${API_NODES} API nodes`, outcomes: throughNodes },
  ].map(({ side, outcomes }) => ({
    side,
    perSecond: Math.round(medianOf(outcomes, ({ perSecond }) => perSecond)),
    p50Ms: round(medianOf(outcomes, ({ p50Ms = Number.NaN }) => p50Ms)),
    p99Ms: round(medianOf(outcomes, ({ p99Ms = Number.NaN }) => p99Ms)),
    repeats: outcomes.map(({ perSecond }) => Math.round(perSecond)).join(' '),
  }));
  console.table(rows);
  const cpu = {
    inProcess: round(
      medianOf(inProcess, ({ cpuMicroseconds = Number.NaN }) => cpuMicroseconds),
      1,
    ),
    writer: round(
      medianOf(throughNodes, ({ writerMicroseconds }) => writerMicroseconds),
      1,
    ),
    nodes: round(
      medianOf(throughNodes, ({ nodeMicroseconds }) => nodeMicroseconds),
      1,
    ),
    feed: FEED_NODES.map((nodes) => round(median(feedMicroseconds[nodes]), 1)),
  };
  console.log(
    `processor time in µs: an order in process ${cpu.inProcess}, at the writer behind API nodes ${cpu.writer}, ` +
      `at the API nodes ${cpu.nodes}; an update at the writer with 1 and 3 feed nodes ${cpu.feed.join(' and ')}`,
  );
  const ratios = [
    ratio(
      'R1',
      'through two API nodes ÷ in process',
      0.8,
      throughNodes.map(({ perSecond }, repeat) => perSecond / inProcess[repeat]!.perSecond),
    ),
    ratio(
      'R2',
      'with a synchronous standby ÷ without',
      0.75,
      withStandby.map(({ perSecond }, repeat) => perSecond / inProcess[repeat]!.perSecond),
    ),
    ratio(
      'R6',
      'the writer’s processor time for an update with 3 feed nodes ÷ with 1',
      1.1,
      feedMicroseconds[3].map((used, repeat) => used / feedMicroseconds[1][repeat]!),
    ),
  ];
  printRatios(ratios);
  const disturbance = disturbanceSoFar();
  console.log(`load before ${disturbance.loadBefore}, steal ${disturbance.steal ?? 'unknown'}`);
  await writeResults('cluster', { disturbance, repeats: REPEATS, rows, cpu, ratios });
}
