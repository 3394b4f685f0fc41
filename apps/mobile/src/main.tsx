import { startScreens } from '@exchange/web-kit/i18n/words.ts';
import { Providers } from '@exchange/web-kit/shell/providers.tsx';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import { router } from './routes.tsx';
import './style/page.css';

await startScreens();

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <Providers>
      <RouterProvider router={router} />
    </Providers>
  </StrictMode>,
);
