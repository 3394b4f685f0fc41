/** What `npm test` runs, in order: cheap gates first, a real browser last. */
import { readFileSync, mkdtempSync, rmSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { ensureBrowser } from './browser.mjs';

/**
 * @typedef {{ passed: number, failed: number, note?: string, failures?: string[] }} Outcome
 * @typedef {{ name: string, run: (root: string) => Outcome }} Step
 */

/** A test that loops without end blocks vitest's own time limits; this one ends the whole step. */
const PATIENCE_MS = 20 * 60_000;

/** So much of why a test failed is said again at the end, where the last lines of a log are all that is kept. */
const MESSAGE_LINES = 8;
const LINE_LENGTH = 400;

/** @type {readonly Step[]} */
export const STEPS = [
  gate('format', 'prettier', ['--check', '.']),
  gate('lint', 'oxlint', ['--type-aware', '--deny-warnings']),
  check('floors', 'tools/floors.mjs'),
  check('spelling', 'tools/spelling.mjs'),
  check('lock', 'tools/lock-integrity.mjs'),
  check('requirements', 'tools/requirements.mjs'),
  gate('unused', 'knip', []),
  gate('types', 'tsc', ['--noEmit', '-p', 'tsconfig.json']),
  check('build', 'tools/build.mjs'),
  check('budget', 'tools/bundle-budget.mjs'),
  tests('unit'),
  tests('web'),
  tests('http'),
  { name: 'browser', run: browserTests },
];

/** A step that counts as one test. @param {string} name @param {string} program of node_modules/.bin @param {string[]} parameters @returns {Step} */
function gate(name, program, parameters) {
  return { name, run: (root) => asOneTest(runProgram(root, program, parameters)) };
}

/** @param {string} name @param {string} script @returns {Step} */
function check(name, script) {
  return { name, run: (root) => asOneTest(run(root, process.execPath, [join(root, script)])) };
}

/** @param {string} project of vitest.config.ts @returns {Step} */
function tests(project) {
  return { name: project, run: (root) => runVitest(root, project) };
}

/** @param {string} root @returns {Outcome} */
function browserTests(root) {
  const { executable, problem } = ensureBrowser(console.log);
  // Journeys that cannot run are not proven, so a machine without a browser fails instead of skipping.
  if (problem) return { passed: 0, failed: 1, note: problem };
  return runVitest(root, 'browser', { CHROMIUM_PATH: executable });
}

/** @param {string} root @param {string} project @param {Record<string, string>} [environment] @returns {Outcome} */
function runVitest(root, project, environment = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'test-report-'));
  const reportFile = join(folder, 'report.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`];
  const ended = runProgram(root, 'vitest', ['run', '--project', project, ...reporters], environment);
  try {
    return outcomeOf(JSON.parse(readFileSync(reportFile, 'utf8')), ended);
  } catch (error) {
    return { passed: 0, failed: 1, note: `${project} left no report: ${String(error)}` };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Counts tests, and one failure for each file that could not even be read; says which failed and why.
 * @param {import('./steps.mjs').TestReport} report of vitest's JSON reporter
 * @param {boolean} ended whether vitest itself ended well @returns {Outcome}
 */
export function outcomeOf(report, ended) {
  const files = report.testResults;
  const statuses = files.flatMap(({ assertionResults }) => assertionResults.map(({ status }) => status));
  const passed = statuses.filter((status) => status === 'passed').length;
  const skipped = statuses.filter((status) => status !== 'passed' && status !== 'failed').length;
  const failures = files.flatMap(failuresIn);
  return {
    passed,
    // An error outside every test, a broken set-up or no test at all still ends in a failure.
    failed: failures.length === 0 && !ended ? 1 : failures.length,
    ...(skipped > 0 && { note: `${skipped} skipped` }),
    ...(failures.length > 0 && { failures }),
  };
}

/** @param {import('./steps.mjs').TestReport['testResults'][number]} file @returns {string[]} */
function failuresIn({ status, message = '', assertionResults }) {
  const failed = assertionResults.filter((assertion) => assertion.status === 'failed');
  if (failed.length > 0)
    return failed.map(({ title = '', failureMessages = [] }) => inBrief(title, failureMessages.join('\n')));
  return status === 'failed' ? [inBrief('a file that cannot be read', message)] : [];
}

/** @param {string} title @param {string} message @returns {string} */
function inBrief(title, message) {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.includes('node_modules'));
  return [
    title,
    ...lines.slice(0, MESSAGE_LINES).map((line) => `  ${line.trim().slice(0, LINE_LENGTH)}`),
  ].join('\n');
}

/** @param {boolean} ended @returns {Outcome} */
function asOneTest(ended) {
  return ended ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

/** @param {string} root @param {string} program @param {string[]} parameters @param {Record<string, string>} [environment] */
function runProgram(root, program, parameters, environment) {
  const windows = process.platform === 'win32';
  return run(
    root,
    join(root, 'node_modules/.bin', windows ? `${program}.cmd` : program),
    parameters,
    environment,
  );
}

/** @param {string} root @param {string} command @param {string[]} parameters @param {Record<string, string>} [environment] @returns {boolean} ended well */
function run(root, command, parameters, environment = {}) {
  const { status, error } = spawnSync(command, parameters, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...environment },
    timeout: PATIENCE_MS,
    killSignal: 'SIGTERM',
    shell: process.platform === 'win32',
  });
  const tookTooLong = error && 'code' in error && error.code === 'ETIMEDOUT';
  if (tookTooLong) console.error(`${command} was ended after ${PATIENCE_MS / 60_000} minutes.`);
  else if (error) console.error(`${command}: ${error.message}`);
  return status === 0;
}
