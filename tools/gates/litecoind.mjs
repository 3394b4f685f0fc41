/**
 * Installs the Litecoin node for the tests of chains if it is missing. Without the node these tests are skipped, so a
 * failed installation is only reported and is not an error.
 */
import { spawnSync } from 'node:child_process';
import { installPackages } from './browser.mjs';

const isInstalled = () => spawnSync('litecoind', ['-version'], { stdio: 'ignore' }).status === 0;

const reason = isInstalled() ? null : installPackages(['litecoind'], console.log);
console.log(
  isInstalled()
    ? 'litecoind is installed.'
    : `Tests against a node of Litecoin are skipped: ${reason ?? 'litecoind does not start'}.`,
);
