import { ID as ID_COLUMN, INSTANT, TERM, TEXT, TEXTS } from '@exchange/wire/console/columns.ts';
import { creditReport, goneDeposits, reportedDeposits } from '@exchange/wire/console/deposits.ts';
import { rejectIdentity, submissions } from '@exchange/wire/console/desk.ts';
import {
  approveProposal,
  auditLog,
  changeRoles,
  operators,
  proposals,
} from '@exchange/wire/console/operators.ts';
import { finance } from '@exchange/wire/console/products.ts';
import { unfreezeUser } from '@exchange/wire/console/users.ts';
import {
  approveLargeWithdrawal,
  approveWithdrawal,
  openWithdrawals,
  rejectWithdrawal,
  travelRuleRecord,
} from '@exchange/wire/console/withdrawals.ts';
import { describeOperation, offeredOperation, type OperationDescription } from '@exchange/wire/operation.ts';
import { camelToWords, type Operation, type Row } from '@exchange/web-kit/console/calls.ts';
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { AreaScreen } from './area-screen.tsx';
import { actionName, appliesTo, flagsOf, isPending, subjectOf } from './operations.ts';
import { shorten, formatNumber, urgencyOf, longestWait } from './texts.ts';

/**
 * Returns the described operation as one that the server accepts without an authenticator code, so that the
 * test confirms it without typing one.
 */
const withoutCode = (description: OperationDescription): Operation => ({
  ...offeredOperation(description),
  takesCode: false,
});
const ID = '01a20bb7-1aa9-7299-bdac-58d95d508edb';
const OPERATIONS = [
  offeredOperation(goneDeposits),
  offeredOperation(reportedDeposits),
  { ...withoutCode(creditReport), fields: {} },
];

type Answering = (path: string, init?: RequestInit) => Promise<Response> | number | undefined;

/**
 * Renders an area of the console (deposits by default) whose list has the given rows; `answer` may override the mocked
 * server's responses.
 */
function draw(
  rows: readonly Readonly<Record<string, unknown>>[],
  answer: Answering | ((path: string, init?: RequestInit) => void) = () => undefined,
  operations: readonly Operation[] = OPERATIONS,
): void {
  vi.stubGlobal('fetch', async (path: string, init?: RequestInit) => {
    if (path.endsWith('/check')) return Response.json({ warnings: [] });
    const answered = answer(path, init);
    return answered instanceof Promise
      ? answered
      : Response.json({ [operations[0]?.rows?.in ?? '']: rows, reported: rows });
  });
  render(<AreaScreen operations={operations} onEnded={() => undefined} />);
}
afterEach(() => vi.unstubAllGlobals());

it('OPS-025 lists the queue of an area first with the age of each row, and names the row in a form', async () => {
  const createdAt = Date.now() - 3 * 3_600_000;
  draw([
    { id: ID, network: 'TRC20', amount: '75', asset: 'USDT', createdAt },
    { id: ID.replace('01', '02'), network: 'ERC20', amount: '80', asset: 'USDT', createdAt },
  ]);
  fireEvent.click(await screen.findByRole('button', { name: /^Credit/ }));
  const tabs = within(screen.getByRole('group', { name: 'Lists' })).getAllByRole('button');
  expect(tabs.map(({ textContent }) => textContent)).toEqual(['Reported', 'Gone']);
  expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).not.toContain('ID');
  expect(screen.getAllByRole('cell', { name: '3 h 0 min' })).toHaveLength(2);
  expect(screen.getByRole('region', { name: 'Credit' }).textContent).toContain('75 USDT · TRC20');
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  // Pressing `j` on the last row keeps it selected, so the test can press `j` repeatedly until the second and last row
  // is selected.
  await waitFor(() => {
    fireEvent.keyDown(document.body, { key: 'j' });
    expect(screen.getAllByRole('heading', { level: 2 })[0]!.textContent).toBe('80 USDT · ERC20');
  });
});

it('OPS-1220 a late answer of another list does not replace the rows of the list that is shown', async () => {
  let answerLate: (response: Response) => void = () => undefined;
  const lateAnswer = new Promise<Response>((resolve) => (answerLate = resolve));
  const gone = { id: ID, asset: 'USDT', network: 'TRC20', amount: '80', status: 'gone', createdAt: 0 };
  draw([gone], (path) => (path === reportedDeposits.path ? lateAnswer : undefined));
  fireEvent.click(await screen.findByRole('button', { name: 'Gone' }));
  await screen.findByRole('cell', { name: /^80/ });
  answerLate(Response.json({ reported: [] }));
  await lateAnswer;
  await new Promise((resolve) => setTimeout(resolve, 0));
  expect(screen.getAllByRole('cell', { name: /^80/ })).toHaveLength(1);
});

