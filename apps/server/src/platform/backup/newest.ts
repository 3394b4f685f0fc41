import { readdir } from 'node:fs/promises';
import { readBackup } from './backup.ts';

/** When the newest complete backup below a folder was made; undefined where there is none, or no such folder. */
export async function newestBackup(below: string): Promise<number | undefined> {
  const names = await readdir(below).catch(() => []);
  // Named by their time: the newest first.
  for (const name of names.toSorted((one, other) => (one < other ? 1 : -1))) {
    const found = await readBackup(`${below}/${name}`).catch(() => undefined);
    if (found !== undefined) return Date.parse(found.madeAt);
  }
  return undefined;
}
