/**
 * `npm test`: every gate of a change; `npm run prove` (`--prove`): the long forms and programmes. Both go on past
 * failures, print the seconds and the processor seconds of each step, and end with the sum. `--only=unit,types` runs some steps, `--list` names
 * them, `--seed=` plays again what the short forms drew from a commit.
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

/** @param {string} name @returns {string | undefined} */
function option(name) {
  return process.argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3);
}

/** @returns {typeof STEPS} */
function chosenSteps() {
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
 * @param {readonly import('./gates/run-steps.mjs').StepResult[]} results @param {number} worked processor seconds
 * @returns {boolean} whether all passed
 */
function reportSum(results, worked) {
  const took = `${(performance.now() / 1000).toFixed(0)} s in all`;
  const ofSteps = results.reduce((sum, { processorSeconds: step = 0 }) => sum + step, 0);
  const work = `${ofSteps.toFixed(0)} cpu s of the steps, ${worked.toFixed(0)} s of this machine's processors`;
  const cost = `${took}, ${work}; seed of the commit ${process.env.COMMIT_SEED}`;
  console.log(summaryOf(results, cost).join('\n'));
  return results.every(({ failed }) => failed === 0);
}

try {
  requireNode(process.versions.node);
  const steps = chosenSteps();
  ensureInstalled(root, console.log);
  process.env.COMMIT_SEED = option('seed') ?? seedOfCommit();
  process.env.SEEDED_DATA = SEEDED_DATA;
  // As root, PostgreSQL runs under an account of its own that must be able to enter.
  mkdirSync(SCRATCH, { recursive: true, mode: 0o755 });
  process.env.TMPDIR = SCRATCH;
  process.once('exit', () => rmSync(SCRATCH, { recursive: true, force: true }));
  // What lies in memory must not stay there when a run is broken off.
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
