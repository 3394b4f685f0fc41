import { DAY_MS } from '@exchange/core/time.ts';
import {
  API_KEYS_MAX,
  apiKeyRequests,
  apiKeys,
  createApiKey,
  createWithdrawalKey,
  revokeApiKey,
  revokeApiKeys,
} from '@exchange/wire/api-key.ts';
import { sendEmailCode } from '@exchange/wire/user.ts';
import { cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { MemoryRouter } from 'react-router';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { queryClient } from '../api/query-client.ts';
import { loadAllWords } from '../i18n/words.ts';
import { AccountServer } from '../market/testing/account-server.ts';
import { endSession, startSession } from '../session/session-store.ts';
import FrameNotes from '../shell/frame-notes.tsx';
import { Providers } from '../shell/providers.tsx';
import { Dialog } from '../ui/overlay.tsx';
import { discardCreatedKey } from './api-key-actions.ts';
import { ApiKeys } from './api-keys.tsx';
import type { UserInfo } from './queries.ts';
import SecurityPanel from './security-panel.tsx';

const KEY = 'K'.repeat(64);
const SECRET = 'S'.repeat(64);
const BOT = {
  id: '0190a000-0000-7000-8000-000000000001',
  name: 'Bot',
  key: KEY,
  kind: 'hmac',
  trade: 1,
  transfer: 0,
  withdrawsFrom: 0,
  addresses: ['203.0.113.7'],
  createTime: 1,
  expireTime: 0,
  lastUsedTime: 0,
  lastUsedAddress: '',
};
/** A response with an invalid code; the page treats the outcome of the request as unknown. */
const NO_ANSWER = { code: 'lost' as unknown as number };
const USER = { email: 'ada@example.com' } as unknown as UserInfo;
let server: AccountServer;
let list: readonly (typeof BOT & { readonly withdrawalLimit?: string })[] = [];
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
  discardCreatedKey();
  endSession();
  queryClient.clear();
});
afterAll(() => server.stop());

function open(): void {
  render(
    <Providers>
      <MemoryRouter>
        <ApiKeys email="ada@example.com" onSecret={onSecret} />
      </MemoryRouter>
    </Providers>,
  );
}

/** A test page with a panel of API keys, which can be closed and opened again. */
function Page() {
  const [isOpen, setOpen] = useState(true);
  const close = (): void => setOpen(false);
  return (
    <>
      {isOpen ? (
        <SecurityPanel deed="apiKeys" info={USER} Frame={Dialog} loginPath="/login" onClose={close} />
      ) : null}
      <button type="button" onClick={() => setOpen(true)}>
        Open the panel
      </button>
      <FrameNotes className="" />
    </>
  );
}

function openPage(): void {
  render(
    <Providers>
      <MemoryRouter>
        <Page />
      </MemoryRouter>
    </Providers>,
  );
}

async function submitNewKey(user: ReturnType<typeof userEvent.setup>): Promise<void> {
  await user.click(await screen.findByRole('button', { name: 'Create API key' }));
  await user.type(screen.getByLabelText('Name'), 'Bot');
  await user.type(screen.getByLabelText('Email code'), '123456');
  await user.click(screen.getByRole('button', { name: 'Create API key' }));
}

it('KEY-033 shows the requests of a key on demand, with outcome, cost and the weight of the last minute', async () => {
  list = [BOT];
  const request = {
    id: '2',
    time: 1_700_000_000_000,
    method: 'WS',
    path: 'order.place',
    weight: 2,
    status: 400,
    code: -2010,
    address: '203.0.113.7',
    durationUs: 4_250,
  };
  const page = { sum: 1, totalRow: 1, pageNo: 1, pageSize: 20, usedWeight: 123, weightLimit: 6_000 };
  const answer = { code: 1, data: { ...page, list: [request] } };
  const read = vi.fn<() => typeof answer>(() => answer);
  server.serve({
    [apiKeys.path]: () => ({ code: 1, data: { list } }),
    [apiKeyRequests.path]: read,
  });
  const user = userEvent.setup();
  open();
  expect(read).not.toHaveBeenCalled();
  await user.click(await screen.findByRole('button', { name: 'Requests: Bot' }));
  expect(await screen.findByText('WS order.place')).toBeTruthy();
  expect(screen.getByText('400')).toBeTruthy();
  expect(screen.getByText(/Weight 2 · 4\.3 ms/).textContent).toContain('Error -2010');
  expect(
    await screen.findByText('Request weight in the last minute: 123. An IP address may use 6,000 a minute.'),
  ).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Hide requests: Bot' }));
  expect(screen.queryByText('WS order.place')).toBeNull();
});

