import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';

/** Facts about the database of the stored backup, recorded by the server version that made it. */
export const OLD = {
  /** Version of the backup's newest migration. */
  schema: 49,
  /** Time at which the backup was made, in milliseconds UTC. */
  madeAt: Date.parse('2026-11-24T22:11:01Z'),
  secret: '5e'.repeat(32),
  audit: {
    problems: [],
    entries: 1234,
    accounts: 221,
    stateHash: 'e7c20a475bd2802e119e99ad305640e5ebbde82594945cfbd2499be835f18324',
  },
} as const;

/**
 * Writes the stored backup to a folder. It contains a demo of the first server version that had every product: users,
 * orders of every kind, open holds, and income of many days, but only few candles.
 */
export function writeOldBackup(folder: string): void {
  const file = fileURLToPath(new URL('migration-49.json.gz', import.meta.url));
  const parts = JSON.parse(gunzipSync(readFileSync(file)).toString('utf8')) as Record<string, string>;
  mkdirSync(folder);
  for (const [name, text] of Object.entries(parts))
    if (name.endsWith('.copy')) writeFileSync(join(folder, `${name}.gz`), gzipSync(text));
    else writeFileSync(join(folder, name), text);
}
