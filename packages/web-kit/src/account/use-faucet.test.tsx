import { claimFaucet, faucetState } from '@exchange/wire/account.ts';
import { DAY_MS } from '@exchange/core/time.ts';
import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { loadAllWords } from '../i18n/words.ts';
import { AccountServer } from '../market/testing/account-server.ts';
import { endSession, startSession } from '../session/session-store.ts';
import { Providers } from '../shell/providers.tsx';
import { useFaucet } from './use-faucet.ts';

const NEXT_MS = Date.now() + DAY_MS;

let server: AccountServer;

beforeAll(async () => {
  await loadAllWords();
  server = await AccountServer.start();
});
afterAll(() => server.stop());
afterEach(() => {
  cleanup();
  endSession();
  localStorage.clear();
});

/** Signs in this user and renders the hook `useFaucet`. */
function faucetOf(userId: string) {
  cleanup();
  startSession({ userId, token: 't', email: 'a@b.example' });
  return renderHook(() => useFaucet(), { wrapper: Providers }).result;
}

describe('the faucet', () => {
  it('WEB-062 is closed until the next claim, for the claiming user only', async () => {
    const credited = [{ currency: 'USDT', amount: '100' }];
    server.serve({ [claimFaucet.path]: () => ({ code: 1, data: { credited, nextTime: NEXT_MS } }) });
    const faucet = faucetOf('first');
    expect(faucet.current.nextClaimAt).toBeUndefined();
    await act(() => faucet.current.claim());
    expect(faucet.current.nextClaimAt).toBe(NEXT_MS);
    expect(faucetOf('second').current.nextClaimAt).toBeUndefined();
    expect(faucetOf('first').current.nextClaimAt).toBe(NEXT_MS);
  });

  it('WEB-062 is closed after a claim on another device', async () => {
    server.serve({ [faucetState.path]: () => ({ code: 1, data: { nextTime: NEXT_MS } }) });
    const faucet = faucetOf('third');
    await waitFor(() => expect(faucet.current.nextClaimAt).toBe(NEXT_MS));
  });

  it('WEB-062 learns from a refusal about a claim on another device', async () => {
    const data = { hours: '24', nextTime: String(NEXT_MS) };
    server.serve({ [claimFaucet.path]: () => ({ code: -1, errKey: 'l.faucet_wait', data }) });
    const faucet = faucetOf('first');
    await act(() => faucet.current.claim());
    expect(faucet.current.nextClaimAt).toBe(NEXT_MS);
  });
});
