/** What `npm test` runs, in order: cheap gates first and side by side, a real browser last. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { ensureBrowser } from './browser.mjs';

/**
 * @typedef {import('./steps.mjs').Outcome} Outcome
 * @typedef {import('./steps.mjs').Print} Print
 * @typedef {import('./steps.mjs').Step} Step
 * @typedef {import('./steps.mjs').StepResult} StepResult
 * @typedef {import('./steps.mjs').CommandOptions} CommandOptions
 */

/**
 * A test that loops without end blocks vitest's own time limits; this one ends the whole step. The longest takes
 * minutes, on a host that is busy elsewhere a multiple of it.
 */
const PATIENCE_MS = 45 * 60_000;

/** More gates at once than processors only make each other slow, and each takes a few hundred MB. */
const MOST_AT_ONCE = Math.min(2, availableParallelism());

/** So much of why a test failed is said again at the end, where the last lines of a log are all that is kept. */
const MESSAGE_LINES = 8;
const LINE_LENGTH = 400;

/** They read sources only, so none needs another to have ended. The longest comes first. */
const STATIC_GATES = [
  gate('format', 'prettier', ['--check', '.']),
  gate('lint', 'oxlint', ['--type-aware', '--deny-warnings']),
  check('floors', 'tools/floors.mjs'),
  check('spelling', 'tools/spelling.mjs'),
  check('lock', 'tools/lock-integrity.mjs'),
  check('requirements', 'tools/requirements.mjs'),
  gate('unused', 'knip', []),
  gate('types', 'tsc', ['--noEmit', '-p', 'tsconfig.json']),
];

/** @type {readonly Step[]} */
export const STEPS = [
  ...STATIC_GATES.map((step) => ({ ...step, isIndependent: true })),
  check('build', 'tools/build.mjs'),
  check('budget', 'tools/bundle-budget.mjs'),
  tests('unit'),
  tests('web'),
  tests('http'),
  { name: 'browser', run: browserTests },
];

/**
 * Runs neighbouring independent steps side by side and every other step alone, all past failures.
 * @param {readonly Step[]} steps @param {string} root @param {Print} [print] @param {number} [mostAtOnce]
 * @returns {Promise<StepResult[]>} in the listed order
 */
export async function runSteps(steps, root, print = printNow, mostAtOnce = MOST_AT_ONCE) {
  /** @type {StepResult[]} */
  const results = [];
  for (const group of groupsOf(steps, mostAtOnce)) {
    if (group.length > 1) {
      results.push(...(await runSideBySide(group, root, print, mostAtOnce)));
    } else {
      print(headingOf(group[0]));
      results.push(await runStep(group[0], root));
    }
  }
  return results;
}

/**
 * What each step prints is collected, and stands whole under its name when its turn in the listed order comes.
 * @param {readonly Step[]} steps @param {string} root @param {Print} print @param {number} mostAtOnce
 */
async function runSideBySide(steps, root, print, mostAtOnce) {
  const limited = limitedTo(mostAtOnce);
  const begun = steps.map((step) => {
    /** @type {string[]} */
    const pieces = [];
    return { step, pieces, result: limited(() => runStep(step, root, (text) => pieces.push(text))) };
  });
  /** @type {StepResult[]} */
  const results = [];
  for (const { step, pieces, result } of begun) {
    print(headingOf(step));
    results.push(await result);
    print(pieces.join(''));
  }
  return results;
}

/** @param {string} text */
function printNow(text) {
  process.stdout.write(text);
}

/** @param {Step} step */
function headingOf({ name }) {
  return `\n── ${name}\n`;
}

/** Steps that may run side by side share a group. @param {readonly Step[]} steps @param {number} mostAtOnce @returns {[Step, ...Step[]][]} */
function groupsOf(steps, mostAtOnce) {
  /** @type {[Step, ...Step[]][]} */
  const groups = [];
  for (const [index, step] of steps.entries()) {
    const joins = mostAtOnce > 1 && step.isIndependent && steps[index - 1]?.isIndependent;
    if (joins) groups.at(-1)?.push(step);
    else groups.push([step]);
  }
  return groups;
}