it('TRE-057 a record that the server answers as a file is shown below its row, with a link that saves it', async () => {
  const record = { beneficiary: { accountNumber: ['0xabc'] } };
  const operations = [offeredOperation(openWithdrawals), offeredOperation(travelRuleRecord)];
  draw(
    [{ id: ID, network: 'ERC20', amount: '75', asset: 'USDT', status: 'pending' }],
    (path) => (path.endsWith('/travel-rule') ? Promise.resolve(Response.json(record)) : undefined),
    operations,
  );
  fireEvent.click(await screen.findByRole('button', { name: 'Travel-rule record' }));
  expect((await screen.findByText(/0xabc/)).tagName).toBe('PRE');
  const link = screen.getByRole('link', { name: 'Save as a file' });
  expect(link.getAttribute('href')).toBe(`/ops/withdrawals/${ID}/travel-rule`);
});

it('OPS-023 opens the form of an action by its key without executing the action', async () => {
  const calls: string[] = [];
  draw([{ id: ID, network: 'TRC20', amount: '75', asset: 'USDT' }], (path) => calls.push(path));
  await screen.findByRole('button', { name: /^Credit/ });
  await waitFor(() => {
    fireEvent.keyDown(document.body, { key: 'a' });
    expect(screen.getByRole('region', { name: 'Credit' })).toBeTruthy();
  });
  expect(calls.filter((path) => path.includes('credit'))).toEqual([]);
});

it('OPS-036 sends a confirmation once when pressed twice, and repeats an unanswered one unchanged', async () => {
  const keys: (string | null)[] = [];
  let answer: () => Promise<Response> = () => Promise.reject(new Error('cut off'));
  draw([{ id: ID, network: 'TRC20', amount: '75', asset: 'USDT' }], (path, init) => {
    if (!path.includes('credit')) return undefined;
    keys.push(new Headers(init?.headers).get('idempotency-key'));
    return answer();
  });
  fireEvent.click(await screen.findByRole('button', { name: /^Credit/ }));
  fireEvent.change(screen.getByLabelText(/^Reason/), { target: { value: 'seen' } });
  fireEvent.click(screen.getByRole('button', { name: 'Preview' }));
  const confirm = await screen.findByRole('button', { name: 'Confirm' });
  fireEvent.click(confirm);
  fireEvent.click(confirm);
  expect((await screen.findByRole('alert')).textContent).toBe('The server does not answer.');
  expect(keys).toHaveLength(1);
  answer = () => Promise.resolve(Response.json({}));
  fireEvent.click(screen.getByRole('button', { name: 'Confirm' }));
  expect((await screen.findByRole('status')).textContent).toContain('Done. Credit · 75 USDT · TRC20');
  expect(keys).toEqual([keys[0], keys[0]]);
});

it('OPS-035 compares a change with the published values field by field and sends the displayed version', async () => {
  const fields = {
    dailyRate: { label: 'Daily rate', kind: 'percent' },
    opensAt: { label: 'On sale from', kind: 'time' },
    manual: { label: 'By hand', kind: 'switch', isOptional: true, startsFrom: 'isManual' },
  } as const;
  const publish = { ...withoutCode(finance.publish), fields, isPreviewed: false };
  const requests: string[] = [];
  const row = { code: 'a-30', version: 3, dailyRate: '0.0002', opensAt: 1_795_558_140_000, isManual: false };
  draw(
    [row],
    (path, init) =>
      void (
        path.includes('a-30') && requests.push(new URLSearchParams(init?.body as URLSearchParams).toString())
      ),
    [offeredOperation(finance.products), publish],
  );
  fireEvent.click(await screen.findByRole('button', { name: 'Publish a product' }));
  fireEvent.change(screen.getByLabelText('Daily rate (%)'), { target: { value: '0.03' } });
  fireEvent.change(screen.getByLabelText(/^Reason/), { target: { value: 'more' } });
  fireEvent.click(screen.getByRole('button', { name: 'Preview' }));
  const changes = await screen.findByRole('region', { name: 'What changes' });
  const rows = within(changes).getAllByRole('row').slice(1);
  expect(rows.map(({ textContent }) => textContent)).toEqual(['Daily rate0.02 %0.03 %', 'Reasonmore']);
  expect(changes.textContent).toContain('2 fields stay as they are.');
  fireEvent.click(screen.getByRole('button', { name: 'Confirm' }));
  await waitFor(() => expect(requests[0]).toContain('version=3'));
  expect(requests[0]).toContain('dailyRate=0.0003');
});

