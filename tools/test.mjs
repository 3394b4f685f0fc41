/**
 * `npm test` runs all checks and tests. `npm run prove` (`--prove`) runs the long forms of the tests and the
 * reliability programs. Failed steps do not stop the run. The command prints the seconds and processor seconds of each
 * step, and the totals at the end. `--only=unit,lint` selects steps, `--list` prints the names of all steps, and
 * `--seed=` sets the seed of random tests to that of an earlier run.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ensureInstalled, requireNode, StartFailed } from './bootstrap/install.mjs';
import { processorSeconds, runSteps } from './gates/run-steps.mjs';
import { GATES, PROOFS, SCRATCH, SEEDED_DATA, seedOfCommit } from './gates/steps.mjs';
import { summaryOf } from './gates/summary.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const isProof = process.argv.includes('--prove');
const STEPS = isProof ? PROOFS : GATES;

/** @param {string} name @returns {string | undefined} the value of the command-line option `--name=value` */
function option(name) {
  return process.argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3);
}

/**
 * Returns the steps that `--only` selects, by default all. With `--list` prints the names of all steps and ends the
 * process. Throws `StartFailed` for an unknown name.
 * @returns {typeof STEPS}
 */
function selectedSteps() {
  const names = STEPS.map(({ name }) => name);
  if (process.argv.includes('--list')) {
    console.log(names.join('\n'));
    process.exit(0);
  }
  const only = option('only')?.split(',');
  const unknown = only?.filter((name) => !names.includes(name)) ?? [];
  if (unknown.length > 0)
    throw new StartFailed(`Unknown: ${unknown.join(', ')}. The steps are ${names.join(', ')}.`);
  return only ? STEPS.filter(({ name }) => only.includes(name)) : STEPS;
}

/**
 * Prints the summary.
 * @param {readonly import('./gates/run-steps.mjs').StepResult[]} results @param {number} worked processor seconds
 * @returns {boolean} whether all steps passed
 */
function reportSum(results, worked) {
  const duration = `${(performance.now() / 1000).toFixed(0)} s in all`;
  const stepSeconds = results.reduce((sum, { processorSeconds: seconds = 0 }) => sum + seconds, 0);
  const work = `${stepSeconds.toFixed(0)} cpu s of the steps, ${worked.toFixed(0)} s of this machine's processors`;
  const cost = `${duration}, ${work}; seed of the commit ${process.env.COMMIT_SEED}`;
  console.log(summaryOf(results, cost).join('\n'));
  return results.every(({ failed }) => failed === 0);
}

try {
  requireNode(process.versions.node);
  const steps = selectedSteps();
  ensureInstalled(root, console.log);
  process.env.COMMIT_SEED = option('seed') ?? seedOfCommit();
  process.env.SEEDED_DATA = SEEDED_DATA;
  // If tests run as root, PostgreSQL runs under another account, which needs permission to enter the folder
  // of temporary files.
  mkdirSync(SCRATCH, { recursive: true, mode: 0o755 });
  process.env.TMPDIR = SCRATCH;
  process.once('exit', () => rmSync(SCRATCH, { recursive: true, force: true }));
  // A test run that is interrupted must delete its files too, because they may occupy memory.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));
  const workedBefore = processorSeconds();
  const results = await runSteps(steps, root, undefined, isProof ? 1 : undefined);
  process.exitCode = reportSum(results, processorSeconds() - workedBefore) ? 0 : 1;
} catch (error) {
  if (!(error instanceof StartFailed)) throw error;
  console.error(error.message);
  console.log('0 passed, 1 failed');
  process.exitCode = 1;
}
