/**
 * `npm test`: every gate and every test, also past failures; the last line is the sum.
 * `--only=unit,types` runs some steps; `--list` names them.
 */
import { fileURLToPath } from 'node:url';
import { ensureInstalled, requireNode, StartFailed } from './bootstrap/install.mjs';
import { runSteps, STEPS } from './gates/steps.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** @returns {typeof STEPS} */
function chosenSteps() {
  const names = STEPS.map(({ name }) => name);
  if (process.argv.includes('--list')) {
    console.log(names.join('\n'));
    process.exit(0);
  }
  const only = process.argv
    .find((word) => word.startsWith('--only='))
    ?.slice('--only='.length)
    .split(',');
  const unknown = only?.filter((name) => !names.includes(name)) ?? [];
  if (unknown.length > 0)
    throw new StartFailed(`Unknown: ${unknown.join(', ')}. The steps are ${names.join(', ')}.`);
  return only ? STEPS.filter(({ name }) => only.includes(name)) : STEPS;
}

/** @param {import('./gates/steps.mjs').StepResult} result */
function tableLine({ name, seconds, passed, failed, note = '' }) {
  const verdict = failed > 0 ? 'FAILED' : 'ok';
  const duration = `${seconds.toFixed(1)} s`;
  const counts = `${passed} passed, ${failed} failed`;
  return [verdict.padEnd(7), name.padEnd(13), duration.padStart(8), '', counts, note].join(' ').trimEnd();
}

/** @param {readonly import('./gates/steps.mjs').StepResult[]} results @returns {boolean} whether all passed */
function reportSum(results) {
  console.log(`\n${results.map(tableLine).join('\n')}\n`);
  for (const failure of results.flatMap(({ failures = [] }) => failures)) console.log(`${failure}\n`);
  const passed = results.reduce((sum, result) => sum + result.passed, 0);
  const failed = results.reduce((sum, result) => sum + result.failed, 0);
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0;
}

try {
  requireNode(process.versions.node);
  const steps = chosenSteps();
  ensureInstalled(root, console.log);
  process.exitCode = reportSum(await runSteps(steps, root)) ? 0 : 1;
} catch (error) {
  if (!(error instanceof StartFailed)) throw error;
  console.error(error.message);
  console.log('0 passed, 1 failed');
  process.exitCode = 1;
}
