import { startScreens } from '@exchange/web-kit/i18n/words.ts';
import { Providers } from '@exchange/web-kit/shell/providers.tsx';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import { router } from './routes.tsx';
import './style/page.css';

async function start(): Promise<void> {
  await startScreens();
  createRoot(document.getElementById('root')!).render(
    <StrictMode>
      <Providers>
        <RouterProvider router={router} />
      </Providers>
    </StrictMode>,
  );
}

// Installed, or without a network, the app opens from what the worker keeps; where there is none it opens as ever.
if (import.meta.env.PROD && 'serviceWorker' in navigator)
  void navigator.serviceWorker.register('/service-worker.js').catch(() => undefined);

void start();
