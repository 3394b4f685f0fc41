import { depositAddress, depositCoins, depositNetworks } from '@exchange/wire/deposit.ts';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { queryClient } from '../api/query-client.ts';
import { startWords, withWords } from '../i18n/words.ts';
import { AccountServer } from '../market/testing/account-server.ts';
import { endSession, startSession } from '../session/session-store.ts';
import { Providers } from '../shell/providers.tsx';

let server: AccountServer;
beforeAll(async () => {
  await startWords();
  server = await AccountServer.start();
});
afterEach(() => {
  cleanup();
  endSession();
  queryClient.clear();
});
afterAll(() => server.stop());

const terms = (network: string, name: string, status: number) => ({
  ...{ network, name, status, minAmount: '1', fee: '1', confirmations: 12, minutes: 2 },
  ...{ memo: 0, channel: status === 1 ? 'evm' : 'none' },
});

/** The deposit screen where these networks of USDT are connected. */
async function shownWith(...open: string[]): Promise<void> {
  const networks = ['TRC20', 'ERC20'].map((code) => terms(code, `${code} name`, open.includes(code) ? 1 : 0));
  const coins = [{ currency: 'USDT', name: 'Tether', networks: ['TRC20', 'ERC20'] }];
  const ofCoin = { currency: 'USDT', network: 'ERC20', address: '0xabc', qr: '0xabc' };
  server.serve({
    [depositCoins.path]: () => ({ code: 1, data: { list: coins } }),
    [depositNetworks.path]: () => ({ code: 1, data: { list: networks } }),
    [depositAddress.path]: () => ({ code: 1, data: ofCoin }),
  });
  startSession({ userId: 'u', token: 't', email: 'a@b.example' });
  const { default: DepositPanel } = await withWords(
    import('./deposit-panel.tsx').then((part) => ({ default: part.DepositPanel })),
  );
  render(
    <Providers>
      <MemoryRouter>
        <DepositPanel look="floating" />
      </MemoryRouter>
    </Providers>,
  );
}

const CLOSED = /^This network is not connected/;
const ONLY = /^Send only USDT on ERC20 name/;

it('DEP-008 the deposit screen begins with a network that is connected, and says of another that it is closed', async () => {
  await shownWith('ERC20');
  await screen.findByText('0xab');
  screen.getByText(ONLY);
  expect(screen.queryByText(CLOSED)).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: /^TRC20/ }));
  await screen.findByText(CLOSED);
  expect(screen.queryByText('0xab')).toBeNull();
});

it('DEP-008 where nothing is connected no address is spoken of', async () => {
  await shownWith();
  await screen.findByText(CLOSED);
  expect(screen.queryByText(/^Send only/)).toBeNull();
});
