import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';

/** What the server said of the database that the kept backup was made of, while it was its own version. */
export const OLD = {
  /** The newest migration it knew. */
  schema: 49,
  /** Everything was done between these moments and nothing later. */
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
 * Writes the backup of a demo that the first version with every product left behind: users, orders of every kind, open
 * holds, income of many days. Most of its candles were left out.
 */
export function writeOldBackup(folder: string): void {
  const file = fileURLToPath(new URL('migration-49.json.gz', import.meta.url));
  const parts = JSON.parse(gunzipSync(readFileSync(file)).toString('utf8')) as Record<string, string>;
  mkdirSync(folder);
  for (const [name, text] of Object.entries(parts))
    if (name.endsWith('.copy')) writeFileSync(join(folder, `${name}.gz`), gzipSync(text));
    else writeFileSync(join(folder, name), text);
}
