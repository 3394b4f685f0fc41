import { defineConfig } from 'vite';
import { coinPictures } from '../../tools/coin-pictures.ts';
import { browserApp } from '../../tools/vite-shared.ts';

const app = browserApp(import.meta.dirname, '/');

export default defineConfig({ ...app, plugins: [...(app.plugins ?? []), coinPictures()] });
