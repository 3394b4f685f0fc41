import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { identityFor } from './account.ts';
import { readLockFile, type LockFile } from './lock-file.ts';
import { makeLogDirectory, pruneLogFiles } from './log-files.ts';
import { makeSocketDirectory } from './socket-directory.ts';
import { serverArguments, serverEnvironment } from './settings.ts';
import type { Binaries } from './binaries.ts';
import type { Location } from './location.ts';

const lookEveryMs = 10;

// What PostgreSQL says when the previous server's processes have not all ended yet, or when another
// supervisor started one at the same moment. Both pass.
const passing = /pre-existing shared memory block|lock file "postmaster\.pid" already exists/;

/** PostgreSQL ended before it was ready. `isPassing` means: look again in a moment. */
export class LaunchFailed extends Error {
  readonly isPassing: boolean;
  constructor(message: string, isPassing: boolean) {
    super(message);
    this.name = 'LaunchFailed';
    this.isPassing = isPassing;
  }
}

/** A server that was started by us and accepts connections. */
export interface Launched {
  readonly child: ChildProcess;
  readonly lock: LockFile;
}

/**
 * Starts PostgreSQL on a cluster and waits until it accepts connections, crash recovery included.
 * The server gets a session of its own: a Ctrl-C in the terminal must reach us and not the database,
 * and it outlives a killed parent, to be adopted by the next one. Throws `LaunchFailed`.
 */
export async function launch(location: Location, binaries: Binaries, timeoutMs: number): Promise<Launched> {
  const { cluster, home, account } = location;
  const logDirectory = makeLogDirectory(home, account);
  pruneLogFiles(logDirectory);
  // Only what is said before the log files are open, and when they cannot be opened.
  const firstWords = join(logDirectory, 'start.txt');
  const output = openSync(firstWords, 'w', 0o600);
  const socketDirectory = makeSocketDirectory(cluster, account);
  const child = spawn(binaries.postgres, serverArguments(cluster, socketDirectory, logDirectory), {
    ...identityFor(account),
    cwd: '/',
    env: serverEnvironment(),
    detached: true,
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  child.unref();
  let failure: string | undefined;
  child.once('error', (error) => (failure = error.message));
  child.once('exit', (code, signal) => (failure = `ended with ${signal ?? `code ${code}`}`));

  const deadline = performance.now() + timeoutMs;
  while (performance.now() < deadline) {
    if (failure !== undefined) {
      const words = readFileSync(firstWords, 'utf8').trim();
      throw new LaunchFailed(`PostgreSQL ${failure} while starting: ${words}`, passing.test(words));
    }
    const lock = readLockFile(cluster);
    if (lock !== undefined && lock.pid === child.pid && lock.status === 'ready') return { child, lock };
    await sleep(lookEveryMs);
  }
  child.kill('SIGQUIT');
  throw new LaunchFailed(
    `PostgreSQL was not ready after ${timeoutMs / 1000} s; its log is in ${logDirectory}`,
    false,
  );
}
