import { apiKeys, createApiKey, revokeApiKey, revokeApiKeys } from '@exchange/wire/api-key.ts';
import { sendEmailCode } from '@exchange/wire/user.ts';
import { cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { queryClient } from '../api/query-client.ts';
import { loadAllWords } from '../i18n/words.ts';
import { AccountServer } from '../market/testing/account-server.ts';
import { endSession, startSession } from '../session/session-store.ts';
import { Providers } from '../shell/providers.tsx';
import { ApiKeys } from './api-keys.tsx';

const KEY = 'K'.repeat(64);
const SECRET = 'S'.repeat(64);
const BOT = {
  id: '0190a000-0000-7000-8000-000000000001',
  name: 'Bot',
  key: KEY,
  kind: 'hmac',
  trade: 1,
  addresses: ['203.0.113.7'],
  createTime: 1,
  expireTime: 0,
  lastUsedTime: 0,
  lastUsedAddress: '',
};
let server: AccountServer;
let list: readonly (typeof BOT)[] = [];
const onSecret = vi.fn<(isUnconfirmed: boolean) => void>();

beforeAll(async () => {
  await loadAllWords();
  server = await AccountServer.start();
});
beforeEach(() => {
  list = [];
  onSecret.mockClear();
  server.serve({
    [apiKeys.path]: () => ({ code: 1, data: { list } }),
    [sendEmailCode.path]: () => ({ code: 1, data: { wait: 60 } }),
    [createApiKey.path]: () => {
      list = [BOT];
      return { code: 1, data: { ...BOT, secret: SECRET } };
    },
    [revokeApiKey.path]: () => {
      list = [];
      return { code: 1, data: { list } };
    },
    [revokeApiKeys.path]: () => {
      list = [];
      return { code: 1, data: { list } };
    },
  });
  startSession({ userId: 'u', token: 't', email: 'ada@example.com' });
});
afterEach(() => {
  cleanup();
  endSession();
  queryClient.clear();
});
afterAll(() => server.stop());

function open(): void {
  render(
    <Providers>
      <ApiKeys email="ada@example.com" onSecret={onSecret} />
    </Providers>,
  );
}

/** The form of the last request to an endpoint. */
function sentTo(path: string): Record<string, string> {
  const request = server.received.findLast((received) => received.path === path);
  return Object.fromEntries(request?.form ?? []);
}

it('WEB-1060 a key is created with a mailed code, and its secret is left only after it was confirmed as saved', async () => {
  const user = userEvent.setup();
  open();
  await screen.findByText('No API keys yet. Create one to connect a trading program.');
  await user.click(screen.getByRole('button', { name: 'Create API key' }));
  await user.click(screen.getByRole('button', { name: 'Create API key' }));
  expect(server.received.some(({ path }) => path === createApiKey.path)).toBe(false);
  await user.type(screen.getByLabelText('Name'), ' Bot ');
  await user.click(screen.getByLabelText('May place, change and cancel orders'));
  screen.getByText(/can trade from any IP address/);
  await user.type(screen.getByLabelText('Allowed IP addresses (optional)'), '203.0.113.7');
  expect(screen.queryByText(/can trade from any IP address/)).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Send code' }));
  await user.type(screen.getByLabelText('Email code'), '123456');
  await user.click(screen.getByRole('button', { name: 'Create API key' }));
  await screen.findByText(SECRET);
  const fields = { name: 'Bot', trade: '1', addresses: '203.0.113.7', expireTime: '0' };
  expect(sentTo(createApiKey.path)).toMatchObject({ ...fields, code: '123456' });
  // The code is bound to exactly these fields.
  expect(Object.fromEntries(new URLSearchParams(sentTo(sendEmailCode.path)['about']))).toEqual(fields);
  expect(onSecret).toHaveBeenLastCalledWith(true);
  const done = screen.getByRole('button', { name: 'Done' });
  expect(done.hasAttribute('disabled')).toBe(true);
  await user.click(screen.getByLabelText('I have saved the secret'));
  await user.click(done);
  expect(onSecret).toHaveBeenLastCalledWith(false);
  await screen.findByText('Not used yet');
  expect(screen.queryByText(SECRET)).toBeNull();
});

it('WEB-1062 the public key of an own pair is required', async () => {
  const user = userEvent.setup();
  open();
  await user.click(await screen.findByRole('button', { name: 'Create API key' }));
  await user.type(screen.getByLabelText('Name'), 'Bot');
  await user.click(screen.getByLabelText('Use my own Ed25519 key pair'));
  const callsBefore = server.received.length;
  await user.click(screen.getByRole('button', { name: 'Send code' }));
  expect(screen.getByLabelText('Public key (PEM)').getAttribute('aria-invalid')).toBe('true');
  expect(server.received).toHaveLength(callsBefore);
});

it('WEB-1061 revoking asks first, and the list follows without a reload', async () => {
  list = [BOT, { ...BOT, id: BOT.id.replace(/1$/, '2'), name: 'Reader', trade: 0 }];
  const user = userEvent.setup();
  open();
  await user.click(await screen.findByRole('button', { name: 'Revoke: Bot' }));
  expect(server.received.some(({ path }) => path === revokeApiKey.path)).toBe(false);
  const question = screen.getByRole('group', { name: 'Programs with this key stop working at once.' });
  await user.click(within(question).getByRole('button', { name: 'Revoke' }));
  await screen.findByText('No API keys yet. Create one to connect a trading program.');
  expect(sentTo(revokeApiKey.path)).toMatchObject({ id: BOT.id });
});
