/**
 * Runs the steps of `npm test` in parallel if their dependencies allow it, and those of `npm run prove` one at a time.
 * A failed step does not stop the run.
 */
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
 * Time limit of a step of the test run in milliseconds. The limit also ends tests with an endless loop, in which
 * vitest's own limits have no effect. The longest step takes minutes, and several times as long on a busy host.
 */
const TIME_LIMIT_MS = 45 * 60_000;

/**
 * Maximum number of concurrent steps. More steps than processors would only slow each other down, and each step needs a
 * few hundred MB of memory.
 */
const MOST_AT_ONCE = Math.min(2, availableParallelism());

/**
 * Maximum number of lines of a failure that the summary repeats. The summary repeats them because often only the end of
 * a log is available.
 */
const MESSAGE_LINES = 12;
/**
 * Matches the lines that a browser test adds to a failure: the visible text of the page and the path of the screenshot.
 */
const EVIDENCE = /^\s*(?:Seen|Picture): /;
const LINE_LENGTH = 400;
/**
 * Maximum number of failed tests of a step that are run again. If more tests fail, the failures probably have a common
 * cause that a second run would not remove.
 */
const REPEATED_TESTS_MAX = 4;
/** Maximum number of lines that show the differences between expected and received values in a failure. */
const DIFFERENCE_LINES = 8;

/**
 * Runs steps in the listed order, at most `mostAtOnce` at a time. A step with `after` starts after the end of the steps
 * named there, even if they failed; names of steps that are not listed are ignored. At the end of a step its output is
 * printed below its name. Rejects if steps wait for each other.
 * @param {readonly Step[]} steps @param {string} root @param {Print} [print] @param {number} [mostAtOnce]
 * @returns {Promise<StepResult[]>} in the listed order
 */
