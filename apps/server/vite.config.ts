import { defineConfig } from 'vite';
import { serverApp } from '../../tools/vite-shared.ts';

export default defineConfig(serverApp(import.meta.dirname));
