import { render, screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { Overview } from './overview.tsx';
import type { PendingWork } from './queues.ts';
import { Runbook } from './runbook.tsx';

const row = (asset: string, state: string, more: Record<string, string> = {}) => ({
  asset,
  state,
  owedToUsers: '1234.5',
  held: '',
  coveragePercent: '',
  difference: '',
  ...more,
});
const COVERAGE = {
  isUp: false,
  reason: 'ETH: 9 held for 10 owed, 1 missing',
  facts: { covered: '1 of 3 coins' },
  rows: [
    row('ETH', 'short', { owedToUsers: '10', held: '9', coveragePercent: '90', difference: '-1' }),
    row('USDT', 'not known', { note: 'TRC20 is reviewed by operators' }),
    row('BTC', 'covered', { held: '2469', coveragePercent: '200', difference: '1234.5' }),
  ],
};

const draw = (parts: PendingWork['parts']) =>
  render(<Overview waiting={{ queues: [], parts, at: 1, error: '', poll: () => undefined }} />);
const textsOf = (table: HTMLElement) =>
  within(table)
    .getAllByRole('row')
    .map((part) =>
      within(part)
        .getAllByRole(part.closest('thead') ? 'columnheader' : 'cell')
        .map(({ textContent }) => textContent),
    );
const HEAD = ['Asset', 'State', 'Coverage %', 'Owed to users', 'Held', 'Difference', 'Note'];
const UP = { isUp: true, facts: {} };

it('OPS-075 shows liabilities and assets as a table with the status of each coin in words and colour', () => {
  draw([
    ['coverage', COVERAGE],
    ['disk', UP],
  ]);
  const health = screen.getByRole('region', { name: 'Health' });
  const table = within(health).getByRole('table');
  expect(textsOf(table)).toEqual([
    HEAD,
    ['ETH', 'short', '90', '10', '9', '-1', ''],
    ['USDT', 'not known', '', '1,234.5', '', '', 'TRC20 is reviewed by operators'],
    ['BTC', 'covered', '200', '1,234.5', '2,469', '1,234.5', ''],
  ]);
  const tones = [...table.querySelectorAll('.pill')].map(({ className }) => className);
  expect(tones).toEqual(['pill bad', 'pill waits', 'pill good']);
  // The table of liabilities and assets appears below the status of the other components, wherever it is in the
  // server's response.
  expect(screen.getByText('Disk').compareDocumentPosition(table)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
});

it('OPS-076 lists failing components first with reason and runbook entry, and tables last', () => {
  const mail = {
    isUp: false,
    reason: '12345 mails wait, the oldest for 9 minutes; the mail server last failed',
    facts: { waiting: 12_345 },
  };
  const standby = { isUp: false, isStandby: true, reason: 'another server is the writer' };
  const finance = { isUp: false, reason: 'late by 5 minutes' };
  draw([
    ['disk', UP],
    ['coverage', COVERAGE],
    ['finance', finance],
    ['mail', mail],
    ['sequencer', standby],
  ]);
  const trouble = screen.getByRole('region', { name: 'Needs attention' });
  expect(document.querySelector('.overview section')).toBe(trouble);
  const names = [...trouble.querySelectorAll('strong')].map(({ textContent }) => textContent);
  expect(names).toEqual(['Earn', 'Mail', 'Coverage']);
  expect(within(trouble).getByText('12,345 mails wait, the oldest for 9 minutes')).toBeTruthy();
  expect(within(trouble).getByText('The mail server last failed')).toBeTruthy();
  expect(within(trouble).getByText(/nobody gets a code to sign in/)).toBeTruthy();
  expect(within(trouble).getByText(/^Its due work is late/)).toBeTruthy();
  const link = within(trouble).getByRole('link', { name: 'Runbook: Mail · Parts of health' });
  expect(link.getAttribute('href')).toBe('#runbook/part-mail');
  expect(textsOf(within(trouble).getByRole('table'))).toEqual([
    HEAD.slice(0, -1),
    ['ETH', 'short', '90', '10', '9', '-1'],
  ]);
  expect(within(trouble).queryByText('Sequencer')).toBeNull();
});

it('OPS-076 marks unmeasured components without asking for attention', () => {
  draw([
    ['disk', UP],
    ['coverage', { isUp: true, isUnmeasured: true, facts: { looked: 'not yet' } }],
  ]);
  expect(screen.queryByRole('region', { name: 'Needs attention' })).toBeNull();
  const [firstPart] = document.querySelectorAll('.part');
  expect(firstPart!.textContent).toContain('Coverage');
  expect(within(firstPart as HTMLElement).getByText('not measured yet').className).toBe('pill waits');
});

it('OPS-076 every component of health links to an entry of the runbook', () => {
  const names = ['database', 'chains', 'deposits', 'withdrawals', 'coverage', 'price sources', 'fund'];
  draw(names.map((name) => [name, UP] as const));
  render(<Runbook entry="" />);
  for (const { hash } of screen.getAllByRole<HTMLAnchorElement>('link', { name: /^Runbook: / }))
    expect(document.getElementById(hash.replace('#runbook/', ''))).not.toBeNull();
});

it('OPS-1227 the console shows the runbook’s lists as lists, and headings of parts of a section below it', () => {
  render(<Runbook entry="" />);
  const [bullets] = screen.getAllByRole('list').filter(({ tagName }) => tagName === 'UL');
  const items = within(bullets!).getAllByRole('listitem');
  expect(items.length).toBeGreaterThan(1);
  const pageText = screen.getByRole('article').textContent;
  for (const { textContent } of items) expect(textContent).not.toMatch(/^- | - `/);
  expect(pageText).not.toContain(' - missingSeconds');
  expect(screen.getAllByRole('heading', { level: 3 }).length).toBeGreaterThan(1);
  const [numbers] = screen.getAllByRole('list').filter(({ tagName }) => tagName === 'OL');
  expect(within(numbers!).getAllByRole('listitem').length).toBeGreaterThan(1);
});
