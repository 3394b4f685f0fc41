import { expect, it } from 'vitest';
import type { StepResult } from './run-steps.mjs';
import { summaryOf } from './summary.mjs';

const COST = '600 s in all';

const step = (name: string, failures: readonly string[] = []): StepResult => ({
  name,
  seconds: 1.25,
  processorSeconds: 2.5,
  passed: 3,
  failed: failures.length,
  failures,
});

/** Returns the text of a failure of the browser test `name`, with a reason of more than twenty lines. */
const failure = (name: string): string =>
  [name, `  why ${name}`, `  Seen: ${name}`, `  Picture: ${name}.png`, ...Array(20).fill('  more')].join(
    '\n',
  );

it('REPO-011 REPO-910 prints a line for each step with both kinds of seconds, then the totals', () => {
  expect(summaryOf([step('types'), step('http')], COST)).toEqual([
    '',
    'ok      types            1.3 s     2.5 cpu s  3 passed, 0 failed',
    'ok      http             1.3 s     2.5 cpu s  3 passed, 0 failed',
    '',
    COST,
    '6 passed, 0 failed',
  ]);
});

it.each([1, 2, 5, 6, 7, 40])(
  'REPO-912 fits the evidence of %d failures into the last fifty lines',
  (count) => {
    const names = Array.from({ length: count }, (_, at) => `test ${at}`);
    const green = Array.from({ length: 15 }, (_, at) => step(`step ${at}`));
    const lines = summaryOf([...green, step('browser', names.map(failure))], COST);
    expect(lines.length).toBeLessThanOrEqual(50);
    const shown = names.filter((name) => lines.includes(name));
    expect(shown.length).toBeGreaterThanOrEqual(Math.min(count, 5));
    for (const name of shown)
      expect(lines.slice(lines.indexOf(name), lines.indexOf(name) + 4)).toEqual(
        failure(name).split('\n').slice(0, 4),
      );
    const hidden = lines.some((line) => line.startsWith(`${count - shown.length} more failed`));
    expect(hidden).toBe(shown.length < count);
    expect(lines.at(-1)).toBe(`48 passed, ${count} failed`);
  },
);
