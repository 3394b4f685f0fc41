import { loadAllWords } from '@exchange/web-kit/i18n/words.ts';
import { endSession, startSession } from '@exchange/web-kit/session/session-store.ts';
import { Providers } from '@exchange/web-kit/shell/providers.tsx';
import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { AppShell } from './app-shell.tsx';

beforeAll(() => loadAllWords());
afterEach(() => {
  cleanup();
  endSession();
});

it('WEB-925 discards input when another tab signs in a different user', async () => {
  const signInAs = (userId: string) => startSession({ userId, token: userId, email: 'trader@example.com' });
  signInAs('u');
  const children = [{ path: '*', element: <input aria-label="Amount" /> }];
  const router = createMemoryRouter([{ element: <AppShell />, children }], { initialEntries: ['/trade'] });
  render(
    <Providers>
      <RouterProvider router={router} />
    </Providers>,
  );
  await userEvent.setup().type(screen.getByLabelText('Amount'), '12');
  act(() => signInAs('v'));
  expect(screen.getByLabelText<HTMLInputElement>('Amount').value).toBe('');
  expect(screen.getByText(/Another account is now signed in/)).toBeTruthy();
});
