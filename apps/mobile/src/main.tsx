import { Providers } from '@exchange/web-kit/shell/providers.tsx';
import { startPage } from '@exchange/web-kit/shell/start-page.ts';
import { startWorker } from '@exchange/web-kit/shell/start-worker.ts';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import { router } from './routes.tsx';
import './style/page.css';
import './style/large-text.css';

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

if (import.meta.env.PROD) startWorker('/');

void startPage(root, render);
