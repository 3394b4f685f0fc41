/**
 * Measures reads of users' own lists through an API node: answered by the writer, by the node from a replica, and by
 * the node while the replica applies everything two seconds late. Counts the reads that lack an order whose placement
 * was answered before (R7), and compares the writer's processor time. Needs nats-server. Prints a table and the ratios,
 * and writes `bench/results/node-reads.json`. Run: npx tsx bench/node-reads.ts
 */
import { join } from 'node:path';
import { hasNats, NatsServer } from '../apps/server/testing/nats.ts';
import type { OwnReadsOutcome } from './cluster/own-reads.ts';
import { processorTimeOf, startClusterServer } from './cluster/servers.ts';
import { watchMachine } from './measuring/machine.ts';
import { startPostgres, urlOf, type BenchDatabase } from './measuring/postgres.ts';
import {
  INDEX_WORKER,
  buildPrograms,
  runProgram,
  temporaryFolder,
  type RunningProgram,
} from './measuring/programs.ts';
import { printRatios, writeResults } from './measuring/results.ts';
import { median, round } from './measuring/statistics.ts';

const REPEATS = Number(process.env['REPEATS'] ?? 3);
const READS = Number(process.env['READS'] ?? 10_000);
const TRADERS = 16;
/** The sides that are compared, each with the PostgreSQL settings of the replica; undefined if no replica is read. */
const SIDES = {
  writer: undefined,
  replica: {},
  'replica 2 s late': { recovery_min_apply_delay: '2s' },
} as const;
type Side = keyof typeof SIDES;
const SIDE_NAMES = Object.keys(SIDES) as Side[];

interface Outcome extends OwnReadsOutcome {
  /** Processor time in microseconds for each read, with its share of an order: at the writer, and at the node. */
  readonly writerMicroseconds: number;
  readonly nodeMicroseconds: number;
  /** Share (0 to 1) of the reads that the node has answered itself. */
  readonly shareAtNode: number;
}

if (!hasNats) throw new Error('nats-server is missing; run: node tools/gates/nats.mjs');
const disturbanceSoFar = watchMachine();
const folder = await temporaryFolder();
const programs = await buildPrograms('node-reads', {
  side: 'orders/program.ts',
  reads: 'cluster/own-reads.ts',
  server: 'measuring/server.ts',
  'index-worker': INDEX_WORKER,
});
const nats = await NatsServer.start();
const postgres = await startPostgres(folder.path);
const outcomes = new Map<Side, Outcome[]>(SIDE_NAMES.map((side) => [side, []]));
let starts = 0;

try {
  const template = await postgres.makeTemplate('stage');
  await runProgram(programs.side, ['prepare', JSON.stringify(template)]);
  for (let repeat = 0; repeat < REPEATS; repeat += 1)
    for (const side of repeat % 2 === 0 ? SIDE_NAMES : SIDE_NAMES.toReversed())
      outcomes.get(side)?.push(await measure(side, repeat));
} finally {
  await postgres.stop();
  await nats.stop();
  await folder.remove();
}
await report();

async function measure(side: Side, repeat: number): Promise<Outcome> {
  const database = await postgres.copy('stage', `copy_${repeat}_${side.replaceAll(' ', '_')}`);
  const standby = await postgres.withStandby(join(folder.path, 'standby'), SIDES[side]);
  const readUrl = SIDES[side] === undefined ? undefined : urlOf(standby.named(database.database));
  const writer = await startServer('writer', database);
  const node = await startServer('api', database, readUrl);
  const before = await usageOf(writer, node);
  const outcome = await runProgram<OwnReadsOutcome>(programs.reads, [
    side.replaceAll(' ', '-'),
    new URL(node.ready.app).port,
    TRADERS,
    READS,
  ]);
  const after = await usageOf(writer, node);
  const metrics = await (await fetch(`${node.ready.console}/metrics`)).text();
  const served = Number(/^local_reads_total (\d+)$/m.exec(metrics)?.[1] ?? 0);
  await node.stop();
  await writer.stop();
  await standby.end();
  await postgres.drop(database.database);
  return {
    ...outcome,
    writerMicroseconds: (after.writer - before.writer) / outcome.reads,
    nodeMicroseconds: (after.node - before.node) / outcome.reads,
    shareAtNode: served / outcome.reads,
  };
}

async function usageOf(writer: RunningProgram<unknown>, node: RunningProgram<unknown>) {
  return { writer: await processorTimeOf([writer]), node: await processorTimeOf([node]) };
}

function startServer(role: 'writer' | 'api', database: BenchDatabase, replicaUrl?: string) {
  starts += 1;
  return startClusterServer(programs.server, {
    role,
    natsUrl: nats.url,
    database,
    dataFolder: join(folder.path, `data-${starts}`),
    replicaUrl,
  });
}

async function report(): Promise<void> {
  const rows = SIDE_NAMES.map((side) => {
    const ofSide = outcomes.get(side) ?? [];
    const figure = (read: (outcome: Outcome) => number, digits = 1) =>
      round(median(ofSide.map(read)), digits);
    return {
      side,
      reads: ofSide.reduce((sum, { reads }) => sum + reads, 0),
      stale: ofSide.reduce((sum, { stale }) => sum + stale, 0),
      perSecond: figure(({ perSecond }) => perSecond, 0),
      p50Ms: figure(({ p50Ms }) => p50Ms),
      p99Ms: figure(({ p99Ms }) => p99Ms),
      writerUs: figure(({ writerMicroseconds }) => writerMicroseconds),
      nodeUs: figure(({ nodeMicroseconds }) => nodeMicroseconds),
      shareAtNode: figure(({ shareAtNode }) => shareAtNode, 2),
    };
  });
  console.table(rows);
  const [writer, replica] = rows;
  const ratios = [
    {
      name: 'R7',
      what: 'own reads that are older than the own last answer, of all reads of all sides',
      value: rows.reduce((sum, { stale }) => sum + stale, 0),
      floor: 0,
      better: 'lower',
    },
    {
      name: 'N1',
      what: 'the writer’s processor time for a read with its share of an order: answered by the node ÷ by the writer',
      value: replica!.writerUs / writer!.writerUs,
      floor: 0.5,
      better: 'lower',
    },
  ] as const;
  printRatios(ratios);
  const disturbance = disturbanceSoFar();
  console.log(`load before ${disturbance.loadBefore}, steal ${disturbance.steal ?? 'unknown'}`);
  await writeResults('node-reads', { disturbance, repeats: REPEATS, rows, ratios });
}
