import { QUEUES } from '@exchange/wire/console/queues.ts';
import { approveWithdrawal, openWithdrawals, rejectWithdrawal } from '@exchange/wire/console/withdrawals.ts';
import { offeredOperation } from '@exchange/wire/operation.ts';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { AreaScreen } from './area-screen.tsx';
import { SessionContext } from './session.ts';

const ID = '01a20bb7-1aa9-7299-bdac-58d95d508edb';
const { take, release, assign } = QUEUES.withdrawals;
const OPERATIONS = [openWithdrawals, approveWithdrawal, rejectWithdrawal, take, release, assign].map(
  (operation) => offeredOperation(operation),
);
const HOUR_MS = 3_600_000;

afterEach(() => vi.unstubAllGlobals());

/**
 * Renders the list of pending withdrawals with one row, which the operator `claimedBy` has claimed, for the
 * signed-in operator `ada`; decisions are refused with the message `refusal` if it is present. Returns the
 * method and path of each request.
 */
function draw(claimedBy: string | undefined, refusal?: string): readonly (readonly [string, string])[] {
  const requests: (readonly [string, string])[] = [];
  const createdAt = Date.now() - 13 * HOUR_MS;
  const row = {
    id: ID,
    owner: ID,
    amount: '20',
    asset: 'USDT',
    network: 'TRC20',
    address: 'TSomewhere',
    valueUsdt: '20',
    status: 'pending',
    needsSecondPerson: false,
    waitsFor: 'new address, new device',
    createdAt,
    promisedAt: createdAt + 24 * HOUR_MS,
    claimedBy,
  };
  vi.stubGlobal('fetch', (path: string, init: RequestInit = {}) => {
    requests.push([init.method ?? 'GET', path]);
    if (init.method === 'POST' && refusal !== undefined)
      return Promise.resolve(Response.json({ error: refusal }, { status: 400 }));
    return Promise.resolve(Response.json({ withdrawals: [row] }));
  });
  render(
    <SessionContext value={{ name: 'ada', roles: ['finance'], mode: 'demo', operations: OPERATIONS }}>
      <AreaScreen operations={OPERATIONS} onEnded={() => undefined} />
    </SessionContext>,
  );
  return requests;
}
const buttons = async () => {
  await screen.findByRole('group', { name: 'Actions' });
  return screen
    .getAllByRole('button')
    .map(({ textContent }) => textContent)
    .filter((text) => /^(Approve|Reject|Take|Put back|Assign)/.test(text ?? ''));
};

it('OPS-1152 OPS-1155 the queue says why a withdrawal waits and its age out of the promised time, and takes it with one button', async () => {
  const requests = draw(undefined);
  await screen.findByRole('cell', { name: 'new address, new device' });
  const age = screen.getByRole('cell', { name: '13 h 0 min / 1 d 0 h' });
  expect(age.className).toContain('late');
  expect(await buttons()).toEqual(['ApproveA', 'RejectR', 'Take', 'Assign']);
  fireEvent.click(screen.getByRole('button', { name: 'Take' }));
  await waitFor(() => expect(requests).toContainEqual(['POST', `/ops/withdrawals/${ID}/take`]));
  await screen.findByText('Take. Done.');
});

it('OPS-1155 a row that another operator has taken offers no decision and says who has it; the own row can be put back', async () => {
  draw('bob');
  expect(await buttons()).toEqual(['Assign']);
  screen.getByText(/Taken by bob/);
});

it('OPS-1155 the own row offers decisions with usual reasons, and to put it back', async () => {
  draw('ada', 'It cannot be put back.');
  expect(await buttons()).toEqual(['ApproveA', 'RejectR', 'Put back', 'Assign']);
  fireEvent.click(screen.getByRole('button', { name: 'Put back' }));
  await screen.findByText('It cannot be put back.');
  fireEvent.click(screen.getByRole('button', { name: /^Reject/ }));
  const templates = screen.getByLabelText<HTMLSelectElement>('Usual reasons');
  const [, usual] = [...templates.options].map(({ value }) => value);
  fireEvent.change(templates, { target: { value: usual } });
  expect(screen.getByLabelText<HTMLInputElement>(/^Reason/).value).toBe(usual);
});
