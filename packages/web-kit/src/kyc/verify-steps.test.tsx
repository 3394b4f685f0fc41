import { getVerify } from '@exchange/wire/kyc.ts';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createBrowserRouter, RouterProvider } from 'react-router';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { queryClient } from '../api/query-client.ts';
import { loadAllWords } from '../i18n/words.ts';
import { AccountServer } from '../market/testing/account-server.ts';
import { endSession, startSession } from '../session/session-store.ts';
import { Providers } from '../shell/providers.tsx';
import { windowForRouter } from '../ui/overlay-history.ts';
import { Verification } from './verification.tsx';

const LIMITS = { day: '100', month: '1000' };
const NOTHING_SENT = {
  status: 0,
  name: '',
  idCard: '',
  country: '',
  reasons: [],
  note: '',
  pretended: 0,
  photosKeptDays: 30,
  limits: LIMITS,
  verifiedLimits: LIMITS,
  level: 0,
  fields: ['country', 'name', 'idCard'],
};

let server: AccountServer;
let router: ReturnType<typeof createBrowserRouter>;
let user: ReturnType<typeof userEvent.setup>;

beforeAll(async () => {
  await loadAllWords();
  server = await AccountServer.start();
  server.serve({ [getVerify.path]: () => ({ code: 1, data: NOTHING_SENT }) });
});
beforeEach(async () => {
  user = userEvent.setup();
  startSession({ userId: 'u', token: 't', email: 'ada@example.com' });
  window.history.pushState(null, '', '/before');
  router = createBrowserRouter(
    [
      { path: '/before', element: <h1>before</h1> },
      { path: '/verify', element: <Verification /> },
      { path: '/other', element: <h1>other</h1> },
    ],
    { window: windowForRouter() },
  );
  render(
    <Providers>
      <RouterProvider router={router} />
    </Providers>,
  );
  await act(() => router.navigate('/verify'));
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
async function fillIn(): Promise<void> {
  await user.selectOptions(await screen.findByLabelText('Country or region of issue'), 'GB');
  await user.type(screen.getByLabelText('Full name'), 'Ada Lovelace');
  await user.type(screen.getByLabelText('Document number'), 'LOVE-1815-12');
  await settle();
}
const question = () => screen.findByRole('dialog', { name: 'Leave identity verification?' });
const typedName = () => screen.getByLabelText<HTMLInputElement>('Full name').value;

it('WEB-935 Back moves through the steps, asks once before input is lost, and leaves after confirmation', async () => {
  await fillIn();
  await user.click(screen.getByRole('button', { name: 'Continue' }));
  await screen.findByText('Ada Lovelace');
  await settle();
  await back();
  expect(typedName()).toBe('Ada Lovelace');

  await back();
  await question();
  expect(window.location.pathname).toBe('/verify');
  await user.click(screen.getByRole('button', { name: 'Continue verification' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await settle();
  expect(typedName()).toBe('Ada Lovelace');

  await back();
  await question();
  await user.click(screen.getByRole('button', { name: 'Discard and leave' }));
  await waitFor(() => expect(window.location.pathname).toBe('/before'));
});

it('WEB-935 a link to another screen asks for confirmation like Back', async () => {
  await fillIn();
  await act(() => router.navigate('/other'));
  await question();
  await user.click(screen.getByRole('button', { name: 'Continue verification' }));
  expect([window.location.pathname, typedName()]).toEqual(['/verify', 'Ada Lovelace']);
  await act(() => router.navigate('/other'));
  await question();
  await user.click(screen.getByRole('button', { name: 'Discard and leave' }));
  await waitFor(() => expect(window.location.pathname).toBe('/other'));
});

it('WEB-935 an untouched form is left without a question, and the end of a session is not delayed', async () => {
  await screen.findByLabelText('Full name');
  await back();
  expect(window.location.pathname).toBe('/before');
  await act(() => router.navigate('/verify'));
  await fillIn();
  act(() => endSession());
  await act(() => router.navigate('/other', { replace: true }));
  await waitFor(() => expect(window.location.pathname).toBe('/other'));
});

it('WEB-935 the browser asks before a page with unsaved input is closed', async () => {
  await screen.findByLabelText('Full name');
  const closing = () => {
    const event = new Event('beforeunload', { cancelable: true });
    window.dispatchEvent(event);
    return event.defaultPrevented;
  };
  expect(closing()).toBe(false);
  await fillIn();
  expect(closing()).toBe(true);
});
