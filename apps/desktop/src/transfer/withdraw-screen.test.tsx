import { queryClient } from '@exchange/web-kit/api/query-client.ts';
import { loadAllWords } from '@exchange/web-kit/i18n/words.ts';
import { AccountServer } from '@exchange/web-kit/market/testing/account-server.ts';
import { endSession, startSession } from '@exchange/web-kit/session/session-store.ts';
import { depositCoins, depositNetworks } from '@exchange/wire/deposit.ts';
import { spotAssets } from '@exchange/wire/spot.ts';
import { userInfo } from '@exchange/wire/user.ts';
import {
  addressList,
  cancelWithdrawal,
  submitWithdrawal,
  withdrawalConfig,
  withdrawalDetail,
  withdrawalQuote,
  withdrawalRecords,
} from '@exchange/wire/withdrawal.ts';
import { paths } from '@exchange/web-kit/paths.ts';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { draw } from '../../testing/fixtures.tsx';
import WithdrawScreen from './withdraw-screen.tsx';

type Calls = Parameters<AccountServer['serve']>[0];

const HOUR_MS = 3_600_000;
const STORED_ADDRESS = 'TXWDBkB9Aqx23TWujNGkTedEogxzD2MkEc';
const WAITING = 'TNPeeaaFB7K9cmo4uQpcU32zGK8G1NYqeL';

let server: AccountServer;
const good = (data: unknown) => () => ({ code: 1, data });
const page = (list: readonly unknown[]) => ({
  list,
  totalPage: 1,
  totalRow: list.length,
  pageNo: 1,
  pageSize: 20,
});
const PERSON = {
  email: 'a@b.example',
  uid: '1',
  purchase: '1',
  kycStatus: 2,
  assetsPwd: 1,
  holdUntil: 0,
  holdReason: '',
};
const CONFIG = {
  min: '10',
  max: '100000',
  fee: '1',
  precision: 6,
  available: '500',
  price: '1',
  dayLimit: '50000',
  dayUsed: '12500',
  monthLimit: '750000',
  monthUsed: '0',
  autoLimit: '1000',
  holdUntil: 0,
  memoNeeded: 0,
  paused: 0,
  whitelistOnly: 0,
  channel: 'demo',
  requestLimit: 20,
  requestsUsed: 3,
  nextRequestTime: 0,
};
const NETWORK = {
  network: 'TRC20',
  name: 'Tron (TRC20)',
  minAmount: '1',
  confirmations: 20,
  blockSeconds: 3,
  minutes: 1,
  fee: '0',
  withdrawFee: '4.25',
  memoNeeded: 0,
  status: 1,
  channel: 'demo',
};
const ROW = {
  id: 'w1',
  currency: 'USDT',
  network: 'TRC20',
  address: STORED_ADDRESS,
  amount: '25',
  realAmount: '24',
  fee: '1',
  confirm: 0,
  needConfirm: 20,
  status: 0,
  createTime: Date.now(),
  promiseTime: Date.now() + 24 * HOUR_MS - 1,
};
/**
 * A withdrawal quote whose fee and limits differ from those that the page could compute itself, so that the test proves
 * that the page shows the server's figures.
 */
const QUOTE = {
  currency: 'USDT',
  network: 'TRC20',
  address: STORED_ADDRESS,
  amount: '25',
  fee: '1.75',
  realAmount: '23.25',
  value: '25',
  dayLimit: '50000',
  dayUsed: '12500',
  monthLimit: '750000',
  monthUsed: '0',
  reviewed: 0,
  promiseTime: Date.UTC(2030, 0, 2, 3, 4, 5),
};
const address = (id: string, remark: string, at: string, activeTime: number) => ({
  id,
  currency: 'USDT',
  network: 'TRC20',
  address: at,
  remark,
  activeTime,
  createTime: 0,
});
const TETHER = { currency: 'Tether', currencyName: 'USDT', logo: '', price: '1', status: 1, total: '500' };
const CALLS: Calls = {
  [depositCoins.path]: good({ list: [{ currency: 'USDT', name: 'Tether', networks: ['TRC20'] }] }),
  [depositNetworks.path]: good({ list: [NETWORK] }),
  [withdrawalConfig.path]: good(CONFIG),
  [withdrawalRecords.path]: good(page([])),
  [withdrawalDetail.path]: good(ROW),
  [withdrawalQuote.path]: good(QUOTE),
  [submitWithdrawal.path]: good(ROW),
  [cancelWithdrawal.path]: good({ ...ROW, status: 5 }),
  [addressList.path]: good({
    ...page([
      address('1', 'Cold wallet', STORED_ADDRESS, 0),
      address('2', 'New phone', WAITING, Date.now() + 5 * HOUR_MS),
    ]),
    whitelistOnly: 0,
    most: 50,
  }),
  [spotAssets.path]: good({
    ...page([{ ...TETHER, availableCurrency: '500', frozenCurrency: '0' }]),
    total: '500',
  }),
  [userInfo.path]: good(PERSON),
};

