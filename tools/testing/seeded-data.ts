import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Node.js options of the server, which reduce garbage collections. `npm start` and the image use the same options. */
export const SERVER_FLAGS: readonly string[] = ['--max-semi-space-size=32', '--heap-growing-percent=300'];

/**
 * Copies the demo data that `npm test` has created to a data folder. If there are no such data, the folder stays empty
 * and the server creates the demo data. The copied files have the same owner, because PostgreSQL runs under another
 * account if tests run as root.
 */
export function copySeededData(folder: string): void {
  const seeded = process.env['SEEDED_DATA'] ?? '';
  if (existsSync(seeded)) execFileSync('cp', ['-a', `${seeded}/.`, folder]);
}
