import { startSession } from '@exchange/web-kit/session/session-store.ts';
import { TaxArrivals } from '@exchange/web-kit/account/tax-arrivals.tsx';
import { TaxDisposals } from '@exchange/web-kit/account/tax-disposals.tsx';
import { accountEvents } from '@exchange/wire/portfolio.ts';
import { taxArrivals, taxDisposals, taxLots } from '@exchange/wire/tax.ts';
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { draw, setUpFixtures } from '../../testing/fixtures.tsx';
import { StatementPanel } from './statement-panel.tsx';

const fixtures = setUpFixtures();
const page = (list: readonly object[]) => ({ list, totalRow: list.length, pageNo: 1, pageSize: 10 });
const EVENT = {
  refId: 'ref',
  subAccount: '',
  time: 1_800_000_000_000,
  currency: 'BTC',
  amount: '0.5',
  cost: '100',
};
const linksToRecords = () =>
  screen
    .getAllByRole<HTMLAnchorElement>('link', { name: 'Open record' })
    .map((link) => link.getAttribute('href'));

it('TAX-014 TAX-017 each disposal, lot and transfer links to its own record, and names its sub-account', async () => {
  startSession({ userId: 'u', token: 't', email: 'a@b.example' });
  fixtures.answers(({ path }) => {
    if (path.endsWith(taxDisposals.path))
      return page([
        {
          ...EVENT,
          id: '1234-BTC',
          source: 'trade',
          kind: 'spot.traded',
          proceeds: '200',
          costedAmount: '0.5',
          gain: '100',
        },
      ]);
    if (path.endsWith(taxLots.path))
      return page([
        {
          ...EVENT,
          id: '77-BTC',
          source: 'deposit',
          kind: 'deposit.credited',
          acquireTime: 1,
          lotAmount: '1',
        },
        {
          ...EVENT,
          id: '88-BTC',
          source: 'trade',
          kind: 'spot.traded',
          subAccount: 'Momentum',
          acquireTime: 1,
          lotAmount: '1',
        },
      ]);
    if (path.endsWith(taxArrivals.path))
      return page([
        {
          ...EVENT,
          id: '99-BTC',
          source: 'deposit',
          kind: 'deposit.credited',
          cost: null,
          acquireTime: null,
        },
      ]);
    return {};
  });
  const user = draw(
    <>
      <TaxDisposals year={2026} method="fifo" />
      <TaxArrivals look="floating" />
    </>,
  );
  await user.click(await screen.findByRole('button', { name: 'Show lots' }));
  await screen.findByText(/entry 77/i);
  await screen.findByRole('button', { name: /cost/i });
  expect(linksToRecords()).toEqual([
    '/account/trade?type=4&entry=1234',
    '/account/trade?type=4&entry=77',
    '/account/trade?type=4&entry=88',
    '/account/trade?type=4&entry=99',
  ]);
  expect(screen.getAllByText(/Sub-account/).map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^Sub-account Momentum · .* · Ledger entry 88 · Open record$/),
  ]);
});

it('TAX-014 the account history shows one record alone, without filters', async () => {
  startSession({ userId: 'u', token: 't', email: 'a@b.example' });
  fixtures.answers(({ path }) => (path.endsWith(accountEvents.path) ? page([]) : {}));
  const shown: (string | undefined)[] = [];
  const view = { group: 'all', event: undefined, isLedger: false, entry: '1234' } as const;
  const user = draw(<StatementPanel view={view} onView={({ entry }) => shown.push(entry)} />);
  expect(await screen.findByText('Nothing matches these filters.')).toBeTruthy();
  expect(screen.queryByRole('combobox')).toBeNull();
  const [request] = fixtures.received.filter(({ path }) => path.endsWith(accountEvents.path));
  expect(request!.fields.get('entry')).toBe('1234');
  await user.click(screen.getByRole('button', { name: 'Show the whole history' }));
  expect(shown).toEqual([undefined]);
});
