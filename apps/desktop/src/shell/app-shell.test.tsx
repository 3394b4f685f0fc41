import { currentLocale, setLocale } from '@exchange/web-kit/i18n/words.ts';
import { startSession } from '@exchange/web-kit/session/session-store.ts';
import { act, screen, waitFor } from '@testing-library/react';
import { Route, Routes } from 'react-router';
import { afterEach, expect, it } from 'vitest';
import { draw, setUpFixtures } from '../../testing/fixtures.tsx';
import { AppShell } from './app-shell.tsx';

const { answers, received } = setUpFixtures();
const INFO = { purchase: '0', lang: 'ko-KR', email: 'trader@example.com', googleBind: 0 };

afterEach(() => setLocale('en-US'));

it('WEB-331 loads the user after signing in on any screen, with language and purchase flag', async () => {
  localStorage.clear();
  answers(({ path }) => (path.endsWith('/user/info') ? INFO : {}));
  draw(<AppShell />, '/about/us');
  expect(received.filter(({ path }) => path.endsWith('/user/info'))).toEqual([]);
  startSession({ userId: 'u', token: 't', email: 'trader@example.com' });
  expect(localStorage.getItem('User-Purchase')).toBe('1');
  await waitFor(() => expect(currentLocale()).toBe('ko-KR'));
  expect([localStorage.getItem('User-Lang'), localStorage.getItem('User-Purchase')]).toEqual(['ko-KR', '0']);
});

it('WEB-925 discards input when another tab signs in a different user', async () => {
  const signInAs = (userId: string) => startSession({ userId, token: userId, email: 'trader@example.com' });
  signInAs('u');
  const user = draw(
    <Routes>
      <Route element={<AppShell />}>
        <Route path="*" element={<input aria-label="Amount" />} />
      </Route>
    </Routes>,
    '/about/us',
  );
  await user.type(screen.getByLabelText('Amount'), '12');
  act(() => signInAs('v'));
  expect(screen.getByLabelText<HTMLInputElement>('Amount').value).toBe('');
  expect(screen.getByText(/Another account is now signed in/)).toBeTruthy();
});
