import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ChildProcess, spawn } from 'node:child_process';
import { identityFor } from './account.ts';
import { probeServer, type Answer } from './answer.ts';
import { clearStaleLock, holderOf, type LockFile, clearStaleSocketLock } from './lock-file.ts';
import { lastComplaints, makeLogDirectory } from './log-files.ts';
import { serverArguments, serverEnvironment } from './settings.ts';
import { shutDown } from './shut-down.ts';
import type { Binaries } from './binaries.ts';
import type { Location } from './location.ts';
import type { DatabaseLog } from '../log.ts';
import { makeSocketDirectory } from './socket-directory.ts';

/** A running PostgreSQL server that serves the data directory and has answered a query. */
export interface Running {
  readonly pid: number;
  readonly socketDirectory: string;
  /**
   * The server as a child process of this process; undefined if another process started the server, of which then only
   * the process id is known.
   */
  readonly child: ChildProcess | undefined;
}

// Milliseconds to wait until PostgreSQL is ready. The limit is long, because crash recovery replays up to max_wal_size,
// which may take minutes on a slow disk and would begin again if the server were killed.
const timeoutMs = 300_000;
const pollEveryMs = 10;
const retryEveryMs = 50;
const strangerGraceMs = 100;
const silenceGraceMs = 3_000;
const reportEveryMs = 5_000;

/**
 * Ensures that a PostgreSQL server runs on a data directory. It adopts a healthy server, waits for one that recovers or
 * stops, restarts one that does not answer, and otherwise starts one after clearing a stale lock file. Concurrent
 * calls, also of several processes, return the same server. Throws if PostgreSQL refuses to start or to stop, is not
 * usable, or is not ready within five minutes.
 */
export async function bringUp(
  location: Location,
  binaries: () => Binaries,
  { log, connectionsMax }: { readonly log: DatabaseLog; readonly connectionsMax?: number | undefined },
): Promise<Running> {
  const { cluster } = location;
  const timeout = AbortSignal.timeout(timeoutMs);
  let untilReport = AbortSignal.timeout(reportEveryMs);
  let launched: Launched | undefined;
  let silenceGrace: AbortSignal | undefined;
  while (!timeout.aborted) {
    const holder = holderOf(cluster);
    if (holder.kind === 'stranger') {
      await clearForeignLock(cluster, holder.pid, log);
    } else if (holder.kind === 'nobody') {
      launched = await relaunchIfEnded(launched, () => launch(location, binaries(), connectionsMax));
      await sleep(pollEveryMs);
    } else {
      const answer = await answerOf(holder.lock, cluster);
      if (answer === 'ours') return runningFrom(holder.lock, launched);
      silenceGrace = answer === 'silent' ? (silenceGrace ?? AbortSignal.timeout(silenceGraceMs)) : undefined;
      if (silenceGrace?.aborted === true) {
        log('warn', 'database is alive but does not answer, restarting it', { pid: holder.lock.pid });
        await shutDown(cluster, holder.lock.pid, log);
        silenceGrace = undefined;
      }
      await sleep(pollEveryMs);
    }
    if (untilReport.aborted) {
      untilReport = AbortSignal.timeout(reportEveryMs);
      log('info', 'still waiting for the database', { cluster });
    }
  }
  throw new Error(`PostgreSQL in ${cluster} was not ready after ${timeoutMs / 1000} s`);
}

/**
 * Starts a PostgreSQL server unless one that this process started is still running. Waits first if that one ended for a
 * transient reason, and throws if it ended for a permanent one.
 */
async function relaunchIfEnded(previous: Launched | undefined, start: () => Launched): Promise<Launched> {
  const failure = previous?.failure();
  if (previous !== undefined && failure === undefined) return previous;
  if (failure !== undefined) {
    if (!failure.isTransient) throw new Error(`PostgreSQL ${failure.reason}`);
    await sleep(retryEveryMs);
  }
  return start();
}

/**
 * Clears PostgreSQL's lock file if its process id still belongs to another program after a short pause. During the
 * pause a server that was just killed may finish ending.
 */
async function clearForeignLock(cluster: string, pid: number, log: DatabaseLog): Promise<void> {
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
  return probeServer(lock.socketDirectory, cluster);
}

function runningFrom(lock: LockFile, launched: Launched | undefined): Running {
  const child = launched?.child.pid === lock.pid ? launched.child : undefined;
  // The server has answered, so its lock file is complete and names the folder of the socket.
  return { pid: lock.pid, socketDirectory: lock.socketDirectory ?? '', child };
}

// Messages with which PostgreSQL fails temporarily: processes of the previous server are still ending, or another
// process has started a server at the same time.
const transientFailure = /pre-existing shared memory block|lock file "postmaster\.pid" already exists/;

/** A PostgreSQL process that this process started. It may still be recovering, and it may fail. */
interface Launched {
  readonly child: ChildProcess;
  /**
   * Returns why the PostgreSQL process ended, and whether another start may succeed (`isTransient`);
   * undefined while the process runs.
   */
  readonly failure: () => { readonly reason: string; readonly isTransient: boolean } | undefined;
}

/**
 * Starts PostgreSQL on a data directory without waiting for it. The server runs in its own session, so that Ctrl-C in a
 * terminal does not reach it. If this process is killed, the server continues, and the next start adopts it.
 */
function launch(location: Location, binaries: Binaries, connectionsMax: number | undefined): Launched {
  const { cluster, home, account } = location;
  const logDirectory = makeLogDirectory(home, account);
  // PostgreSQL writes its output to this file until it opens its log files. A pipe would break when this process ends.
  const startOutputPath = join(logDirectory, 'start.txt');
  const output = openSync(startOutputPath, 'w', 0o600);
  const socketDirectory = makeSocketDirectory(cluster, account);
  clearStaleSocketLock(socketDirectory, cluster);
  const places = {
    cluster,
    socketDirectory,
    logDirectory,
    connectionsMax,
  };
  const child = spawn(binaries.postgres, serverArguments(places), {
    ...identityFor(account),
    cwd: '/',
    env: serverEnvironment(),
    detached: true,
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  child.unref();
  let ending: string | undefined;
  child.once('error', (error) => (ending = `could not be started: ${error.message}`));
  child.once('exit', (code, signal) => (ending = `ended with ${signal ?? `code ${code}`}`));
  return {
    child,
    failure: () => {
      if (ending === undefined) return undefined;
      const startOutput = readFileSync(startOutputPath, 'utf8').trim();
      const reason = `${ending}: ${startOutput.includes('redirecting log output') ? lastComplaints(home) : startOutput} (more in ${logDirectory})`;
      return { reason, isTransient: transientFailure.test(startOutput) };
    },
  };
}
