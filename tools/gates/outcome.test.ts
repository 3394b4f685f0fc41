import { expect, it } from 'vitest';
import { outcomeOf } from './run-steps.mjs';

const file = (status: string, ...assertions: string[]) => ({
  status,
  assertionResults: assertions.map((assertion) => ({ status: assertion })),
});

it('REPO-011 counts tests that passed and failed, and notes skipped tests', () => {
  const report = { testResults: [file('failed', 'passed', 'failed', 'skipped'), file('passed', 'passed')] };
  expect(outcomeOf(report, false)).toMatchObject({ passed: 2, failed: 1, note: '1 skipped' });
});

it('REPO-011 counts a test file that cannot be read as a failure', () => {
  const unreadable = { ...file('failed'), message: 'SyntaxError: no such export' };
  expect(outcomeOf({ testResults: [unreadable, file('passed', 'passed')] }, false)).toEqual({
    passed: 1,
    failed: 1,
    failures: ['a file that cannot be read\n  SyntaxError: no such export'],
  });
});

it('REPO-011 returns the failed tests and their reasons without colours and without stack lines of libraries', () => {
  const why = '\u001B[31mError: too late\u001B[39m\n  at ours.ts:1\n  at node_modules/theirs.js:2\n';
  const failing = { status: 'failed', title: 'JRN-001 works', failureMessages: [why] };
  const report = { testResults: [{ status: 'failed', assertionResults: [failing] }] };
  expect(outcomeOf(report, false).failures).toEqual(['JRN-001 works\n  Error: too late\n  at ours.ts:1']);
});

it('REPO-912 puts the text of pages and the paths of screenshots right after the first line of the reason', () => {
  const reason = Array.from({ length: 30 }, (_, line) => `reason ${line}`);
  const evidence = ['Seen: http://host/trade Buy BTC', 'Picture: /shots/failed 1.png'];
  const failing = {
    status: 'failed',
    title: 'JRN-001',
    failureMessages: [[...reason, ...evidence].join('\n')],
  };
  const [brief = ''] = outcomeOf(
    { testResults: [{ status: 'failed', assertionResults: [failing] }] },
    false,
  ).failures!;
  expect(brief.split('\n').slice(0, 5)).toEqual([
    'JRN-001',
    '  reason 0',
    '  Seen: http://host/trade Buy BTC',
    '  Picture: /shots/failed 1.png',
    '  reason 1',
  ]);
});

it('REPO-1143 shows the values that differ right after the first line of the reason', () => {
  const output = [
    ' FAIL  |http| seconds.http.test.ts > seconds > CON-021 none changes a result',
    '\u001B[31mAssertionError: expected { Object (id, ...) } to match object\u001B[39m',
    '\u001B[32m- Expected\u001B[39m',
    '\u001B[31m+ Received\u001B[39m',
    '',
    '  {',
    '\u001B[32m-   "result": "win",\u001B[39m',
    '\u001B[31m+   "result": "void",\u001B[39m',
    '  }',
    ' ❯ seconds.http.test.ts:149:20',
    '    - not a difference',
    ' FAIL  |http| seconds.http.test.ts > seconds > another test',
    '- Expected',
    '+ Received',
    '+ of another test',
  ].join('\n');
  const failing = {
    status: 'failed',
    title: 'CON-021 none changes a result',
    failureMessages: ['AssertionError: expected { Object (id, ...) } to match object\n  at ours.ts:149'],
  };
  const report = { testResults: [{ status: 'failed', assertionResults: [failing] }] };
  expect(outcomeOf(report, false, output).failures![0]!.split('\n').slice(1)).toEqual([
    '  AssertionError: expected { Object (id, ...) } to match object',
    '  -   "result": "win",',
    '  +   "result": "void",',
    '  at ours.ts:149',
  ]);
});

it('REPO-011 counts a run without failed tests and with an error exit as a failure', () => {
  expect(outcomeOf({ testResults: [] }, false)).toEqual({ passed: 0, failed: 1 });
  expect(outcomeOf({ testResults: [file('passed', 'passed')] }, false)).toEqual({ passed: 1, failed: 1 });
  expect(outcomeOf({ testResults: [file('passed', 'passed')] }, true)).toEqual({ passed: 1, failed: 0 });
});

it('REPO-011 returns errors outside of tests', () => {
  const output = '✓ all\n⎯⎯ \u001B[31mUnhandled Errors\u001B[39m ⎯⎯\nTypeError: no window\n at ours.ts:1\n';
  expect(outcomeOf({ testResults: [file('passed', 'passed')] }, false, output)).toEqual({
    passed: 1,
    failed: 1,
    failures: ['an error outside every test\n  Unhandled Errors ⎯⎯\n  TypeError: no window\n  at ours.ts:1'],
  });
});