export async function runSteps(steps, root, print = printToTerminal, mostAtOnce = MOST_AT_ONCE) {
  /** @type {Map<string, StepResult>} */
  const results = new Map();
  const queue = [...steps];
  const listed = new Set(steps.map(({ name }) => name));
  /** @type {Set<Promise<void>>} */
  const running = new Set();
  const isReady = (/** @type {Step} */ { after = [] }) =>
    after.every((name) => results.has(name) || !listed.has(name));
  while (queue.length > 0 || running.size > 0) {
    const at = running.size < mostAtOnce ? queue.findIndex(isReady) : -1;
    if (at >= 0) {
      const [step] = queue.splice(at, 1);
      if (step !== undefined) startStep(step);
      continue;
    }
    if (running.size === 0)
      throw new Error(`${queue.map(({ name }) => name).join(', ')}: the steps that they wait for never end`);
    await Promise.race(running);
  }
  return steps.map(({ name }) => /** @type {StepResult} now every step has a result */ (results.get(name)));

  /** Starts a step without waiting for its end. @param {Step} step */
  function startStep(step) {
    /** @type {string[]} the output of the step, which is printed at its end */
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
 * Returns the seconds that all processors of this machine have worked for any process since the machine started. On a
 * machine that runs nothing else, the difference of two readings is the work of a run with its databases and browsers.
 * @returns {number}
 */
export function processorSeconds() {
  const workedMs = cpus().map(({ times: { user, nice, sys, irq } }) => user + nice + sys + irq);
  return workedMs.reduce((sum, ms) => sum + ms, 0) / 1_000;
}

/** @param {string} text */
function printToTerminal(text) {
  process.stdout.write(text);
}

/**
 * Runs a step and measures its duration. A step that throws counts as failed.
 * @param {Step} step @param {string} root @param {Print} print @returns {Promise<StepResult>}
 */
async function runStep({ name, run }, root, print) {
  const startedAt = performance.now();
  const outcome = await run(root, print).catch(failedOutcome);
  return { ...outcome, name, seconds: (performance.now() - startedAt) / 1000 };
}

/** @param {unknown} error @returns {Outcome} that of a step that could not be run because of the error */
function failedOutcome(error) {
  return { passed: 0, failed: 1, note: String(error) };
}

/**
 * Returns a step that runs a command and counts as one test.
 * @param {string} name @param {string} program of node_modules/.bin, or `node` @param {readonly string[]} parameters
 * @param {Omit<Step, 'name' | 'run'>} [order] @returns {Step}
 */
export function gate(name, program, parameters, order = {}) {
  return {
    ...order,
    name,
    run: async (root, print) => {
      const { timeLimitMs } = order;
      const command = await runCommand(root, fileOf(root, program), parameters, { print, timeLimitMs });
      const counts = command.isPassed ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
      return { ...counts, processorSeconds: command.processorSeconds };
    },
  };
}

/**
 * Returns a step that runs vitest.
 * @param {string} name @param {readonly string[]} parameters of vitest, such as a project or files @param {Omit<Step,
 * 'name' | 'run'>} [order]
 * @param {() => Promise<Readonly<Record<string, string>>>} [environmentOf] returns the environment variables of the
 * tests; rejects if the tests cannot run @returns {Step}
 */
export function tests(name, parameters, order = {}, environmentOf = () => Promise.resolve({})) {
  return {
    ...order,
    name,
    run: async (root, print) => {
      const options = { environment: await environmentOf(), print, timeLimitMs: order.timeLimitMs };
      return runVitest(root, parameters, options);
    },
  };
}

/**
 * Runs the selected tests. If at most `REPEATED_TESTS_MAX` of them fail, their files are run once more, without other
 * tests beside them. Tests that pass then count as passed, and their first failures are in `repeated`, because they
 * depend on time or on the order of events. The long forms repeat nothing.
 * @param {string} root @param {readonly string[]} selection @param {CommandOptions} run @returns {Promise<Outcome>}
 */
async function runVitest(root, selection, run) {
  const first = await runVitestOnce(root, selection, run);
  const files = run.environment?.TEST_FORM === 'long' ? [] : filesToRepeat(first.report);
  if (files.length === 0) return first.outcome;
  const options = optionsOf(selection);
  const second = await runVitestOnce(root, [...options, ...files], run);
  return outcomeWithRepetition(first.outcome, second.outcome);
}

/**
 * Runs vitest once, without repeating failed tests. `selection` contains further parameters of vitest.
 * @param {string} root @param {readonly string[]} selection @param {CommandOptions} options
 * @returns {Promise<{ outcome: Outcome, report?: import('./run-steps.mjs').TestReport }>} without `report` if vitest
 * has written none
 */
async function runVitestOnce(root, selection, { environment = {}, print, timeLimitMs }) {
  const folder = mkdtempSync(join(tmpdir(), 'test-report-'));
  const reportFile = join(folder, 'report.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`];
  // The long forms print their measurements, so their output is shown. In all other runs only the output of failed
  // tests is shown.
  const silent = environment.TEST_FORM === 'long' ? [] : ['--silent=passed-only'];
  const parameters = ['run', ...selection, ...silent, ...reporters];
  let output = '';
  const record = (/** @type {string} */ text) => {
    output += text;
    (print ?? printToTerminal)(text);
  };
  const command = await runCommand(root, fileOf(root, 'vitest'), parameters, {
    environment,
    print: record,
    timeLimitMs,
  });
  const { processorSeconds } = command;
  try {
    /** @type {import('./run-steps.mjs').TestReport} the report that vitest has written as JSON */
    const report = JSON.parse(readFileSync(reportFile, 'utf8'));
    const outcome = outcomeOf(report, command.isPassed, output);
    return { outcome: { ...outcome, processorSeconds }, report };
  } catch (error) {
    const note = `vitest left no report: ${String(error)}`;
    return { outcome: { passed: 0, failed: 1, note, processorSeconds } };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Returns the files whose failed tests are repeated: all files with failures, or none if more than
 * `REPEATED_TESTS_MAX` tests failed. A file that failed outside of its tests, e.g. in its set-up, counts as
 * one failed test.
 * @param {import('./run-steps.mjs').TestReport | undefined} report @returns {string[]} paths
 */
export function filesToRepeat(report) {
  const failed = report?.testResults.filter(({ status }) => status === 'failed') ?? [];
  const failuresOf = failed.map(
    ({ assertionResults }) => assertionResults.filter(({ status }) => status === 'failed').length,
  );
  const total = failuresOf.reduce((sum, count) => sum + Math.max(1, count), 0);
  if (total > REPEATED_TESTS_MAX) return [];
  return failed.flatMap(({ name }) => (name === undefined ? [] : [name]));
}

/**
 * Returns the outcome of a step whose failed tests were repeated: that of the first run if anything failed
 * again or if no test of the repetition passed. Otherwise the failed tests of the first run count as passed,
 * and their failures are in `repeated`. The processor time is that of both runs.
 * @param {Outcome} first @param {Outcome} second outcome of the repetition @returns {Outcome}
 */
export function outcomeWithRepetition(first, second) {
  const processorSeconds =
    first.processorSeconds === undefined || second.processorSeconds === undefined
      ? undefined
      : first.processorSeconds + second.processorSeconds;
  if (second.failed > 0 || second.passed === 0) return { ...first, processorSeconds };
  const note = `${first.failed} passed when repeated`;
  return {
    passed: first.passed + first.failed,
    failed: 0,
    note: first.note === undefined ? note : `${first.note}, ${note}`,
    repeated: first.failures ?? [],
    processorSeconds,
  };
}

/**
 * Returns the options of a selection of vitest, without its files.
 * @param {readonly string[]} selection @returns {string[]}
 */
function optionsOf(selection) {
  return selection.filter(
    (word, index) => word.startsWith('--') || isOptionWithValue(selection[index - 1] ?? ''),
  );
}

/** Returns whether the next word of a vitest command is the value of this option. @param {string} word */
function isOptionWithValue(word) {
  return word === '--project' || word === '--root';
}

/**
 * Counts passed and failed tests. A file that cannot be loaded counts as one failure.
 * @param {import('./run-steps.mjs').TestReport} report of vitest's JSON reporter
 * @param {boolean} ended whether vitest exited successfully
 * @param {string} [output] what vitest printed; errors outside of tests appear only there @returns {Outcome}
 */
export function outcomeOf(report, ended, output = '') {
  const files = report.testResults;
  const statuses = files.flatMap(({ assertionResults }) => assertionResults.map(({ status }) => status));
  const passed = statuses.filter((status) => status === 'passed').length;
  const skipped = statuses.filter((status) => status !== 'passed' && status !== 'failed').length;
  const plain = stripVTControlCharacters(output);
  const failed = files.flatMap((file) => failuresIn(file, plain));
  // If no test has failed, an error outside of the tests, a failed set-up, or a run without tests counts as
  // one failure.
  const endedBadly = failed.length === 0 && !ended;
  const failures = endedBadly ? errorsOutsideTests(plain) : failed;
  return {
    passed,
    failed: endedBadly ? 1 : failed.length,
    ...(skipped > 0 && { note: `${skipped} skipped` }),
    ...(failures.length > 0 && { failures }),
  };
}

/**
 * @param {import('./run-steps.mjs').TestReport['testResults'][number]} file
 * @param {string} output what vitest printed, without control characters
 * @returns {string[]} a short text for each failed test of the file, or one if the file could not be loaded
 */
function failuresIn({ status, message = '', assertionResults }, output) {
  const failed = assertionResults.filter((assertion) => assertion.status === 'failed');
  if (failed.length > 0)
    return failed.map(({ title = '', failureMessages = [] }) => {
      const differing = differencesIn(output, title);
      return brief(title, failureMessages.join('\n'), differing);
    });
  return status === 'failed' ? [brief('a file that cannot be read', message)] : [];
}

/**
 * Returns the lines with the differences between expected and received values. Vitest prints them, but its report does
 * not contain them.
 * @param {string} output without control characters @param {string} title of the test @returns {string[]}
 */
function differencesIn(output, title) {
  const lines = output.split('\n');
  const start = lines.findIndex((line) => line.startsWith(' FAIL ') && line.endsWith(` > ${title}`));
  if (start < 0) return [];
  const length = lines.slice(start + 1).findIndex((line) => /^ (?:FAIL|❯) /.test(line));
  const failure = lines.slice(start + 1, length < 0 ? undefined : start + 1 + length);
  const compared = failure.indexOf('+ Received');
  return failure.slice(compared + 1).filter((line) => compared >= 0 && /^[+-] /.test(line));
}

/**
 * Returns one text for all errors outside of the tests, or an empty list if the output contains none.
 * @param {string} plain output without control characters @returns {string[]}
 */
function errorsOutsideTests(plain) {
  const start = plain.search(/Unhandled (Error|Rejection)/);
  return start < 0 ? [] : [brief('an error outside every test', plain.slice(start))];
}

/**
 * Shortens a failure of a test for the summary. @param {string} title @param {string} message
 * @param {readonly string[]} [differing] lines of values that differ @returns {string}
 */
function brief(title, message, differing = []) {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.includes('node_modules'));
  const reasons = lines.filter((line) => !EVIDENCE.test(line)).slice(0, MESSAGE_LINES);
  const evidence = lines.filter((line) => EVIDENCE.test(line));
  const values = differing.slice(0, DIFFERENCE_LINES);
  const shown = [...reasons.slice(0, 1), ...evidence, ...values, ...reasons.slice(1)];
  return [title, ...shown.map((line) => `  ${line.trim().slice(0, LINE_LENGTH)}`)].join('\n');
}

/**
 * Returns the path of `node` or of the program of an installed npm package.
 * @param {string} root @param {string} program
 */
function fileOf(root, program) {
  if (program === 'node') return process.execPath;
  return join(root, 'node_modules/.bin', process.platform === 'win32' ? `${program}.cmd` : program);
}

/**
 * Runs a command. Its output goes to `print`, or to the terminal without `print`. The command is ended if it takes
 * longer than the time limit, and then counts as failed.
 * @param {string} root @param {string} command @param {readonly string[]} parameters @param {CommandOptions}
 * [options]
 * @returns {Promise<import('./run-steps.mjs').CommandResult>}
 */
export async function runCommand(root, command, parameters, options = {}) {
  const { print, environment = {}, timeLimitMs = TIME_LIMIT_MS } = options;
  const output = print ? 'pipe' : 'inherit';
  const child = spawn(command, parameters, {
    cwd: root,
    stdio: ['ignore', output, output],
    env: { ...process.env, ...environment },
    timeout: timeLimitMs,
    killSignal: 'SIGTERM',
    shell: process.platform === 'win32',
  });
  const work = child.pid === undefined ? undefined : followProcess(child.pid);
  const say = print ?? ((text) => process.stderr.write(text));
  // If the process of the test run exits, it also stops the running command.
  const abandon = () => void child.kill('SIGTERM');
  process.once('exit', abandon);
  const pipes = [child.stdout, child.stderr].filter((pipe) => pipe !== null);
  for (const pipe of pipes) pipe.setEncoding('utf8').on('data', say);
  child.once('exit', () => {
    // Child processes of a stopped command may still run and keep the pipes open, so the pipes are destroyed.
    if (child.killed) for (const pipe of pipes) pipe.destroy();
  });
  try {
    const [status] = await once(child, 'close');
    if (child.killed) say(`${command} was ended after ${timeLimitMs / 60_000} minutes.\n`);
    return { isPassed: status === 0 && !child.killed, processorSeconds: work?.stop() };
  } catch (error) {
    say(`${command}: ${error instanceof Error ? error.message : String(error)}\n`);
    return { isPassed: false, processorSeconds: work?.stop() };
  } finally {
    process.off('exit', abandon);
  }
}
