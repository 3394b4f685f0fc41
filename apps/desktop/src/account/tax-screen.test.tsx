import { startSession } from '@exchange/web-kit/session/session-store.ts';
import { setTaxZone, taxYear } from '@exchange/wire/tax.ts';
import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { draw, setUpFixtures } from '../../testing/fixtures.tsx';
import TaxScreen from './tax-screen.tsx';

const fixtures = setUpFixtures();
const TOTALS = {
  proceeds: '2525',
  disposedCost: '2500',
  gain: '25',
  unknownProceeds: '0',
  income: '0',
  productGains: '0',
  productLosses: '0',
  fees: '5',
  unvalued: 0,
};
const report = (fields: object) => ({
  status: 'ready',
  year: 2026,
  years: [2026, 2025],
  method: 'fifo',
  timeZone: 'UTC',
  subAccounts: 0,
  currency: 'USDT',
  coins: [],
  sections: [],
  totals: TOTALS,
  ...fields,
});

it('TAX-001 TAX-016 a user chooses year, method and time zone, and waits for the new count', async () => {
  startSession({ userId: 'u', token: 't', email: 'a@b.example' });
  let zone = 'UTC';
  let isCounting = false;
  fixtures.answers(({ path, fields }) => {
    if (path.endsWith(setTaxZone.path)) {
      zone = fields.get('timeZone') ?? '';
      isCounting = true;
      return {};
    }
    if (!path.endsWith(taxYear.path)) return undefined;
    const method = fields.get('method');
    const isReady = !isCounting;
    isCounting = false;
    return report({
      year: Number(fields.get('year') ?? 2026),
      method,
      timeZone: zone,
      status: isReady ? 'ready' : 'computing',
      totals: { ...TOTALS, gain: method === 'average' ? '30' : '25' },
    });
  });
  const user = draw(<TaxScreen />);
  await screen.findByText('Totals of the year');
  const gain = () => screen.getByText('Realised gain').nextElementSibling?.textContent;
  expect(gain()).toContain('25');
  await user.click(screen.getByRole('radio', { name: 'Average cost' }));
  await waitFor(() => expect(gain()).toContain('30'));
  await user.selectOptions(screen.getByRole('combobox', { name: 'Year' }), '2025');
  const requested = () => fixtures.received.filter(({ path }) => path.endsWith(taxYear.path)).at(-1)!.fields;
  await waitFor(() => expect(requested().get('year')).toBe('2025'));
  expect(requested().get('method')).toBe('average');

  const zones = await screen.findByRole('combobox', { name: 'Tax year in time zone' });
  await user.selectOptions(zones, 'Asia/Tokyo');
  await screen.findByText('Saved. All years are counted again.');
  await screen.findByText('Your history is being counted. This page updates by itself.');
  await screen.findByText('Totals of the year', undefined, { timeout: 5_000 });
  expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Tax year in time zone' }).value).toBe(
    'Asia/Tokyo',
  );
});

it('TAX-017 the report of a user with sub-accounts says that it covers them', async () => {
  startSession({ userId: 'u', token: 't', email: 'a@b.example' });
  let subAccounts = 1;
  fixtures.answers(({ path }) => (path.endsWith(taxYear.path) ? report({ subAccounts }) : undefined));
  const user = draw(<TaxScreen />);
  expect(await screen.findByText(/cover your main account and your sub-accounts/)).toBeTruthy();
  subAccounts = 0;
  await user.click(screen.getByRole('radio', { name: 'Average cost' }));
  await waitFor(() => expect(screen.queryByText(/cover your main account/)).toBeNull());
});
