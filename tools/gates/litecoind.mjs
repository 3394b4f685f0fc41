/**
 * Installs the node of Litecoin that tests of chains run against, if it is missing. Without it these tests are skipped,
 * so a failed installation is reported and fails nothing.
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
