import { noteUser, userCaseFile, userProfile, userTimeline } from '@exchange/wire/console/users.ts';
import { offeredOperation } from '@exchange/wire/operation.ts';
import { fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { UserScreen } from './user-screen.tsx';

const USER = '01a20bb7-1aa9-7299-bdac-58d95d508edb';
const ORDER = '01a20bb7-1aa9-7299-bdac-58d95d508e11';
const ROW = {
  at: 1_790_000_000_000,
  kind: 'secondsPosition',
  event: 'Up for 30 seconds on btcusdt',
  amount: '50',
  asset: 'USDT',
  status: 'win',
  id: ORDER,
  detail: JSON.stringify({ entryPrice: '50000', settlePrice: '50100', reason: '' }),
};
const timeline = offeredOperation(userTimeline);
const OPERATIONS = [
  offeredOperation(userProfile),
  {
    ...timeline,
    fields: {
      ...timeline.fields,
      kind: { ...userTimeline.fields.kind, choices: ['deposit', 'secondsPosition'] },
    },
  },
  offeredOperation(userCaseFile),
  offeredOperation(noteUser),
];

afterEach(() => vi.unstubAllGlobals());

/** Renders the page of a user with the given filter of the first list; returns the paths that the page requests. */
function draw(asks: Readonly<Record<string, string>>): readonly string[] {
  const requests: string[] = [];
  vi.stubGlobal('fetch', (path: string) => {
    requests.push(path);
    const isProfile = path === `/ops/users/${USER}`;
    return Promise.resolve(
      Response.json(
        isProfile
          ? { profile: [{ user: USER, uid: '67487979', email: 'a@b.example' }] }
          : { timeline: [ROW] },
      ),
    );
  });
  render(<UserScreen id={USER} asks={asks} operations={OPERATIONS} onEnded={() => undefined} />);
  return requests;
}

it('OPS-1149 a record that a search found is opened with all its values, and the filter can be cleared', async () => {
  const requests = draw({ record: `secondsPosition.${ORDER}` });
  const details = await screen.findByRole('region', { name: 'Evidence' });
  await within(details).findByText('50000');
  for (const text of ['Entry price', 'Settle price', '50100']) within(details).getByText(text);
  expect(requests.at(-1)).toBe(`/ops/users/${USER}/timeline?record=secondsPosition.${ORDER}`);
  fireEvent.change(screen.getByLabelText('Record'), { target: { value: '' } });
  fireEvent.submit(screen.getByRole('form', { name: 'Narrow the list' }));
  await screen.findByText('Up for 30 seconds on btcusdt', { selector: 'td *, td' });
  expect(requests.at(-1)).toBe(`/ops/users/${USER}/timeline`);
});

it('OPS-1148 OPS-1151 the timeline is narrowed to a kind that a module has and to days, and so is the case file', async () => {
  const requests = draw({});
  const kinds = await screen.findByLabelText<HTMLSelectElement>('Kind');
  expect([...kinds.options].map(({ text }) => text)).toEqual(['All', 'deposit', 'seconds position']);
  fireEvent.change(kinds, { target: { value: 'deposit' } });
  fireEvent.change(screen.getByLabelText('From day'), { target: { value: '2026-11-01' } });
  fireEvent.submit(screen.getByRole('form', { name: 'Narrow the list' }));
  await screen.findByText('Up for 30 seconds on btcusdt', { selector: 'td *, td' });
  expect(requests.at(-1)).toBe(`/ops/users/${USER}/timeline?kind=deposit&from=2026-11-01`);
  const link = screen.getByRole('link', { name: 'Case file' });
  expect(link.getAttribute('href')).toBe(`/ops/users/${USER}/case-file?kind=deposit&from=2026-11-01`);
});

it('OPS-1149 a note is written without a code, in a field that says who reads it', async () => {
  draw({});
  fireEvent.click(await screen.findByRole('button', { name: 'Add a note' }));
  expect(screen.getByLabelText(/^Note \(kept permanently/).tagName).toBe('TEXTAREA');
  expect(screen.queryByLabelText('Authenticator code')).toBeNull();
});
