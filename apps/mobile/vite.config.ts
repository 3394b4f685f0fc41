import { defineConfig } from 'vite';
import { coinPictures } from '../../tools/coin-pictures.ts';
import { serviceWorker } from '../../tools/service-worker.ts';
import { verifiers } from '../../tools/verifiers.ts';
import { browserApp } from '../../tools/vite-shared.ts';
import { webManifests } from '../../tools/web-manifests.ts';

/**
 * The page skeletons that the browser shows until the first screen has loaded, each with the regular expression of the
 * URL paths for which it is used.
 */
const SHAPES = [
  ['trade', '^/trade/?$'],
  ['tab', '^/(?:main|home|market|my|account/[a-z]+/[0-9])?/?$'],
  ['page', ''],
] as const;
const app = browserApp(import.meta.dirname, '/', SHAPES);
/**
 * Patterns of the chunks that are available offline: the five screens with a tab and the parts that they display first,
 * and the initial translations of every language.
 */
const OFFLINE = [
  /\/(?:home|market|trade|assets|my)\/(?:home|market|trade|assets|my)-screen\.tsx$/,
  /\/board\/home-board\.tsx$/,
  /\/i18n\/[\w-]+\/first\.ts$/,
];

export default defineConfig({
  ...app,
  plugins: [
    ...(app.plugins ?? []),
    coinPictures(),
    verifiers(),
    webManifests('/'),
    serviceWorker('/', OFFLINE),
  ],
});
