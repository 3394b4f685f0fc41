import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const rootDirectory = fileURLToPath(new URL('../../../..', import.meta.url));

/**
 * True if this test worker has already checked whether the build is up to date. The sources do not change while tests
 * run.
 */
let isBuilt = false;

/**
 * Builds the server if its sources are newer than its last build. Each test worker checks this once. Throws if the
 * build fails.
 */
export function requireBuiltServer(): void {
  if (isBuilt) return;
  // `--stale` builds only if the build is out of date. A build replaces files that another test's server may be
  // loading.
  const args = ['tools/build.mjs', 'server', '--stale'];
  const build = spawnSync(process.execPath, args, { cwd: rootDirectory });
  if (build.status !== 0) throw new Error(`the server cannot be built: ${build.stderr.toString()}`);
  isBuilt = true;
}
