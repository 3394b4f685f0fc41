import { stubCanvases } from '@exchange/web-kit/chart/testing/staged-chart.ts';
import { AccountServer } from '@exchange/web-kit/market/testing/account-server.ts';
import { LISTED } from '@exchange/web-kit/market/testing/listed-pair.ts';
import { OpenedSite, storeSession } from '@exchange/web-kit/shell/testing/opened-site.tsx';
import { agreement, serverInfo } from '@exchange/wire/parameter.ts';
import { spotBasics } from '@exchange/wire/spot.ts';
import { demoLogin } from '@exchange/wire/user.ts';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { paths } from '@exchange/web-kit/paths.ts';

let site: OpenedSite;
let server: AccountServer;

beforeAll(async () => {
  server = await AccountServer.start();
  server.serve({
    [serverInfo.path]: () => ({
      code: 1,
      data: { mode: 'demo', showsMail: false, time: Date.now(), version: '1' },
    }),
    [agreement.path]: () => ({
      code: 1,
      data: { text: 'A text.', version: '1', effectiveDate: '2026-01-31' },
    }),
    [spotBasics.path]: () => ({ code: 1, data: [LISTED] }),
    [demoLogin.path]: () => ({ code: 1, data: { userId: 'u', token: 't' } }),
  });
});
beforeEach(() => localStorage.clear());
afterEach(() => site.close());
afterAll(() => server.stop());

async function open(address: string): Promise<void> {
  site = await OpenedSite.open(address, () => import('./routes.tsx'));
}

describe('guards and redirects of the mobile site', () => {
  it.each([
    ['a guarded screen', '/my', '/login/login?from=%2Fmy'],
    ['a legal text', '/about/policy', '/login/login?from=%2Fabout%2Fpolicy'],
    ['an order', '/account/order?id=1', '/login/login?from=%2Faccount%2Forder%3Fid%3D1'],
  ])('WEB-932 %s opened by a visitor leaves no history entry', async (_, address, login) => {
    await open(address);
    await site.waitForAddress(login);
    expect(site.addedEntries).toBe(0);
  });

  it.each([
    ['the login', '/login/login', paths.assets],
    ['the login of a screen', '/login/login?from=%2Fsetting%2Fmessage', '/setting/message'],
    ['the registration', '/login/register', paths.assets],
    ['an address of the table', '/setting', '/my'],
    ['an order of the desktop site', '/account/trade?order=7', '/account/order?id=7'],
  ])('WEB-932 %s opened by a member leaves no history entry', async (_, address, screenPath) => {
    storeSession();
    await open(address);
    await site.waitForAddress(screenPath);
    expect(site.addedEntries).toBe(0);
  });

  it('WEB-930 the site opened by its root address shows no focus ring around its heading', async () => {
    await open('/');
    await site.waitForAddress('/main');
    await screen.findByRole('heading', { level: 1 });
    expect(document.activeElement).toBe(document.body);
  });

  it('WEB-932 a link to a guarded screen opens the login, and Back returns to the previous screen', async () => {
    await open('/login/forget');
    await site.waitForAddress('/login/forget');
    await site.follow('/my');
    await site.waitForAddress('/login/login?from=%2Fmy');
    expect(site.addedEntries).toBe(1);
    await site.back();
    await site.waitForAddress('/login/forget');
  });

  it('WEB-932 the history contains neither login nor registration after signing in', async () => {
    await open('/login/forget');
    await site.follow('/setting/message');
    const user = userEvent.setup();
    await user.click(await screen.findByRole('link', { name: 'Sign up' }));
    await site.waitForAddress('/login/register');
    await user.click(await screen.findByRole('link', { name: 'Log in' }));
    await site.waitForAddress('/login/login');
    await user.click(await screen.findByRole('button', { name: 'Use the demo account' }));
    await site.waitForAddress('/main');
    expect(site.addedEntries).toBe(1);
    await site.back();
    await site.waitForAddress('/login/forget');
  });

  it('WEB-932 returning to the login while signed in redirects, and Back continues from there', async () => {
    await open('/login/forget');
    await site.follow('/login/login');
    await site.follow('/login/forget?again');
    const { startSession } = await import('@exchange/web-kit/session/session-store.ts');
    startSession({ userId: 'u', token: 't', email: 'a@b.example' });
    await site.back();
    await site.waitForAddress(paths.assets);
    await site.back();
    await site.waitForAddress('/login/forget');
    expect(site.address).toBe('/login/forget');
  });

  it('WEB-937 WEB-934 a visitor reads the agreements over the registration form, and Back closes the text', async () => {
    await open('/login/register');
    const user = userEvent.setup();
    const email = await screen.findByLabelText<HTMLInputElement>('Email');
    await user.type(email, 'a@b.example');
    await user.click(screen.getByRole('link', { name: 'privacy policy' }));
    await screen.findByRole('dialog', { name: 'Privacy policy' });
    await waitFor(() => expect(site.addedEntries).toBe(1));
    await site.back();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await site.waitForAddress('/login/register');
    expect(email.value).toBe('a@b.example');
    await user.click(screen.getByRole('link', { name: 'Log in' }));
    await site.waitForAddress('/login/login');
    await user.click(await screen.findByRole('link', { name: 'Sign up' }));
    await screen.findByRole('heading', { name: 'Create your account' });
    expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe('a@b.example');
  });

  it('MOB-153 Buy below the chart adds a history entry, and the chart closes to the ticket it was opened from', async () => {
    stubCanvases();
    await open('/trade?symbol=BTC_USDT');
    const user = userEvent.setup();
    await user.click(await screen.findByRole('button', { name: 'Open chart' }));
    await site.waitForAddress('/trade?symbol=BTC_USDT&view=chart');
    await user.click(await screen.findByRole('button', { name: 'Buy' }));
    await site.waitForAddress('/trade?symbol=BTC_USDT');
    await site.back();
    await site.waitForAddress('/trade?symbol=BTC_USDT&view=chart');
    await user.click(await screen.findByRole('button', { name: 'Close chart' }));
    await site.waitForAddress('/trade?symbol=BTC_USDT');
    expect(site.addedEntries).toBe(2);
  });
});
