import { startScreens } from '@exchange/web-kit/i18n/words.ts';
import { Providers } from '@exchange/web-kit/shell/providers.tsx';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import { router } from './routes.tsx';
import { startWorker } from './shell/start-worker.ts';
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

if (import.meta.env.PROD) startWorker();

void start();
