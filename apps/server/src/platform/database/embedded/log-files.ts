import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { giveTo } from './permissions.ts';
import { mkdirSync } from 'node:fs';
import type { ServerAccount } from './account.ts';

const keptLogFiles = 10;

/** Makes the folder of PostgreSQL's own log files, beside the cluster. */
export function makeLogDirectory(home: string, account: ServerAccount): string {
  const folder = join(home, 'log');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  giveTo(folder, account);
  return folder;
}

/** Deletes all but the newest log files: PostgreSQL starts new ones by size and age, but deletes none. */
export function pruneLogFiles(folder: string): void {
  const names = readdirSync(folder).filter((name) => /^postgresql-.*\.log$/.test(name));
  // Their names carry the time, so the order of the names is the order of age.
  for (const name of names.sort().slice(0, -keptLogFiles)) rmSync(join(folder, name), { force: true });
}