it('OPS-034 shows a loading state, a failure with its reason, and then the rows of a list', async () => {
  let answer: () => Promise<Response> = () => Promise.reject(new Error('cut off'));
  draw([], () => answer());
  expect(screen.getByRole('status').textContent).toBe('Loading');
  expect((await screen.findByRole('alert')).textContent).toBe('The server does not answer.');
  answer = () => Promise.resolve(Response.json({ reported: [] }));
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('Nothing is waiting.')).toBeTruthy();
  expect(screen.queryByRole('alert')).toBeNull();
});

it('OPS-025 hides actions that need a row when no row exists', async () => {
  draw([]);
  expect(await screen.findByText('Nothing is waiting.')).toBeTruthy();
  expect(screen.queryByText('Credit')).toBeNull();
});

it('OPS-025 gives operations and rows short names', () => {
  expect(rejectIdentity.name).toBe('Reject');
  expect(unfreezeUser.name).toBe('Unfreeze');
  expect(finance.publish.name).toBe('Publish a product');
  const row = { id: ID, amount: '150', asset: 'USDT', network: 'TRC20' };
  expect(subjectOf(reportedDeposits.rows, row)).toBe('150 USDT · TRC20');
  expect(subjectOf(reportedDeposits.rows, { id: ID })).toBe('');
});

it('OPS-026 counts only pending rows of a queue and shows their waiting time', () => {
  const states = [{ state: 'running' }, { state: 'open' }, { state: 'done' }];
  expect(states.map((row) => isPending(proposals.rows, row))).toEqual([true, true, false]);
  expect(isPending(reportedDeposits.rows, {})).toBe(true);
  const now = Date.parse('2026-11-24T12:00:00Z');
  const ago = (minutes: number) => [{ createdAt: now - minutes * 60_000 }, { createdAt: now }];
  expect(longestWait(reportedDeposits.rows, [], now)).toBe('');
  const waitOf = (minutes: number) => longestWait(reportedDeposits.rows, ago(minutes), now);
  expect([25, 185, 3120].map(waitOf)).toEqual(['25 min', '3 h 5 min', '2 d 4 h']);
});

it('OPS-027 offers a decision only where it applies and translates internal names', () => {
  const actionsFor = (row: Readonly<Record<string, unknown>>) =>
    [approveWithdrawal, approveLargeWithdrawal, rejectWithdrawal]
      .filter(({ appliesWhere }) => appliesTo({ appliesWhere }, { id: ID, ...row }))
      .map(({ path }) => path.split('/').at(-1));
  expect(actionsFor({ status: 'pending', needsSecondPerson: false })).toEqual(['approve', 'reject']);
  expect(actionsFor({ status: 'pending', needsSecondPerson: true })).toEqual(['approve-large', 'reject']);
  expect(actionsFor({ status: 'processing', valueUsdt: '5' })).toEqual([]);
  expect(isPending(openWithdrawals.rows, { status: 'processing' })).toBe(false);
  expect(appliesTo(approveProposal, { state: 'done' })).toBe(false);
  expect(appliesTo(unfreezeUser, { isFrozen: false })).toBe(false);
  expect(camelToWords('cancelOnly')).toBe('cancel only');
  expect(camelToWords('USDT')).toBe('USDT');
});

it('OPS-037 groups digits of amounts, shortens ids and names the operations of the log', () => {
  expect(['1234567.5', '-1000', '36.800000000000000000', 'abc'].map(formatNumber)).toEqual([
    '1,234,567.5',
    '-1,000',
    '36.8',
    'abc',
  ]);
  expect(shorten(ID)).toBe('01a20b…508edb');
  expect(actionName('POST /ops/kyc/submissions/:id/reject')).toBe('Identity: Reject');
  const recorded = { action: 'POST /ops/finance/products/:code', parameters: '{"code":"a-30"}' };
  expect(subjectOf(auditLog.rows, recorded)).toBe('Earn: Publish a product · a-30');
});

it('WDR-015 explains that a withdrawal needs two operators because of the amount approved within a day', () => {
  const slice = { valueUsdt: '2000.01', needsSecondPerson: true, approvedByOneUsdt: '8000' };
  expect(flagsOf(openWithdrawals.path, slice, 1)).toEqual([
    'Above 10,000 USDT within 24 hours: two persons. One has already approved 8,000 USDT',
  ]);
  const large = { valueUsdt: '10000.01', needsSecondPerson: true };
  expect(flagsOf(openWithdrawals.path, large, 1)).toEqual(['Above 10,000 USDT: two persons']);
});

