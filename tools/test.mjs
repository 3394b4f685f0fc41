/**
 * `npm test`: every gate and every test, one after another, also past failures; the last line is the sum.
 * `--only=unit,types` runs some steps; `--list` names them.
 */
import { fileURLToPath } from 'node:url';
import { ensureInstalled, requireNode, StartFailed } from './bootstrap/install.mjs';
import { STEPS } from './gates/steps.mjs';

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

/** @param {number} startedAt */
function secondsSince(startedAt) {
  return `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
}

try {
  requireNode(process.versions.node);
  const steps = chosenSteps();
  ensureInstalled(root, console.log);
  const lines = [];
  /** @type {string[]} */
  const allFailures = [];
  const sum = { passed: 0, failed: 0 };
  for (const { name, run } of steps) {
    console.log(`\n── ${name}`);
    const startedAt = performance.now();
    const { passed, failed, note, failures = [] } = run(root);
    sum.passed += passed;
    sum.failed += failed;
    allFailures.push(...failures);
    const verdict = failed > 0 ? 'FAILED' : 'ok';
    const counts = `${passed} passed, ${failed} failed`;
    lines.push(
      [verdict.padEnd(7), name.padEnd(13), secondsSince(startedAt).padStart(8), '', counts, note ?? ''].join(
        ' ',
      ),
    );
  }
  console.log(`\n${lines.map((line) => line.trimEnd()).join('\n')}\n`);
  for (const failure of allFailures) console.log(`${failure}\n`);
  console.log(`${sum.passed} passed, ${sum.failed} failed`);
  process.exitCode = sum.failed > 0 ? 1 : 0;
} catch (error) {
  if (!(error instanceof StartFailed)) throw error;
  console.error(error.message);
  console.log('0 passed, 1 failed');
  process.exitCode = 1;
}
