import { join } from 'node:path';
import type { ThreadProgram } from './kept-thread.ts';

/** The built program of the thread that computes the index price. */
export function indexProgram(rootDirectory: string): ThreadProgram {
  return { file: join(rootDirectory, 'apps/server/dist/index-worker.js') };
}
