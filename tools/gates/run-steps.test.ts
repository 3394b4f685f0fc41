import { readFileSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import {
  filesToRepeat,
  gate,
  type Outcome,
  outcomeWithRepetition,
  type Print,
  processorSeconds,
  runCommand,
  runSteps,
  type Step,
  tests,
} from './run-steps.mjs';
import { scratchFolder } from './scratch.mjs';
import { GATES, PROOFS, seedOfCommit } from './steps.mjs';
import { summaryOf } from './summary.mjs';
import { plantedTree } from '../testing/planted-tree.ts';

const ROOT = process.cwd();
const PASSED: Outcome = { passed: 1, failed: 0 };
const FAILED: Outcome = { passed: 0, failed: 1 };
const silent: Print = () => undefined;

/**
 * Creates steps that record their start and end in `events`. A name such as `b<a` creates the step `b`, which starts
 * after the step `a`.
 */
function recordedSteps(names: readonly string[], events: string[]): Step[] {
  return names.map((text) => {
    const [name = '', ...after] = text.split('<');
    return {
      name,
      after,
      run: async () => {
        events.push(`${name} begins`);
        await sleep(5);
        events.push(`${name} ends`);
        return PASSED;
      },
    };
  });
}

/** Returns the maximum number of steps that ran at the same time. */
function mostAtOnceIn(events: readonly string[]): number {
  let running = 0;
  return Math.max(...events.map((event) => (running += event.endsWith('begins') ? 1 : -1)));
}

const nodeStep = (name: string, script: string, after: readonly string[] = []): Step =>
  gate(name, 'node', ['-e', script], { after });

describe('the order of steps', () => {
  it.each([1, 2, 3])('REPO-014 runs at most %d steps at once', async (limit) => {
    const events: string[] = [];
    await runSteps(recordedSteps(['a', 'b', 'c', 'd', 'e'], events), ROOT, silent, limit);
    expect(events).toHaveLength(10);
    expect(mostAtOnceIn(events)).toBe(limit);
  });

  it('REPO-014 starts the next step as soon as any step has ended', async () => {
    let endFirst = (): void => undefined;
    const first = new Promise<void>((resolve) => (endFirst = resolve));
    const steps: Step[] = [
      { name: 'first', run: () => first.then(() => PASSED) },
      { name: 'second', run: () => Promise.resolve(PASSED) },
      { name: 'third', run: () => Promise.resolve(endFirst()).then(() => PASSED) },
    ];
    expect(await runSteps(steps, ROOT, silent, 2)).toHaveLength(3);
  });

  it('REPO-014 a step waits for the steps that it names, while later steps may start before it', async () => {
    const events: string[] = [];
    await runSteps(recordedSteps(['build', 'browser<build', 'types', 'lint'], events), ROOT, silent, 2);
    expect(events.slice(0, 2)).toEqual(['build begins', 'types begins']);
    expect(events.indexOf('browser begins')).toBeGreaterThan(events.indexOf('build ends'));
    expect(mostAtOnceIn(events)).toBe(2);
  });

  it('REPO-014 does not wait for a step that is not part of the run, and throws if a step can never start', async () => {
    const events: string[] = [];
    await runSteps(recordedSteps(['browser<build'], events), ROOT, silent, 2);
    expect(events).toHaveLength(2);
    await expect(runSteps(recordedSteps(['a<b', 'b<a'], events), ROOT, silent, 2)).rejects.toThrow(/a, b/);
  });

  it.each([
    ['npm test', GATES],
    ['npm run prove', PROOFS],
  ])('REPO-014 %s lists steps after their dependencies and builds before it tests', (_, steps) => {
    const names = steps.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const [index, { after = [] }] of steps.entries())
      for (const dependency of after) expect(names.slice(0, index)).toContain(dependency);
    const testSteps = steps.filter(({ name }) => ['browser', 'http', 'screens', 'crash'].includes(name));
    expect(testSteps.every(({ after }) => after?.includes('build'))).toBe(true);
  });

  it('REPO-034 derives the same seed from the same commit', () => {
    expect(seedOfCommit()).toMatch(/^\d+$/);
    expect(seedOfCommit()).toBe(seedOfCommit());
  });
});

