import { SEVERAL_MAX } from '@exchange/core/operator-period.ts';
import { decideSeveral } from '@exchange/wire/console/operators.ts';
import { approveWithdrawal, openWithdrawals } from '@exchange/wire/console/withdrawals.ts';
import { offeredOperation } from '@exchange/wire/operation.ts';
import { fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { AreaScreen } from './area-screen.tsx';
import { PeriodControl, PeriodProvider } from './period.tsx';
import { SessionContext } from './session.ts';
import { WORDS } from './words.ts';

const OPERATIONS = [openWithdrawals, approveWithdrawal].map((operation) => offeredOperation(operation));
const IDS = ['01a20bb7-1aa9-7299-bdac-58d95d508eda', '01a20bb7-1aa9-7299-bdac-58d95d508edb'] as const;
const MINUTE_MS = 60_000;

afterEach(() => vi.unstubAllGlobals());

/**
 * Renders the list of pending withdrawals, by default with two rows, for an operator with or without an open
 * confirmation period; returns the decisions that the page sends.
 */
function draw(hasPeriod: boolean, ids: readonly string[] = IDS): readonly URLSearchParams[] {
  const decisions: URLSearchParams[] = [];
  const rowOf = (id: string, amount: string) => ({
    id,
    owner: id,
    amount,
    asset: 'USDT',
    network: 'TRC20',
    address: 'TSomewhere',
    valueUsdt: amount,
    status: 'pending',
    needsSecondPerson: false,
    createdAt: Date.now(),
    promisedAt: Date.now() + MINUTE_MS,
  });
  const period = { until: Date.now() + 9.5 * MINUTE_MS, decisionsLeft: 27, valueLeft: '9001' };
  vi.stubGlobal('fetch', (path: string, { method, body }: RequestInit = {}) => {
    if (path === '/ops/session/period') return Promise.resolve(Response.json(hasPeriod ? { period } : {}));
    if (method !== 'POST')
      return Promise.resolve(
        Response.json({ withdrawals: ids.map((id, index) => rowOf(id, String(20 + 10 * index))) }),
      );
    if (path.endsWith('/check')) {
      const warnings = [{ field: 'rows', text: `${IDS[1]}: This one has to be decided on its own.` }];
      return Promise.resolve(Response.json({ warnings, needsCode: !hasPeriod }));
    }
    decisions.push(new URLSearchParams(body as URLSearchParams));
    const outcomes = [
      { row: { id: IDS[0] }, state: 'done', error: '' },
      { row: { id: IDS[1] }, state: 'refused', error: 'This one has to be decided on its own.' },
    ];
    return Promise.resolve(Response.json({ outcomes }));
  });
  render(
    <SessionContext value={{ name: 'ada', roles: ['finance'], mode: 'live', operations: OPERATIONS }}>
      <PeriodProvider>
        <PeriodControl />
        <AreaScreen operations={OPERATIONS} onEnded={() => undefined} />
      </PeriodProvider>
    </SessionContext>,
  );
  return decisions;
}

it.each([
  ['with a code', false],
  ['within an open period', true],
])(
  'OPS-1170 OPS-1171 marked rows are listed and decided together %s, and each says what became of it',
  async (_, hasPeriod) => {
    const decisions = draw(hasPeriod);
    fireEvent.click(await screen.findByRole('checkbox', { name: 'Mark all' }));
    fireEvent.click(screen.getByRole('button', { name: 'Approve (2)' }));
    const form = screen.getByRole('region', { name: 'Approve, Several at once' });
    expect(form.textContent).toContain('20 USDT');
    expect(form.textContent).toContain('30 USDT');
    fireEvent.change(screen.getByLabelText(WORDS.reason), { target: { value: 'looked at both' } });
    fireEvent.click(screen.getByRole('button', { name: 'Preview' }));
    await screen.findByText(/This one has to be decided on its own/);
    const code = screen.queryByLabelText('Authenticator code');
    expect(code === null).toBe(hasPeriod);
    if (code !== null) fireEvent.change(code, { target: { value: '123456' } });
    fireEvent.submit(screen.getByRole('button', { name: 'Confirm' }).closest('form')!);
    await screen.findByText('Approve: 1 done, 1 not done');
    const [sent] = decisions;
    expect(decisions).toHaveLength(1);
    expect(sent!.get('operation')).toBe(`POST ${approveWithdrawal.path}`);
    expect(JSON.parse(sent!.get('rows')!)).toEqual(IDS.map((id) => ({ id })));
    expect(sent!.get('reason')).toBe('looked at both');
    expect(sent!.get('authenticatorCode')).toBe(hasPeriod ? null : '123456');
    expect(decideSeveral.path).toBe('/ops/several');
  },
);

it('OPS-1170 the mark of all marks as many rows as can be decided together, shows so, and unmarks them', async () => {
  const ids = Array.from(
    { length: SEVERAL_MAX + 2 },
    (_, index) => `01a20bb7-1aa9-7299-bdac-${String(index).padStart(12, '0')}`,
  );
  draw(false, ids);
  const all = await screen.findByRole<HTMLInputElement>('checkbox', { name: 'Mark all' });
  const marked = () =>
    screen.getAllByRole<HTMLInputElement>('checkbox', { name: /^Mark / }).filter(({ checked }) => checked);
  fireEvent.click(all);
  // The expected number of checked boxes includes the one in the table heading.
  expect(marked()).toHaveLength(SEVERAL_MAX + 1);
  expect(all.checked).toBe(true);
  fireEvent.click(all);
  expect(marked()).toHaveLength(0);
});

it('OPS-1170 the console shows what is left of a period and ends it', async () => {
  draw(true);
  const period = await screen.findByRole('group', { name: 'Period of confirmations' });
  expect(period.textContent).toMatch(/9:[23]\d.*27 decisions.*9,001 USDT/);
  expect(screen.getByRole('button', { name: 'End' })).toBeDefined();
});
