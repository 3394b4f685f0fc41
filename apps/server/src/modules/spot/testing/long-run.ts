/**
 * The long form of the model test: `npm run model` runs 2,000 seeds of 10,000 commands each on the real and the
 * naive exchange, on all cores. The options `--seeds=`, `--commands=`, `--from=` (the first seed) and `--workers=`
 * change these numbers. For a difference it prints the seed and a minimized command sequence. It exits with status 1
 * if there is a difference or if an expected case occurred too rarely.
 */
import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { errorMessage } from '../../../platform/error-message.ts';
import { Coverage } from './coverage.ts';
import { requireNoDifference } from './playing.ts';

/** A worker's report after every seed. */
type WorkerReport =
  | { readonly kind: 'played'; readonly counts: readonly (readonly [string, number])[] }
  | { readonly kind: 'failed'; readonly report: string };

const PROGRESS_EVERY_MS = 5_000;
const LEAST_PER_SEED = 0.1;

function option(name: string, defaultValue: number): number {
  const text = process.argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3);
  if (text === undefined) return defaultValue;
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw new RangeError(`--${name} is a whole number above 0`);
  return value;
}

const seeds = option('seeds', 2_000);
const commands = option('commands', 10_000);
const from = option('from', 1);
const workers = Math.min(option('workers', availableParallelism()), seeds);

/**
 * Runs this worker process's share of the seeds, until one shows a difference, and reports each to the parent process.
 */
async function work(worker: number): Promise<void> {
  for (let seed = from + worker; seed < from + seeds; seed += workers) {
    let report: WorkerReport;
    try {
      const { counts } = await requireNoDifference([seed], commands);
      report = { kind: 'played', counts: [...counts] };
    } catch (cause) {
      // A difference between the exchanges is a result of the run and no error of this program, so it is
      // reported to the parent process, which prints it.
      report = { kind: 'failed', report: errorMessage(cause) };
    }
    process.send!(report);
    if (report.kind === 'failed') return;
  }
}

/**
 * Starts the worker processes and adds their counts of tested cases to `coverage`. Returns the reports of
 * workers that found a difference or ended with an error.
 */
async function supervise(coverage: Coverage): Promise<string[]> {
  const reports: string[] = [];
  const startedAt = performance.now();
  let played = 0;
  const progress = setInterval(() => say(`${played} of ${seeds} seeds`), PROGRESS_EVERY_MS);
  const children = Array.from({ length: workers }, (_, worker) =>
    fork(fileURLToPath(import.meta.url), [...process.argv.slice(2), `--worker=${worker + 1}`]),
  );
  const ends = children.map(
    (child, worker) =>
      new Promise<void>((resolve) => {
        child.on('message', (report: WorkerReport) => {
          if (report.kind === 'failed') {
            reports.push(report.report);
            for (const sibling of children) if (sibling !== child) sibling.kill();
            return;
          }
          played += 1;
          for (const [name, count] of report.counts) coverage.hit(name, count);
        });
        child.on('exit', (code) => {
          if (code !== 0 && code !== null) reports.push(`worker ${worker + 1} ended with ${code}`);
          resolve();
        });
      }),
  );
  await Promise.all(ends);
  clearInterval(progress);
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  say(`${played} of ${seeds} seeds of ${commands} commands in ${seconds} s`);
  return reports;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

if (process.send !== undefined && process.argv.some((word) => word.startsWith('--worker='))) {
  await work(option('worker', 1) - 1);
} else {
  const coverage = new Coverage();
  const reports = await supervise(coverage);
  const missing = reports.length > 0 ? [] : coverage.missing(Math.max(1, Math.floor(seeds * LEAST_PER_SEED)));
  for (const report of reports) say(report);
  if (missing.length > 0) say(`too rare: ${missing.join(', ')}`);
  if (reports.length + missing.length > 0) process.exitCode = 1;
}
