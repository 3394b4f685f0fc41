import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The Vite configuration of the component page. `npm run dev` serves the page; no build contains it. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
});
