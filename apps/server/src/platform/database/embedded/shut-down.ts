import { setTimeout as sleep } from 'node:timers/promises';
import { isFileSystemError } from './file-system-error.ts';
import { holderOf } from './lock-file.ts';
import { stateOf } from './processes.ts';
import type { DatabaseLog } from '../log.ts';

// Fast: sessions are ended and a checkpoint is written. Immediate: no checkpoint, recovery at the next
// start, still no loss. The last resort is as harmless as a power cut.
const steps = [
  { signal: 'SIGINT', timeoutMs: 30_000 },
  { signal: 'SIGQUIT', timeoutMs: 10_000 },
  { signal: 'SIGKILL', timeoutMs: 5_000 },
] as const;

/** Ends the server `pid` of a cluster, politely first. Does nothing if it does not hold the cluster any more. */
export async function shutDown(cluster: string, pid: number, log: DatabaseLog): Promise<void> {
  for (const { signal, timeoutMs } of steps) {
    const holder = holderOf(cluster);
    // Never signal a number that may have been given to another program meanwhile.
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
    if (isFileSystemError(error, 'ESRCH')) return false; // it ended by itself
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
