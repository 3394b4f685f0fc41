import { apiKeys } from '@exchange/wire/api-key.ts';
import { spotAssets } from '@exchange/wire/spot.ts';
import {
  archiveSubAccount,
  createSubAccount,
  subAccounts,
  subAccountTransfers,
  transferSubAccount,
} from '@exchange/wire/sub-account.ts';
import { userInfo } from '@exchange/wire/user.ts';
import { cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { queryClient } from '../api/query-client.ts';
import { loadAllWords } from '../i18n/words.ts';
import { AccountServer } from '../market/testing/account-server.ts';
import { endSession, startSession } from '../session/session-store.ts';
import { Providers } from '../shell/providers.tsx';
import { Dialog } from '../ui/overlay.tsx';
import SubAccounts from './sub-accounts.tsx';

const GRID = {
  id: '0190a000-0000-7000-8000-000000000001',
  uid: '12345678',
  name: 'Grid',
  note: 'BTC bot',
  createTime: 1,
  archiveTime: 0,
  total: '600.5',
  balances: [{ currency: 'USDT', available: '500.5', frozen: '100', worth: '600.5' }],
};
const OLD = {
  ...GRID,
  id: '0190a000-0000-7000-8000-000000000002',
  name: 'Old',
  archiveTime: 5,
  total: '0',
  balances: [],
};
let server: AccountServer;
let list: readonly object[] = [];
let demoTradePassword: string | undefined;

beforeAll(async () => {
  await loadAllWords();
  server = await AccountServer.start();
});
beforeEach(() => {
  list = [GRID, OLD];
  demoTradePassword = undefined;
  const balance = {
    currency: 'Tether',
    currencyName: 'USDT',
    availableCurrency: '1000',
    frozenCurrency: '0',
  };
  server.serve({
    [userInfo.path]: () => ({
      code: 1,
      data: { email: 'ada@example.com', demoTradePassword, lang: 'en-US' },
    }),
    [spotAssets.path]: () => ({ code: 1, data: { list: [balance], total: '1000' } }),
    [subAccounts.path]: () => ({ code: 1, data: { list, total: '600.5', most: 20 } }),
    [createSubAccount.path]: () => ({ code: 1, data: { id: GRID.id, uid: GRID.uid } }),
    [archiveSubAccount.path]: () => ({
      code: -1,
      msg: 'It still holds coins.',
      errKey: 'l.sub_account_not_empty',
      data: {},
    }),
    [transferSubAccount.path]: () => ({ code: 1, data: {} }),
    [apiKeys.path]: () => ({ code: 1, data: { list: [] } }),
    [subAccountTransfers.path]: () => ({
      code: 1,
      data: {
        list: [
          {
            id: 'x',
            number: 1,
            from: '',
            to: GRID.id,
            currency: 'USDT',
            amount: '25',
            time: 1_700_000_000_000,
          },
        ],
        totalRow: 1,
        sum: 1,
        pageNo: 1,
        pageSize: 10,
      },
    }),
  });
  startSession({ userId: 'u', token: 't', email: 'ada@example.com' });
});
afterEach(() => {
  cleanup();
  endSession();
  queryClient.clear();
});
afterAll(() => server.stop());

function open(): void {
  render(
    <Providers>
      <MemoryRouter>
        <SubAccounts Frame={Dialog} />
      </MemoryRouter>
    </Providers>,
  );
}

function sentTo(path: string): Record<string, string> {
  const request = server.received.findLast((received) => received.path === path);
  return Object.fromEntries(request?.form ?? []);
}

it('SUBA-040 the page shows sub-accounts with balances, creates one, and lists archived ones apart', async () => {
  const user = userEvent.setup();
  open();
  await screen.findByRole('heading', { name: 'Grid' });
  screen.getByText(/BTC bot/);
  screen.getByText('1 of 20 in use');
  screen.getByText('Archived (1)');
  await user.click(screen.getByRole('button', { name: 'Create sub-account' }));
  const dialog = await screen.findByRole('dialog');
  await user.click(within(dialog).getByRole('button', { name: 'Create sub-account' }));
  expect(server.received.some(({ path }) => path === createSubAccount.path)).toBe(false);
  await user.type(within(dialog).getByLabelText('Name'), ' Momentum ');
  await user.click(within(dialog).getByRole('button', { name: 'Create sub-account' }));
  await screen.findByText('Sub-account created');
  expect(sentTo(createSubAccount.path)).toMatchObject({ name: 'Momentum' });
});

it('SUBA-040 a transfer names both accounts, shows what is available on either side, and refuses more', async () => {
  const user = userEvent.setup();
  open();
  await user.click(await screen.findByRole('button', { name: 'Transfer: Grid' }));
  const dialog = await screen.findByRole('dialog');
  await within(dialog).findByText(/1,000/);
  await user.type(within(dialog).getByLabelText('Amount'), '2000');
  await within(dialog).findByText('More than is available in this account');
  await user.click(within(dialog).getByRole('button', { name: 'Swap accounts' }));
  await user.clear(within(dialog).getByLabelText('Amount'));
  await user.type(within(dialog).getByLabelText('Amount'), '500');
  await user.click(within(dialog).getByRole('button', { name: 'Transfer' }));
  await screen.findByText('Transferred');
  const sent = sentTo(transferSubAccount.path);
  expect(sent).toMatchObject({ from: GRID.id, coin: 'USDT', amount: '500' });
  expect(sent['to']).toBeUndefined();
  await user.click(screen.getByRole('button', { name: 'Transfer history' }));
  await screen.findByText('Main account → Grid');
});

it('SUBA-040 keys are those of the sub-account, an account with coins says what to do before, and a shared account only transfers', async () => {
  const user = userEvent.setup();
  open();
  await user.click(await screen.findByRole('button', { name: 'API keys: Grid' }));
  await screen.findByText('API keys: Grid');
  await screen.findByText('No API keys yet. Create one to connect a trading program.');
  expect(sentTo(apiKeys.path)).toMatchObject({ subAccount: GRID.id });
  await user.click(screen.getByRole('button', { name: 'Create API key' }));
  expect(screen.queryByLabelText('May transfer between your accounts')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Close' }));
  await user.click(screen.getByRole('button', { name: 'Archive: Grid' }));
  const dialog = await screen.findByRole('dialog');
  within(dialog).getByText('Transfer all its coins first.');
  await user.click(within(dialog).getByRole('button', { name: 'Archive' }));
  await within(dialog).findByText('It still holds coins.');
  cleanup();
  queryClient.clear();
  demoTradePassword = '258036';
  open();
  await screen.findByText(/Everyone who visits this demo/);
  expect(screen.queryByRole('button', { name: 'API keys: Grid' })).toBeNull();
  expect(screen.getByRole('button', { name: 'Create sub-account' }).hasAttribute('disabled')).toBe(true);
});
