import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/**
 * Node.js options with which the server collects garbage less often; `npm start` and the container image use the same
 * options.
 */
export const SERVER_FLAGS: readonly string[] = ['--max-semi-space-size=32', '--heap-growing-percent=300'];

/**
 * Copies the demo data that `npm test` has created to a data folder. If `npm test` has created none, the folder stays
 * empty, and the server creates the demo data at its start. The copy keeps the owner of the files, because PostgreSQL
 * runs under another account if tests run as root.
 */
export function copySeededData(folder: string): void {
  const seeded = process.env['SEEDED_DATA'] ?? '';
  if (existsSync(seeded)) execFileSync('cp', ['-a', `${seeded}/.`, folder]);
}
