import { fileURLToPath } from 'node:url';
import type { ThreadProgram } from '../src/platform/children/kept-thread.ts';

/** The program of the thread that makes the index, from its source. */
export const INDEX_PROGRAM: ThreadProgram = {
  file: fileURLToPath(new URL('./index-worker.mjs', import.meta.url)),
  execArgv: [],
};
