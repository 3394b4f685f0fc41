/** Runs the steps of `npm test` and `npm run prove`: side by side where nothing stands between them, past failures. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { followProcess } from './processor-time.mjs';

/**
 * @typedef {import('./run-steps.mjs').Outcome} Outcome
 * @typedef {import('./run-steps.mjs').Print} Print
 * @typedef {import('./run-steps.mjs').Step} Step
 * @typedef {import('./run-steps.mjs').StepResult} StepResult
 * @typedef {import('./run-steps.mjs').CommandOptions} CommandOptions
 */

/**
 * A test that loops without end blocks vitest's own time limits; this one ends the whole step. The longest takes
 * minutes, on a host that is busy elsewhere a multiple of it.
 */
const PATIENCE_MS = 45 * 60_000;

/** More steps at once than processors only make each other slow, and each takes a few hundred MB. */
const MOST_AT_ONCE = Math.min(2, availableParallelism());

/** So much of why a test failed is said again at the end, where the last lines of a log are all that is kept. */
const MESSAGE_LINES = 12;
/** What a journey adds to its failure: what its pages showed, and where their pictures lie. */
const EVIDENCE = /^\s*(?:Seen|Picture): /;
const LINE_LENGTH = 400;

/**
 * Runs steps in the listed order, so many at once; one that names others in `after` waits until they have ended,
 * well or not. What each prints stands whole under its name, in the order in which they end.
 * @param {readonly Step[]} steps @param {string} root @param {Print} [print] @param {number} [mostAtOnce]
 * @returns {Promise<StepResult[]>} in the listed order
 */
export async function runSteps(steps, root, print = printNow, mostAtOnce = MOST_AT_ONCE) {
  /** @type {Map<string, StepResult>} */
  const results = new Map();
  const waiting = [...steps];
  const listed = new Set(steps.map(({ name }) => name));
  /** @type {Set<Promise<void>>} */
  const running = new Set();
  const isReady = (/** @type {Step} */ { after = [] }) =>
    after.every((name) => results.has(name) || !listed.has(name));
  while (waiting.length > 0 || running.size > 0) {
    const at = running.size < mostAtOnce ? waiting.findIndex(isReady) : -1;
    if (at >= 0) {
      const [step] = waiting.splice(at, 1);
      if (step !== undefined) begin(step);
      continue;
    }
    if (running.size === 0)
      throw new Error(`${waiting.map(({ name }) => name).join(', ')}: nothing that they wait for is left`);
    await Promise.race(running);
  }
  return steps.map(({ name }) => /** @type {StepResult} */ (results.get(name)));

  /** @param {Step} step */
  function begin(step) {
    /** @type {string[]} */
    const pieces = [];
    const ended = runStep(step, root, (text) => pieces.push(text)).then((result) => {
      results.set(step.name, result);
      running.delete(ended);
      print(`\n── ${step.name} · ${result.seconds.toFixed(1)} s\n${pieces.join('')}`);
    });
    running.add(ended);
  }
}

/**
 * Seconds that the machine's processors have worked since it started, whoever for: what a run has taken of them, with
 * its databases and browsers, is the difference on a machine that does nothing else.
 * @returns {number}
 */
export function processorSeconds() {
  const workedMs = cpus().map(({ times: { user, nice, sys, irq } }) => user + nice + sys + irq);
  return workedMs.reduce((sum, ms) => sum + ms, 0) / 1_000;
}

/** @param {string} text */
function printNow(text) {
  process.stdout.write(text);
}

/** @param {Step} step @param {string} root @param {Print} print @returns {Promise<StepResult>} */
async function runStep({ name, run }, root, print) {
  const startedAt = performance.now();
  const outcome = await run(root, print).catch(couldNotRun);
  return { ...outcome, name, seconds: (performance.now() - startedAt) / 1000 };
}

/** @param {unknown} error @returns {Outcome} */
function couldNotRun(error) {
  return { passed: 0, failed: 1, note: String(error) };
}

/**
 * A command that counts as one test.
 * @param {string} name @param {string} program of node_modules/.bin, or `node` @param {readonly string[]} parameters
 * @param {Omit<Step, 'name' | 'run'>} [order] @returns {Step}
 */
export function gate(name, program, parameters, order = {}) {
  return {
    ...order,
    name,
    run: async (root, print) => {
      const command = await runCommand(root, fileOf(root, program), parameters, { print });
      const counts = command.isPassed ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
      return { ...counts, processorSeconds: command.processorSeconds };
    },
  };
}

/**
 * Tests of a project of vitest.config.ts, all or those of some files.
 * @param {string} name @param {readonly string[]} parameters of vitest @param {Omit<Step, 'name' | 'run'>} [order]
 * @param {() => Promise<Readonly<Record<string, string>>>} [environmentOf] throws where they cannot run @returns {Step}
 */
export function tests(name, parameters, order = {}, environmentOf = () => Promise.resolve({})) {
  return {
    ...order,
    name,
    run: async (root, print) => runVitest(root, parameters, await environmentOf(), print),
  };
}

