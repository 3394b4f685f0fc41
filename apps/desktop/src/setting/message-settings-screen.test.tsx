import { startSession } from '@exchange/web-kit/session/session-store.ts';
import { messageSettings, setMessageSetting } from '@exchange/wire/message.ts';
import { changePush, pushDevices, removePush } from '@exchange/wire/push.ts';
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
  // When the server refuses a changed setting, the setting's switch returns to the stored value.
  isRefused = true;
  await userEvent.click(mail());
  await waitFor(() => expect(refused).toBe(1));
  await waitFor(() => expect([mail().checked, mail().disabled]).toEqual([true, false]));
});

it('WEB-1086 PUSH-017 PUSH-018 changes what this device is notified of and its quiet hours, and removes other devices', async () => {
  const sent: Record<string, string>[] = [];
  const device = {
    id: 'this',
    name: 'Chrome · Linux',
    kinds: ['fills', 'alerts'],
    quietFrom: -1,
    quietTo: -1,
    timeZone: 'Pacific/Apia',
    createTime: 1,
    lastSentTime: 0,
  };
  const phone = Object.assign({}, device, { id: 'phone', name: 'Chrome · Android' });
  let list = [device, phone];
  // The mobile site in the same browser has the same session, but a push subscription of its own.
  const stored = (id: string) =>
    JSON.stringify({ userId: 'u', session: 't', id, endpoint: `https://push.test/${id}`, kinds: [] });
  localStorage.setItem('Push-Device /pc/', stored('this'));
  localStorage.setItem('Push-Device /', stored('phone'));
  startSession({ userId: 'u', token: 't', email: 'a@b.example' });
  fixtures.answers(({ path, fields }) => {
    if (path.endsWith(messageSettings.path)) return { list: [] };
    if (path.endsWith(pushDevices.path)) return { publicKey: 'key', list, limit: 10 };
    if (path.endsWith(removePush.path)) {
      list = list.filter(({ id }) => id !== fields.get('id'));
      return { count: 1 };
    }
    if (!path.endsWith(changePush.path)) return { list: [] };
    const change = Object.fromEntries(fields) as Record<string, string>;
    sent.push(change);
    list = list.map((other) =>
      other.id === change['id']
        ? Object.assign({}, other, {
            kinds: change['kinds']!.split(','),
            quietFrom: Number(change['quietFrom'] ?? -1),
            quietTo: Number(change['quietTo'] ?? -1),
          })
        : other,
    );
    return list[0];
  });
  draw(<MessageSettingsScreen />);
  const switchOf = (name: string) => screen.getByRole<HTMLInputElement>('switch', { name });
  await screen.findByText('This device: Chrome · Linux');
  expect([switchOf('Deposits').checked, switchOf('Price alerts').checked]).toEqual([false, true]);
  await userEvent.click(switchOf('Deposits'));
  await waitFor(() =>
    expect([switchOf('Deposits').checked, switchOf('Deposits').disabled]).toEqual([true, false]),
  );
  expect(sent.at(-1)).toMatchObject({ id: 'this', kinds: 'fills,alerts,deposits' });
  await userEvent.click(switchOf('Quiet hours'));
  expect((await screen.findByLabelText<HTMLInputElement>('From')).value).toBe('22:00');
  await screen.findByText('Times of this device: Pacific/Apia');
  expect(sent.at(-1)).toMatchObject({ kinds: 'fills,alerts,deposits', quietFrom: '1320', quietTo: '420' });
  await userEvent.click(screen.getByRole('button', { name: 'Remove Chrome · Android' }));
  await waitFor(() => expect(screen.queryByText('Chrome · Android')).toBeNull());
  expect(screen.getByText('This device: Chrome · Linux')).toBeTruthy();
  localStorage.clear();
});

it('WEB-1087 says why a browser without pushes receives none, instead of a button', async () => {
  startSession({ userId: 'u', token: 't', email: 'a@b.example' });
  fixtures.answers(({ path }) =>
    path.endsWith(pushDevices.path) ? { publicKey: 'key', list: [], limit: 10 } : { list: [] },
  );
  draw(<MessageSettingsScreen />);
  await screen.findByText('This browser does not support push notifications.');
  expect(screen.queryByRole('button', { name: 'Turn on on this device' })).toBeNull();
});
