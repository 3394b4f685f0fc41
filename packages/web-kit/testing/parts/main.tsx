import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { loadAllWords } from '../../src/i18n/words.ts';
import { PartsPage } from './parts-page.tsx';

await loadAllWords();
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <PartsPage />
  </StrictMode>,
);
