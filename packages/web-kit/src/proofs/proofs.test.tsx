import { Decimal } from '@exchange/core/decimal.ts';
import { digest, proofFor } from '@exchange/core/testing/forged-proofs.ts';
import { inclusion, liabilities } from '@exchange/wire/proofs.ts';
import { stamps } from '@exchange/wire/stamps.ts';
import { cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { queryClient } from '../api/query-client.ts';
import { loadAllWords } from '../i18n/words.ts';
import { AccountServer } from '../market/testing/account-server.ts';
import { endSession, startSession } from '../session/session-store.ts';
import { Providers } from '../shell/providers.tsx';
import { LiabilitiesView } from './liabilities-view.tsx';

let server: AccountServer;
beforeAll(async () => {
  await loadAllWords();
  server = await AccountServer.start();
});
afterEach(() => {
  cleanup();
  queryClient.clear();
  endSession();
});
afterAll(() => server.stop());

const d = (text: string): Decimal => Decimal.parse(text);
const ME = 'user-me';
const ALL = [
  {
    user: ME,
    nonce: digest('me'),
    amounts: new Map([
      ['BTC', d('0.25')],
      ['USDT', d('1200')],
    ]),
  },
  { user: 'user-other', nonce: digest('other'), amounts: new Map([['USDT', d('34.5')]]) },
];
const { published, own } = proofFor(ALL, ALL[0]!);
const SNAPSHOT = {
  ...published,
  time: Date.UTC(2026, 10, 24, 0, 5),
  entry: 4711,
  totals: published.totals.map((total) => ({
    ...total,
    house:
      total.currency === 'USDT'
        ? [
            { account: 'fees', amount: '2' },
            { account: 'trading', amount: '3' },
          ]
        : [],
  })),
  receipt: { key: 'key', signature: 'c2lnbmVk' },
};
const paged = (list: readonly object[]) => ({
  code: 1,
  data: { list, totalRow: list.length, sum: list.length, pageNo: 1, pageSize: 10 },
});
const signIn = () => startSession({ userId: ME, token: 'token', email: 'me@example.com' });

function show(
  leaf: object | null = own,
  list: readonly object[] = [SNAPSHOT],
  stamped: readonly object[] = [],
) {
  server.serve({
    [`${stamps.path}?pageNo=1&pageSize=10`]: () => paged(stamped),
    [`${liabilities.path}?pageNo=1&pageSize=10`]: () => paged(list),
    [inclusion.path]: () => ({ code: 1, data: { snapshot: SNAPSHOT, ...(leaf === null ? {} : { leaf }) } }),
  });
  render(
    <Providers>
      <MemoryRouter>
        <LiabilitiesView loginPath="/login/login?from=%2Fabout%2Fproofs" />
      </MemoryRouter>
    </Providers>,
  );
}

describe('the proofs screen', () => {
  it('POL-011 shows everyone the root, totals, assets and snapshots, and visitors a login link', async () => {
    show();
    const totals = await screen.findByRole('table', { name: 'What we owe, by coin' });
    const cells = (name: RegExp) => within(totals).getByRole('row', { name }).textContent;
    expect(cells(/^BTC/)).toBe('BTC0.250');
    expect(cells(/^USDT/)).toBe('USDT1,234.55');
    expect(screen.getByText(SNAPSHOT.root)).toBeTruthy();
    expect(screen.getByRole('row', { name: 'USDT Market making 3', hidden: true })).toBeTruthy();
    const history = screen.getByRole('table', { name: 'Earlier snapshots' });
    expect(within(history).getByRole('button', { name: 'Download the snapshot of 2026-11-24' })).toBeTruthy();
    const loginLink = screen.getByRole('link', { name: 'Log in' });
    expect(loginLink.getAttribute('href')).toBe('/login/login?from=%2Fabout%2Fproofs');
    expect(server.received.filter(({ path }) => path.startsWith(inclusion.path))).toEqual([]);
  });

  it('POL-011 verifies the own balance on this device and confirms its inclusion', async () => {
    signIn();
    show();
    const card = await screen.findByRole('region', { name: 'Check my balance' });
    expect((await within(card).findByText('1,200')).closest('li')?.textContent).toContain('USDT');
    await userEvent.click(within(card).getByRole('button', { name: 'Check my balance' }));
    expect(within(card).getByText(/^Your balance is included/)).toBeTruthy();
    expect(within(card).getAllByText(': holds')).toHaveLength(3);
    expect(within(card).getByRole('button', { name: 'Download my proof' })).toBeTruthy();
  });

  it.each([
    ['an amount that was not counted', { amounts: [{ currency: 'USDT', amount: '1201' }] }, 1],
    ['leaves of another user', proofFor(ALL, ALL[1]!).own, 1],
    ['leaves of an omitted user', proofFor(ALL.slice(0, 1), ALL[0]!).own, 2],
  ])('POL-011 reports %s', async (_, changed, failing) => {
    signIn();
    show({ ...own, ...changed });
    const card = await screen.findByRole('region', { name: 'Check my balance' });
    await userEvent.click(await within(card).findByRole('button', { name: 'Check my balance' }));
    expect(within(card).getByText(/^This does not add up/)).toBeTruthy();
    expect(within(card).getAllByText(': does not hold').length).toBeGreaterThanOrEqual(failing);
  });

  it('POL-011 states when there is no balance to verify, and when the first snapshot follows', async () => {
    signIn();
    show(null);
    expect(await screen.findByText(/you had no balance/)).toBeTruthy();
    cleanup();
    queryClient.clear();
    show(own, []);
    expect(await screen.findByText(/^No snapshot yet/)).toBeTruthy();
    expect(screen.getByRole('heading', { name: 'How it works' })).toBeTruthy();
  });

  it('STAMP-007 shows each time stamp with its earliest block or what it waits for, and says when there is none', async () => {
    const hour = Date.UTC(2026, 10, 27, 20);
    const stampOf = (at: number, calendars: readonly object[]) => ({
      hour: at,
      time: at + 420_000,
      sha256: 'ab'.repeat(32),
      calendars,
    });
    const url = 'https://calendar.example';
    show(
      own,
      [SNAPSHOT],
      [
        stampOf(hour, []),
        stampOf(hour - 3_600_000, [{ url }]),
        stampOf(hour - 7_200_000, [
          { url, block: 871_235 },
          { url: `${url}/2`, block: 871_234 },
        ]),
      ],
    );
    const table = await screen.findByRole('table', { name: 'Outside time stamps' });
    const rows = within(table).getAllByRole('row').slice(1);
    expect(rows.map((row) => row.textContent)).toEqual([
      '2026-11-27 20:00Not yet submitted',
      '2026-11-27 19:00Waiting for a Bitcoin block',
      '2026-11-27 18:00Bitcoin block 871,234',
    ]);
    expect(
      within(table).getByRole('button', { name: 'Download the time stamp of 2026-11-27 18:00' }),
    ).toBeTruthy();
    cleanup();
    queryClient.clear();
    show();
    expect(await screen.findByText(/^Nothing has been time-stamped/)).toBeTruthy();
  });
});
