import { AccountServer } from '@exchange/web-kit/market/testing/account-server.ts';
import { loginPathFor } from '@exchange/web-kit/shell/guard.ts';
import { OpenedSite, storeSession } from '@exchange/web-kit/shell/testing/opened-site.tsx';
import { serverInfo } from '@exchange/wire/parameter.ts';
import { demoLogin } from '@exchange/wire/user.ts';
import { paths } from '@exchange/web-kit/paths.ts';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { BASE_PATH } from './paths.ts';

const SECURITY = paths.security;
let site: OpenedSite;
let server: AccountServer;

beforeAll(async () => {
  server = await AccountServer.start();
  server.serve({
    [serverInfo.path]: () => ({
      code: 1,
      data: { mode: 'demo', showsMail: false, time: Date.now(), version: '1' },
    }),
    [demoLogin.path]: () => ({ code: 1, data: { userId: 'u', token: 't' } }),
  });
});
beforeEach(() => localStorage.clear());
afterEach(() => site.close());
afterAll(() => server.stop());

async function open(address: string): Promise<void> {
  site = await OpenedSite.open(address, () => import('./routes.tsx'));
}

describe('guards and redirects of the desktop site', () => {
  it.each([
    ['a guarded screen', `${BASE_PATH}${SECURITY}`, `${BASE_PATH}${loginPathFor(SECURITY)}`],
    ['a legal text', '/pc/about/policy', '/pc/login/login?from=%2Fabout%2Fpolicy'],
    ['an order', '/pc/account/order?id=1', '/pc/login/login?from=%2Faccount%2Forder%3Fid%3D1'],
  ])('WEB-932 %s opened by a visitor leaves no history entry', async (_, address, login) => {
    await open(address);
    await site.waitForAddress(login);
    expect(site.addedEntries).toBe(0);
  });

  it.each([
    ['the login', '/pc/login/login', `${BASE_PATH}${paths.assets}`],
    ['the login of a screen', '/pc/login/login?from=%2Fsetting%2Fmessage', '/pc/setting/message'],
    ['the registration', '/pc/login/register', `${BASE_PATH}${paths.assets}`],
    ['an address of the table', '/pc/my', `${BASE_PATH}${SECURITY}`],
    ['an order of the phone’s site', '/pc/account/order?id=7', '/pc/account/trade?order=7'],
  ])('WEB-932 %s opened by a member leaves no history entry', async (_, address, screenPath) => {
    storeSession();
    await open(address);
    await site.waitForAddress(screenPath);
    // The dialog with the order's details adds an entry to the browser history, so the redirect to it must add none.
    expect(site.addedScreens).toBe(0);
  });

  it('WEB-930 the site opened by its root address shows no focus ring around its heading', async () => {
    await open('/pc/');
    await site.waitForAddress('/pc/main');
    await screen.findByRole('heading', { level: 1 });
    expect(document.activeElement).toBe(document.body);
  });

  it('WEB-932 a link to a guarded screen opens the login, and Back returns to the previous screen', async () => {
    await open('/pc/login/forget');
    await site.waitForAddress('/pc/login/forget');
    await site.follow(SECURITY);
    await site.waitForAddress(`${BASE_PATH}${loginPathFor(SECURITY)}`);
    expect(site.addedEntries).toBe(1);
    await site.back();
    await site.waitForAddress('/pc/login/forget');
  });

  it('WEB-932 the history contains neither login nor registration after signing in', async () => {
    await open('/pc/login/forget');
    await site.follow('/setting/message');
    const user = userEvent.setup();
    await user.click(
      await within(await screen.findByRole('main')).findByRole('link', { name: 'Create account' }),
    );
    await site.waitForAddress('/pc/login/register');
    await user.click(await within(await screen.findByRole('main')).findByRole('link', { name: 'Log in' }));
    await site.waitForAddress('/pc/login/login');
    await user.click(await screen.findByRole('button', { name: 'Use the demo account' }));
    await site.waitForAddress('/pc/main');
    expect(site.addedEntries).toBe(1);
    await site.back();
    await site.waitForAddress('/pc/login/forget');
  });

  it('WEB-932 returning to the login while signed in redirects, and Back continues from there', async () => {
    await open('/pc/login/forget');
    await site.follow('/login/login');
    await site.follow('/login/forget?again');
    const { startSession } = await import('@exchange/web-kit/session/session-store.ts');
    startSession({ userId: 'u', token: 't', email: 'a@b.example' });
    await site.back();
    await site.waitForAddress(`${BASE_PATH}${paths.assets}`);
    await site.back();
    await site.waitForAddress('/pc/login/forget');
    expect(site.address).toBe('/pc/login/forget');
  });
});
