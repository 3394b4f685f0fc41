/** `npm start` installs packages and builds targets if necessary, then runs the server in this process. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { distOf, staleTargets, TARGETS } from './bootstrap/fingerprint.mjs';
import { ensureInstalled, requireNode, StartFailed } from './bootstrap/install.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** @param {string} line */
const say = (line) => console.log(line);

/**
 * Builds stale targets in a child process, because a build needs a few hundred MB of memory, which this process, in
 * which the server then runs, would not release. Throws `StartFailed` if a build fails.
 */
function ensureBuilt() {
  const stale = staleTargets(root);
  if (stale.length === 0) return;
  say(`Building ${stale.join(', ')} …`);
  const { status } = spawnSync(process.execPath, [join(root, 'tools/build.mjs'), ...stale], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) throw new StartFailed('Building failed; the reason stands above. Nothing was started.');
}

try {
  requireNode(process.versions.node);
  ensureInstalled(root, say);
  ensureBuilt();
} catch (error) {
  if (!(error instanceof StartFailed)) throw error;
  console.error(error.message);
  process.exit(1);
}

// The working directory is changed, so that the relative path `./data` does not depend on where the command was called.
process.chdir(root);
process.setSourceMapsEnabled(true);
const server = join(distOf(root, 'server'), TARGETS.server.produces);
if (!existsSync(server)) throw new StartFailed(`${server} is missing after the build.`);
await import(pathToFileURL(server).href);
