import { inviteInfo, invitees, inviteRewards } from '@exchange/wire/invite.ts';
import { getGoogleKey } from '@exchange/wire/user.ts';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { queryClient } from '../api/query-client.ts';
import { loadAllWords } from '../i18n/words.ts';
import { InviteView } from '../invite/invite-view.tsx';
import { AccountServer } from '../market/testing/account-server.ts';
import { endSession, startSession } from '../session/session-store.ts';
import { Providers } from '../shell/providers.tsx';
import { BindAuthenticator } from './bind-authenticator.tsx';

const KEY = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
const URI = `otpauth://totp/Amethyst:ada%40example.com?secret=${KEY}&issuer=Amethyst`;
const INFO = {
  invitationCode: 'ABC234',
  link: '/?invite=ABC234',
  count: 0,
  validCount: 0,
  income: [],
  share: 0,
  rate: 20,
  days: 180,
  discount: 0,
};
const EMPTY_PAGE = { list: [], total: 0, next: null };
const share = vi.fn<(shared: ShareData) => Promise<void>>(async () => undefined);
let server: AccountServer;

beforeAll(async () => {
  await loadAllWords();
  server = await AccountServer.start();
  server.serve({
    [getGoogleKey.path]: () => ({ code: 1, data: { key: KEY, uri: URI } }),
    [inviteInfo.path]: () => ({ code: 1, data: INFO }),
    [invitees.path]: () => ({ code: 1, data: EMPTY_PAGE }),
    [inviteRewards.path]: () => ({ code: 1, data: EMPTY_PAGE }),
  });
});
beforeEach(() => startSession({ userId: 'u', token: 't', email: 'ada@example.com' }));
afterEach(() => {
  cleanup();
  endSession();
  queryClient.clear();
  share.mockClear();
  Reflect.deleteProperty(navigator, 'share');
});
afterAll(() => server.stop());

it('WEB-1009 shows a link that opens an authenticator app beside the code', async () => {
  render(
    <Providers>
      <BindAuthenticator email="ada@example.com" onCodes={() => undefined} onDone={() => undefined} />
    </Providers>,
  );
  const link = await screen.findByRole('link', { name: 'Open in authenticator app' });
  expect(link.getAttribute('href')).toBe(URI);
});

it('WEB-1009 opens the share sheet for an invitation where the device supports it', async () => {
  Object.defineProperty(navigator, 'share', { value: share, configurable: true });
  const user = userEvent.setup();
  render(
    <Providers>
      <InviteView look="cards" />
    </Providers>,
  );
  await user.click(await screen.findByRole('button', { name: 'Share' }));
  expect(share).toHaveBeenCalledOnce();
  expect(share.mock.calls[0]?.[0].url).toBe(`${location.origin}${INFO.link}`);
});
