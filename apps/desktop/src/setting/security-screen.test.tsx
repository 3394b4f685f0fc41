import { DAY_MS } from '@exchange/core/time.ts';
import { formatTime } from '@exchange/web-kit/format/format.ts';
import { startSession } from '@exchange/web-kit/session/session-store.ts';
import { userInfo } from '@exchange/wire/user.ts';
import { screen } from '@testing-library/react';
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
  recoveryLeft: 0,
  whitelist: 0,
  security: 1,
};

it('DESK-162 states the end and the reason of a withdrawal hold in one sentence', async () => {
  const holdUntil = Date.now() + DAY_MS;
  startSession({ userId: 'u', token: 't', email: 'a@b.example' });
  fixtures.answers(({ path }) =>
    path.endsWith(userInfo.path)
      ? {
          email: 'a@b.example',
          uid: '1',
          securityLevel: 'low',
          activity: 'normal',
          invitationCode: 'X',
          assetsPwd: 0,
          isReal: 0,
          holdUntil,
          holdReason: 'tradePasswordReset',
          ...UNPROTECTED,
        }
      : { list: [] },
  );
  draw(<SecurityScreen />);
  const holdEnd = formatTime(holdUntil, 'en-US');
  expect(
    await screen.findByText(
      `Withdrawals are on hold until ${holdEnd}, because your trade password was reset.`,
    ),
  ).toBeTruthy();
});
