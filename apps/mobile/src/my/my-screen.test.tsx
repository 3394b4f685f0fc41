import { queryClient } from '@exchange/web-kit/api/query-client.ts';
import { startWords } from '@exchange/web-kit/i18n/words.ts';
import { AccountServer } from '@exchange/web-kit/market/testing/account-server.ts';
import { endSession, startSession } from '@exchange/web-kit/session/session-store.ts';
import { Providers } from '@exchange/web-kit/shell/providers.tsx';
import { updateProfile, userInfo } from '@exchange/wire/user.ts';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import MyScreen from './my-screen.tsx';

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

it('MOB-173 messages about fills of open orders are switched off and on here, as the account keeps it', async () => {
  let notifyFills = 1;
  let isRefused = false;
  let refused = 0;
  server.serve({
    [userInfo.path]: () => ({
      code: 1,
      data: {
        ...{ email: 'a@b.example', uid: '1', securityLevel: 'low', kycStatus: 0, purchase: '1' },
        notifyFills,
      },
    }),
    [updateProfile.path]: (form) => {
      if (isRefused) {
        refused += 1;
        return { code: 0, msg: 'Not now' };
      }
      notifyFills = Number(form.get('notifyFills'));
      return { code: 1, data: {} };
    },
  });
  startSession({ userId: 'u', token: 't', email: 'a@b.example' });
  render(
    <Providers>
      <MemoryRouter>
        <MyScreen />
      </MemoryRouter>
    </Providers>,
  );
  const look = () => screen.getByRole<HTMLInputElement>('switch', { name: 'Order fill messages' });
  await screen.findByRole('switch', { name: 'Order fill messages' });
  expect(look().checked).toBe(true);
  await userEvent.click(look());
  await waitFor(() => expect([notifyFills, look().checked, look().disabled]).toEqual([0, false, false]));
  await userEvent.click(look());
  await waitFor(() => expect([notifyFills, look().checked, look().disabled]).toEqual([1, true, false]));
  // What did not come through is shown as it is.
  isRefused = true;
  await userEvent.click(look());
  await waitFor(() => expect(refused).toBe(1));
  await waitFor(() => expect([notifyFills, look().checked, look().disabled]).toEqual([1, true, false]));
});
