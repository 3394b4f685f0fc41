import { withWords } from '@exchange/web-kit/i18n/words.ts';
import { signedIn } from '@exchange/web-kit/session/session-store.ts';
import { awayFromLogin, loginPathFor, mayVisit, redirectFrom } from '@exchange/web-kit/shell/guard.ts';
import { loadScreen } from '@exchange/web-kit/part/load-chunk.ts';
import { windowForRouter } from '@exchange/web-kit/ui/overlay-history.ts';
import type { ComponentType } from 'react';
import { createBrowserRouter, Navigate, type RouteObject } from 'react-router';
import { paths, REDIRECTS, resolved } from './paths.ts';
import { AppShell, TabShell } from './shell/app-shell.tsx';
import { BrokenScreen } from './shell/broken-screen.tsx';

type Load = () => Promise<{ default: ComponentType }>;

/** A screen's component, with the words that it needs; rejects when it does not come. */
async function loaded(path: string, load: Load): Promise<ComponentType> {
  const chunk = loadScreen(load, path);
  return (await (path === paths.home ? chunk : withWords(chunk))).default;
}

/** Each screen is a chunk of its own, loaded when it is first opened; only home needs no more words than an app starts with. */
function screen(path: string, load: Load): RouteObject {
  return {
    path,
    lazy: async () => ({ Component: await loaded(path, load) }),
  };
}

/**
 * Screens within a frame that stays where one of them fails, in loading or drawing. The boundary is a route of its own:
 * the router draws none of a route whose own code did not come.
 */
const withinFrame = (screens: RouteObject[]): RouteObject => ({
  ErrorBoundary: BrokenScreen,
  children: screens,
});

const TABS: RouteObject[] = [
  screen(paths.home, () => import('./home/home-screen.tsx')),
  screen(paths.market, () => import('./market/market-screen.tsx')),
  screen(paths.trade, () => import('./trade/trade-screen.tsx')),
  screen(paths.assetsOf, () => import('./assets/assets-screen.tsx')),
  screen(paths.my, () => import('./my/my-screen.tsx')),
];

const about = () => import('./about/about-screen.tsx');

const SCREENS: RouteObject[] = [
  screen(paths.login, () => import('./user/login-screen.tsx')),
  screen(paths.register, () => import('./user/register-screen.tsx')),
  screen(paths.forget, () => import('./user/forget-screen.tsx')),
  screen(paths.modify, () => import('./my/modify-screen.tsx')),
  screen(paths.tradePassword, () => import('./my/trade-password-screen.tsx')),
  screen(paths.security, () => import('./my/security-screen.tsx')),
  screen(paths.freeze, () => import('./my/freeze-screen.tsx')),
  screen(paths.verify, () => import('./my/verify-screen.tsx')),
  screen(paths.devices, () => import('./my/devices-screen.tsx')),
  screen(paths.invite, () => import('./my/invite-screen.tsx')),
  screen(paths.messages, () => import('./my/messages-screen.tsx')),
  screen(paths.message, () => import('./my/message-screen.tsx')),
  screen(paths.start, () => import('./user/start-screen.tsx')),
  screen(paths.messageSettings, () => import('./my/message-settings-screen.tsx')),
  screen(paths.records, () => import('./records/records-screen.tsx')),
  screen(paths.order, () => import('./orders/order-screen.tsx')),
  screen(paths.coin, () => import('./assets/coin-screen.tsx')),
  screen(paths.deposit, () => import('./transfer/deposit-screen.tsx')),
  screen(paths.withdraw, () => import('./transfer/withdraw-screen.tsx')),
  screen(paths.address, () => import('./transfer/address-screen.tsx')),
  screen(paths.finance, () => import('./finance/list-screen.tsx')),
  screen(paths.financeRecord, () => import('./finance/record-screen.tsx')),
  screen(paths.convert, () => import('./assets/convert-screen.tsx')),
  screen(paths.seconds, () => import('./seconds/seconds-screen.tsx')),
  screen(paths.subscribe, () => import('./subscription/list-screen.tsx')),
  screen(paths.subscribeDetail, () => import('./subscription/detail-screen.tsx')),
  screen(paths.subscribePreview, () => import('./subscription/detail-screen.tsx')),
  screen(paths.subscribeRecord, () => import('./subscription/record-screen.tsx')),
  screen(paths.mining, () => import('./mining/list-screen.tsx')),
  screen(paths.miningRecord, () => import('./mining/record-screen.tsx')),
  screen(paths.alerts, () => import('./market/alerts-screen.tsx')),
  screen(paths.fund, () => import('./fund/list-screen.tsx')),
  screen(paths.fundDetail, () => import('./fund/detail-screen.tsx')),
  screen(paths.fundRecord, () => import('./fund/record-screen.tsx')),
  screen(paths.announcements, () => import('./about/announcements-screen.tsx')),
  screen(paths.fees, () => import('./about/fees-screen.tsx')),
  screen(paths.withdrawalTimes, () => import('./transfer/times-screen.tsx')),
  screen(paths.proofs, () => import('./about/proofs-screen.tsx')),
  ...[paths.about, paths.contact, paths.terms, paths.legal, paths.privacy].map((path) => screen(path, about)),
];

const redirects: RouteObject[] = REDIRECTS.map(([path, to]) => ({
  path,
  element: <Navigate to={to} replace />,
}));

/** Sends visitors of guarded addresses to the login, which leads back, and who is signed in away from it. */
function guard({ request }: { request: Request }): Response | null {
  const { pathname, search } = new URL(request.url);
  const away = signedIn() ? awayFromLogin(pathname + search, paths.assets) : undefined;
  if (away !== undefined) return redirectFrom(request, away);
  return signedIn() || mayVisit(resolved(pathname))
    ? null
    : redirectFrom(request, loginPathFor(pathname + search));
}

/** The whole site. */
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
          children: [withinFrame(TABS)],
        },
        ...redirects,
        withinFrame([...SCREENS, screen('*', () => import('./shell/not-found-screen.tsx'))]),
      ],
    },
  ],
  { window: windowForRouter() },
);
