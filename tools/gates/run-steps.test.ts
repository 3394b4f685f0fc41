import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type Outcome, type Print, runCommand, runSteps, type Step, STEPS } from './steps.mjs';

const ROOT = process.cwd();
const PASSED: Outcome = { passed: 1, failed: 0 };
const FAILED: Outcome = { passed: 0, failed: 1 };
const silent: Print = () => undefined;

/** Steps that note in `events` when they begin and end; those in capitals depend on what stands before them. */
function notedSteps(names: readonly string[], events: string[]): Step[] {
  return names.map((name) => ({
    name,
    isIndependent: name !== name.toUpperCase(),
    run: async () => {
      events.push(`${name} begins`);
      await sleep(5);
      events.push(`${name} ends`);
      return PASSED;
    },
  }));
}

/** How many steps ran at once, at most. */
function mostAtOnceIn(events: readonly string[]): number {
  let running = 0;
  return Math.max(...events.map((event) => (running += event.endsWith('begins') ? 1 : -1)));
}

function nodeStep(name: string, script: string, isIndependent: boolean): Step {
  return {
    name,
    isIndependent,
    run: async (root, print) =>
      (await runCommand(root, process.execPath, ['-e', script], { print })) ? PASSED : FAILED,
  };
}

describe('the order of steps', () => {
  it.each([1, 2, 3])('REPO-014 runs %d independent steps at once and not one more', async (limit) => {
    const events: string[] = [];
    await runSteps(notedSteps(['a', 'b', 'c', 'd', 'e'], events), ROOT, silent, limit);
    expect(events).toHaveLength(10);
    expect(mostAtOnceIn(events)).toBe(limit);
  });

  it('REPO-014 begins the next independent step as soon as any has ended', async () => {
    let endFirst = (): void => undefined;
    const first = new Promise<void>((resolve) => (endFirst = resolve));
    const steps: Step[] = [
      { name: 'first', isIndependent: true, run: () => first.then(() => PASSED) },
      { name: 'second', isIndependent: true, run: () => Promise.resolve(PASSED) },
      { name: 'third', isIndependent: true, run: () => Promise.resolve(endFirst()).then(() => PASSED) },
    ];
    expect(await runSteps(steps, ROOT, silent, 2)).toHaveLength(3);
  });

  it('REPO-014 runs a dependent step alone, after all before it and before all behind it', async () => {
    const events: string[] = [];
    await runSteps(notedSteps(['a', 'b', 'BUILD', 'UNIT', 'c', 'd'], events), ROOT, silent, 2);
    expect(events.slice(0, 4).toSorted()).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
    expect(events.slice(4, 8)).toEqual(['BUILD begins', 'BUILD ends', 'UNIT begins', 'UNIT ends']);
    expect(mostAtOnceIn(events)).toBe(2);
  });

  it('REPO-014 lets the gates that read sources only be independent, and nothing from the build on', () => {
    const names = STEPS.map(({ name }) => name);
    const independent = STEPS.filter(({ isIndependent }) => isIndependent).map(({ name }) => name);
    expect(independent).toEqual(names.slice(0, names.indexOf('build')));
    expect(independent).toContain('types');
  });
});

describe('what steps print', () => {
  it('REPO-014 prints each whole under its name in the listed order, also when a later one ends first', async () => {
    let printed = '';
    const slow = "console.log('slow 1'); setTimeout(() => console.error('slow 2'), 400)";
    const steps = [nodeStep('slow', slow, true), nodeStep('quick', "console.log('quick 1')", true)];
    const results = await runSteps(steps, ROOT, (text) => (printed += text), 2);
    expect(printed).toBe('\n── slow\nslow 1\nslow 2\n\n── quick\nquick 1\n');
    expect(results).toMatchObject([{ name: 'slow' }, { name: 'quick' }]);
    expect(results[0]!.seconds).toBeGreaterThan(0.4);
  });

  it('REPO-014 prints the name of a step that runs alone before the step begins', async () => {
    let printed = '';
    const print: Print = (text) => (printed += text);
    const run = (): Promise<Outcome> => {
      print('looking for a browser\n');
      return Promise.resolve(PASSED);
    };
    await runSteps([{ name: 'browser', run }], ROOT, print, 2);
    expect(printed).toBe('\n── browser\nlooking for a browser\n');
  });

  it('REPO-014 lets a step write to the terminal itself unless another runs beside it', async () => {
    const withPrint: string[] = [];
    const step = (name: string, isIndependent: boolean): Step => ({
      name,
      isIndependent,
      run: async (_root, print) => {
        if (print) withPrint.push(name);
        return PASSED;
      },
    });
    const steps = [step('a', true), step('b', true), step('BUILD', false), step('c', true)];
    await runSteps(steps, ROOT, silent, 2);
    expect(withPrint).toEqual(['a', 'b']);

    withPrint.length = 0;
    await runSteps(steps, ROOT, silent, 1);
    expect(withPrint).toEqual([]);
  });
});

describe('steps that fail', () => {
  it('REPO-011 counts steps that fail or cannot run, and runs the others', async () => {
    const broken: Step = {
      name: 'broken',
      isIndependent: true,
      run: () => Promise.reject(new Error('no disk')),
    };
    const steps = [
      nodeStep('slow', 'setTimeout(() => {}, 100)', true),
      nodeStep('red', 'process.exit(3)', true),
      broken,
      nodeStep('BUILD', 'process.exit(1)', false),
      nodeStep('UNIT', '', false),
    ];
    expect(await runSteps(steps, ROOT, silent, 2)).toMatchObject([
      { name: 'slow', ...PASSED },
      { name: 'red', ...FAILED },
      { name: 'broken', ...FAILED, note: 'Error: no disk' },
      { name: 'BUILD', ...FAILED },
      { name: 'UNIT', ...PASSED },
    ]);
  });

  it('REPO-011 says which program is missing', async () => {
    let printed = '';
    const print: Print = (text) => (printed += text);
    expect(await runCommand(ROOT, '/no/such/program', [], { print })).toBe(false);
    expect(printed).toContain('/no/such/program');
  });

  it('REPO-015 ends a command that takes too long, even when its own child lives on', async () => {
    let printed = '';
    const print: Print = (text) => (printed += text);
    const child = "['-e', 'setTimeout(() => {}, 20000)'], { stdio: 'inherit' }";
    const script = `require('node:child_process').spawn(process.execPath, ${child})`;
    const startedAt = performance.now();
    const options = { print, patienceMs: 1_500 };
    expect(await runCommand(ROOT, process.execPath, ['-e', script], options)).toBe(false);
    expect(performance.now() - startedAt).toBeLessThan(15_000);
    expect(printed).toContain(' was ended after 0.025 minutes.\n');
  });

  it('REPO-015 counts a command as failed that ends well only because its time was over', async () => {
    const script = "process.on('SIGTERM', () => process.exit(0)); setTimeout(() => {}, 10000)";
    const options = { print: silent, patienceMs: 1_500 };
    expect(await runCommand(ROOT, process.execPath, ['-e', script], options)).toBe(false);
  });
});