describe('output of steps', () => {
  it('REPO-014 is printed in one piece under the name and seconds of each step, in the order of their ends', async () => {
    let printed = '';
    // The program of the first step waits until the process of the second step has ended, so that the sequence does not
    // depend on the speed of the machine.
    const mark = join(plantedTree({}), 'pid');
    const slow = `
      const { existsSync, readFileSync } = require('node:fs');
      console.log('slow 1');
      const isRunning = () => {
        try {
          return !existsSync('${mark}') || process.kill(Number(readFileSync('${mark}', 'utf8')), 0);
        } catch {
          return false;
        }
      };
      const end = () => (isRunning() ? setTimeout(end, 20) : setTimeout(() => console.error('slow 2'), 700));
      end();`;
    const quick = `require('node:fs').writeFileSync('${mark}', String(process.pid)); console.log('quick 1');`;
    const steps = [nodeStep('slow', slow), nodeStep('quick', quick)];
    const results = await runSteps(steps, ROOT, (text) => (printed += text), 2);
    expect(printed.replaceAll(/[\d.]+ s\n/g, 'N s\n')).toBe(
      '\n── quick · N s\nquick 1\n\n── slow · N s\nslow 1\nslow 2\n',
    );
    expect(results).toMatchObject([{ name: 'slow' }, { name: 'quick' }]);
    expect(results[0]!.seconds).toBeGreaterThan(0.7);
  });
});

describe('output of tests', () => {
  // The source of a test file. It composes its texts from parts, because vitest prints the source of a failed test and
  // the output must not contain a whole text by this way.
  const SOURCE = `
    it('passes', () => { console.log(['of what', 'passes'].join(' ')); console.error(['socket', 'hang up'].join(' ')); });
    it('fails', () => { console.log(['of what', 'fails'].join(' ')); expect(1).toBe(2); });
  `;
  /** Runs a test file with one passing and one failing test; returns the output of the step. */
  const printedBy = async (environment: Readonly<Record<string, string>>): Promise<string> => {
    const folder = plantedTree({ 'noisy.test.js': SOURCE });
    let printed = '';
    const step = tests('noisy', ['--root', folder, '--globals'], {}, () => Promise.resolve(environment));
    const [result] = await runSteps([step], ROOT, (text) => (printed += text), 1);
    expect(result).toMatchObject({ passed: 1, failed: 1 });
    return printed;
  };

  it('REPO-911 is printed for failing tests only', async () => {
    const printed = await printedBy({});
    expect(printed).toContain('of what fails');
    expect(printed).not.toMatch(/of what passes|socket hang up/);
  });

  it('REPO-911 is printed for every test in the long form, which prints measurements', async () => {
    expect(await printedBy({ TEST_FORM: 'long' })).toContain('of what passes');
  });
});

describe('failed tests', () => {
  /** Runs a file with the statements `hook` and a test that passes from its run number `passesFrom` on. */
  const resultOf = async (passesFrom: number, environment = {}, hook = '') => {
    const folder = plantedTree({
      'order.test.js': `
        import { appendFileSync, readFileSync } from 'node:fs';
        const runs = '${join('FOLDER', 'runs')}';
        appendFileSync(runs, 'x');
        ${hook}
        it('passes later', () => { expect(readFileSync(runs, 'utf8').length).toBeGreaterThanOrEqual(${passesFrom}); });
      `,
    });
    const file = join(folder, 'order.test.js');
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll('FOLDER', folder));
    const step = tests('order', ['--root', folder, '--globals'], {}, () => Promise.resolve(environment));
    const [result] = await runSteps([step], ROOT, () => {}, 1);
    return { ...result!, runs: readFileSync(join(folder, 'runs'), 'utf8').length };
  };

  it('REPO-1146 are repeated once, and count as passed with their first reason in the summary if they pass', async () => {
    const result = await resultOf(2);
    expect(result).toMatchObject({ passed: 1, failed: 0, note: '1 passed when repeated', runs: 2 });
    expect(result.repeated).toEqual([expect.stringContaining('passes later\n')]);
    expect(summaryOf([result], 'cost')).toContain('passes later');
    expect(summaryOf([result], 'cost').at(-1)).toBe('1 passed, 0 failed');
  });

  it('REPO-1146 are repeated after a set-up that failed', async () => {
    const hook =
      "beforeAll(() => { if (readFileSync(runs, 'utf8').length < 2) throw new Error('no server'); });";
    const result = await resultOf(1, {}, hook);
    expect(result).toMatchObject({
      passed: 1,
      failed: 0,
      note: expect.stringContaining('passed when repeated'),
      runs: 2,
    });
    expect(result.repeated).toEqual([expect.stringContaining('no server')]);
  });

  it('REPO-1146 stay failed if they fail again, if more than four fail, and in the long forms', async () => {
    const reportOf = (...failures: readonly number[]) => ({
      testResults: failures.map((count, at) => ({
        name: `${at}.test.js`,
        status: 'failed',
        assertionResults: Array.from({ length: count }, () => ({ status: 'failed' })),
      })),
    });
    expect(filesToRepeat(reportOf(3, 0))).toEqual(['0.test.js', '1.test.js']);
    expect(filesToRepeat(reportOf(4, 0))).toEqual([]);
    expect(filesToRepeat(reportOf(1, 1, 1, 1, 1))).toEqual([]);
    const twoFailed: Outcome = { passed: 5, failed: 2, failures: ['one', 'other'] };
    expect(outcomeWithRepetition(twoFailed, { passed: 4, failed: 1 })).toMatchObject(twoFailed);
    expect(outcomeWithRepetition(twoFailed, { passed: 0, failed: 0 })).toMatchObject(twoFailed);
    expect(await resultOf(2, { TEST_FORM: 'long' })).toMatchObject({ passed: 0, failed: 1, runs: 1 });
  });
});

