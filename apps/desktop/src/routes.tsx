import { paths } from '@exchange/web-kit/paths.ts';
import { signedIn } from '@exchange/web-kit/session/session-store.ts';
import { redirectFromLogin, redirectFrom } from '@exchange/web-kit/shell/guard.ts';
import {
  redirectRoutes,
  screenRoute,
  screenRoutes,
  withinFrame,
  type SiteScreens,
} from '@exchange/web-kit/shell/site-routes.ts';
import { windowForRouter } from '@exchange/web-kit/ui/overlay-history.ts';
import { createBrowserRouter } from 'react-router';
import { BASE_PATH, REDIRECTS, type REPLACED } from './paths.ts';
import { SessionGuard } from './shell/app-shell.tsx';
import { BrokenScreen } from './shell/broken-screen.tsx';

const loadAbout = () => import('./about/about-screen.tsx');

const SCREENS: SiteScreens<keyof typeof REPLACED> = {
  home: () => import('./home/home-screen.tsx'),
  market: () => import('./market/market-screen.tsx'),
  trade: () => import('./trade/trade-screen.tsx'),
  desk: () => import('./desk/desk-screen.tsx'),
  replay: () => import('./trade/replay-screen.tsx'),
  seconds: () => import('./seconds/seconds-screen.tsx'),
  finance: () => import('./finance/list-screen.tsx'),
  financeRecord: () => import('./finance/record-screen.tsx'),
  subscribe: () => import('./subscription/list-screen.tsx'),
  subscribeDetail: () => import('./subscription/detail-screen.tsx'),
  subscribePreview: () => import('./subscription/detail-screen.tsx'),
  subscribeRecord: () => import('./subscription/record-screen.tsx'),
  mining: () => import('./mining/list-screen.tsx'),
  miningRecord: () => import('./mining/record-screen.tsx'),
  fund: () => import('./fund/list-screen.tsx'),
  fundDetail: () => import('./fund/detail-screen.tsx'),
  fundRecord: () => import('./fund/record-screen.tsx'),
  assets: () => import('./account/assets-screen.tsx'),
  deposit: () => import('./transfer/deposit-screen.tsx'),
  withdraw: () => import('./transfer/withdraw-screen.tsx'),
  tracking: () => import('./transfer/tracking-screen.tsx'),
  convert: () => import('./account/convert-screen.tsx'),
  recurring: () => import('./account/recurring-screen.tsx'),
  smallBalances: () => import('./account/small-screen.tsx'),
  taxReport: () => import('./account/tax-screen.tsx'),
  records: () => import('./account/trades-screen.tsx'),
  order: () => import('./shell/order-link.tsx'),
  start: () => import('./setting/start-screen.tsx'),
  security: () => import('./setting/security-screen.tsx'),
  apiKeys: () => import('./setting/security-screen.tsx'),
  freeze: () => import('./setting/freeze-screen.tsx'),
  verify: () => import('./setting/verify-screen.tsx'),
  address: () => import('./transfer/address-screen.tsx'),
  invite: () => import('./setting/invite-screen.tsx'),
  messages: () => import('./setting/messages-screen.tsx'),
  message: () => import('./setting/message-screen.tsx'),
  messageSettings: () => import('./setting/message-settings-screen.tsx'),
  login: () => import('./login/login-screen.tsx'),
  register: () => import('./login/register-screen.tsx'),
  forget: () => import('./login/forget-screen.tsx'),
  modify: () => import('./login/modify-screen.tsx'),
  announcements: () => import('./about/announcements-screen.tsx'),
  withdrawalTimes: () => import('./transfer/times-screen.tsx'),
  fees: () => import('./about/fees-screen.tsx'),
  proofs: () => import('./about/proofs-screen.tsx'),
  about: loadAbout,
  contact: loadAbout,
  terms: loadAbout,
  legal: loadAbout,
  privacy: loadAbout,
};

/**
 * Route loader that redirects signed-in users away from login and registration before these screens render, to the
 * screen that was requested before the login or else to the assets. A user who signs in on these screens is redirected
 * by the screens.
 */
function leaveLogin({ request }: { request: Request }): Response | null {
  const { pathname, search } = new URL(request.url);
  const path = pathname.replace(BASE_PATH, '') + search;
  const away = signedIn() ? redirectFromLogin(path, paths.assets) : undefined;
  return away === undefined ? null : redirectFrom(request, away);
}

/**
 * The routes of the desktop site: the frame of every screen, which redirects visitors from private screens to the
 * login, a route per screen, and a screen for unknown paths.
 */
export const router = createBrowserRouter(
  [
    {
      element: <SessionGuard />,
      ErrorBoundary: BrokenScreen,
      HydrateFallback: () => null,
      loader: leaveLogin,
      shouldRevalidate: () => true,
      children: [
        ...redirectRoutes(REDIRECTS),
        withinFrame(
          [...screenRoutes(SCREENS), screenRoute('*', () => import('./shell/not-found-screen.tsx'))],
          BrokenScreen,
        ),
      ],
    },
  ],
  { basename: BASE_PATH, window: windowForRouter() },
);
