import { defineConfig } from 'vite';
import { pushServiceWorker } from '../../tools/push-worker.ts';
import { browserApp } from '../../tools/vite-shared.ts';

/**
 * The page skeletons that the browser shows until the first screen has loaded, each with the regular expression of the
 * URL paths for which it is used.
 */
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
