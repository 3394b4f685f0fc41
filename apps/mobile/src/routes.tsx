import { paths } from '@exchange/web-kit/paths.ts';
import { signedIn } from '@exchange/web-kit/session/session-store.ts';
import {
  redirectFromLogin,
  loginPathFor,
  isPublicPath,
  redirectFrom,
} from '@exchange/web-kit/shell/guard.ts';
import {
  redirectRoutes,
  screenRoute,
  screenRoutes,
  withinFrame,
  type SiteScreens,
} from '@exchange/web-kit/shell/site-routes.ts';
import { windowForRouter } from '@exchange/web-kit/ui/overlay-history.ts';
import { createBrowserRouter } from 'react-router';
import { REDIRECTS, resolveRedirect, type REPLACED } from './paths.ts';
import { AppShell, TabShell } from './shell/app-shell.tsx';
import { BrokenScreen } from './shell/broken-screen.tsx';

/** Names of the screens that the bar at the bottom links to. */
type Tab = 'home' | 'market' | 'trade' | 'assets' | 'my';

const TABS: Pick<SiteScreens<never>, Tab> = {
  home: () => import('./home/home-screen.tsx'),
  market: () => import('./market/market-screen.tsx'),
  trade: () => import('./trade/trade-screen.tsx'),
  assets: () => import('./assets/assets-screen.tsx'),
  my: () => import('./my/my-screen.tsx'),
};

const loadAbout = () => import('./about/about-screen.tsx');

const SCREENS: SiteScreens<Tab | keyof typeof REPLACED> = {
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
  coin: () => import('./assets/coin-screen.tsx'),
  deposit: () => import('./transfer/deposit-screen.tsx'),
  withdraw: () => import('./transfer/withdraw-screen.tsx'),
  tracking: () => import('./transfer/tracking-screen.tsx'),
  convert: () => import('./assets/convert-screen.tsx'),
  recurring: () => import('./assets/recurring-screen.tsx'),
  smallBalances: () => import('./assets/small-screen.tsx'),
  taxReport: () => import('./assets/tax-screen.tsx'),
  records: () => import('./records/records-screen.tsx'),
  order: () => import('./orders/order-screen.tsx'),
  start: () => import('./user/start-screen.tsx'),
  security: () => import('./my/security-screen.tsx'),
  apiKeys: () => import('./my/security-screen.tsx'),
  tradePassword: () => import('./my/trade-password-screen.tsx'),
  devices: () => import('./my/devices-screen.tsx'),
  freeze: () => import('./my/freeze-screen.tsx'),
  alerts: () => import('./market/alerts-screen.tsx'),
  verify: () => import('./my/verify-screen.tsx'),
  address: () => import('./transfer/address-screen.tsx'),
  invite: () => import('./my/invite-screen.tsx'),
  messages: () => import('./my/messages-screen.tsx'),
  message: () => import('./my/message-screen.tsx'),
  messageSettings: () => import('./my/message-settings-screen.tsx'),
  login: () => import('./user/login-screen.tsx'),
  register: () => import('./user/register-screen.tsx'),
  forget: () => import('./user/forget-screen.tsx'),
  modify: () => import('./my/modify-screen.tsx'),
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
 * Route loader that redirects visitors from screens that need a login to the login, and signed-in users away from login
 * and registration.
 */
function guard({ request }: { request: Request }): Response | null {
  const { pathname, search } = new URL(request.url);
  const away = signedIn() ? redirectFromLogin(pathname + search, paths.assets) : undefined;
  if (away !== undefined) return redirectFrom(request, away);
  return signedIn() || isPublicPath(resolveRedirect(pathname))
    ? null
    : redirectFrom(request, loginPathFor(pathname + search));
}

export const router = createBrowserRouter(
  [
    {
      element: <AppShell />,
      ErrorBoundary: BrokenScreen,
      HydrateFallback: () => null,
      loader: guard,
      shouldRevalidate: () => true,
      children: [
        {
          element: <TabShell />,
          children: [withinFrame(screenRoutes(TABS), BrokenScreen)],
        },
        ...redirectRoutes(REDIRECTS),
        withinFrame(
          [...screenRoutes(SCREENS), screenRoute('*', () => import('./shell/not-found-screen.tsx'))],
          BrokenScreen,
        ),
      ],
    },
  ],
  { window: windowForRouter() },
);
