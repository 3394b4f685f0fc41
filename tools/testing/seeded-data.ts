import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Node.js options of the server, as in `npm start` and in the image: its garbage is collected less often. */
export const SERVER_FLAGS: readonly string[] = ['--max-semi-space-size=32', '--heap-growing-percent=300'];

/**
 * Copies the demo data that `npm test` has created into a data folder. Without such data the folder stays empty and
 * the server creates its own. The copy keeps the owner, because PostgreSQL runs under another account when tests run
 * as root.
 */
export function copySeededData(folder: string): void {
  const seeded = process.env['SEEDED_DATA'] ?? '';
  if (existsSync(seeded)) execFileSync('cp', ['-a', `${seeded}/.`, folder]);
}
