import { signedIn, startSession } from '@exchange/web-kit/session/session-store.ts';
import { paths } from '@exchange/web-kit/paths.ts';
import { cleanup, screen, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { useLocation } from 'react-router';
import { draw, setUpFixtures } from '../../testing/fixtures.tsx';
import { TopBar } from './top-bar.tsx';

const { answers } = setUpFixtures();

it('FIN-215 links to the available products, with Earn after spot trading', () => {
  draw(<TopBar />, paths.financeRecord);
  const links = within(screen.getByRole('navigation', { name: 'Main navigation' })).getAllByRole('link');
  expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['Markets', paths.market],
    ['Spot', paths.trade],
    ['Seconds', paths.seconds],
    ['Earn', paths.finance],
    ['Launchpad', paths.subscribe],
    ['Mining', paths.mining],
    ['Funds', paths.fund],
    ['Assets', paths.assets],
    ['Account', paths.security],
  ]);
  expect(links.filter((link) => link.dataset['active'] === 'true').map((link) => link.textContent)).toEqual([
    'Earn',
  ]);
});

it('SPEC-008 is transparent over the home page and solid elsewhere, with login links for visitors', () => {
  draw(<TopBar />, '/');
  expect(screen.getByRole('banner').hasAttribute('data-transparent')).toBe(true);
  expect(screen.getByRole('link', { name: 'Sign up' }).getAttribute('href')).toBe(paths.register);
  expect(screen.getByRole('link', { name: 'Log in' }).getAttribute('href')).toMatch(paths.login);
  cleanup();
  draw(<TopBar />, paths.market);
  expect(screen.getByRole('banner').hasAttribute('data-transparent')).toBe(false);
});

it('SPEC-008 the account menu shows the masked email address and four entries, and opens and closes', async () => {
  startSession({ userId: 'u', token: 't', email: 'trader@example.com' });
  const user = draw(<TopBar />, paths.market);
  expect(screen.queryByRole('link', { name: 'Sign up' })).toBeNull();
  const face = screen.getByRole('button', { name: 'Account' });
  await user.click(face);
  expect(face.getAttribute('aria-expanded')).toBe('true');
  expect(screen.getByText('trad***.com')).toBeDefined();
  const entries = ['Account settings', 'Orders and history', 'Identity verification'];
  expect(entries.map((name) => screen.getByRole('link', { name }).getAttribute('href'))).toEqual([
    paths.security,
    '/account/trade?type=4',
    '/setting/verify?type=2',
  ]);
  expect(screen.getByRole('button', { name: 'Log out' })).toBeDefined();
  await user.click(face);
  expect(face.getAttribute('aria-expanded')).toBe('false');
});

it('SPEC-008 the bell shows the unread count and links to the messages', async () => {
  answers(({ path }) => (path.endsWith('getNoticeCount') ? { count: 3, byType: {} } : {}));
  startSession({ userId: 'u', token: 't', email: 'trader@example.com' });
  draw(<TopBar />, paths.market);
  const bell = await screen.findByRole('link', { name: /3/ });
  expect(bell.getAttribute('href')).toBe('/setting/message');
});

function Place() {
  return <output aria-label="Place">{useLocation().pathname}</output>;
}

it('WEB-922 logging out opens the home page immediately, and a late response does not navigate', async () => {
  let release: (() => void) | undefined;
  const answered = new Promise<Response>((resolve) => {
    release = () => resolve(new Response('{"code":1}'));
  });
  startSession({ userId: 'u', token: 't', email: 'trader@example.com' });
  const user = draw(
    <>
      <TopBar />
      <Place />
    </>,
    paths.market,
  );
  const currentPath = () => screen.getByLabelText('Place').textContent;
  await user.click(screen.getByRole('button', { name: 'Account' }));
  const fetching = vi.spyOn(globalThis, 'fetch').mockReturnValue(answered);
  await user.click(screen.getByRole('button', { name: 'Log out' }));
  expect(signedIn()).toBe(false);
  expect(currentPath()).toBe(paths.home);
  expect(fetching.mock.calls.map(([url]) => url)).toContainEqual(expect.stringContaining('/logout'));
  await user.click(screen.getByRole('link', { name: 'Log in' }));
  expect(currentPath()).toBe(paths.login);
  release?.();
  await answered;
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(currentPath()).toBe(paths.login);
  fetching.mockRestore();
});
