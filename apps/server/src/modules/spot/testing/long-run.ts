/**
 * The long form of the model test: `npm run model` plays 2,000 seeds of 10,000 commands each on the exchange
 * and on the naive one, on all cores. `--seeds=`, `--commands=`, `--from=` (the first seed) and `--workers=`
 * change that. Ends with status 1, the failing seed and a shortened story when the two differ.
 */
import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Coverage } from './coverage.ts';
import { prove } from './playing.ts';

/** What a worker says after every seed. */
type News =
  | { readonly kind: 'played'; readonly counts: readonly (readonly [string, number])[] }
  | { readonly kind: 'failed'; readonly report: string };

const TOLD_EVERY_MS = 5_000;
const LEAST_PER_SEED = 0.1;

function option(name: string, usual: number): number {
  const given = process.argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3);
  if (given === undefined) return usual;
  const value = Number(given);
  if (!Number.isSafeInteger(value) || value < 1) throw new RangeError(`--${name} is a whole number above 0`);
  return value;
}

const seeds = option('seeds', 2_000);
const commands = option('commands', 10_000);
const from = option('from', 1);
const workers = Math.min(option('workers', availableParallelism()), seeds);

/** Plays every so-many-th seed and tells the parent after each. */
async function work(worker: number): Promise<void> {
  for (let seed = from + worker; seed < from + seeds; seed += workers) {
    let news: News;
    try {
      const { counts } = await prove([seed], commands);
      news = { kind: 'played', counts: [...counts] };
    } catch (cause) {
      // A difference is this programme's answer, not its accident: the parent prints it.
      news = { kind: 'failed', report: cause instanceof Error ? cause.message : String(cause) };
    }
    process.send!(news);
    if (news.kind === 'failed') return;
  }
}

/** Starts the workers and adds up what they tell; gives the reports of those that failed. */
async function supervise(met: Coverage): Promise<string[]> {
  const reports: string[] = [];
  const startedAt = performance.now();
  let played = 0;
  const progress = setInterval(() => say(`${played} of ${seeds} seeds`), TOLD_EVERY_MS);
  const children = Array.from({ length: workers }, (_, worker) =>
    fork(fileURLToPath(import.meta.url), [...process.argv.slice(2), `--worker=${worker + 1}`]),
  );
  const ends = children.map(
    (child, worker) =>
      new Promise<void>((resolve) => {
        child.on('message', (news: News) => {
          if (news.kind === 'failed') {
            reports.push(news.report);
            for (const other of children) if (other !== child) other.kill();
            return;
          }
          played += 1;
          for (const [name, count] of news.counts) met.hit(name, count);
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
  const met = new Coverage();
  const reports = await supervise(met);
  const missing = reports.length > 0 ? [] : met.missing(Math.max(1, Math.floor(seeds * LEAST_PER_SEED)));
  for (const report of reports) say(report);
  if (missing.length > 0) say(`too seldom met: ${missing.join(', ')}`);
  if (reports.length + missing.length > 0) process.exitCode = 1;
}
