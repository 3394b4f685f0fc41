import { ConnectionBar } from '@exchange/web-kit/feed/connection-bar.tsx';
import { useWords, withWords } from '@exchange/web-kit/i18n/words.ts';
import { useSession } from '@exchange/web-kit/session/session-store.ts';
import { loginPathFor, isPublicPath } from '@exchange/web-kit/shell/guard.ts';
import { useRemoveFirstSkeleton } from '@exchange/web-kit/shell/first-shape.ts';
import { PerUser } from '@exchange/web-kit/shell/per-user.tsx';
import { RouteProgress } from '@exchange/web-kit/shell/route-progress.tsx';
import { ScreenChange } from '@exchange/web-kit/shell/screen-change.tsx';
import { Navigate, Outlet, useLocation } from 'react-router';
import { paths, secondsResultPath } from '@exchange/web-kit/paths.ts';
import { PUSH_SITE } from '../push-site.ts';
import { resolveRedirect } from '../paths.ts';
import classes from './app-shell.module.css';
import { Footer } from './footer.tsx';
import { TopBar } from './top-bar.tsx';
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

const ChatButton = lazyPart(
  'chat-button',
  () => withWords(import('@exchange/web-kit/support/chat-button.tsx')),
  { whenMissing: 'nothing' },
);

/**
 * Frame around every screen: top bar, status of the connection, notifications, footer and chat button. The trading
 * screens fill the window and have neither footer nor chat button.
 */
export function AppShell() {
  const t = useWords('shell');
  const isSignedIn = useSession(({ session }) => session !== null);
  const path = resolveRedirect(useLocation().pathname);
  const isTrade = path === paths.trade || path === paths.desk;
  useRemoveFirstSkeleton();
  return (
    <div className={classes.page} data-home={path === paths.home || undefined}>
      <a className={classes.skip} href="#content">
        {t('skipToContent')}
      </a>
      <TopBar />
      <ConnectionBar className={classes.connection ?? ''} />
      <main id="content" className={classes.content} tabIndex={-1}>
        <PerUser>
          <Outlet />
        </PerUser>
      </main>
      {!isTrade && <Footer />}
      {!isTrade && <ChatButton helpPath={paths.contact} place="corner" />}
      <FrameNotes className="" />
      {isSignedIn && (
        <>
          <FillNews />
          <AlertNews />
          <PushKeeper site={PUSH_SITE} />
          <SecondsResults
            isInPlace={path === paths.seconds}
            proofPath={secondsResultPath}
            className={classes.results ?? ''}
          />
          <LoadPerson />
        </>
      )}
    </div>
  );
}

/**
 * Shows public screens to everyone; redirects visitors from all other screens to the login, which opens the requested
 * screen afterwards. The same redirect follows when a session ends on such a screen.
 */
export function SessionGuard() {
  const { pathname, search } = useLocation();
  const isSignedIn = useSession(({ session }) => session !== null);
  if (!isSignedIn && !isPublicPath(resolveRedirect(pathname))) {
    return <Navigate to={loginPathFor(pathname + search)} replace />;
  }
  return (
    <>
      <RouteProgress />
      <AppShell />
      <ScreenChange />
    </>
  );
}
