import { queryClient } from '@exchange/web-kit/api/query-client.ts';
import { loadAllWords } from '@exchange/web-kit/i18n/words.ts';
import { AccountServer } from '@exchange/web-kit/market/testing/account-server.ts';
import { endSession, startSession } from '@exchange/web-kit/session/session-store.ts';
import { sendEmailCode, userInfo } from '@exchange/wire/user.ts';
import { addressList, removeAddress } from '@exchange/wire/withdrawal.ts';
import { paths } from '@exchange/web-kit/paths.ts';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { draw } from '../../testing/fixtures.tsx';
import AddressScreen from './address-screen.tsx';

const HOUR_MS = 3_600_000;
const USED = Date.UTC(2026, 4, 6, 12);

let server: AccountServer;
const good = (data: unknown) => () => ({ code: 1, data });
const row = (id: string, remark: string, more: object) => ({
  id,
  currency: 'USDT',
  network: 'TRC20',
  address: `TR7NHqjeKQxGTCi8q8ZY4pL8otSzgj${id}`,
  remark,
  activeTime: 0,
  createTime: 0,
  ...more,
});

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

it('ADDR-005 the address book is a table of the account with the wait and the last use of each, and removes one by password and mailed code', async () => {
  const list = [
    row('a', 'Cold wallet', { lastTime: USED }),
    row('b', 'New phone', { activeTime: Date.now() + 5 * HOUR_MS - 1 }),
  ];
  server.serve({
    [addressList.path]: good({
      list,
      totalPage: 1,
      totalRow: 2,
      pageNo: 1,
      pageSize: 100,
      whitelistOnly: 0,
      most: 50,
    }),
    [userInfo.path]: good({ email: 'a@b.example', uid: '1' }),
    [sendEmailCode.path]: good({ wait: 60 }),
    [removeAddress.path]: good({}),
  });
  startSession({ userId: 'u', token: 't', email: 'a@b.example' });
  const user = draw(<AddressScreen />, paths.address);
  const table = within(await screen.findByRole('table', { name: 'Address book' }));
  const activeLink = within(screen.getByRole('navigation')).getByRole('link', { name: 'Address book' });
  expect(activeLink.getAttribute('aria-current')).toBe('page');
  const used = table.getByRole('row', { name: /^Cold wallet/ });
  expect(within(used).getByText('05/06/2026')).toBeDefined();
  expect(within(used).getByText('Usable')).toBeDefined();
  const pendingRow = within(table.getByRole('row', { name: /^New phone/ }));
  expect(pendingRow.getByText(/^4 hr 5[0-9] min$/)).toBeDefined();
  await user.click(pendingRow.getByRole('button', { name: 'Remove' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Remove address' }));
  await user.type(dialog.getByLabelText('Trade password'), '258036');
  await user.click(dialog.getByRole('button', { name: 'Send code' }));
  await user.type(dialog.getByLabelText('Email code'), '123456');
  await user.click(dialog.getByRole('button', { name: 'Remove' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const [removed] = server.received.filter(({ path }) => path === removeAddress.path);
  expect(Object.fromEntries(removed!.form)).toMatchObject({ id: 'b', assetsPwd: '258036', code: '123456' });
  const [codeRequest] = server.received.filter(({ path }) => path === sendEmailCode.path);
  expect(Object.fromEntries(codeRequest!.form)).toMatchObject({
    email: 'a@b.example',
    type: '5',
    act: removeAddress.path,
    about: 'id=b',
  });
});
