import { defineConfig } from 'vite';
import { browserApp } from '../../tools/vite-shared.ts';

/** The skeleton shown before the first screen has loaded, by path. */
const SHAPES = [
  ['home', '^/pc/?(?:main|home)?/?$'],
  ['trade', '^/pc/trade/?$'],
  ['page', ''],
] as const;

export default defineConfig(browserApp(import.meta.dirname, '/pc/', SHAPES));
