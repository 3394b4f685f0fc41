import { defineConfig } from 'vite';
import { browserApp } from '../../tools/vite-shared.ts';

export default defineConfig(browserApp(import.meta.dirname, '/ops/app/'));
