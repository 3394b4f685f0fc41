import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { identityFor } from './account.ts';
import { clearStaleSocketLock } from './lock-file.ts';
import { lastComplaints, makeLogDirectory } from './log-files.ts';
import { makeSocketDirectory } from './socket-directory.ts';
import { serverArguments, serverEnvironment } from './settings.ts';
import type { Binaries } from './binaries.ts';
import type { Location } from './location.ts';

// What PostgreSQL says when the previous server's processes have not all ended yet, or when another
// supervisor started one at the same moment. Both pass.
const passing = /pre-existing shared memory block|lock file "postmaster\.pid" already exists/;

/** A server process started by us; it may still be recovering, and it may fail. */
export interface Launched {
  readonly child: ChildProcess;
  /** Why the process ended, or undefined while it runs. */
  readonly failure: () => { readonly reason: string; readonly isPassing: boolean } | undefined;
}

/**
 * Starts PostgreSQL on a cluster without waiting for it. The server gets a session of its own: Ctrl-C
 * in a terminal must reach us and not the database. It outlives a killed parent; the next one adopts it.
 */
export function launch(location: Location, binaries: Binaries): Launched {
  const { cluster, home, account } = location;
  const logDirectory = makeLogDirectory(home, account);
  // Only what is said before the log files are open; a file, because a pipe would die with us.
  const firstWordsPath = join(logDirectory, 'start.txt');
  const output = openSync(firstWordsPath, 'w', 0o600);
  const socketDirectory = makeSocketDirectory(cluster, account);
  clearStaleSocketLock(socketDirectory, cluster);
  const child = spawn(binaries.postgres, serverArguments(cluster, socketDirectory, logDirectory), {
    ...identityFor(account),
    cwd: '/',
    env: serverEnvironment(),
    detached: true,
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  child.unref();
  let end: string | undefined;
  child.once('error', (error) => (end = `could not be started: ${error.message}`));
  child.once('exit', (code, signal) => (end = `ended with ${signal ?? `code ${code}`}`));
  return {
    child,
    failure: () => {
      if (end === undefined) return undefined;
      const words = readFileSync(firstWordsPath, 'utf8').trim();
      const reason = `${end}: ${words.includes('redirecting log output') ? lastComplaints(home) : words} (more in ${logDirectory})`;
      return { reason, isPassing: passing.test(words) };
    },
  };
}
