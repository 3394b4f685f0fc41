import { ErrorBoundary } from '@exchange/web-kit/shell/error-boundary.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { Suspense } from 'react';
import { Outlet, useLocation } from 'react-router';
import { paths, resolved } from '../paths.ts';
import classes from './app-shell.module.css';
import { BrokenScreen } from './broken-screen.tsx';
import { ConnectionBar } from './connection-bar.tsx';
import { Footer } from './footer.tsx';
import { TopBar } from './top-bar.tsx';

const broken = () => <BrokenScreen />;

/** Everything around a screen. The trading screen fills the window and has no foot. */
export function AppShell() {
  const t = useWords('shell');
  const path = resolved(useLocation().pathname);
  const isTrade = path === paths.trade;
  return (
    <div className={classes.page} data-home={path === paths.home || undefined}>
      <a className={classes.skip} href="#content">
        {t('skipToContent')}
      </a>
      <TopBar />
      <ConnectionBar />
      <main id="content" className={classes.content} tabIndex={-1}>
        <ErrorBoundary resetKey={path} fallback={broken}>
          <Suspense fallback={<div className={classes.waiting} />}>
            <Outlet />
          </Suspense>
        </ErrorBoundary>
      </main>
      {!isTrade && <Footer />}
    </div>
  );
}
