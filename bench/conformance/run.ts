/**
 * Runs the published benchmark of matching engines on the exchange's order book. The benchmark's generator makes the
 * workloads, our adapter runs them, and the SHA-256 of all reports has to be equal to the published hash. Prints a
 * table and writes `bench/results/conformance.json`. Exits with code 1 if a hash differs.
 *
 * Run: npm run bench:conformance [-- --from=FOLDER_OR_ADDRESS] [-- --scenario=normal]. Needs git and g++. `--from` is
 * the folder of a clone of the benchmark, which may be bare, or the address to fetch it from, by default on GitHub.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { machineText, watchMachine } from '../measuring/machine.ts';
import { prepare, readWorkload, runWorkload } from './adapter.ts';

const BENCHMARK = 'https://github.com/flash1-dev/matching-engine-benchmark';
/** The version of the benchmark whose generator and hashes are used. */
const COMMIT = '41656c885d98aead35fb5a36a1b63304e75f46aa';
const SCENARIOS = ['static', 'normal', 'swing-25', 'swing-40', 'flash-crash'] as const;
const SEED = 23;
const NEW_ORDERS = 1_000_000;
const REPEATS = 3;
const FILE_MAX = 64 * 1024 * 1024;

const run = promisify(execFile);
const resultFile = join(import.meta.dirname, '../results/conformance.json');

interface Row {
  readonly scenario: string;
  readonly messages: number;
  readonly reports: number;
  readonly isConforming: boolean;
  readonly sha256: string;
  /** Millions of messages per second of processor time, as the median of the repeats. */
  readonly millionsPerSecond: number;
}

const { values } = parseArgs({
  options: { from: { type: 'string', default: BENCHMARK }, scenario: { type: 'string' } },
});
const folder = await mkdtemp(join(tmpdir(), 'conformance-'));
try {
  await benchmark(folder, values.from, values.scenario);
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function benchmark(work: string, from: string, only: string | undefined): Promise<void> {
  const scenarios = SCENARIOS.filter((name) => only === undefined || name === only);
  if (scenarios.length === 0) throw new Error(`the scenarios are ${SCENARIOS.join(', ')}`);
  const repository = existsSync(from) ? from : await fetchBenchmark(work, from);
  const read = async (path: string) =>
    (await run('git', ['-C', repository, 'show', `${COMMIT}:${path}`], { maxBuffer: FILE_MAX })).stdout;
  const hashes = publishedHashes(await read('reference/correctness_hash.txt'));
  await writeFile(join(work, 'generator.cpp'), await read('workload/generator.cpp'));
  await run('g++', ['-std=c++20', '-O2', '-o', join(work, 'generator'), join(work, 'generator.cpp')]);
  const rows: Row[] = [];
  const disturbance = watchMachine();
  for (const scenario of scenarios) {
    const file = join(work, `${scenario}.bin`);
    await run(join(work, 'generator'), [scenario, file, String(NEW_ORDERS), String(SEED)]);
    rows.push(measure(scenario, await readFile(file), hashes.get(scenario)));
    await rm(file);
  }
  const worst = Math.min(...rows.map(({ millionsPerSecond }) => millionsPerSecond));
  console.table(rows.map(({ sha256, ...row }) => ({ ...row, sha256: sha256.slice(0, 16) })));
  console.log(`Lowest of ${rows.length} scenarios: ${worst} million messages in a second of processor time`);
  if (rows.some(({ isConforming }) => !isConforming)) process.exitCode = 1;
  if (only !== undefined) return;
  await mkdir(join(import.meta.dirname, '../results'), { recursive: true });
  const results = {
    machine: machineText(),
    disturbance: disturbance(),
    benchmark: BENCHMARK,
    commit: COMMIT,
    seed: SEED,
    rows,
    worst,
  };
  await writeFile(resultFile, `${JSON.stringify(results, null, 2)}\n`);
}

async function fetchBenchmark(work: string, address: string): Promise<string> {
  const repository = join(work, 'benchmark');
  await run('git', ['init', '--quiet', '--bare', repository]);
  await run('git', ['-C', repository, 'fetch', '--quiet', '--depth=1', address, COMMIT]);
  return repository;
}

/**
 * Returns the published hash of each scenario for the random seed and the number of orders that this benchmark uses.
 */
function publishedHashes(text: string): ReadonlyMap<string, string> {
  const suffix = `_seed${SEED}_count${NEW_ORDERS}_reports.txt`;
  return new Map(
    text
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .flatMap(([hash = '', name = '']) =>
        name.endsWith(suffix) ? [[name.slice(0, -suffix.length), hash] as const] : [],
      ),
  );
}

/** Runs a workload several times. Throws if the book is inconsistent after a run, or if no hash is published. */
function measure(scenario: string, file: Buffer, published: string | undefined): Row {
  if (published === undefined) throw new Error(`no hash of ${scenario} is published`);
  const workload = readWorkload(file);
  const prepared = prepare(workload);
  const speeds: number[] = [];
  let row: Pick<Row, 'isConforming' | 'reports' | 'sha256'> | undefined;
  for (let repeat = 0; repeat < REPEATS; repeat += 1) {
    const before = process.cpuUsage();
    const { reports, book } = runWorkload(workload, prepared);
    const { user, system } = process.cpuUsage(before);
    speeds.push(workload.count / (user + system));
    const faults = book.validate();
    if (faults.length > 0) throw new Error(`the book is inconsistent after ${scenario}: ${faults[0]}`);
    const sha256 = reports.hash();
    const isConforming = sha256 === published && (row?.isConforming ?? true);
    row = { reports: reports.count, isConforming, sha256 };
  }
  const median = speeds.toSorted((a, b) => a - b)[REPEATS >>> 1]!;
  return {
    scenario,
    messages: workload.count,
    ...row!,
    millionsPerSecond: Math.round(median * 1_000) / 1_000,
  };
}
