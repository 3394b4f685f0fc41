import { defineConfig } from 'vite';
import { serviceWorker } from '../../tools/service-worker.ts';
import { browserApp } from '../../tools/vite-shared.ts';
import { webManifests } from '../../tools/web-manifests.ts';

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

/**
 * Patterns of the chunks that are available offline: the screens of the first page, of the market, of trading and of
 * assets, and the initial translations of every language.
 */
const OFFLINE = [
  /\/(?:home|market|trade)\/(?:home|market|trade)-screen\.tsx$/,
  /\/account\/assets-screen\.tsx$/,
  /\/board\/home-board\.tsx$/,
  /\/i18n\/[\w-]+\/first\.ts$/,
];

export default defineConfig({
  ...app,
  plugins: [...(app.plugins ?? []), webManifests('/pc/'), serviceWorker('/pc/', OFFLINE)],
});