it('KEY-036 shows requests without a valid signature apart, and only when there are any', async () => {
  list = [BOT];
  const common = {
    time: 1_700_000_000_000,
    method: 'GET',
    weight: 1,
    address: '203.0.113.7',
    durationUs: 250,
  };
  const page = { sum: 1, totalRow: 1, pageNo: 1, pageSize: 20, usedWeight: 1, weightLimit: 6_000 };
  const own = Object.assign({ id: '1', path: '/mine', status: 200, code: 0 }, common);
  const forged = Object.assign({ id: '4200', path: '/forged', status: 400, code: -1022 }, common);
  server.serve({
    [apiKeys.path]: () => ({ code: 1, data: { list } }),
    [apiKeyRequests.path]: (form) => ({
      code: 1,
      data: Object.assign(
        { unprovenCount: 4_200, list: [form.get('unproven') === '1' ? forged : own] },
        page,
      ),
    }),
  });
  const user = userEvent.setup();
  open();
  await user.click(await screen.findByRole('button', { name: 'Requests: Bot' }));
  expect(await screen.findByText('GET /mine')).toBeTruthy();
  await user.click(await screen.findByRole('button', { name: '4200 requests without a valid signature' }));
  expect(await screen.findByText('GET /forged')).toBeTruthy();
  expect(screen.queryByText('GET /mine')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Your requests' }));
  expect(await screen.findByText('GET /mine')).toBeTruthy();
});

function creationKeys(): readonly (string | null)[] {
  return server.received
    .filter(({ path }) => path === createApiKey.path)
    .map(({ form }) => form.get('clientId'));
}

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
  const fields = {
    name: 'Bot',
    trade: '1',
    transfer: '0',
    addresses: '203.0.113.7',
    expireTime: '0',
  };
  expect(sentTo(createApiKey.path)).toMatchObject({ ...fields, code: '123456' });
  // The email code must be requested for exactly the fields of the request that creates the key.
  expect(Object.fromEntries(new URLSearchParams(sentTo(sendEmailCode.path)['about']))).toEqual(fields);
  expect(onSecret).toHaveBeenLastCalledWith(true);
  const done = screen.getByRole('button', { name: 'Done' });
  expect(done.hasAttribute('disabled')).toBe(true);
  await user.click(screen.getByLabelText('I have saved the secret'));
  await user.click(done);
  expect(onSecret).toHaveBeenLastCalledWith(false);
  await screen.findByText(/^Not used yet/);
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
  const question = screen.getByRole('group', { name: /stop working at once. Open orders stay.$/ });
  await user.click(within(question).getByRole('button', { name: 'Revoke' }));
  await screen.findByText('No API keys yet. Create one to connect a trading program.');
  expect(sentTo(revokeApiKey.path)).toMatchObject({ id: BOT.id });
});

it('WEB-1061 all keys are revoked after a question', async () => {
  list = [BOT, { ...BOT, id: BOT.id.replace(/1$/, '2'), name: 'Reader', trade: 0 }];
  const user = userEvent.setup();
  open();
  await user.click(await screen.findByRole('button', { name: 'Revoke all' }));
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(server.received.some(({ path }) => path === revokeApiKeys.path)).toBe(false);
  await user.click(screen.getByRole('button', { name: 'Revoke all' }));
  const question = screen.getByRole('group', {
    name: 'All programs stop working at once. Open orders stay.',
  });
  await user.click(within(question).getByRole('button', { name: 'Revoke all' }));
  await screen.findByText('No API keys yet. Create one to connect a trading program.');
});

it('WEB-1061 a key that was revoked by an earlier request without an answer counts as revoked', async () => {
  list = [BOT];
  const user = userEvent.setup();
  server.serve({
    [apiKeys.path]: () => ({ code: 1, data: { list } }),
    [revokeApiKey.path]: () => {
      list = [];
      return { code: 0, msg: 'Not found.', errKey: 'l.not_found' };
    },
  });
  open();
  await user.click(await screen.findByRole('button', { name: 'Revoke: Bot' }));
  await user.click(screen.getByRole('button', { name: 'Revoke' }));
  await screen.findByText('API key revoked');
  expect(screen.queryByText('Not found.')).toBeNull();
  await screen.findByText('No API keys yet. Create one to connect a trading program.');
});

