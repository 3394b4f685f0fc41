import { renewRecovery } from '@exchange/wire/user.ts';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createBrowserRouter, RouterProvider } from 'react-router';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { queryClient } from '../api/query-client.ts';
import { loadAllWords } from '../i18n/words.ts';
import { AccountServer } from '../market/testing/account-server.ts';
import { endSession, startSession } from '../session/session-store.ts';
import { Providers } from '../shell/providers.tsx';
import { windowForRouter } from '../ui/overlay-history.ts';
import { Dialog } from '../ui/overlay.tsx';
import type { UserInfo } from './queries.ts';
import SecurityPanel from './security-panel.tsx';

const CODES = ['aaaa-bbbb', 'cccc-dddd'];
const INFO = { email: 'ada@example.com', googleBind: 1, recoveryLeft: 1 } as unknown as UserInfo;
const onClose = vi.fn<() => void>();
let server: AccountServer;
let router: ReturnType<typeof createBrowserRouter>;
let user: ReturnType<typeof userEvent.setup>;

beforeAll(async () => {
  await loadAllWords();
  server = await AccountServer.start();
  server.serve({ [renewRecovery.path]: () => ({ code: 1, data: { recovery: CODES } }) });
});
beforeEach(async () => {
  user = userEvent.setup();
  onClose.mockClear();
  startSession({ userId: 'u', token: 't', email: 'ada@example.com' });
  window.history.pushState(null, '', '/security');
  router = createBrowserRouter(
    [
      {
        path: '/security',
        element: (
          <SecurityPanel deed="recovery" info={INFO} Frame={Dialog} loginPath="/login" onClose={onClose} />
        ),
      },
    ],
    { window: windowForRouter() },
  );
  render(
    <Providers>
      <RouterProvider router={router} />
    </Providers>,
  );
  await user.type(await screen.findByLabelText('Email code'), '123456');
  await user.click(screen.getByRole('button', { name: 'Get new codes' }));
  await screen.findByText(CODES[0]!);
  await settle();
});
afterEach(() => {
  cleanup();
  router.dispose();
  endSession();
  queryClient.clear();
});
afterAll(() => server.stop());

const settle = () => act(() => new Promise((resolve) => setTimeout(resolve, 20)));
async function back(): Promise<void> {
  await act(async () => window.history.back());
  await settle();
}
const question = () => screen.findByRole('dialog', { name: 'Close without saving the recovery codes?' });

it('WEB-935 Back and Escape ask before unsaved recovery codes are closed', async () => {
  await back();
  await question();
  expect(onClose).not.toHaveBeenCalled();
  await user.click(screen.getByRole('button', { name: 'Back to the codes' }));
  await waitFor(() => expect(screen.getAllByRole('dialog')).toHaveLength(1));
  await settle();
  expect(screen.getByText(CODES[1]!)).toBeTruthy();
  await back();
  await question();
  await user.click(screen.getByRole('button', { name: 'Close anyway' }));
  expect(onClose).toHaveBeenCalledTimes(1);
});

it('WEB-935 asks nothing once the codes are confirmed as saved', async () => {
  await user.click(screen.getByLabelText('I have saved my recovery codes'));
  await settle();
  await back();
  expect(onClose).toHaveBeenCalledTimes(1);
});
