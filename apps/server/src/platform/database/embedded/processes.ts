import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { isFileSystemError } from './file-system-error.ts';

/**
 * State of an operating system process. A `zombie` has ended, but its parent has not read the exit status, so the
 * process id is still in use.
 */
export type ProcessState = 'alive' | 'zombie' | 'gone';

/** Returns the state of process `pid`, which may belong to another user. */
export function stateOf(pid: number): ProcessState {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (isFileSystemError(error, 'ESRCH')) return 'gone';
    if (!isFileSystemError(error, 'EPERM')) throw error; // EPERM: the process runs under another user
  }
  return isZombie(pid) ? 'zombie' : 'alive';
}

/**
 * Returns whether process `pid` is a PostgreSQL server started with `-D cluster`. Returns false for a process that
 * cannot be inspected, so that an unknown process never receives a signal.
 */
export function isServerOf(pid: number, cluster: string): boolean {
  if (process.platform !== 'linux') {
    // `ps` prints the arguments without separators, so a path with spaces can only be found as a part of the line.
    return ps(pid, 'command=')?.includes(`postgres -D ${cluster} -c `) ?? false;
  }
  try {
    // A PostgreSQL server's child processes replace their command line ("postgres: checkpointer") and have no
    // arguments.
    const [program = '', ...rest] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    return basename(program) === 'postgres' && rest[rest.indexOf('-D') + 1] === cluster;
  } catch {
    return false; // the process has ended, or its command line cannot be read
  }
}

function isZombie(pid: number): boolean {
  if (process.platform !== 'linux') return ps(pid, 'stat=')?.startsWith('Z') ?? false;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field of /proc/PID/stat is the program's name in parentheses. The name may contain any character, so
    // the state is read after the last parenthesis.
    return stat.slice(stat.lastIndexOf(')') + 2).startsWith('Z');
  } catch {
    return false; // the process has ended since; the next check returns "gone"
  }
}

function ps(pid: number, field: string): string | undefined {
  const result = spawnSync('ps', ['-o', field, '-p', String(pid)], { encoding: 'utf8' });
  return result.status === 0 ? result.stdout.trim() : undefined;
}
