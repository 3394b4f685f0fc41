import { ConnectionBar } from '@exchange/web-kit/feed/connection-bar.tsx';
import { useWords, withWords } from '@exchange/web-kit/i18n/words.ts';
import { useSession } from '@exchange/web-kit/session/session-store.ts';
import { loginPathFor, isPublicPath } from '@exchange/web-kit/shell/guard.ts';
import { useRemoveFirstSkeleton } from '@exchange/web-kit/shell/first-shape.ts';
import { PerUser } from '@exchange/web-kit/shell/per-user.tsx';
import { RouteProgress } from '@exchange/web-kit/shell/route-progress.tsx';
import { ScreenChange } from '@exchange/web-kit/shell/screen-change.tsx';
import { ChartCandlestick, House, Repeat, User, Wallet } from 'lucide-react';
import { useEffect } from 'react';
import { Link, matchPath, Outlet, useLocation, useNavigate } from 'react-router';
import { ASSETS_PATTERN, paths, secondsResultPath } from '@exchange/web-kit/paths.ts';
import { resolveRedirect } from '../paths.ts';
import { PUSH_SITE } from '../push-site.ts';
import css from './shell.module.css';
import { lazyPart } from '@exchange/web-kit/part/lazy-part.tsx';

// Components that the first screen does not need; their code is loaded after that screen.
const FillNews = lazyPart('fill-news', () => import('@exchange/web-kit/spot/fill-news.tsx'), {
  whenMissing: 'nothing',
});

const SecondsResults = lazyPart(
  'seconds-results',
  () => import('@exchange/web-kit/seconds/seconds-results.tsx'),
  { whenMissing: 'nothing' },
);

const PushKeeper = lazyPart(
  'push-keeper',
  () => withWords(import('@exchange/web-kit/push/push-keeper.tsx')),
  {
    whenMissing: 'nothing',
  },
);

const AlertNews = lazyPart('alert-news', () => withWords(import('@exchange/web-kit/market/alert-news.tsx')), {
  whenMissing: 'nothing',
});

const FrameNotes = lazyPart('frame-notes', () => import('@exchange/web-kit/shell/frame-notes.tsx'), {
  whenMissing: 'nothing',
});

const LoadPerson = lazyPart('load-person', () => import('@exchange/web-kit/user/load-user.tsx'), {
  whenMissing: 'nothing',
});

/**
 * Frame of all screens: shows the status of the connection and the notifications, and redirects to the login when the
 * session ends on a screen that needs one.
 */
export function AppShell() {
  useLeaveWhenSignedOut();
  useRemoveFirstSkeleton();
  const isSignedIn = useSession(({ session }) => session !== null);
  const { pathname } = useLocation();
  return (
    <>
      <RouteProgress />
      <ConnectionBar className={css.connection ?? ''} />
      <PerUser>
        <Outlet />
      </PerUser>
      <FrameNotes className={css.notes ?? ''} />
      <ScreenChange />
      {isSignedIn && (
        <>
          <FillNews />
          <AlertNews />
          <PushKeeper site={PUSH_SITE} />
          <SecondsResults
            isInPlace={pathname === paths.seconds}
            proofPath={secondsResultPath}
            className={css.results ?? ''}
          />
          <LoadPerson />
        </>
      )}
    </>
  );
}

function useLeaveWhenSignedOut(): void {
  const isSignedIn = useSession(({ session }) => session !== null);
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  useEffect(() => {
    if (!isSignedIn && !isPublicPath(resolveRedirect(pathname)))
      void navigate(loginPathFor(pathname + search), { replace: true });
  }, [isSignedIn, pathname, search, navigate]);
}

/**
 * The tabs of the bottom bar with their paths. A tab with `all` is highlighted on every path that matches this pattern;
 * other tabs are highlighted on their own path and the paths below it.
 */
const TABS = [
  { to: paths.home, word: 'navHome', Icon: House },
  { to: paths.market, word: 'navMarkets', Icon: ChartCandlestick },
  { to: paths.trade, word: 'navTrade', Icon: Repeat },
  { to: paths.assets, all: ASSETS_PATTERN, word: 'navAssets', Icon: Wallet },
  { to: paths.my, word: 'navMy', Icon: User },
] as const;

/** Frame of a screen that has the tab bar at the bottom. */
export function TabShell() {
  const t = useWords('shell');
  const { pathname } = useLocation();
  const isHere = (pattern: string) => matchPath({ path: pattern, end: false }, pathname) !== null;
  return (
    <div className={css.withTabs}>
      <Outlet />
      <nav className={css.tabs} aria-label={t('navMain')}>
        {TABS.map(({ to, word, Icon, ...tab }) => (
          <Link
            key={to}
            to={to}
            className={css.tab ?? ''}
            aria-current={isHere('all' in tab ? tab.all : to) ? 'page' : undefined}
          >
            <Icon size={22} strokeWidth={1.75} aria-hidden="true" />
            {t(word)}
          </Link>
        ))}
      </nav>
    </div>
  );
}