beforeAll(async () => {
  await loadAllWords();
  server = await AccountServer.start();
});
afterEach(() => {
  cleanup();
  endSession();
  queryClient.clear();
});
afterAll(() => server.stop());

function show(calls: Calls = {}) {
  server.serve({ ...CALLS, ...calls });
  startSession({ userId: 'u', token: 't', email: 'a@b.example' });
  return draw(<WithdrawScreen />, paths.withdraw);
}
const requestsTo = (path: string) => server.received.filter((call) => call.path === path);

/**
 * Fills in the withdrawal form, opens the dialog that reviews the withdrawal, and enters the credentials
 * there. Does not confirm the withdrawal; returns the dialog.
 */
async function review(user: ReturnType<typeof show>) {
  await user.click(await screen.findByRole('button', { name: 'Address book' }));
  await user.click(await screen.findByRole('option', { name: /Cold wallet/ }));
  await user.type(screen.getByLabelText('Amount'), '25');
  await user.click(screen.getByRole('button', { name: 'Continue' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Review withdrawal' }));
  await user.type(dialog.getByLabelText('Trade password'), '258036');
  await user.type(dialog.getByLabelText('Email code'), '123456');
  return dialog;
}

describe('a withdrawal on the desktop', () => {
  it('WDR-010 WDR-030 is reviewed completely before the request, and pressing twice sends it once', async () => {
    const user = show();
    const dialog = await review(user);
    expect(dialog.getAllByText('23.25')).toHaveLength(1);
    expect(dialog.getByText('25.00')).toBeDefined();
    expect(dialog.getByText('Tron (TRC20)')).toBeDefined();
    expect(dialog.getByText('Cold wallet')).toBeDefined();
    const groups = [...dialog.getByText('TXWD').parentElement!.children].map((group) => group.textContent);
    expect(groups.join('')).toBe(STORED_ADDRESS);
    expect(groups.map((group) => group?.length)).toEqual([4, 4, 4, 4, 4, 4, 4, 2, 4]);
    await user.dblClick(dialog.getByRole('button', { name: 'Confirm withdrawal' }));
    await screen.findByRole('heading', { name: 'Withdrawal requested' });
    expect(requestsTo(submitWithdrawal.path)).toHaveLength(1);
    const { form } = requestsTo(submitWithdrawal.path)[0]!;
    expect(Object.fromEntries(form)).toMatchObject({
      currency: 'USDT',
      network: 'TRC20',
      amount: '25',
      address: STORED_ADDRESS,
      assetsPwd: '258036',
      code: '123456',
    });
  });

  it('TRE-058 from the bound on the recipient is stated, shown in the review and sent; below it nothing is', async () => {
    const user = show({ [withdrawalConfig.path]: good({ ...CONFIG, recipientFrom: '20' }) });
    await user.click(await screen.findByRole('button', { name: 'Address book' }));
    await user.click(await screen.findByRole('option', { name: /Cold wallet/ }));
    const amount = screen.getByLabelText('Amount');
    await user.type(amount, '2');
    expect(screen.queryByLabelText('Recipient’s full name')).toBeNull();
    await user.type(amount, '5');
    const name = screen.getByLabelText<HTMLInputElement>('Recipient’s full name');
    await user.click(screen.getByRole('button', { name: 'Continue' }));
    expect(name.getAttribute('aria-invalid')).toBe('true');
    expect(requestsTo(withdrawalQuote.path)).toEqual([]);
    await user.type(name, 'Charles Babbage');
    await user.type(screen.getByLabelText(/^Exchange or provider/), 'Other');
    await user.click(screen.getByRole('button', { name: 'Continue' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Review withdrawal' }));
    expect(dialog.getByText('Charles Babbage · Other')).toBeDefined();
    const { form } = requestsTo(withdrawalQuote.path)[0]!;
    expect(Object.fromEntries(form)).toMatchObject({
      recipientName: 'Charles Babbage',
      recipientProvider: 'Other',
    });
    await user.click(dialog.getByRole('button', { name: 'Back' }));
    await user.click(screen.getByRole('checkbox', { name: /I receive it/ }));
    await user.click(screen.getByRole('button', { name: 'Continue' }));
    await screen.findByRole('dialog', { name: 'Review withdrawal' });
    const own = requestsTo(withdrawalQuote.path).at(-1)!.form;
    expect(own.get('recipientOwn')).toBe('1');
    expect(own.has('recipientName')).toBe(false);
  });

  it('WEB-926 every figure of the review comes from the server, and the displayed fee is sent', async () => {
    const addressTime = Date.UTC(2030, 0, 1, 3, 4, 5);
    const user = show({ [withdrawalQuote.path]: good({ ...QUOTE, reviewed: 1, addressTime }) });
    const dialog = await review(user);
    const row = (name: string) => dialog.getByText(name).nextElementSibling!;
    expect(row('Network fee').textContent).toContain('1.75');
    expect(row('Completed by').querySelector('time')?.dateTime).toBe('2030-01-02T03:04:05.000Z');
    expect(row('Leaves no sooner than').querySelector('time')?.dateTime).toBe('2030-01-01T03:04:05.000Z');
    expect(row('Review').textContent).toBe('By our team, before it is sent');
    expect(Object.fromEntries(requestsTo(withdrawalQuote.path)[0]!.form)).toMatchObject({
      currency: 'USDT',
      network: 'TRC20',
      amount: '25',
      address: STORED_ADDRESS,
    });
    await user.click(dialog.getByRole('button', { name: 'Confirm withdrawal' }));
    await screen.findByRole('heading', { name: 'Withdrawal requested' });
    expect(requestsTo(submitWithdrawal.path)[0]!.form.get('fee')).toBe('1.75');
  });

  it('WEB-926 fee, limits and received amount follow the terms of the server, not constants', async () => {
    const user = show({ [withdrawalConfig.path]: good({ ...CONFIG, fee: '2.5', min: '30' }) });
    await user.type(await screen.findByLabelText('Amount'), '25');
    expect(screen.getByRole('button', { name: /TRC20/ }).textContent).toContain('4.25');
    expect(screen.getByText('Receive amount').nextElementSibling!.textContent).toContain('22.5');
    await user.click(screen.getByRole('button', { name: 'Continue' }));
    expect(screen.getByLabelText('Amount').getAttribute('aria-invalid')).toBe('true');
    expect(requestsTo(withdrawalQuote.path)).toEqual([]);
  });

  it('WDR-1207 a fee that follows the network says so on its card and in the form, a fixed one does not', async () => {
    show();
    await screen.findByLabelText('Amount');
    expect(screen.getByRole('button', { name: /TRC20/ }).textContent).not.toContain('Follows the network');
    expect(screen.queryByText(/follows the network’s cost/)).toBeNull();
    cleanup();
    queryClient.clear();
    show({
      [withdrawalConfig.path]: good({ ...CONFIG, feeLive: 1 }),
      [depositNetworks.path]: good({ list: [{ ...NETWORK, withdrawFeeLive: 1 }] }),
    });
    await screen.findByText(/follows the network’s cost/);
    expect(screen.getByRole('button', { name: /TRC20/ }).textContent).toContain('Follows the network');
  });

  it('WEB-926 a refused quote is shown in the form, and no review opens', async () => {
    const no = { code: -10, msg: 'No reliable price at the moment.', errKey: 'l.no_index', data: {} };
    const user = show({ [withdrawalQuote.path]: () => no });
    await user.click(await screen.findByRole('button', { name: 'Address book' }));
    await user.click(await screen.findByRole('option', { name: /Cold wallet/ }));
    await user.type(screen.getByLabelText('Amount'), '25');
    await user.click(screen.getByRole('button', { name: 'Continue' }));
    expect((await screen.findByRole('alert')).textContent).toBe(no.msg);
    expect(screen.queryByRole('dialog')).toBeNull();
    await user.type(screen.getByLabelText('Amount'), '0');
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('WEB-927 after a fee change nothing is sent, and the review explains it and shows the new figures', async () => {
    const changed = { code: -10, msg: 'The fee changed.', errKey: 'l.withdraw_fee_changed', data: {} };
    const user = show({ [submitWithdrawal.path]: () => changed });
    const dialog = await review(user);
    const fees = { fee: '3.5', realAmount: '21.5' };
    server.serve({
      ...CALLS,
      [submitWithdrawal.path]: () => changed,
      [withdrawalQuote.path]: good({ ...QUOTE, ...fees }),
    });
    await user.click(dialog.getByRole('button', { name: 'Confirm withdrawal' }));
    expect((await dialog.findByRole('alert')).textContent).toBe(changed.msg);
    expect(dialog.getByText('21.50')).toBeDefined();
    expect(dialog.queryByText('23.25')).toBeNull();
    expect(dialog.getByLabelText<HTMLInputElement>('Trade password').value).toBe('258036');
    expect(dialog.getByLabelText<HTMLInputElement>('Email code').value).toBe('123456');
    const firstKey = requestsTo(submitWithdrawal.path)[0]!.form.get('clientId');
    server.serve({ ...CALLS, [withdrawalQuote.path]: good({ ...QUOTE, ...fees }) });
    await user.click(dialog.getByRole('button', { name: 'Confirm withdrawal' }));
    await screen.findByRole('heading', { name: 'Withdrawal requested' });
    const { form } = requestsTo(submitWithdrawal.path)[0]!;
    expect(form.get('fee')).toBe('3.5');
    expect(form.get('clientId')).not.toBe(firstKey);
  });

  it('WDR-030 a refusal is shown in the dialog, and all input is kept', async () => {
    const limit = { code: -6, msg: 'Only 20 USDT of your limit is left.', data: { field: 'amount' } };
    const user = show({ [submitWithdrawal.path]: () => limit });
    const dialog = await review(user);
    const confirm = dialog.getByRole('button', { name: 'Confirm withdrawal' });
    await user.click(confirm);
    expect((await dialog.findByRole('alert')).textContent).toBe('Only 20 USDT of your limit is left.');
    expect(dialog.getByLabelText<HTMLInputElement>('Trade password').value).toBe('258036');
    expect(dialog.getByLabelText<HTMLInputElement>('Email code').value).toBe('123456');
    await user.click(dialog.getByRole('button', { name: 'Back' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    const amount = screen.getByLabelText<HTMLInputElement>('Amount');
    expect(amount.value).toBe('25');
    expect(amount.getAttribute('aria-invalid')).toBe('true');
    expect(screen.getByLabelText<HTMLInputElement>('Address').value).toBe(STORED_ADDRESS);
  });

  it('WDR-034 a request that is too early shows its waiting time in the dialog and keeps all input', async () => {
    const soon = { code: -9, msg: 'Try again in 1 s.', data: { limit: '5', seconds: '1' } };
    const user = show({ [submitWithdrawal.path]: () => soon });
    const dialog = await review(user);
    await user.click(dialog.getByRole('button', { name: 'Confirm withdrawal' }));
    expect((await dialog.findByRole('alert')).textContent).toBe(soon.msg);
    expect(dialog.getByLabelText<HTMLInputElement>('Trade password').value).toBe('258036');
    expect(dialog.getByLabelText<HTMLInputElement>('Email code').value).toBe('123456');
    const firstKey = requestsTo(submitWithdrawal.path)[0]!.form.get('clientId');
    server.serve(CALLS);
    // The error message disappears when the waiting time stated in the refusal has passed, and the user may submit
    // again.
    await waitFor(() => expect(dialog.queryByRole('alert')).toBeNull(), { timeout: 60_000 });
    await user.click(dialog.getByRole('button', { name: 'Confirm withdrawal' }));
    await screen.findByRole('heading', { name: 'Withdrawal requested' });
    // The request after a refusal has a new idempotency key, so that the server does not answer it with the stored
    // refusal.
    expect(requestsTo(submitWithdrawal.path)[0]!.form.get('clientId')).not.toBe(firstKey);
  });

  it('WDR-031 shows its stages and its countdown, and can be cancelled', async () => {
    const user = show();
    const dialog = await review(user);
    await user.click(dialog.getByRole('button', { name: 'Confirm withdrawal' }));
    const stages = within(await screen.findByRole('list', { name: 'Progress' }));
    expect(stages.getAllByRole('listitem')).toHaveLength(5);
    expect(stages.getByText('Checking').closest('li')!.getAttribute('aria-current')).toBe('step');
    expect(screen.getByText(/^23 hr 5[0-9] min$/)).toBeDefined();
    server.serve({ ...CALLS, [withdrawalDetail.path]: good({ ...ROW, status: 5 }) });
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    await screen.findByRole('heading', { name: 'Canceled' });
    expect(screen.queryByRole('button', { name: 'Cancel' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'New withdrawal' }));
    expect(screen.getByLabelText<HTMLInputElement>('Address').value).toBe('');
  });

  it('ADDR-006 rejects an address in its waiting period, validates a pasted one at once, and offers to store it', async () => {
    const user = show();
    await user.click(await screen.findByRole('button', { name: 'Address book' }));
    const waiting = await screen.findByRole('option', { name: /New phone/ });
    expect(waiting.textContent).toMatch(/Usable in/);
    expect(waiting.getAttribute('aria-disabled')).toBe('true');
    await user.keyboard('{Escape}');
    const field = screen.getByLabelText('Address');
    await user.click(field);
    await user.paste(STORED_ADDRESS.toLowerCase());
    expect(field.getAttribute('aria-invalid')).toBe('true');
    await user.clear(field);
    await user.paste('TEPgD9WJn7EqN7SaxM2WMxCzC9GDPG8GZC');
    expect(field.getAttribute('aria-invalid')).toBeNull();
    expect(screen.getByText('Valid Tron (TRC20) address')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Save to address book' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Add address' }));
    expect(dialog.getByLabelText<HTMLInputElement>('Address').value).toBe(
      'TEPgD9WJn7EqN7SaxM2WMxCzC9GDPG8GZC',
    );
  });

  it('WDR-033 WDR-032 shows the used daily requests, and when the next one is possible', async () => {
    show();
    const used = await screen.findByRole('meter', { name: '24-hour requests used' });
    expect(used.getAttribute('aria-valuenow')).toBe('15');
    cleanup();
    queryClient.clear();
    const nextRequestTime = Date.now() + 5 * HOUR_MS - 1;
    show({ [withdrawalConfig.path]: good({ ...CONFIG, requestsUsed: 20, nextRequestTime }) });
    const bars = within(await screen.findByRole('region', { name: 'Before you can withdraw' }));
    expect(bars.getByText(/You have requested 20 withdrawals within 24 hours/)).toBeDefined();
    expect(bars.getByText(/^4 hr 5[0-9] min$/)).toBeDefined();
    expect(screen.getByRole('button', { name: 'Continue' })).toHaveProperty('disabled', true);
  });

  it('WDR-032 lists obstacles before anything is typed', async () => {
    const holdUntil = Date.now() + 5 * HOUR_MS - 1;
    show({
      [userInfo.path]: good({
        ...PERSON,
        kycStatus: 0,
        assetsPwd: 0,
        holdUntil,
        holdReason: 'passwordReset',
      }),
      [withdrawalConfig.path]: good({ ...CONFIG, holdUntil, paused: 1 }),
    });
    const bars = within(await screen.findByRole('region', { name: 'Before you can withdraw' }));
    await waitFor(() => expect(bars.getAllByRole('listitem')).toHaveLength(4));
    expect(bars.getByRole('link', { name: 'Verify identity' }).getAttribute('href')).toBe('/setting/verify');
    expect(bars.getByRole('link', { name: 'Set trade password' })).toBeDefined();
    expect(bars.getByText(/because your login password was reset/)).toBeDefined();
    expect(bars.getByText(/^4 hr 5[0-9] min$/)).toBeDefined();
    expect(bars.getByText(/This network is not connected/)).toBeDefined();
    expect(screen.getByRole('button', { name: 'Continue' })).toHaveProperty('disabled', true);
  });

  it('WDR-032 promises no completion time while withdrawals of the network are paused', async () => {
    const pause = { note: 'The node is upgraded.', since: Date.now() };
    show({ [depositNetworks.path]: good({ list: [{ ...NETWORK, paused: 0, withdrawalPause: pause }] }) });
    await screen.findByText(/The node is upgraded\./);
    expect(screen.queryByText(/^Completed within 24 hours/)).toBeNull();
  });
});
