/**
 * Compares the exchange's order book with two order books from npm, with the same streams of operations, on the same
 * machine and in the same run. Prints tables and writes `bench/results/book.json`. Run: npx tsx bench/book/run.ts
 * (about four minutes).
 */
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { CONTESTANTS, type ContestantName, type Totals } from './contestants.ts';
import { MIXES } from './streams.ts';

const PEERS = ['nodejs-order-book', 'hft-limit-order-book'] as const;
const REPEATS = 3;
const BUDGET_MS = 2_500;
const MEMORY_ORDERS = 200_000;
const STALL_OPERATIONS = 300_000;
const STALL_SIZES = [10_000, 1_000_000];
const measureFile = fileURLToPath(new URL('./measure.ts', import.meta.url));
const resultFile = fileURLToPath(new URL('../results/book.json', import.meta.url));
const run = promisify(execFile);

interface Speed {
  readonly operations: number;
  readonly kiloPerSecond: number;
  readonly totals: Totals;
}

interface SpeedRow {
  readonly mix: string;
  readonly kiloPerSecond: Record<ContestantName, number>;
  readonly operations: Record<ContestantName, number>;
  readonly ratioToBestPeer: number;
}

const speeds: SpeedRow[] = [];
for (const mix of MIXES) speeds.push(await compareSpeed(mix.name));
const lowestRatio = Math.min(...speeds.map((row) => row.ratioToBestPeer));
const bytesPerOrder = await compareMemory();
const memoryRatio = bytesPerOrder.ours / bytesPerOrder['nodejs-order-book'];
const stalls = await compareStalls();
const machine = `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}`;

console.log(`\nThousand operations per second, median of ${REPEATS} (${machine})`);
console.table(
  speeds.map(({ mix, kiloPerSecond, ratioToBestPeer }) => ({ mix, ...kiloPerSecond, ratioToBestPeer })),
);
console.log(`Peers stop after ${BUDGET_MS} ms; ours does what the faster of them reached:`);
console.table(speeds.map(({ mix, operations }) => ({ mix, ...operations })));
console.log(`Lowest ratio of the ${speeds.length} mixes: ${lowestRatio.toFixed(2)}`);
console.log(`Bytes per resting order: ${JSON.stringify(bytesPerOrder)}, ratio ${memoryRatio.toFixed(2)}`);
console.log('Longest event-loop turn, ms:');
console.table(stalls);
await mkdir(dirname(resultFile), { recursive: true });
const results = { machine, speeds, lowestRatio, bytesPerOrder, memoryRatio, stalls };
await writeFile(resultFile, `${JSON.stringify(results, null, 2)}\n`);

/**
 * Compares the speed of the order books for one mix of operations. The repeats of the books alternate, so that a busy
 * phase of the machine affects all of them.
 */
async function compareSpeed(mix: string): Promise<SpeedRow> {
  const runs: Record<ContestantName, Speed[]> = {
    ours: [],
    'nodejs-order-book': [],
    'hft-limit-order-book': [],
  };
  for (let repeat = 0; repeat < REPEATS; repeat += 1) {
    for (const name of PEERS) runs[name].push(await measure<Speed>('speed', name, mix, BUDGET_MS));
    // The exchange's order book runs as many operations as the faster of the other two order books completed in this
    // repeat, because later operations work on a deeper book and cost more.
    const reached = Math.max(...PEERS.map((name) => runs[name].at(-1)?.operations ?? 0));
    runs.ours.push(await measure<Speed>('speed', 'ours', mix, BUDGET_MS, reached));
  }
  for (const name of CONTESTANTS) {
    for (const speed of runs[name].slice(0, 1)) await checkTotals(mix, name, speed);
  }
  const kiloPerSecond = perContestant((name) =>
    Math.round(median(runs[name].map((speed) => speed.kiloPerSecond))),
  );
  const operations = perContestant((name) => median(runs[name].map((speed) => speed.operations)));
  const bestPeer = Math.max(kiloPerSecond['nodejs-order-book'], kiloPerSecond['hft-limit-order-book']);
  return { mix, kiloPerSecond, operations, ratioToBestPeer: round(kiloPerSecond.ours / bestPeer) };
}

/**
 * Throws if an order book trades differently from the exchange's order book. The comparison is only valid if trades,
 * lots and resting orders are equal.
 */
async function checkTotals(mix: string, name: ContestantName, speed: Speed): Promise<void> {
  const { totals } = await measure<{ totals: Totals }>('totals', mix, speed.operations);
  const isSame = JSON.stringify(totals) === JSON.stringify(speed.totals);
  if (!isSame) {
    const theirs = JSON.stringify(speed.totals);
    throw new Error(`${name} traded otherwise on ${mix}: ${theirs}, ours ${JSON.stringify(totals)}`);
  }
}

async function compareMemory(): Promise<Record<ContestantName, number>> {
  const bytes: Partial<Record<ContestantName, number>> = {};
  for (const name of CONTESTANTS) {
    const runs: number[] = [];
    for (let repeat = 0; repeat < REPEATS; repeat += 1) {
      runs.push((await measure<{ bytesPerOrder: number }>('memory', name, MEMORY_ORDERS)).bytesPerOrder);
    }
    bytes[name] = Math.round(median(runs));
  }
  return perContestant((name) => bytes[name] ?? Number.NaN);
}

async function compareStalls(): Promise<{ orders: number; growingMs: number; loadedMs: number }[]> {
  const rows = [];
  for (const orders of STALL_SIZES) {
    const runs: { growingMs: number; loadedMs: number }[] = [];
    for (let repeat = 0; repeat < REPEATS; repeat += 1)
      runs.push(await measure('stall', orders, STALL_OPERATIONS));
    const growingMs = round(median(runs.map((stall) => stall.growingMs)));
    rows.push({ orders, growingMs, loadedMs: round(median(runs.map((stall) => stall.loadedMs))) });
  }
  return rows;
}

async function measure<T>(...parameters: (string | number)[]): Promise<T> {
  const options = ['--expose-gc', '--import', 'tsx', measureFile, ...parameters.map(String)];
  const { stdout } = await run(process.execPath, options);
  return JSON.parse(stdout) as T;
}

function perContestant(value: (name: ContestantName) => number): Record<ContestantName, number> {
  return {
    ours: value('ours'),
    'nodejs-order-book': value('nodejs-order-book'),
    'hft-limit-order-book': value('hft-limit-order-book'),
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >>> 1] ?? Number.NaN;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
