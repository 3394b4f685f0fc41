import { fileURLToPath } from 'node:url';
import type { ThreadProgram } from '../src/platform/children/kept-thread.ts';

/** Program of the index thread for tests. The thread runs from its TypeScript source. */
export const INDEX_PROGRAM: ThreadProgram = {
  file: fileURLToPath(new URL('./index-worker.mjs', import.meta.url)),
  execArgv: [],
};
