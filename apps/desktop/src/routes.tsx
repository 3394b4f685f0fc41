import { withWords } from '@exchange/web-kit/i18n/words.ts';
import { signedIn } from '@exchange/web-kit/session/session-store.ts';
import { awayFromLogin, redirectFrom } from '@exchange/web-kit/shell/guard.ts';
import { loadScreen } from '@exchange/web-kit/part/load-chunk.ts';
import { windowForRouter } from '@exchange/web-kit/ui/overlay-history.ts';
import type { ComponentType } from 'react';
import { createBrowserRouter, Navigate, type RouteObject } from 'react-router';
import { BASE_PATH, paths, REDIRECTS } from './paths.ts';
import { Guarded } from './shell/app-shell.tsx';
import { BrokenScreen } from './shell/broken-screen.tsx';
import { OrderLink } from './shell/order-link.tsx';

type Loader = () => Promise<{ default: ComponentType }>;

/** A screen's component, with the words that it needs; rejects when it does not come. */
async function loaded(path: string, load: Loader): Promise<ComponentType> {
  const chunk = loadScreen(load, path);
  return (await (path === paths.home ? chunk : withWords(chunk))).default;
}

/** Each screen is a chunk of its own, loaded when it is first opened; only home needs no more words than an app starts with. */
const screen = (path: string, load: Loader): RouteObject => ({
  path,
  lazy: async () => ({ Component: await loaded(path, load) }),
});

/**
 * Screens within a frame that stays where one of them fails, in loading or drawing. The boundary is a route of its own:
 * the router draws none of a route whose own code did not come.
 */
const withinFrame = (screens: RouteObject[]): RouteObject => ({
  ErrorBoundary: BrokenScreen,
  children: screens,
});

const SCREENS: RouteObject[] = [
  screen(paths.home, () => import('./home/home-screen.tsx')),
  screen(paths.market, () => import('./market/market-screen.tsx')),
  screen(paths.trade, () => import('./trade/trade-screen.tsx')),
  screen(paths.login.login, () => import('./login/login-screen.tsx')),
  screen(paths.login.register, () => import('./login/register-screen.tsx')),
  screen(paths.login.forget, () => import('./login/forget-screen.tsx')),
  screen(paths.login.modify, () => import('./login/modify-screen.tsx')),
  screen(paths.account.assetsOf, () => import('./account/assets-screen.tsx')),
  { path: paths.account.order, element: <OrderLink /> },
  screen(paths.account.trades, () => import('./account/trades-screen.tsx')),
  screen(paths.setting.security, () => import('./setting/security-screen.tsx')),
  screen(paths.setting.freeze, () => import('./setting/freeze-screen.tsx')),
  screen(paths.setting.invite, () => import('./setting/invite-screen.tsx')),
  screen(paths.setting.messages, () => import('./setting/messages-screen.tsx')),
  screen(paths.setting.message, () => import('./setting/message-screen.tsx')),
  screen(paths.announcements, () => import('./about/announcements-screen.tsx')),
  screen(paths.setting.start, () => import('./setting/start-screen.tsx')),
  screen(paths.fees, () => import('./about/fees-screen.tsx')),
  screen(paths.withdrawalTimes, () => import('./transfer/times-screen.tsx')),
  screen(paths.proofs, () => import('./about/proofs-screen.tsx')),
  screen(paths.setting.messageSettings, () => import('./setting/message-settings-screen.tsx')),
  screen(`${paths.about.root}/:page`, () => import('./about/about-screen.tsx')),
  screen(paths.seconds, () => import('./seconds/seconds-screen.tsx')),
  screen(paths.finance.list, () => import('./finance/list-screen.tsx')),
  screen(paths.finance.record, () => import('./finance/record-screen.tsx')),
  screen(paths.subscribe.list, () => import('./subscription/list-screen.tsx')),
  screen(paths.subscribe.detail, () => import('./subscription/detail-screen.tsx')),
  screen(paths.subscribe.preview, () => import('./subscription/detail-screen.tsx')),
  screen(paths.subscribe.record, () => import('./subscription/record-screen.tsx')),
  screen(paths.mining.list, () => import('./mining/list-screen.tsx')),
  screen(paths.mining.record, () => import('./mining/record-screen.tsx')),
  screen(paths.fund.list, () => import('./fund/list-screen.tsx')),
  screen(paths.fund.detail, () => import('./fund/detail-screen.tsx')),
  screen(paths.fund.record, () => import('./fund/record-screen.tsx')),
  screen(paths.account.deposit, () => import('./transfer/deposit-screen.tsx')),
  screen(paths.account.withdraw, () => import('./transfer/withdraw-screen.tsx')),
  screen(paths.account.convert, () => import('./account/convert-screen.tsx')),
  screen(paths.setting.verify, () => import('./setting/verify-screen.tsx')),
  screen(paths.setting.address, () => import('./transfer/address-screen.tsx')),
];

const redirects: RouteObject[] = REDIRECTS.map(([from, to]) => ({
  path: from,
  element: <Navigate to={to} replace />,
}));

/** Leads who is signed in away from login and registration, before these are drawn; signing in there leads on by itself. */
function leaveLogin({ request }: { request: Request }): Response | null {
  const { pathname, search } = new URL(request.url);
  const path = pathname.replace(BASE_PATH, '') + search;
  const away = signedIn() ? awayFromLogin(path, paths.account.assets) : undefined;
  return away === undefined ? null : redirectFrom(request, away);
}

/** The whole site: one guarded shell, a screen per address, and a page for addresses that lead nowhere. */
export const router = createBrowserRouter(
  [
    {
      element: <Guarded />,
      ErrorBoundary: BrokenScreen,
      HydrateFallback: () => null,
      loader: leaveLogin,
      shouldRevalidate: () => true,
      children: [
        ...redirects,
        withinFrame([...SCREENS, screen('*', () => import('./shell/not-found-screen.tsx'))]),
      ],
    },
  ],
  { basename: BASE_PATH, window: windowForRouter() },
);
