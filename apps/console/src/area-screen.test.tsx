import type { Operation } from '@exchange/web-kit/console/calls.ts';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { AreaScreen } from './area-screen.tsx';
import { cellOf } from '@exchange/web-kit/console/calls.ts';
import { deedName, isAbout, subjectOf, waitedFor, waits } from './deeds.ts';

const NOTHING = { fields: {}, mayNeedApproval: false, isQueue: false, isFunding: false, isFile: false };
const look = (path: string, more: Partial<Operation> = {}): Operation => ({
  ...NOTHING,
  ...{ method: 'GET', path, summary: `What ${path} shows.` },
  ...more,
});
const deed = (path: string): Operation => ({
  ...NOTHING,
  ...{ method: 'POST', path, summary: `What ${path} does.` },
});
const ID = '01a20bb7-1aa9-7299-bdac-58d95d508edb';
const OPERATIONS = [
  look('/ops/deposits/gone'),
  look('/ops/deposits/reported', { isQueue: true }),
  deed('/ops/deposits/reported/:id/credit'),
];

/** Draws the area of deposits with these reports in it. */
function draw(reports: readonly Readonly<Record<string, unknown>>[]): void {
  vi.stubGlobal('fetch', async () => Response.json({ reports }));
  render(<AreaScreen operations={OPERATIONS} onEnded={() => undefined} />);
}
afterEach(() => vi.unstubAllGlobals());

it('OPS-025 the queue of an area comes first, ids last, and a form says which row it is about', async () => {
  draw([
    { id: ID, uid: 11, amount: '75', asset: 'USDT' },
    { id: ID.replace('01', '02'), uid: 12, amount: '80', asset: 'USDT' },
  ]);
  const form = (await screen.findByText('Credit')).closest('details')!;
  const tabs = screen.getAllByRole('button').map(({ textContent }) => textContent);
  expect(tabs.slice(0, 2)).toEqual(['Reported', 'Gone']);
  expect(screen.getAllByRole('columnheader').at(-1)?.textContent).toBe('ID');
  expect(form.textContent).toContain('UID 11 · 75 USDT');
  // The last row stays the chosen one, so that the key may be pressed until the page listens.
  await waitFor(() => {
    fireEvent.keyDown(document.body, { key: 'j' });
    const next = screen.getByText('Credit').closest('details')!;
    expect(next.textContent).toContain('UID 12 · 80 USDT');
  });
});

it('OPS-025 what is about a row is not offered where there is none', async () => {
  draw([]);
  expect(await screen.findByText('Nothing is waiting.')).toBeTruthy();
  expect(screen.queryByText('Credit')).toBeNull();
});

it('OPS-025 operations have short names, and rows a few words', () => {
  expect(deedName({ path: '/ops/kyc/submissions/:id/reject' })).toBe('Reject');
  expect(deedName({ path: '/ops/users/:user/end-sessions' })).toBe('End sessions');
  expect(deedName({ path: '/ops/finance/products/:code' })).toBe('Publish a product');
  expect(subjectOf({ id: ID, amount: '150', asset: 'USDT', network: 'TRC20' })).toBe('150 USDT · TRC20');
  expect(subjectOf({ id: ID })).toBe(ID);
});

it('OPS-026 a queue counts what still waits, and says for how long', () => {
  expect([{}, { state: 'open' }, { state: 'done' }].map(waits)).toEqual([true, true, false]);
  const now = Date.parse('2026-11-24T12:00:00Z');
  const ago = (minutes: number) => [{ createdAt: now - minutes * 60_000 }, { createdAt: now }];
  expect(waitedFor([], now)).toBe('');
  expect([25, 185, 3120].map((minutes) => waitedFor(ago(minutes), now))).toEqual([
    '25 min',
    '3 h 5 min',
    '2 d 4 h',
  ]);
});

it('OPS-027 a decision is offered where it can be made, and names of the code are words', () => {
  const ways = (row: Readonly<Record<string, unknown>>) =>
    ['approve', 'approve-large', 'reject'].filter((way) =>
      isAbout({ path: `/ops/withdrawals/:id/${way}` }, { id: ID, ...row }),
    );
  expect(ways({ status: 'pending', valueUsdt: '10000' })).toEqual(['approve', 'reject']);
  expect(ways({ status: 'pending', valueUsdt: '10000.01' })).toEqual(['approve-large', 'reject']);
  expect(ways({ status: 'processing', valueUsdt: '5' })).toEqual([]);
  expect(waits({ status: 'processing' })).toBe(false);
  expect(cellOf('status', 'cancelOnly')).toBe('cancel only');
  expect(cellOf('asset', 'USDT')).toBe('USDT');
});
