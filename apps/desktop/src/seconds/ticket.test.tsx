import { durationField, durationRow } from '@exchange/wire/seconds.ts';
import { startSession } from '@exchange/web-kit/session/session-store.ts';
import { LimitsForm } from '@exchange/web-kit/seconds/limits-form.tsx';
import { OpenButtons, TicketPanel } from '@exchange/web-kit/seconds/ticket-panel.tsx';
import { TransferForm } from '@exchange/web-kit/seconds/transfer-form.tsx';
import { useTicket } from '@exchange/web-kit/seconds/use-seconds.ts';
import { paths } from '@exchange/web-kit/paths.ts';
import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { draw, RefusedCall, setUpFixtures } from '../../testing/fixtures.tsx';

const { answers, received } = setUpFixtures();

const TERMS = {
  seconds: [
    durationRow({ second: 60, rate: '0.75', minimum: '5' }),
    durationRow({ second: 180, rate: '0.8', minimum: '20' }),
  ],
  updated: 0,
  indexVersion: '1',
  version: 1,
  open: 1,
  symbols: ['btcusdt'],
  maxStake: '500',
  maxOpen: 20,
  dayLoss: '1000',
  riskVersion: '1',
};
const LIMITS = {
  maxStake: '500',
  dayLoss: '1000',
  lostToday: '0',
  atRisk: '0',
  riskVersion: '1',
  allowed: 1,
};
const ASSETS = [{ currencyName: 'USDT', currency: 'USDT', availableCurrency: '200', frozenCurrency: '0' }];

function Ticket() {
  const control = useTicket({ base: 'BTC', quote: 'USDT' });
  if (control === undefined) return null;
  return (
    <>
      <TicketPanel control={control} onTransfer={undefined} />
      <OpenButtons control={control} gate={undefined} />
    </>
  );
}

/**
 * Signs in a user at an exchange whose seconds contract has two durations and the given fee rate (none by default); the
 * user has `available` USDT.
 */
function onSeconds(fee = '', available = '200') {
  answers(({ path }) => {
    if (path.endsWith('contractconfig')) return TERMS;
    if (path.includes('contract_fee_rate')) return { valueName: fee };
    if (path.endsWith('getLimit')) return LIMITS;
    if (path.endsWith('/contract/getAssets')) return [{ ...ASSETS[0], availableCurrency: available }];
    return { id: 'p1', list: [], totalRow: 0, sum: 0, pageNo: 1, pageSize: 10 };
  });
  startSession({ userId: 'u', token: 't', email: 'trader@example.com' });
}
const stake = async () => screen.findByRole<HTMLInputElement>('textbox', { name: /Amount/ });
const requestsTo = (path: string) => received.filter((call) => call.path.endsWith(path));

it('SPEC-010 loads configuration, then fee: selects the first duration with its minimum amount, and no fee when none is set', async () => {
  onSeconds();
  const user = draw(<Ticket />, paths.seconds);
  expect((await stake()).value).toBe('5');
  const asked = received.map(({ path }) => path).filter((path) => /contractconfig|contract_fee/.test(path));
  expect(asked[0]).toContain('contractconfig');
  expect(asked[1]).toContain('contract_fee_rate');
  expect(screen.getByText('0.00%')).toBeDefined();
  await user.click(screen.getByRole('radio', { name: /180/ }));
  expect((await stake()).value).toBe('20');
});

it('SPEC-010 reports a missing or too small amount by its key and sends nothing', async () => {
  onSeconds();
  const user = draw(<Ticket />, paths.seconds);
  await user.clear(await stake());
  await user.click(screen.getByRole('button', { name: /Up/ }));
  expect(await screen.findByText('Enter an amount for your position.')).toBeDefined();
  await user.type(await stake(), '4');
  await user.click(screen.getByRole('button', { name: /Up/ }));
  expect((await screen.findAllByText(/The minimum is 5 USDT/)).length).toBeGreaterThan(0);
  expect(requestsTo('/contract/createOrder')).toEqual([]);
});

it('CON-049 validates the initial minimum only after an edit or submission', async () => {
  onSeconds('0.01', '0');
  const user = draw(<Ticket />, paths.seconds);
  await stake();
  await waitFor(() =>
    expect(screen.getByText('Available').parentElement!.textContent).toMatch(/Available0(?:\.0+)?\s*USDT/),
  );
  expect((await stake()).getAttribute('aria-invalid')).not.toBe('true');
  await user.click(screen.getByRole('button', { name: /Up/ }));
  expect((await stake()).getAttribute('aria-invalid')).toBe('true');
  await user.click(screen.getByRole('radio', { name: /180/ }));
  expect((await stake()).getAttribute('aria-invalid')).not.toBe('true');
  expect(requestsTo('/contract/createOrder')).toEqual([]);
});