describe('processor seconds', () => {
  it('REPO-054 include the work of child processes', async () => {
    const before = processorSeconds();
    const work = 'while (process.cpuUsage().user < 600_000) for (let n = 0; n < 1e7; n += 1);';
    const options = { print: silent };
    expect(await runCommand(ROOT, process.execPath, ['-e', work], options)).toMatchObject({ isPassed: true });
    expect(processorSeconds() - before).toBeGreaterThan(0.4);
  });
});

describe('steps that fail', () => {
  it('REPO-011 counts steps that fail or cannot run, and runs the others', async () => {
    const broken: Step = { name: 'broken', run: () => Promise.reject(new Error('no disk')) };
    const steps = [
      nodeStep('slow', 'setTimeout(() => {}, 100)'),
      nodeStep('red', 'process.exit(3)'),
      broken,
      nodeStep('build', 'process.exit(1)'),
      nodeStep('unit', '', ['build']),
    ];
    expect(await runSteps(steps, ROOT, silent, 2)).toMatchObject([
      { name: 'slow', ...PASSED },
      { name: 'red', ...FAILED },
      { name: 'broken', ...FAILED, note: 'Error: no disk' },
      { name: 'build', ...FAILED },
      { name: 'unit', ...PASSED },
    ]);
  });

  it('REPO-011 prints the missing program', async () => {
    let printed = '';
    const print: Print = (text) => (printed += text);
    expect(await runCommand(ROOT, '/no/such/program', [], { print })).toMatchObject({ isPassed: false });
    expect(printed).toContain('/no/such/program');
  });

  it('REPO-015 stops a command after its time limit, even if a child process keeps running', async () => {
    let printed = '';
    const print: Print = (text) => (printed += text);
    const child = "['-e', 'setTimeout(() => {}, 600_000)'], { stdio: 'inherit' }";
    const script = `console.log('child', require('node:child_process').spawn(process.execPath, ${child}).pid)`;
    const options = { print, timeLimitMs: 1_500 };
    expect(await runCommand(ROOT, process.execPath, ['-e', script], options)).toMatchObject({
      isPassed: false,
    });
    const childId = Number(/child (\d+)/.exec(printed)?.[1]);
    // The child process is still running, because the step did not wait for it. Signal 0 changes nothing; `kill` throws
    // if there is no such process.
    expect(process.kill(childId, 0)).toBe(true);
    process.kill(childId);
    expect(printed).toContain(' was ended after 0.025 minutes.\n');
  });

  it('REPO-015 counts a command as failed that exits with 0 after its time limit', async () => {
    const script = "process.on('SIGTERM', () => process.exit(0)); setTimeout(() => {}, 10000)";
    const options = { print: silent, timeLimitMs: 1_500 };
    expect(await runCommand(ROOT, process.execPath, ['-e', script], options)).toMatchObject({
      isPassed: false,
    });
  });
});

describe('steps with time limits of their own', () => {
  it('REPO-015 are ended after that limit, commands and tests alike', async () => {
    const waiting = ['-e', 'setTimeout(() => {}, 60_000)'];
    const steps = [
      gate('command', 'node', waiting, { timeLimitMs: 1_000 }),
      tests('tests', ['--project', 'unit', 'tools/spelling'], { timeLimitMs: 1 }),
    ];
    expect(await runSteps(steps, ROOT, silent)).toMatchObject([
      { name: 'command', ...FAILED },
      { name: 'tests', ...FAILED, note: expect.stringContaining('vitest left no report') as string },
    ]);
  });
});

describe('the scratch folder', () => {
  const GIB = 1024 ** 3;

  it('REPO-056 is in memory if there is enough, otherwise in the temporary folder', () => {
    const folder = tmpdir();
    expect(scratchFolder(7, { memory: '/', available: 5 * GIB })).toBe(`${folder}/exchange-tests-7`);
    expect(scratchFolder(7, { memory: '/proc', available: 99 * GIB })).toBe(`${folder}/exchange-tests-7`);
    expect(scratchFolder(7, { memory: '/none', available: 99 * GIB })).toBe(`${folder}/exchange-tests-7`);
  });

  it.runIf(freeBytesOf('/') > 6 * GIB)(
    'REPO-056 is in memory if the file system and the memory have room',
    () => {
      expect(scratchFolder(7, { memory: '/', available: 7 * GIB })).toBe('/exchange-tests-7');
    },
  );
});

function freeBytesOf(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}