it('WEB-1063 after a lost answer the same request is sent again and shows the secret of the same key', async () => {
  const user = userEvent.setup();
  let isLost = true;
  server.serve({
    [apiKeys.path]: () => ({ code: 1, data: { list } }),
    [createApiKey.path]: () => (isLost ? NO_ANSWER : { code: 1, data: { ...BOT, secret: SECRET } }),
  });
  openPage();
  await submitNewKey(user);
  const again = await screen.findByRole('button', { name: /^Send again/ }, { timeout: 10_000 });
  isLost = false;
  await user.click(again);
  await screen.findByText(SECRET);
  expect(new Set(creationKeys()).size).toBe(1);
  expect(creationKeys()[0]).not.toBeNull();
});

it('WEB-1063 a key whose secret can no longer be shown says so', async () => {
  const user = userEvent.setup();
  server.serve({
    [apiKeys.path]: () => ({ code: 1, data: { list } }),
    [createApiKey.path]: () => ({ code: 1, data: { ...BOT, secret: '' } }),
  });
  open();
  await submitNewKey(user);
  await screen.findByText(/its secret can no longer be shown/);
  expect(screen.queryByLabelText('I have saved the secret')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Done' }));
});

it('WEB-1063 a secret that arrives after the panel was closed is announced and shown when it is opened again', async () => {
  const user = userEvent.setup();
  let answerCreation = (): void => undefined;
  const isAnswered = new Promise<void>((resolve) => {
    answerCreation = resolve;
  });
  server.serve({
    [apiKeys.path]: () => ({ code: 1, data: { list } }),
    [createApiKey.path]: async () => {
      await isAnswered;
      return { code: 1, data: { ...BOT, secret: SECRET } };
    },
  });
  openPage();
  await submitNewKey(user);
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('dialog')).toBeNull();
  answerCreation();
  await screen.findByText('The API key “Bot” was created. Open API keys to see it.');
  await user.click(screen.getByRole('button', { name: 'Open the panel' }));
  await screen.findByText(SECRET);
});

it('WEB-1064 the panel is closed with an unsaved secret only after a question, and forgets the secret', async () => {
  const user = userEvent.setup();
  openPage();
  await submitNewKey(user);
  await screen.findByText(SECRET);
  const close = (): Promise<void> => user.keyboard('{Escape}');
  await close();
  await screen.findByRole('dialog', { name: 'Close without saving the secret?' });
  await user.click(screen.getByRole('button', { name: 'Back to the secret' }));
  screen.getByText(SECRET);
  await close();
  await user.click(await screen.findByRole('button', { name: 'Close anyway' }));
  expect(screen.queryByText(SECRET)).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Open the panel' }));
  await screen.findByText(/^Not used yet/);
  expect(screen.queryByText(SECRET)).toBeNull();
});

it('WEB-1065 an expired key has a badge and does not count towards the most keys, which are stated', async () => {
  const expired = { ...BOT, id: 'expired', name: 'Old', expireTime: 2, kind: 'ed25519' };
  const live = Array.from({ length: API_KEYS_MAX }, (_, at) => ({
    ...BOT,
    id: `live ${at}`,
    name: `N${at}`,
  }));
  list = [expired, ...live.slice(1)];
  open();
  await screen.findByText('29 of 30 API keys');
  const rows = screen.getAllByRole('listitem');
  within(rows[0]!).getByText('Expired');
  within(rows[0]!).getByText('Ed25519');
  within(rows[1]!).getByText('HMAC');
  expect(screen.getAllByText('Expired')).toHaveLength(1);
  expect(screen.getByRole('button', { name: 'Create API key' }).hasAttribute('disabled')).toBe(false);
  cleanup();
  queryClient.clear();
  list = live;
  open();
  await screen.findByText('You have the maximum of 30 API keys. Revoke one to create another.');
  expect(screen.getByRole('button', { name: 'Create API key' }).hasAttribute('disabled')).toBe(true);
});

