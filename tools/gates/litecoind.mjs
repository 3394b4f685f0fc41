/**
 * Installs the Litecoin node for the tests of chains if it is missing. Without the node these tests are skipped. For
 * `npm test` a failed installation is therefore only reported; with `--prove`, as `npm run prove` runs this file, it is
 * an error.
 */
import { spawnSync } from 'node:child_process';
import { installPackages } from './browser.mjs';

const isInstalled = () => spawnSync('litecoind', ['-version'], { stdio: 'ignore' }).status === 0;

const reason = isInstalled() ? null : installPackages(['litecoind'], console.log);
if (isInstalled()) console.log('litecoind is installed.');
else {
  console.log(`Tests against a node of Litecoin are skipped: ${reason ?? 'litecoind does not start'}.`);
  process.exitCode = process.argv.includes('--prove') ? 1 : 0;
}
