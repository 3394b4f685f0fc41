import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const rootDirectory = fileURLToPath(new URL('../../../..', import.meta.url));

/** Whether this worker has found the server built: nobody changes its sources while tests run. */
let isBuilt = false;

/** Builds the server unless it is fresh; throws when that cannot be done. Looks once for all test files of a worker. */
export function requireBuiltServer(): void {
  if (isBuilt) return;
  // Building a fresh one again would take the files from under another test's server that is just starting.
  const parts = ['tools/build.mjs', 'server', '--stale'];
  const build = spawnSync(process.execPath, parts, { cwd: rootDirectory });
  if (build.status !== 0) throw new Error(`the server cannot be built: ${build.stderr.toString()}`);
  isBuilt = true;
}