it('WEB-1060 a lifetime is counted from the opening of the form, so that the code stays bound to it', async () => {
  const user = userEvent.setup();
  open();
  await user.click(await screen.findByRole('button', { name: 'Create API key' }));
  screen.getByText('You can have up to 30 API keys. Expired ones do not count.');
  const openedAt = Date.now();
  await user.type(screen.getByLabelText('Name'), 'Bot');
  await user.selectOptions(screen.getByLabelText('Valid for'), '30');
  await user.click(screen.getByRole('button', { name: 'Send code' }));
  await user.type(screen.getByLabelText('Email code'), '123456');
  await user.click(screen.getByRole('button', { name: 'Create API key' }));
  await screen.findByText(SECRET);
  const { expireTime } = sentTo(createApiKey.path);
  expect(new URLSearchParams(sentTo(sendEmailCode.path)['about']).get('expireTime')).toBe(expireTime);
  expect(Number(expireTime) - openedAt).toBeLessThanOrEqual(30 * DAY_MS);
  expect(Number(expireTime) - openedAt).toBeGreaterThan(29 * DAY_MS);
});

it('WEB-1062 a refused address is shown at its field, and nothing typed is lost', async () => {
  const user = userEvent.setup();
  server.serve({
    [apiKeys.path]: () => ({ code: 1, data: { list } }),
    [createApiKey.path]: () => ({
      code: -1,
      msg: 'nowhere is not an IP address.',
      errKey: 'l.api_key_address',
      data: { field: 'addresses', value: 'nowhere' },
    }),
  });
  open();
  await user.click(await screen.findByRole('button', { name: 'Create API key' }));
  await user.type(screen.getByLabelText('Name'), 'Bot');
  const addresses = screen.getByLabelText('Allowed IP addresses (optional)');
  await user.type(addresses, 'nowhere');
  await user.type(screen.getByLabelText('Email code'), '123456');
  await user.click(screen.getByRole('button', { name: 'Create API key' }));
  await screen.findByText('nowhere is not an IP address.');
  expect(addresses.getAttribute('aria-invalid')).toBe('true');
  expect(screen.getByDisplayValue('Bot')).toBe(screen.getByLabelText('Name'));
  expect(screen.queryByRole('button', { name: /^Send again/ })).toBeNull();
});

it('KEY-035 a key that may withdraw needs a limit, addresses, the trade password and a code of its own', async () => {
  const created = vi.fn<(body: URLSearchParams) => { code: number; data: object }>((body) => {
    list = [{ ...BOT, withdrawalLimit: body.get('withdrawalLimit')!, withdrawsFrom: Date.now() + DAY_MS }];
    return { code: 1, data: { ...list[0]!, secret: SECRET } };
  });
  const sentCodes: string[] = [];
  server.serve({
    [apiKeys.path]: () => ({ code: 1, data: { list } }),
    [sendEmailCode.path]: (body) => {
      sentCodes.push(`${body.get('act')} ${body.get('about')}`);
      return { code: 1, data: { wait: 60 } };
    },
    [createWithdrawalKey.path]: created,
  });
  const user = userEvent.setup();
  open();
  await user.click(await screen.findByRole('button', { name: 'Create API key' }));
  await user.type(screen.getByLabelText('Name'), 'Payer');
  await user.click(screen.getByRole('checkbox', { name: 'May withdraw' }));
  expect(
    screen.getByRole<HTMLInputElement>('checkbox', { name: 'May transfer between your accounts' }).disabled,
  ).toBe(true);
  await user.type(screen.getByLabelText('Email code'), '123456');
  await user.type(screen.getByLabelText('Trade password'), '246810');
  await user.type(screen.getByLabelText('Most within 24 hours (USDT)'), '-5');
  await user.click(screen.getByRole('button', { name: 'Create API key' }));
  expect(created).not.toHaveBeenCalled();
  await user.clear(screen.getByLabelText('Most within 24 hours (USDT)'));
  await user.type(screen.getByLabelText('Most within 24 hours (USDT)'), '250');
  await user.type(screen.getByLabelText('Allowed IP addresses'), '203.0.113.7');
  await user.click(screen.getByRole('button', { name: /Send code/ }));
  await user.click(screen.getByRole('button', { name: 'Create API key' }));
  await screen.findByText(SECRET);
  expect(sentCodes[0]).toContain(createWithdrawalKey.path);
  expect(sentCodes[0]).toContain('withdrawalLimit=250');
  expect(Object.fromEntries(created.mock.calls[0]![0])).toMatchObject({
    name: 'Payer',
    withdrawalLimit: '250',
    addresses: '203.0.113.7',
    assetsPwd: '246810',
    code: '123456',
  });
  await user.click(screen.getByRole('checkbox'));
  await user.click(screen.getByRole('button', { name: 'Done' }));
  expect(await screen.findByText('May withdraw 250 USDT within 24 hours')).toBeDefined();
  expect(screen.getByText(/May withdraw from/)).toBeDefined();
});
