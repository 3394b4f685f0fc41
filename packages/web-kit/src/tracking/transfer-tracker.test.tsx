import { trackTransfers } from '@exchange/wire/tracking.ts';
import { cleanup, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { queryClient } from '../api/query-client.ts';
import { loadAllWords, withWords } from '../i18n/words.ts';
import { AccountServer } from '../market/testing/account-server.ts';
import { endSession, startSession } from '../session/session-store.ts';
import { Providers } from '../shell/providers.tsx';

let server: AccountServer;
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

const withdrawal = (id: string, confirm: number) => ({
  id,
  kind: 'withdrawal',
  currency: 'ETH',
  network: 'ERC20',
  amount: '1',
  stage: 'confirming',
  handler: 'network',
  confirm,
  needConfirm: 3,
  late: 0,
  createTime: 1_795_972_125_000,
});

const EXPLORER = 'https://explorer.test/tx/0xb';
const PAYMENT = { txid: '0xb', explorer: EXPLORER };

it('OPS-1165 a payment that waits for its first confirmation is in no block, and a confirmed one is', async () => {
  server.serve({
    [trackTransfers.path]: () => ({
      code: 1,
      data: { list: [withdrawal('a', 0), { ...withdrawal('b', 1), ...PAYMENT }] },
    }),
  });
  startSession({ userId: 'u', token: 't', email: 'a@b.example' });
  const { default: Tracker } = await withWords(
    import('./transfer-tracker.tsx').then((part) => ({
      default: () => <part.TransferTracker ways={{ contact: '/contact', deposit: '/deposit' }} />,
    })),
  );
  render(
    <Providers>
      <MemoryRouter>
        <Tracker />
      </MemoryRouter>
    </Providers>,
  );
  await screen.findAllByRole('article');
  const [waiting, mined] = screen.getAllByRole('article');
  expect(waiting!.textContent).toContain('waits to be included in a block');
  expect(mined!.textContent).toContain('is in a block and collects confirmations');
  expect(mined!.textContent).not.toContain('waits to be included');
  const link = screen.getByRole('link', { name: 'View on the block explorer' });
  expect(link.getAttribute('href')).toBe(EXPLORER);
  expect(mined!.contains(link)).toBe(true);
});
