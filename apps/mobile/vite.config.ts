import { defineConfig } from 'vite';
import { coinPictures } from '../../tools/coin-pictures.ts';
import { serviceWorker } from '../../tools/service-worker.ts';
import { browserApp } from '../../tools/vite-shared.ts';

const app = browserApp(import.meta.dirname, '/');
/** Home in every language opens without a network. */
const OFFLINE = [/\/home\/home-screen\.tsx$/, /\/i18n\/[\w-]+\/first\.ts$/];

export default defineConfig({
  ...app,
  plugins: [...(app.plugins ?? []), coinPictures(), serviceWorker(OFFLINE)],
});
