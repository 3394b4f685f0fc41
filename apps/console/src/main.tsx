import '@exchange/web-kit/theme/base.css';
import '@exchange/web-kit/theme/tokens.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import './console.css';
import './area.css';
import './overview.css';

const light = matchMedia('(prefers-color-scheme: light)');
const follow = () => {
  document.documentElement.dataset['mantineColorScheme'] = light.matches ? 'light' : 'dark';
};
follow();
light.addEventListener('change', follow);
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
