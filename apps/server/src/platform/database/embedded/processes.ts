import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { isFileSystemError } from './file-system-error.ts';

/** `zombie`: dead, but nobody has collected its exit yet, so its number is still taken. */
export type ProcessState = 'alive' | 'zombie' | 'gone';

/** What became of process `pid`. Works for processes of other users too. */
export function stateOf(pid: number): ProcessState {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (isFileSystemError(error, 'ESRCH')) return 'gone';
    if (!isFileSystemError(error, 'EPERM')) throw error; // EPERM: it exists and is another user's
  }
  return isZombie(pid) ? 'zombie' : 'alive';
}

/**
 * Is process `pid` a PostgreSQL server that was started with `-D cluster`? A process that is hidden from
 * us counts as no: it must never get a signal from us.
 */
export function isServerOf(pid: number, cluster: string): boolean {
  if (process.platform !== 'linux') {
    // One line, in which a folder's spaces cannot be told from those between arguments.
    return ps(pid, 'command=')?.includes(`postgres -D ${cluster} -c `) ?? false;
  }
  try {
    // Children of a server rename themselves ("postgres: checkpointer") and have no arguments.
    const [program = '', ...rest] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    return basename(program) === 'postgres' && rest[rest.indexOf('-D') + 1] === cluster;
  } catch {
    return false; // it ended meanwhile, or /proc is closed to us
  }
}

function isZombie(pid: number): boolean {
  if (process.platform !== 'linux') return ps(pid, 'stat=')?.startsWith('Z') ?? false;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name in parentheses and may itself contain anything.
    return stat.slice(stat.lastIndexOf(')') + 2).startsWith('Z');
  } catch {
    return false; // ended between the two looks; the next look says "gone"
  }
}

function ps(pid: number, field: string): string | undefined {
  const asked = spawnSync('ps', ['-o', field, '-p', String(pid)], { encoding: 'utf8' });
  return asked.status === 0 ? asked.stdout.trim() : undefined;
}
