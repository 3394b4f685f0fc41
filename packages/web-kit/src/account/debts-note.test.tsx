import { debts } from '@exchange/wire/treasury.ts';
import { cleanup, render, screen } from '@testing-library/react';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { queryClient } from '../api/query-client.ts';
import { loadAllWords } from '../i18n/words.ts';
import { AccountServer } from '../market/testing/account-server.ts';
import { endSession, startSession } from '../session/session-store.ts';
import { Providers } from '../shell/providers.tsx';
import { DebtsNote } from './debts-note.tsx';

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

/** Signs in a user who owes these debts, and renders the note about them. */
function showDebts(list: readonly object[]): void {
  const page = { list, totalRow: list.length, sum: list.length, pageNo: 1, pageSize: 20 };
  server.serve({ [debts.path]: () => ({ code: 1, data: page }) });
  startSession({ userId: 'u', token: 't', email: 'a@b.example' });
  render(
    <Providers>
      <DebtsNote />
    </Providers>,
  );
}

it('TRE-025 an open debt is shown with its amount, its reason and from what it will be paid', async () => {
  const debt = {
    id: 'd',
    currency: 'USDT',
    amount: '1500',
    paid: '300',
    remaining: '1200',
    cause: 'deposit',
    status: 'open',
    createTime: 1,
  };
  showDebts([debt]);
  const note = await screen.findByRole('note');
  expect(note.textContent?.replaceAll('\u00A0', ' ')).toContain('1,200.00 USDT of 1,500.00 USDT');
  expect(note.textContent).toContain('The network removed a deposit');
  expect(note.textContent).toContain('Your next deposits');
});