it('OPS-037 highlights overdue rows and properties that need attention', () => {
  expect([1, 13, 25].map((hours) => urgencyOf(hours * 3_600_000))).toEqual([undefined, 'late', 'overdue']);
  const flagsOfWithdrawal = (row: Row) => flagsOf(openWithdrawals.path, row, 6);
  expect(flagsOfWithdrawal({ valueUsdt: '10000.01', promisedAt: 5 })).toHaveLength(2);
  expect(flagsOfWithdrawal({ valueUsdt: '10000', promisedAt: 7 })).toEqual([]);
  const flagsOfSubmission = (row: Row) => flagsOf(submissions.path, row, 0);
  expect(flagsOfSubmission({ sameDocument: 1, similarDocuments: 1 })).toEqual(['Same document elsewhere']);
  expect(flagsOfSubmission({ sameDocument: 0, similarDocuments: 1 })).toEqual(['Similar document elsewhere']);
  // The warnings about `sameDocument` belong to the list of identity submissions; the list of deposits shows none for a
  // column of this name.
  expect(flagsOf(reportedDeposits.path, { sameDocument: 1, valueUsdt: '10000.01' }, 0)).toEqual([]);
});

it('OPS-027 shows kinds, accounts and languages as words, times to the minute, and past decisions as such', async () => {
  const row = {
    id: ID,
    kind: 'seconds.won',
    account: 'spot',
    asset: 'USDT',
    startAt: 1_795_558_140_000,
    name: { 'zh-CN': '名称', 'en-US': 'Name', 'ja-JP': '' },
  };
  const things = describeOperation({
    method: 'GET',
    path: '/ops/things',
    name: 'Things',
    summary: 'What there is.',
    roles: [],
    rows: {
      in: 'things',
      key: ['id'],
      title: ['account', 'asset'],
      columns: {
        kind: TERM,
        account: TERM,
        asset: TEXT,
        startAt: INSTANT,
        name: TEXTS,
        id: ID_COLUMN,
      },
    },
  });
  draw([row], undefined, [offeredOperation(things)]);
  expect(await screen.findByRole('cell', { name: 'Seconds: won' })).toBeTruthy();
  expect(screen.getByRole('cell', { name: /^\d{4}-\d\d-\d\d \d\d:\d\d$/ })).toBeTruthy();
  expect(screen.getByRole('heading', { level: 2 }).textContent).toBe('Spot · USDT');
  const languages = [...document.querySelectorAll('.of-language')].map(({ textContent }) => textContent);
  expect(languages).toEqual(['English Name', 'Chinese 名称']);
  const lists = [offeredOperation(proposals), withoutCode(approveProposal)];
  cleanup();
  draw([{ id: ID, state: 'done', operation: 'POST /ops/seconds/stop' }], undefined, lists);
  expect(await screen.findByText('This was decided: nothing is left to do.')).toBeTruthy();
});

it('OPS-077 selects roles with checkboxes and sends them as a list', async () => {
  const fields = {
    roles: { label: 'Roles', kind: 'several', choices: ['support', 'auditor', 'owner'] },
  } as const;
  const keys: (string | null)[] = [];
  const roles = { ...withoutCode(changeRoles), fields };
  draw(
    [{ name: 'rita', roles: 'support, auditor' }],
    (_path, init) => {
      if (init?.method === 'POST') keys.push(new URLSearchParams(init.body as URLSearchParams).get('roles'));
    },
    [offeredOperation(operators), roles],
  );
  fireEvent.click(await screen.findByRole('button', { name: 'Change roles' }));
  const group = screen.getByRole('group', { name: 'Roles' });
  const boxes = within(group).getAllByRole<HTMLInputElement>('checkbox');
  expect(boxes.map(({ checked }) => checked)).toEqual([true, true, false]);
  fireEvent.click(boxes[1]!);
  fireEvent.click(boxes[2]!);
  fireEvent.change(screen.getByLabelText(/^Reason/), { target: { value: 'more' } });
  fireEvent.click(screen.getByRole('button', { name: 'Preview' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Confirm' }));
  await screen.findByRole('status');
  expect(keys).toEqual(['support, owner']);
});

it('OPS-980 states the total when a list shows only a part of its rows', async () => {
  vi.stubGlobal('fetch', () =>
    Promise.resolve(Response.json({ reported: [{ id: ID, amount: '75' }], total: 1_340, hasMore: true })),
  );
  render(<AreaScreen operations={OPERATIONS} onEnded={() => undefined} />);
  expect(await screen.findByText('Showing 1 of 1,340')).toBeTruthy();
});
