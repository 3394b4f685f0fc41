import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The Vite configuration of the component page, which `npm run dev` serves and no build contains. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
});
