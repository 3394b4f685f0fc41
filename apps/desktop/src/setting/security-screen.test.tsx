import { DAY_MS } from '@exchange/core/time.ts';
import { formatMoment } from '@exchange/web-kit/format/format.ts';
import { startSession } from '@exchange/web-kit/session/session-store.ts';
import { updateProfile, userInfo } from '@exchange/wire/user.ts';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { draw, setStage } from '../../testing/stage.tsx';
import SecurityScreen from './security-screen.tsx';

const stage = setStage();
const UNPROTECTED = {
  ...{ nickname: '', icon: '', remark: '', antiPhishing: '' },
  ...{ googleBind: 0, recoveryLeft: 0, whitelist: 0, security: 1 },
};

it('DESK-162 a hold on withdrawals says in one sentence until when and why', async () => {
  const holdUntil = Date.now() + DAY_MS;
  startSession({ userId: 'u', token: 't', email: 'a@b.example' });
  stage.answers(({ path }) =>
    path.endsWith(userInfo.path)
      ? {
          ...{
            email: 'a@b.example',
            uid: '1',
            securityLevel: 'low',
            activity: 'normal',
            invitationCode: 'X',
          },
          ...{ assetsPwd: 0, isReal: 0, holdUntil, holdReason: 'tradePasswordReset', ...UNPROTECTED },
        }
      : { list: [] },
  );
  draw(<SecurityScreen />);
  const until = formatMoment(holdUntil, 'en-US');
  expect(
    await screen.findByText(`Withdrawals are on hold until ${until}, because your trade password was reset.`),
  ).toBeTruthy();
});

it('DESK-185 messages about fills of open orders are switched off and on here, as the account keeps it', async () => {
  let notifyFills = 1;
  let isRefused = false;
  let refused = 0;
  startSession({ userId: 'u', token: 't', email: 'a@b.example' });
  stage.answers(({ path, fields }) => {
    if (path.endsWith(updateProfile.path)) {
      if (isRefused) {
        refused += 1;
        return undefined;
      }
      notifyFills = Number(fields.get('notifyFills'));
      return {};
    }
    if (!path.endsWith(userInfo.path)) return { list: [] };
    return {
      ...{ email: 'a@b.example', uid: '1', securityLevel: 'low', activity: 'low', invitationCode: 'X' },
      ...{ assetsPwd: 0, kycStatus: 0, holdUntil: 0, holdReason: '', notifyFills, ...UNPROTECTED },
    };
  });
  draw(<SecurityScreen />);
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
