/**
 * Finds the NATS server for the tests with several processes, and downloads it on Debian. This file can also be run as
 * a command.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isStartedAs, repositoryRoot } from '../source/report.mjs';
import { findExecutable, isExecutable } from './executables.mjs';

const PACKAGE = 'nats-server';
/**
 * Folder to which the NATS program is unpacked. The Debian package is not installed, because its installation would
 * start a server that listens on all addresses.
 */
const FOLDER = join(repositoryRoot, 'node_modules/.cache/nats-server');

/**
 * @returns {string | null} the path of the server's program; null if it is missing
 */
export function findNatsServer() {
  const { NATS_SERVER_PATH: configuredPath } = process.env;
  if (configuredPath) return isExecutable(configuredPath) ? configuredPath : null;
  return findExecutable([PACKAGE], ['/usr/sbin', '/usr/local/bin', join(FOLDER, 'usr/sbin')]) ?? null;
}

/**
 * Downloads the Debian package and unpacks the program without installing the package. Needs root only if the package
 * lists are missing. If the download is not possible, nothing is unpacked.
 */
function fetchProgram() {
  if (spawnSync('apt-get', ['--version'], { stdio: 'ignore' }).status !== 0) return;
  mkdirSync(FOLDER, { recursive: true });
  const download = () =>
    spawnSync('apt-get', ['-qq', 'download', PACKAGE], { cwd: FOLDER, stdio: 'ignore' }).status === 0;
  if (!download()) {
    if (process.getuid?.() !== 0) return;
    spawnSync('apt-get', ['-qq', 'update'], { stdio: 'ignore' });
    if (!download()) return;
  }
  for (const file of readdirSync(FOLDER).filter((name) => name.endsWith('.deb')))
    spawnSync('dpkg-deb', ['-x', file, '.'], { cwd: FOLDER, stdio: 'ignore' });
}

if (isStartedAs(import.meta.url)) {
  if (findNatsServer() === null) fetchProgram();
  console.log(
    findNatsServer() ??
      'No nats-server found: tests of feed nodes over NATS are skipped. Install it, or set NATS_SERVER_PATH.',
  );
}
