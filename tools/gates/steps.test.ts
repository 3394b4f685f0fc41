import { expect, it } from 'vitest';
import { outcomeOf } from './steps.mjs';

const file = (status: string, ...assertions: string[]) => ({
  status,
  assertionResults: assertions.map((assertion) => ({ status: assertion })),
});

it('REPO-011 counts tests that passed and failed, and names what was skipped', () => {
  const report = { testResults: [file('failed', 'passed', 'failed', 'skipped'), file('passed', 'passed')] };
  expect(outcomeOf(report, false)).toEqual({ passed: 2, failed: 1, note: '1 skipped' });
});

it('REPO-011 counts a test file that cannot be read as a failure', () => {
  expect(outcomeOf({ testResults: [file('failed'), file('passed', 'passed')] }, false)).toEqual({
    passed: 1,
    failed: 1,
  });
});

it('REPO-011 counts a run without failed tests that ended badly as a failure', () => {
  expect(outcomeOf({ testResults: [] }, false)).toEqual({ passed: 0, failed: 1 });
  expect(outcomeOf({ testResults: [file('passed', 'passed')] }, false)).toEqual({ passed: 1, failed: 1 });
  expect(outcomeOf({ testResults: [file('passed', 'passed')] }, true)).toEqual({ passed: 1, failed: 0 });
});
