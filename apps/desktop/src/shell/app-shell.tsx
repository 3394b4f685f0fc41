import { ConnectionBar } from '@exchange/web-kit/feed/connection-bar.tsx';
import { useWords, withWords } from '@exchange/web-kit/i18n/words.ts';
import { useSession } from '@exchange/web-kit/session/session-store.ts';
import { ErrorBoundary } from '@exchange/web-kit/shell/error-boundary.tsx';
import { loginPathFor, mayVisit } from '@exchange/web-kit/shell/guard.ts';
import { lazy, Suspense } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router';
import { paths, resolved } from '../paths.ts';
import classes from './app-shell.module.css';
import { BrokenScreen } from './broken-screen.tsx';
import { Footer } from './footer.tsx';
import { TopBar } from './top-bar.tsx';

// What no first screen needs comes after it.
const FillNews = lazy(() => import('@exchange/web-kit/spot/fill-news.tsx'));

const LoadPerson = lazy(() => import('@exchange/web-kit/user/load-person.tsx'));

const ChatButton = lazy(() => withWords(import('@exchange/web-kit/support/chat-button.tsx')));

const broken = () => <BrokenScreen />;

/** Everything around a screen. The trading screen fills the window and has no foot. */
export function AppShell() {
  const t = useWords('shell');
  const isSignedIn = useSession(({ session }) => session !== null);
  const path = resolved(useLocation().pathname);
  const isTrade = path === paths.trade;
  return (
    <div className={classes.page} data-home={path === paths.home || undefined}>
      <a className={classes.skip} href="#content">
        {t('skipToContent')}
      </a>
      <TopBar />
      <ConnectionBar className={classes.connection ?? ''} />
      <main id="content" className={classes.content} tabIndex={-1}>
        <ErrorBoundary resetKey={path} fallback={broken}>
          <Suspense fallback={<div className={classes.waiting} />}>
            <Outlet />
          </Suspense>
        </ErrorBoundary>
      </main>
      {!isTrade && <Footer />}
      {!isTrade && (
        <Suspense fallback={null}>
          <ChatButton helpPath={paths.about.page('connect')} />
        </Suspense>
      )}
      {isSignedIn && (
        <Suspense fallback={null}>
          <FillNews />
          <LoadPerson />
        </Suspense>
      )}
    </div>
  );
}

/**
 * Lets a visitor through to the public screens and sends everybody else to the login, which leads back. It
 * also catches the end of a session while a private screen is open.
 */
export function Guarded() {
  const { pathname, search } = useLocation();
  const isSignedIn = useSession(({ session }) => session !== null);
  if (!isSignedIn && !mayVisit(resolved(pathname))) {
    return <Navigate to={loginPathFor(pathname + search)} replace />;
  }
  return <AppShell />;
}
