import { startSession } from '@exchange/web-kit/session/session-store.ts';
import { messageSettings, setMessageSetting } from '@exchange/wire/message.ts';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { draw, setUpFixtures } from '../../testing/fixtures.tsx';
import MessageSettingsScreen from './message-settings-screen.tsx';

const fixtures = setUpFixtures();

it('DESK-185 switches each topic for inbox and mail as stored in the account, except fixed ones', async () => {
  let fills = { topic: 'fills', inbox: 1, mail: 0, inboxFixed: 0, mailFixed: 0 };
  let isRefused = false;
  let refused = 0;
  startSession({ userId: 'u', token: 't', email: 'a@b.example' });
  fixtures.answers(({ path, fields }) => {
    if (path.endsWith(setMessageSetting.path)) {
      if (isRefused) {
        refused += 1;
        return undefined;
      }
      fills = { ...fills, ...(fields.has('mail') ? { mail: Number(fields.get('mail')) } : {}) };
      return fills;
    }
    const account = { topic: 'account', inbox: 1, mail: 1, inboxFixed: 1, mailFixed: 1 };
    return path.endsWith(messageSettings.path) ? { list: [account, fills] } : { list: [] };
  });
  draw(<MessageSettingsScreen />);
  const switchOf = (name: string) => screen.getByRole<HTMLInputElement>('switch', { name });
  await screen.findByRole('switch', { name: 'Order fills: Email' });
  const fixed = switchOf('Account and security: Email, Always on');
  expect([fixed.checked, fixed.disabled]).toEqual([true, true]);
  const mail = () => switchOf('Order fills: Email');
  await userEvent.click(mail());
  await waitFor(() => expect([fills.mail, mail().checked, mail().disabled]).toEqual([1, true, false]));
  expect(switchOf('Order fills: Inbox').checked).toBe(true);
  // If storing a changed setting fails, its switch returns to the stored value.
  isRefused = true;
  await userEvent.click(mail());
  await waitFor(() => expect(refused).toBe(1));
  await waitFor(() => expect([mail().checked, mail().disabled]).toEqual([true, false]));
});
