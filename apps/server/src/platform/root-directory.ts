import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The project's root folder, in a checkout and in a built image. It is the nearest parent folder of this file that
 * contains the migrations.
 */
export const rootDirectory = above(dirname(fileURLToPath(import.meta.url)));

function above(folder: string): string {
  if (existsSync(join(folder, 'apps/server/migrations'))) return folder;
  const parent = dirname(folder);
  if (parent === folder) throw new Error('the migrations are not where the server was installed');
  return above(parent);
}
