import { queryClient } from '@exchange/web-kit/api/query-client.ts';
import { loadAllWords } from '@exchange/web-kit/i18n/words.ts';
import { AccountServer } from '@exchange/web-kit/market/testing/account-server.ts';
import { endSession, startSession } from '@exchange/web-kit/session/session-store.ts';
import { depositAddress, depositCoins, depositNetworks, depositRecords } from '@exchange/wire/deposit.ts';
import { spotAssets } from '@exchange/wire/spot.ts';
import { paths } from '@exchange/web-kit/paths.ts';
import { cleanup, screen, within } from '@testing-library/react';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { draw } from '../../testing/fixtures.tsx';
import DepositScreen from './deposit-screen.tsx';

const ADDRESS = 'rrszjWXQDQv3TfYbpKnHYXYyACuGihcnmw';
const TXID = 'ab'.repeat(32);

let server: AccountServer;
const good = (data: unknown) => () => ({ code: 1, data });
const page = (list: readonly unknown[]) => ({
  list,
  totalPage: 1,
  totalRow: list.length,
  pageNo: 1,
  pageSize: 20,
});
const NETWORK = {
  network: 'XRP',
  name: 'XRP Ledger',
  minAmount: '1',
  confirmations: 12,
  largerConfirmations: [],
  blockSeconds: 4,
  minutes: 1,
  fee: '0',
  memoNeeded: 1,
  status: 1,
  channel: 'demo',
};
const balance = (currencyName: string, name: string, availableCurrency: string, total: string) => ({
  currency: name,
  currencyName,
  logo: '',
  price: '1',
  status: 1,
  total,
  availableCurrency,
  frozenCurrency: '0',
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

function show(network: object = NETWORK) {
  server.serve({
    [depositCoins.path]: good({
      list: [
        { currency: 'ADA', name: 'Cardano', networks: ['ADA'] },
        { currency: 'XRP', name: 'XRP', networks: ['XRP'] },
      ],
    }),
    [depositNetworks.path]: good({ list: [network] }),
    [depositAddress.path]: good({ address: ADDRESS, memo: '1560046277', qr: ADDRESS }),
    [depositRecords.path]: good(
      page([
        {
          id: 'd1',
          currency: 'XRP',
          network: 'XRP',
          address: ADDRESS,
          amount: '400',
          realAmount: '0',
          fee: '0',
          txid: TXID,
          confirm: 3,
          needConfirm: 12,
          status: 0,
          gone: 0,
          belowMinimum: 0,
          minAmount: '1',
          createTime: Date.now(),
        },
      ]),
    ),
    [spotAssets.path]: good({
      ...page([balance('ADA', 'Cardano', '0', '0'), balance('XRP', 'XRP', '5150', '9000')]),
      total: '9000',
    }),
  });
  startSession({ userId: 'u', token: 't', email: 'a@b.example' });
  return draw(<DepositScreen />, `${paths.deposit}?coin=XRP`);
}

describe('a deposit on the desktop', () => {
  it('DEP-002 DEP-007 shows the accepted coin above the address, in groups of four, with its memo', async () => {
    const user = show();
    const card = await screen.findByRole('button', { name: /^XRP/, pressed: true });
    expect(card.textContent).toMatch(/Minimum1.*≈ 1 min.*Confirmations12/);
    const panel = await screen.findByRole('region', { name: 'Deposit address' });
    const qrCode = { name: 'QR code of your XRP address on XRP Ledger' };
    expect(within(panel).queryByRole('img', qrCode)).toBeNull();
    await user.click(within(panel).getByRole('checkbox'));
    const only = within(panel).getByText(/^Send only XRP on XRP Ledger to this address/);
    const groups = within(panel).getByText('rrsz').parentElement!;
    expect(groups.textContent).toBe(ADDRESS);
    expect([...groups.children].map((group) => group.textContent?.length)).toEqual([
      4, 4, 4, 4, 4, 4, 4, 2, 4,
    ]);
    expect(only.compareDocumentPosition(groups) & Node.DOCUMENT_POSITION_FOLLOWING).not.toBe(0);
    expect(within(panel).getByRole('img', qrCode)).toBeDefined();
    expect(within(panel).getByText('1560046277')).toBeDefined();
    expect(within(panel).getByText(/Without the memo your deposit cannot be credited/)).toBeDefined();
  });

  it('DEP-002 shows no address for a network without a connection, and says so on its card', async () => {
    show({ ...NETWORK, status: 0, channel: 'none' });
    const card = await screen.findByRole('button', { name: /^XRP/, pressed: true });
    expect(card.textContent).toMatch(/Not connected/);
    expect(screen.queryByRole('region', { name: 'Deposit address' })).toBeNull();
    expect(screen.queryByRole('region', { name: 'Test deposit' })).toBeNull();
  });

  it('WEB-301 WEB-302 lists coins that the user holds first, and shortens long ids that are copied completely', async () => {
    const user = show();
    const code = await screen.findByTitle(TXID);
    expect(code.textContent).toBe('abababab…abababab');
    await user.click(screen.getByRole('button', { name: 'Copy transaction ID' }));
    expect(await navigator.clipboard.readText()).toBe(TXID);
    await user.click(await screen.findByRole('button', { name: /^Coin: XRP/ }));
    const [firstOption, secondOption] = await screen.findAllByRole('option');
    expect(firstOption!.textContent).toMatch(/^XRP.*5,150$/);
    expect(secondOption!.textContent).toMatch(/^ADACardano.*0$/);
  });
});
