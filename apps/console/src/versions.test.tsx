import { finance } from '@exchange/wire/console/products.ts';
import { offeredOperation } from '@exchange/wire/operation.ts';
import type { Operation, OperatorSession } from '@exchange/web-kit/console/calls.ts';
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { AreaScreen } from './area-screen.tsx';
import { SessionContext } from './session.ts';

const FIELDS = {
  nameEn: { label: 'Name (English)', kind: 'text', startsFrom: 'name', locale: 'en-US' },
  dailyRate: { label: 'Daily rate', kind: 'percent' },
  opensAt: { label: 'On sale from', kind: 'time' },
  closesAt: { label: 'On sale until', kind: 'time', isOptional: true },
  manual: { label: 'Released by hand', kind: 'switch', isOptional: true, startsFrom: 'isManual' },
} as const;
const LIST: Operation = offeredOperation(finance.products);
const PUBLISH: Operation = {
  ...offeredOperation(finance.publish),
  fields: FIELDS,
  isPreviewed: false,
  takesCode: false,
};
const VERSIONS: Operation = { ...offeredOperation(finance.versions), fields: FIELDS };
const TERMS = { name: { 'en-US': 'Thirty' }, dailyRate: '0.0003', opensAt: 1_795_558_140_000 };
const ROW = { code: 'a-30', version: 3, isManual: false, ...TERMS };
const at = 1_795_600_000_000;
const NEWEST = {
  version: 3,
  at,
  by: 'owner, approved by approver',
  reason: 'more <b>again</b>',
  isManual: false,
  ...TERMS,
  was: { dailyRate: '0.0002', closedAt: at, agreementVersion: '1' },
  agreementVersion: '2',
};
const SECOND = {
  version: 2,
  at: at - 1,
  by: 'owner',
  reason: 'less',
  isManual: true,
  ...TERMS,
  dailyRate: '0.0002',
  closesAt: 1_795_558_200_000,
  was: { isManual: false, closesAt: null },
};
const FIRST = { ...SECOND, version: 1, at: at - 2, reason: 'new', was: undefined };

type Sent = { readonly path: string; readonly body: string };

/** Renders the area with the given operations; returns the requests that the page sends. */
function draw(operations: readonly Operation[] = [LIST, VERSIONS, PUBLISH]): Sent[] {
  const requests: Sent[] = [];
  vi.stubGlobal('fetch', async (path: string, init?: RequestInit) => {
    requests.push({ path, body: new URLSearchParams(init?.body as URLSearchParams).toString() });
    if (path.endsWith('versions')) return Response.json({ versions: [NEWEST, SECOND], next: '2' });
    if (path.includes('before=2')) return Response.json({ versions: [FIRST] });
    if (path.endsWith('/check')) return Response.json({ warnings: [] });
    if (init?.method === 'POST') return Response.json({}, { status: 202 });
    return Response.json({ products: [ROW] });
  });
  const session: OperatorSession = { name: 'owner', roles: [], mode: 'demo', operations };
  render(
    <SessionContext value={session}>
      <AreaScreen operations={operations} onEnded={() => undefined} />
    </SessionContext>,
  );
  return requests;
}
afterEach(() => vi.unstubAllGlobals());

const versions = async () =>
  (await screen.findByRole('list', { name: 'Versions' })).querySelectorAll<HTMLElement>(':scope > li');
const rowsIn = (part: HTMLElement) =>
  within(within(part).getByRole('region', { name: /^What change[sd]$/ }))
    .getAllByRole('row')
    .slice(1)
    .map(({ textContent }) => textContent);

it('OPS-071 lists versions with author, reason and changes, and loads older ones on request', async () => {
  const requests = draw();
  fireEvent.click(await screen.findByRole('button', { name: 'Versions' }));
  const [newest, secondNewest] = await versions();
  expect(newest!.textContent).toContain('Version 3Published now');
  // HTML in a text that an operator wrote is displayed as text.
  expect(newest!.textContent).toContain('owner, approved by approver: “more <b>again</b>”');
  fireEvent.click(within(newest!).getByRole('button', { name: /^What changed/ }));
  expect(rowsIn(newest!)).toEqual([
    'Daily rate0.02 %0.03 %',
    'Closed at2026-11-25 09:46:40 UTCleft empty',
    'Agreement version12',
  ]);
  fireEvent.click(within(secondNewest!).getByRole('button', { name: /^What changed/ }));
  expect(rowsIn(secondNewest!)).toEqual(['On sale until2026-11-24 22:10:00 UTC', 'Released by handNoYes']);
  fireEvent.click(screen.getByRole('button', { name: 'Show more' }));
  await waitFor(async () => expect(await versions()).toHaveLength(3));
  expect((await versions())[2]!.textContent).toContain('What it said');
  expect(requests.map(({ path }) => path)).toEqual([
    '/ops/finance/products',
    '/ops/finance/products/a-30/versions',
    '/ops/finance/products/a-30/versions?before=2',
  ]);
  expect(screen.queryByRole('button', { name: /^Propose again: Version 3/ })).toBeNull();
});

it('OPS-072 an earlier version prefills the form, shows its differences, and is proposed against the displayed version', async () => {
  const requests = draw();
  fireEvent.click(await screen.findByRole('button', { name: 'Versions' }));
  fireEvent.click(await screen.findByRole('button', { name: /^Propose again: Version 2/ }));
  const form = screen.getByRole('region', { name: 'Publish a product' });
  expect(form.textContent).toContain(
    'Filled in from version 2. Differs from what is published in: Daily rate, On sale until, Released by hand.',
  );
  expect(screen.getByLabelText<HTMLInputElement>('Daily rate (%)').value).toBe('0.02');
  fireEvent.change(screen.getByLabelText(/^Reason/), { target: { value: 'as before' } });
  fireEvent.click(screen.getByRole('button', { name: 'Preview' }));
  await screen.findByRole('button', { name: 'Confirm' });
  expect(rowsIn(form)).toEqual([
    'Released by handNoYes',
    'Daily rate0.03 %0.02 %',
    'On sale until2026-11-24 22:10:00 UTC',
    'Reasonas before',
  ]);
  fireEvent.click(screen.getByRole('button', { name: 'Confirm' }));
  await screen.findByText(/^Proposed/);
  const { path, body } = requests.find(
    (request) => request.path === '/ops/finance/products/a-30' && request.body.includes('reason'),
  )!;
  expect(path).toBe('/ops/finance/products/a-30');
  expect(Object.fromEntries(new URLSearchParams(body))).toEqual({
    nameEn: 'Thirty',
    dailyRate: '0.0002',
    opensAt: '1795558140000',
    closesAt: '1795558200000',
    manual: '1',
    reason: 'as before',
    version: '3',
  });
});

it('OPS-071 shows versions without a restore button to operators who may not publish', async () => {
  draw([LIST, VERSIONS]);
  fireEvent.click(await screen.findByRole('button', { name: 'Versions' }));
  expect(await versions()).toHaveLength(2);
  expect(screen.queryByRole('button', { name: /^Propose again/ })).toBeNull();
});
