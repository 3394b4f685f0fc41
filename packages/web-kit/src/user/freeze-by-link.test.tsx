import { freezeByLink, userInfo } from '@exchange/wire/user.ts';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { queryClient } from '../api/query-client.ts';
import { loadAllWords } from '../i18n/words.ts';
import { AccountServer } from '../market/testing/account-server.ts';
import { endSession, signedIn, startSession } from '../session/session-store.ts';
import { Providers } from '../shell/providers.tsx';
import { FreezeByLink } from './freeze-by-link.tsx';

const ENDED = { code: -2, msg: 'The session has ended' };
const CONTINUES = { code: 1, data: { email: 'ada@example.com' } };
let server: AccountServer;
let frozen: string[];
let answersInfo: { readonly code: number };
let requestsOfInfo: number;

beforeAll(async () => {
  await loadAllWords();
  server = await AccountServer.start();
  server.serve({
    [freezeByLink.path]: (form) => {
      frozen.push(form.get('token') ?? '');
      return { code: 1, data: {} };
    },
    [userInfo.path]: () => {
      requestsOfInfo += 1;
      return answersInfo;
    },
  });
});
beforeEach(() => {
  frozen = [];
  requestsOfInfo = 0;
});
afterEach(() => {
  cleanup();
  endSession();
  queryClient.clear();
});
afterAll(() => server.stop());

async function freezeWithLink() {
  const router = createMemoryRouter([{ path: '/freeze', element: <FreezeByLink /> }], {
    initialEntries: ['/freeze?token=of-a-mail'],
  });
  render(
    <Providers>
      <RouterProvider router={router} />
    </Providers>,
  );
  await userEvent.setup().click(await screen.findByRole('button', { name: 'Freeze account' }));
  await screen.findByRole('status');
  expect(frozen).toEqual(['of-a-mail']);
}

describe('the page of a freeze link', () => {
  it('SEC-012 leaves another account signed in', async () => {
    answersInfo = CONTINUES;
    startSession({ userId: 'other', token: 't', email: 'ada@example.com' });
    await freezeWithLink();
    await waitFor(() => expect(requestsOfInfo).toBe(1));
    expect(signedIn()).toBe(true);
  });

  it('SEC-012 ends the session of the frozen account on this device', async () => {
    answersInfo = ENDED;
    startSession({ userId: 'frozen', token: 't', email: 'ada@example.com' });
    await freezeWithLink();
    await waitFor(() => expect(signedIn()).toBe(false));
  });

  it('SEC-012 freezes without a session', async () => {
    await freezeWithLink();
    expect(requestsOfInfo).toBe(0);
  });
});
