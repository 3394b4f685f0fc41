import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const rootDirectory = fileURLToPath(new URL('../../../..', import.meta.url));

/** Builds the server unless it is fresh; throws when that cannot be done. */
export function requireBuiltServer(): void {
  // Building a fresh one again would take the files from under another test's server that is just starting.
  const parts = ['tools/build.mjs', 'server', '--stale'];
  const build = spawnSync(process.execPath, parts, { cwd: rootDirectory });
  if (build.status !== 0) throw new Error(`the server cannot be built: ${build.stderr.toString()}`);
}