/** @param {number} mostAtOnce @returns {<Result>(task: () => Promise<Result>) => Promise<Result>} starts tasks in the order they came, so many at once */
function limitedTo(mostAtOnce) {
  let free = mostAtOnce;
  /** @type {(() => void)[]} */
  const waiting = [];
  return async (task) => {
    if (free > 0) free -= 1;
    else await new Promise((resolve) => waiting.push(() => resolve(undefined)));
    try {
      return await task();
    } finally {
      const startNext = waiting.shift();
      if (startNext) startNext();
      else free += 1;
    }
  };
}

/** @param {Step} step @param {string} root @param {Print} [print] @returns {Promise<StepResult>} */
async function runStep({ name, run }, root, print) {
  const startedAt = performance.now();
  const outcome = await run(root, print).catch(couldNotRun);
  return { ...outcome, name, seconds: (performance.now() - startedAt) / 1000 };
}

/** @param {unknown} error @returns {Outcome} */
function couldNotRun(error) {
  return { passed: 0, failed: 1, note: String(error) };
}

/** A step that counts as one test. @param {string} name @param {string} program of node_modules/.bin @param {string[]} parameters @returns {Step} */
function gate(name, program, parameters) {
  return {
    name,
    run: async (root, print) => asOneTest(await runProgram(root, program, parameters, { print })),
  };
}

/** @param {string} name @param {string} script @returns {Step} */
function check(name, script) {
  return {
    name,
    run: async (root, print) =>
      asOneTest(await runCommand(root, process.execPath, [join(root, script)], { print })),
  };
}

/** @param {string} project of vitest.config.ts @returns {Step} */
function tests(project) {
  return { name: project, run: (root) => runVitest(root, project) };
}

/** @param {string} root @returns {Promise<Outcome>} */
async function browserTests(root) {
  const { executable, problem } = ensureBrowser(console.log);
  // Journeys that cannot run are not proven, so a machine without a browser fails instead of skipping.
  if (problem) return { passed: 0, failed: 1, note: problem };
  return runVitest(root, 'browser', { CHROMIUM_PATH: executable });
}

/** @param {string} root @param {string} project @param {Record<string, string>} [environment] @returns {Promise<Outcome>} */
async function runVitest(root, project, environment = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'test-report-'));
  const reportFile = join(folder, 'report.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`];
  const parameters = ['run', '--project', project, ...reporters];
  const ended = await runProgram(root, 'vitest', parameters, { environment });
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

/** @param {string} root @param {string} program of node_modules/.bin @param {string[]} parameters @param {CommandOptions} options */
function runProgram(root, program, parameters, options) {
  const file = process.platform === 'win32' ? `${program}.cmd` : program;
  return runCommand(root, join(root, 'node_modules/.bin', file), parameters, options);
}

/**
 * Without `print` the command writes to the terminal itself; with it, everything it says goes there.
 * @param {string} root @param {string} command @param {readonly string[]} parameters @param {CommandOptions} [options]
 * @returns {Promise<boolean>} ended well
 */
export async function runCommand(root, command, parameters, options = {}) {
  const { print, environment = {}, patienceMs = PATIENCE_MS } = options;
  const output = print ? 'pipe' : 'inherit';
  const child = spawn(command, parameters, {
    cwd: root,
    stdio: ['ignore', output, output],
    env: { ...process.env, ...environment },
    timeout: patienceMs,
    killSignal: 'SIGTERM',
    shell: process.platform === 'win32',
  });
  const say = print ?? ((text) => process.stderr.write(text));
  const pipes = [child.stdout, child.stderr].filter((pipe) => pipe !== null);
  for (const pipe of pipes) pipe.setEncoding('utf8').on('data', say);
  child.once('exit', () => {
    // Its own children may outlive an ended command and would hold the pipes open.
    if (child.killed) for (const pipe of pipes) pipe.destroy();
  });
  try {
    const [status] = await once(child, 'close');
    if (child.killed) say(`${command} was ended after ${patienceMs / 60_000} minutes.\n`);
    return status === 0 && !child.killed;
  } catch (error) {
    say(`${command}: ${error instanceof Error ? error.message : String(error)}\n`);
    return false;
  }
}
