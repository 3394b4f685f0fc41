import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureOwnership } from './permissions.ts';
import type { ServerAccount } from './account.ts';

const maxLogFiles = 10;

/** Creates the folder of PostgreSQL's log files, beside the data directory. */
export function makeLogDirectory(home: string, account: ServerAccount): string {
  const folder = join(home, 'log');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  ensureOwnership(folder, account);
  return folder;
}

/**
 * Returns the last error lines, at most four, of PostgreSQL's newest log file, which may explain why it did not start;
 * an empty text if there are none.
 */
export function lastComplaints(home: string): string {
  const newest = logFilesOf(home).at(-1);
  if (newest === undefined) return '';
  const lines = readFileSync(newest, 'utf8').split('\n');
  return lines
    .filter((line) => /\b(ERROR|FATAL|PANIC|HINT):/.test(line))
    .slice(-4)
    .join('; ');
}

/** Deletes all but the newest `maxLogFiles` log files. PostgreSQL rotates its log files but deletes none. */
export function pruneLogFiles(home: string): void {
  for (const path of logFilesOf(home).slice(0, -maxLogFiles)) rmSync(path, { force: true });
}

function logFilesOf(home: string): string[] {
  const folder = join(home, 'log');
  const names = readdirSync(folder).filter((name) => /^postgresql-.*\.log$/.test(name));
  // The log files' names contain the time, so sorting by name sorts by age.
  return names.sort().map((name) => join(folder, name));
}
