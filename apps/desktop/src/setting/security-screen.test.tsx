import { DAY_MS } from '@exchange/core/time.ts';
import { formatTime } from '@exchange/web-kit/format/format.ts';
import { startSession } from '@exchange/web-kit/session/session-store.ts';
import { userInfo } from '@exchange/wire/user.ts';
import { API_KEYS_HELP, paths } from '@exchange/web-kit/paths.ts';
import { screen, waitFor, within } from '@testing-library/react';
import { useLocation } from 'react-router';
import { expect, it } from 'vitest';
import { draw, setUpFixtures } from '../../testing/fixtures.tsx';
import SecurityScreen from './security-screen.tsx';

const fixtures = setUpFixtures();
const UNPROTECTED = {
  nickname: '',
  icon: '',
  remark: '',
  antiPhishing: '',
  googleBind: 0,
  passkeys: 0,
  recoveryLeft: 0,
  whitelist: 0,
  security: 1,
};

const INFO = {
  email: 'a@b.example',
  uid: '1',
  securityLevel: 'low',
  activity: 'normal',
  invitationCode: 'X',
  assetsPwd: 0,
  isReal: 0,
  holdUntil: 0,
  holdReason: '',
  ...UNPROTECTED,
};

function Address() {
  return <output>{useLocation().pathname}</output>;
}

it('WEB-1066 the address of API keys opens them, and closing them leads to the security centre', async () => {
  startSession({ userId: 'u', token: 't', email: 'a@b.example' });
  fixtures.answers(({ path }) => (path.endsWith(userInfo.path) ? INFO : { list: [] }));
  const user = draw(
    <>
      <SecurityScreen />
      <Address />
    </>,
    paths.apiKeys,
  );
  const dialog = await screen.findByRole('dialog', { name: 'API keys' });
  await within(dialog).findByText(/^No API keys yet/);
  expect(within(dialog).getByRole('link', { name: 'How to connect a program' }).getAttribute('href')).toBe(
    API_KEYS_HELP,
  );
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(document.querySelector('output')?.textContent).toBe(paths.security);
});

it('DESK-162 states the end and the reason of a withdrawal hold in one sentence', async () => {
  const holdUntil = Date.now() + DAY_MS;
  startSession({ userId: 'u', token: 't', email: 'a@b.example' });
  fixtures.answers(({ path }) =>
    path.endsWith(userInfo.path) ? { ...INFO, holdUntil, holdReason: 'tradePasswordReset' } : { list: [] },
  );
  draw(<SecurityScreen />);
  const holdEnd = formatTime(holdUntil, 'en-US');
  expect(
    await screen.findByText(
      `Withdrawals are on hold until ${holdEnd}, because your trade password was reset.`,
    ),
  ).toBeTruthy();
});
