import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** With what Node.js runs a server, as `npm start` and the image do: its young generation is collected less often. */
export const SERVER_FLAGS: readonly string[] = ['--max-semi-space-size=32', '--heap-growing-percent=300'];

/**
 * Copies the demo data that `npm test` had made once into a data folder, and leaves it empty where nobody had, for a
 * server makes its own then. The copy keeps the owner: as root, PostgreSQL runs under an account of its own.
 */
export function copySeededData(folder: string): void {
  const seeded = process.env['SEEDED_DATA'] ?? '';
  if (existsSync(seeded)) execFileSync('cp', ['-a', `${seeded}/.`, folder]);
}
