import { setTimeout as sleep } from 'node:timers/promises';
import { isFileSystemError } from './file-system-error.ts';
import { holderOf } from './lock-file.ts';
import { stateOf } from './processes.ts';
import type { DatabaseLog } from '../log.ts';

// Signals that stop PostgreSQL, in the order of their use. After SIGINT it ends all sessions and writes a checkpoint.
// After SIGQUIT and SIGKILL it writes no checkpoint, and the next start recovers all committed data.
const shutdownSignals = [
  { signal: 'SIGINT', timeoutMs: 30_000 },
  { signal: 'SIGQUIT', timeoutMs: 10_000 },
  { signal: 'SIGKILL', timeoutMs: 5_000 },
] as const;

/**
 * Stops the PostgreSQL server `pid` of a data directory with increasingly strong signals. Does nothing if the server no
 * longer runs on the directory. Throws if it cannot be stopped.
 */
export async function shutDown(cluster: string, pid: number, log: DatabaseLog): Promise<void> {
  for (const { signal, timeoutMs } of shutdownSignals) {
    const holder = holderOf(cluster);
    // The process id may belong to another program by now, which must not receive the signal.
    if (holder.kind !== 'postmaster' || holder.lock.pid !== pid) return;
    if (signal !== 'SIGINT') log('warn', 'database does not stop, insisting', { pid, signal });
    if (!send(pid, signal) || (await isGone(pid, timeoutMs))) return;
  }
  throw new Error(`PostgreSQL process ${pid} of ${cluster} cannot be stopped`);
}

function send(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch (error) {
    // The PostgreSQL process has already ended.
    if (isFileSystemError(error, 'ESRCH')) return false;
    throw error;
  }
}

async function isGone(pid: number, timeoutMs: number): Promise<boolean> {
  const timeout = AbortSignal.timeout(timeoutMs);
  while (!timeout.aborted) {
    if (stateOf(pid) !== 'alive') return true;
    await sleep(5);
  }
  return false;
}
