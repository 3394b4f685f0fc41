import { defineConfig } from 'vite';
import { browserApp } from '../../tools/vite-shared.ts';

/** What stands on the page before the first screen has come, by its path. */
const SHAPES = [
  ['home', '^/pc/?(?:main|home)?/?$'],
  ['trade', '^/pc/trade/?$'],
  ['page', ''],
] as const;

export default defineConfig(browserApp(import.meta.dirname, '/pc/', SHAPES));
