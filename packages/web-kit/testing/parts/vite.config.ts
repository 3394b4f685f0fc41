import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The page of parts, which `npm run dev` serves. It is not built. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
});
