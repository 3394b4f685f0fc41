import { coinListing } from '@exchange/wire/coin-info.ts';
import { spotBasics } from '@exchange/wire/spot.ts';
import { depositAddress, depositCoins, depositNetworks } from '@exchange/wire/deposit.ts';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { queryClient } from '../api/query-client.ts';
import { loadAllWords, withWords } from '../i18n/words.ts';
import { AccountServer } from '../market/testing/account-server.ts';
import { endSession, startSession } from '../session/session-store.ts';
import { Providers } from '../shell/providers.tsx';

let server: AccountServer;
let isPaused = false;
let depositPause: object | undefined;
let memo: string | undefined;
beforeAll(async () => {
  await loadAllWords();
  server = await AccountServer.start();
});
afterEach(() => {
  isPaused = false;
  depositPause = undefined;
  memo = undefined;
  cleanup();
  endSession();
  queryClient.clear();
});
afterAll(() => server.stop());

const terms = (network: string, name: string, status: number) => ({
  paused: status === 1 && isPaused ? 1 : 0,
  network,
  name,
  status,
  minAmount: '1',
  fee: '1',
  confirmations: 12,
  largerConfirmations: network === 'ERC20' ? [{ from: '500', confirmations: 40 }] : [],
  minutes: 2,
  memoNeeded: memo === undefined ? 0 : 1,
  depositPause: network === 'ERC20' ? depositPause : undefined,
  channel: status === 1 ? 'evm' : 'none',
});

const WAYS = {
  trade: ({ base, quote }: { readonly base: string; readonly quote: string }) => `/trade/${base}_${quote}`,
  commitments: '/subscribe/record',
};

/** Renders the deposit screen for USDT with two networks, of which those in `open` can receive deposits. */
async function shownWith(...open: string[]): Promise<void> {
  const networks = ['TRC20', 'ERC20'].map((code) => terms(code, `${code} name`, open.includes(code) ? 1 : 0));
  const coins = [{ currency: 'USDT', name: 'Tether', networks: ['TRC20', 'ERC20'] }];
  const ofCoin = { currency: 'USDT', network: 'ERC20', address: '0xabc', qr: '0xabc', memo };
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
        <DepositPanel look="floating" ways={WAYS} />
      </MemoryRouter>
    </Providers>,
  );
}

const CLOSED = /^This network is not connected/;
const ONLY = /^Send only USDT on ERC20 name/;

it('DEP-008 UTXO-033 the deposit screen selects a connected network, with its confirmations by amount, and marks others as closed', async () => {
  await shownWith('ERC20');
  await screen.findByText('0xab');
  screen.getByText(ONLY);
  expect(screen.getByText(/^From 500\sUSDT$/).parentElement!.textContent).toMatch(/USDT40$/);
  expect(screen.queryByText(CLOSED)).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: /^TRC20/ }));
  await screen.findByText(CLOSED);
  expect(screen.queryByText('0xab')).toBeNull();
});

it('DEP-008 mentions no address when no network is connected', async () => {
  await shownWith();
  await screen.findByText(CLOSED);
  expect(screen.queryByText(/^Send only/)).toBeNull();
});

/**
 * Renders the deposit or withdrawal screen as opened by a link that names a coin; the mock server would return a
 * deposit address for any coin.
 */
async function openedWith(direction: 'deposit' | 'withdrawal', coin: string, listing: object): Promise<void> {
  const coins = [{ currency: 'USDT', name: 'Tether', networks: ['ERC20'] }];
  server.serve({
    [depositCoins.path]: () => ({ code: 1, data: { list: coins } }),
    [depositNetworks.path]: () => ({ code: 1, data: { list: [terms('ERC20', 'ERC20 name', 1)] } }),
    [depositAddress.path]: () => ({
      code: 1,
      data: { currency: 'USDT', network: 'ERC20', address: '0xabc', qr: '0xabc' },
    }),
    [coinListing.path]: () => listing as { code: number },
    [spotBasics.path]: () => ({ code: 1, data: [] }),
  });
  startSession({ userId: 'u', token: 't', email: 'a@b.example' });
  const { default: Panel } = await withWords(
    direction === 'deposit'
      ? import('./deposit-panel.tsx').then((part) => ({
          default: () => <part.DepositPanel first={coin} look="floating" ways={WAYS} />,
        }))
      : import('./withdraw-panel.tsx').then((part) => ({
          default: () => (
            <part.WithdrawPanel
              first={coin}
              look="floating"
              ways={WAYS}
              bars={[]}
              timesPath="/times"
              person={{ email: 'a@b.example', demoPassword: undefined }}
            />
          ),
        })),
  );
  render(
    <Providers>
      <MemoryRouter>
        <Panel />
      </MemoryRouter>
    </Providers>,
  );
}

const issued = (listTime: number) => ({
  code: 1,
  data: { coin: 'ORCH', name: 'Orchard', networks: [], pairs: [], issued: 1, listTime },
});

it.each(['deposit', 'withdrawal'] as const)(
  'WEB-963 a link to the %s of a coin without a network explains this and shows no data of another coin',
  async (direction) => {
    await openedWith(direction, 'orch', issued(4_000_000_000_000));
    await screen.findByText(
      direction === 'deposit' ? 'ORCH cannot be deposited' : 'ORCH cannot be withdrawn',
    );
    screen.getByText(/Trading begins:/);
    expect(screen.getByRole('link', { name: 'See my launchpad tokens' }).getAttribute('href')).toBe(
      WAYS.commitments,
    );
    expect(screen.queryByText(/USDT/)).toBeNull();
    expect(screen.queryByText('0xab')).toBeNull();
    const paths = server.received.map(({ path }) => path);
    expect(paths).not.toContain(depositAddress.path);
    expect(paths).not.toContain(depositNetworks.path);
  },
);

it('WEB-963 announces a past listing date without a pair, without claiming that trading began', async () => {
  await openedWith('deposit', 'ORCH', issued(1_000));
  await screen.findByText(/The start of trading will be announced/);
  expect(screen.queryByText(/Trading begins/)).toBeNull();
});

it('WEB-963 names an unknown coin as unknown', async () => {
  await openedWith('deposit', 'XYZ', { code: -1, msg: 'no', errKey: 'l.field_choice' });
  await screen.findByText('XYZ is not listed on this exchange.');
  expect(screen.queryByText('0xab')).toBeNull();
});

it('TRE-032 a paused coin says what waits', async () => {
  isPaused = true;
  await shownWith('ERC20');
  expect(await screen.findByText(/Sending of USDT is paused/)).toBeTruthy();
});

it('NET-015 a paused network says why and until when, and shows no address', async () => {
  depositPause = { note: 'The node is upgraded.', since: 1, expectedTime: 4_000_000_000_000 };
  await shownWith('ERC20', 'TRC20');
  await userEvent.click(await screen.findByRole('button', { name: /^ERC20.*Paused/ }));
  expect(await screen.findByText(/Deposits on ERC20 name are paused/)).toBeTruthy();
  expect(screen.getByText(/The node is upgraded.*Expected again/).querySelector('time')).not.toBeNull();
  expect(screen.queryByText('0xab')).toBeNull();
});

it('NET-016 an address with a memo is shown when the user has confirmed to enter the memo', async () => {
  memo = '4711';
  await shownWith('ERC20');
  const confirmation = await screen.findByRole('checkbox', { name: /^I will enter the memo/ });
  expect(screen.getByText('0xab').closest('[hidden]')).not.toBeNull();
  screen.getByText('4711');
  await userEvent.click(confirmation);
  expect(screen.getByText('0xab').closest('[hidden]')).toBeNull();
});
