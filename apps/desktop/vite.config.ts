import { defineConfig } from 'vite';
import { pushServiceWorker } from '../../tools/push-worker.ts';
import { browserApp } from '../../tools/vite-shared.ts';

/** The skeleton shown before the first screen has loaded, by path. */
const SHAPES = [
  ['home', '^/pc/?(?:main|home)?/?$'],
  ['trade', '^/pc/trade(?:/desk)?/?$'],
  ['page', ''],
] as const;

const app = browserApp(import.meta.dirname, '/pc/', SHAPES);

export default defineConfig({
  ...app,
  plugins: [...(app.plugins ?? []), pushServiceWorker('/pc/')],
});
