import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ChildProcess, spawn } from 'node:child_process';
import { identityFor } from './account.ts';
import { knock, type Answer } from './answer.ts';
import { clearStaleLock, holderOf, type LockFile, clearStaleSocketLock } from './lock-file.ts';
import { lastComplaints, makeLogDirectory } from './log-files.ts';
import { serverArguments, serverEnvironment } from './settings.ts';
import { shutDown } from './shut-down.ts';
import type { Binaries } from './binaries.ts';
import type { Location } from './location.ts';
import type { DatabaseLog } from '../log.ts';
import { makeSocketDirectory } from './socket-directory.ts';

/** A server of our cluster that was seen to answer. */
export interface Running {
  readonly pid: number;
  readonly socketDirectory: string;
  /** Undefined when the server was adopted: then it is not our child and has to be watched by its number. */
  readonly child: ChildProcess | undefined;
}

// Crash recovery replays up to max_wal_size; a slow disk may need minutes, and killing it does not help.
const timeoutMs = 300_000;
const lookEveryMs = 10;
const retryEveryMs = 50;
const strangerGraceMs = 100;
const silenceGraceMs = 3_000;
const reportEveryMs = 5_000;

/**
 * Brings the cluster's server up, whatever state it is in: adopts a healthy one, waits for one that
 * recovers or stops, clears a stale lock, starts one where there is none. Two of these at once, in one
 * process or two, end up with the same server. Throws when PostgreSQL itself refuses to start.
 */
export async function bringUp(
  location: Location,
  binaries: () => Binaries,
  log: DatabaseLog,
): Promise<Running> {
  const { cluster } = location;
  const timeout = AbortSignal.timeout(timeoutMs);
  let untilReport = AbortSignal.timeout(reportEveryMs);
  let launched: Launched | undefined;
  let silenceGrace: AbortSignal | undefined;
  while (!timeout.aborted) {
    const holder = holderOf(cluster);
    if (holder.kind === 'stranger') {
      await dismiss(cluster, holder.pid, log);
    } else if (holder.kind === 'nobody') {
      launched = await relaunched(launched, () => launch(location, binaries()));
      await sleep(lookEveryMs);
    } else {
      const answer = await answerOf(holder.lock, cluster);
      if (answer === 'ours') return runningFrom(holder.lock, launched);
      silenceGrace = answer === 'silent' ? (silenceGrace ?? AbortSignal.timeout(silenceGraceMs)) : undefined;
      if (silenceGrace?.aborted === true) {
        log('warn', 'database is alive but does not answer, restarting it', { pid: holder.lock.pid });
        await shutDown(cluster, holder.lock.pid, log);
        silenceGrace = undefined;
      }
      await sleep(lookEveryMs);
    }
    if (untilReport.aborted) {
      untilReport = AbortSignal.timeout(reportEveryMs);
      log('info', 'still waiting for the database', { cluster });
    }
  }
  throw new Error(`PostgreSQL in ${cluster} was not ready after ${timeoutMs / 1000} s`);
}

/** Starts a server unless ours is still on its way; fails if it ended for a reason that will not pass. */
async function relaunched(previous: Launched | undefined, start: () => Launched): Promise<Launched> {
  const failure = previous?.failure();
  if (previous !== undefined && failure === undefined) return previous;
  if (failure !== undefined) {
    if (!failure.isPassing) throw new Error(`PostgreSQL ${failure.reason}`);
    await sleep(retryEveryMs);
  }
  return start();
}

/** Removes a stranger's claim, after a moment in which a just killed server may still be collected. */
async function dismiss(cluster: string, pid: number, log: DatabaseLog): Promise<void> {
  await sleep(strangerGraceMs);
  const holder = holderOf(cluster);
  if (holder.kind === 'stranger' && holder.pid === pid) {
    clearStaleLock(cluster, pid);
    log('info', 'stale database lock cleared: its process number belongs to another program', { pid });
  }
}

async function answerOf(lock: LockFile, cluster: string): Promise<Answer> {
  if (lock.status === 'starting' || lock.status === 'stopping') return 'busy';
  if (lock.socketDirectory === undefined) return 'busy';
  return knock(lock.socketDirectory, cluster);
}

function runningFrom(lock: LockFile, launched: Launched | undefined): Running {
  const child = launched?.child.pid === lock.pid ? launched.child : undefined;
  // The lock file was complete when we knocked, so the folder is there.
  return { pid: lock.pid, socketDirectory: lock.socketDirectory ?? '', child };
}

// What PostgreSQL says when the previous server's processes have not all ended yet, or when another
// supervisor started one at the same moment. Both pass.
const passing = /pre-existing shared memory block|lock file "postmaster\.pid" already exists/;

/** A server process started by us; it may still be recovering, and it may fail. */
interface Launched {
  readonly child: ChildProcess;
  /** Why the process ended, or undefined while it runs. */
  readonly failure: () => { readonly reason: string; readonly isPassing: boolean } | undefined;
}

/**
 * Starts PostgreSQL on a cluster without waiting for it. The server gets a session of its own: Ctrl-C
 * in a terminal must reach us and not the database. It outlives a killed parent; the next one adopts it.
 */
function launch(location: Location, binaries: Binaries): Launched {
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
