import { Providers } from '@exchange/web-kit/shell/providers.tsx';
import { startPage } from '@exchange/web-kit/shell/start-page.ts';
import { pathOnSite, fitsOtherSite } from '@exchange/web-kit/shell/site.ts';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router';
import { BASE_PATH } from './paths.ts';
import { router } from './routes.tsx';
import './style/page.css';

/**
 * Leaves the desktop site for the same path and query of the mobile site, without a new entry in the browser history.
 */
function leaveForMobile(): void {
  const { pathname, search } = location;
  location.replace(pathOnSite('mobile', (pathname.slice(BASE_PATH.length) || '/') + search));
}

/**
 * Starts the service worker, which lets the site open offline. Its code is loaded after the page's own. If it cannot be
 * loaded now, the next visit starts the worker.
 */
async function loadWorker(): Promise<void> {
  const loaded = await import('@exchange/web-kit/shell/start-worker.ts').catch(() => undefined);
  loaded?.startWorker(`${BASE_PATH}/`);
}

const root = document.getElementById('root')!;

function render(): void {
  createRoot(root).render(
    <StrictMode>
      <Providers>
        <RouterProvider router={router} />
      </Providers>
    </StrictMode>,
  );
}

if (fitsOtherSite('desktop')) leaveForMobile();
else {
  if (import.meta.env.PROD) void loadWorker();
  void startPage(root, render);
}
