import { defineConfig } from 'vite';
import { pushServiceWorker } from '../../tools/push-worker.ts';
import { browserApp } from '../../tools/vite-shared.ts';

/** The skeletons shown before the first screen has loaded, each with a pattern of the paths that it is for. */
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