it('CON-048 shows pauses in hours below two days and in days above, and what each choice still allows', async () => {
  onSeconds();
  draw(<LimitsForm limits={{ ...LIMITS, allowed: 1 }} coin="USDT" />, paths.seconds);
  const choicesOf = (name: string) =>
    [...screen.getByRole<HTMLSelectElement>('combobox', { name }).options].map(
      ({ textContent }) => textContent,
    );
  expect(choicesOf('Pause')).toEqual(['Do not pause', '1 hour', '24 hours', '7 days', '30 days']);
  expect(choicesOf('Session length')[0]).toBe('No session limit');
});

it('SPEC-010 confirms an opened position, clears the amount and refetches the positions', async () => {
  onSeconds('0.01');
  const user = draw(<Ticket />, paths.seconds);
  await stake();
  await waitFor(() => expect(requestsTo('/contract/getAssets').length).toBeGreaterThan(0));
  await user.click(screen.getByRole('button', { name: /Up/ }));
  await waitFor(() => expect(requestsTo('/contract/createOrder')).toHaveLength(1));
  expect(Object.fromEntries(requestsTo('/contract/createOrder')[0]!.fields)).toMatchObject({
    openAmount: '5',
    baseCoin: 'BTC',
    quoteCoin: 'USDT',
    tradeType: 'up',
    ...durationField('60'),
  });
  expect(await screen.findByText('Position opened')).toBeDefined();
  expect((await stake()).value).toBe('');
  const at = received.findIndex(({ path }) => path.endsWith('/contract/createOrder'));
  await waitFor(() =>
    expect(received.slice(at).some(({ path }) => path.endsWith('/contract/getAssets'))).toBe(true),
  );
});

it('WEB-312 reports a mistyped transfer amount as invalid at button and field and sends nothing', async () => {
  onSeconds();
  const user = draw(<TransferForm coin="USDT" onDone={() => undefined} />, paths.seconds);
  const amount = screen.getByRole<HTMLInputElement>('textbox', { name: /Amount/ });
  for (const typed of ['1e5', 'abc']) {
    await user.clear(amount);
    await user.type(amount, typed);
    await user.click(screen.getByRole('button', { name: 'Transfer' }));
    await waitFor(() => expect(screen.getAllByText('Amount must be a plain number.')).toHaveLength(2));
    expect(screen.queryByText('Enter the transfer amount.')).toBeNull();
    expect(amount.value).toBe(typed);
  }
  expect(requestsTo('/contract/transfer')).toEqual([]);
  await user.clear(amount);
  await user.type(amount, '1,000');
  expect(amount.value).toBe('1000');
});

it('FIN-034 a position names the displayed terms, and changed terms are displayed', async () => {
  onSeconds('0.01');
  let version = 1;
  const changed = { ...TERMS, version: 2, seconds: [durationRow({ second: 60, rate: '0.5', minimum: '5' })] };
  answers(({ path, fields }) => {
    if (path.endsWith('contractconfig')) return version === 1 ? TERMS : changed;
    if (path.includes('contract_fee_rate')) return { valueName: '0.01' };
    if (path.endsWith('getLimit')) return LIMITS;
    if (path.endsWith('/contract/getAssets')) return ASSETS;
    if (!path.endsWith('/contract/createOrder')) return { list: [], totalRow: 0, pageNo: 1, pageSize: 10 };
    version = 2;
    return fields.get('version') === '2' ? { id: 'p1' } : new RefusedCall('l.terms_changed', 'New terms.');
  });
  const user = draw(<Ticket />, paths.seconds);
  await stake();
  await waitFor(() => expect(requestsTo('/contract/getAssets').length).toBeGreaterThan(0));
  await user.click(screen.getByRole('button', { name: /Up/ }));
  expect(await screen.findByText('New terms.')).toBeDefined();
  expect(await screen.findByRole('radio', { name: /60.*50%/ })).toBeDefined();
  await user.click(screen.getByRole('button', { name: /Up/ }));
  expect(await screen.findByText('Position opened')).toBeDefined();
  expect(requestsTo('/contract/createOrder').map(({ fields }) => fields.get('version'))).toEqual(['1', '2']);
});

it('SPEC-010 reports a transfer without an amount by its key, and clears the amount after success', async () => {
  onSeconds();
  const user = draw(<TransferForm coin="USDT" onDone={() => undefined} />, paths.seconds);
  const move = screen.getByRole('button', { name: 'Transfer' });
  await user.click(move);
  expect(await screen.findByText('Enter the transfer amount.')).toBeDefined();
  expect(requestsTo('/contract/transfer')).toEqual([]);
  const amount = screen.getByRole<HTMLInputElement>('textbox', { name: /Amount/ });
  await user.type(amount, '10');
  await user.click(move);
  await waitFor(() => expect(amount.value).toBe(''));
  expect(Object.fromEntries(requestsTo('/contract/transfer')[0]!.fields)).toMatchObject({
    amount: '10',
    currency: 'USDT',
    type: '1',
  });
});
