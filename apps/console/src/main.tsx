import '@exchange/web-kit/theme/base.css';
import '@exchange/web-kit/theme/tokens.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import './console.css';

document.documentElement.dataset['mantineColorScheme'] = matchMedia('(prefers-color-scheme: light)').matches
  ? 'light'
  : 'dark';
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