/**
 * @param {string} root @param {readonly string[]} chosen @param {Readonly<Record<string, string>>} environment
 * @param {Print | undefined} print @returns {Promise<Outcome>}
 */
async function runVitest(root, chosen, environment, print) {
  const folder = mkdtempSync(join(tmpdir(), 'test-report-'));
  const reportFile = join(folder, 'report.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`];
  // Figures that tests write belong to the long forms; of the others only a test that fails has something to say.
  const silent = environment.TEST_FORM === 'long' ? [] : ['--silent=passed-only'];
  const parameters = ['run', ...chosen, ...silent, ...reporters];
  let said = '';
  const hear = (/** @type {string} */ text) => {
    said += text;
    (print ?? printNow)(text);
  };
  const command = await runCommand(root, fileOf(root, 'vitest'), parameters, { environment, print: hear });
  const { processorSeconds } = command;
  try {
    const outcome = outcomeOf(JSON.parse(readFileSync(reportFile, 'utf8')), command.isPassed, said);
    return { ...outcome, processorSeconds };
  } catch (error) {
    return { passed: 0, failed: 1, note: `vitest left no report: ${String(error)}`, processorSeconds };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Counts tests, and one failure for each file that could not even be read; says which failed and why.
 * @param {import('./run-steps.mjs').TestReport} report of vitest's JSON reporter
 * @param {boolean} ended whether vitest itself ended well
 * @param {string} [said] what vitest printed, the only place where errors outside every test stand @returns {Outcome}
 */
export function outcomeOf(report, ended, said = '') {
  const files = report.testResults;
  const statuses = files.flatMap(({ assertionResults }) => assertionResults.map(({ status }) => status));
  const passed = statuses.filter((status) => status === 'passed').length;
  const skipped = statuses.filter((status) => status !== 'passed' && status !== 'failed').length;
  const failed = files.flatMap(failuresIn);
  // An error outside every test, a broken set-up or no test at all still ends in a failure.
  const endedBadly = failed.length === 0 && !ended;
  const failures = endedBadly ? outsideTests(said) : failed;
  return {
    passed,
    failed: endedBadly ? 1 : failed.length,
    ...(skipped > 0 && { note: `${skipped} skipped` }),
    ...(failures.length > 0 && { failures }),
  };
}

/** @param {import('./run-steps.mjs').TestReport['testResults'][number]} file @returns {string[]} */
function failuresIn({ status, message = '', assertionResults }) {
  const failed = assertionResults.filter((assertion) => assertion.status === 'failed');
  if (failed.length > 0)
    return failed.map(({ title = '', failureMessages = [] }) => inBrief(title, failureMessages.join('\n')));
  return status === 'failed' ? [inBrief('a file that cannot be read', message)] : [];
}

/** @param {string} said @returns {string[]} */
function outsideTests(said) {
  const plain = stripVTControlCharacters(said);
  const begins = plain.search(/Unhandled (Error|Rejection)/);
  return begins < 0 ? [] : [inBrief('an error outside every test', plain.slice(begins))];
}

/** @param {string} title @param {string} message @returns {string} */
function inBrief(title, message) {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.includes('node_modules'));
  const reasons = lines.filter((line) => !EVIDENCE.test(line)).slice(0, MESSAGE_LINES);
  const evidence = lines.filter((line) => EVIDENCE.test(line));
  const shown = [...reasons.slice(0, 1), ...evidence, ...reasons.slice(1)];
  return [title, ...shown.map((line) => `  ${line.trim().slice(0, LINE_LENGTH)}`)].join('\n');
}

/** @param {string} root @param {string} program */
function fileOf(root, program) {
  if (program === 'node') return process.execPath;
  return join(root, 'node_modules/.bin', process.platform === 'win32' ? `${program}.cmd` : program);
}

/**
 * Without `print` the command writes to the terminal itself; with it, everything it says goes there.
 * @param {string} root @param {string} command @param {readonly string[]} parameters @param {CommandOptions} [options]
 * @returns {Promise<import('./run-steps.mjs').CommandResult>}
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
  const work = child.pid === undefined ? undefined : followProcess(child.pid);
  const say = print ?? ((text) => process.stderr.write(text));
  // Who is told to end takes along what works for it.
  const abandon = () => void child.kill('SIGTERM');
  process.once('exit', abandon);
  const pipes = [child.stdout, child.stderr].filter((pipe) => pipe !== null);
  for (const pipe of pipes) pipe.setEncoding('utf8').on('data', say);
  child.once('exit', () => {
    // Its own children may outlive an ended command and would hold the pipes open.
    if (child.killed) for (const pipe of pipes) pipe.destroy();
  });
  try {
    const [status] = await once(child, 'close');
    if (child.killed) say(`${command} was ended after ${patienceMs / 60_000} minutes.\n`);
    return { isPassed: status === 0 && !child.killed, processorSeconds: work?.stop() };
  } catch (error) {
    say(`${command}: ${error instanceof Error ? error.message : String(error)}\n`);
    return { isPassed: false, processorSeconds: work?.stop() };
  } finally {
    process.off('exit', abandon);
  }
}
