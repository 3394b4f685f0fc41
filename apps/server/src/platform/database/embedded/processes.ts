import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
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

/** The argument vector of a process, or undefined when it is gone or hidden from us. */
export function argumentsOf(pid: number): readonly string[] | undefined {
  if (process.platform === 'linux') {
    try {
      const text = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      return text === '' ? undefined : text.replace(/\0+$/, '').split('\0');
    } catch {
      return undefined; // it ended meanwhile, or /proc is hidden: the caller asks the socket instead
    }
  }
  const line = ps(pid, 'command=');
  return line === undefined ? undefined : line.split(/ +/);
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
