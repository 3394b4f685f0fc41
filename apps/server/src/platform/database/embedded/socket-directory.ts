import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { embeddedPort } from './settings.ts';
import { makePrivateDirectory, mayReach } from './permissions.ts';
import type { ServerAccount } from './account.ts';

// sun_path holds 108 bytes on Linux and 104 on macOS, with the closing zero.
const longestSocketPathBytes = 103;

/**
 * A short private folder for the socket of one cluster, always the same for the same cluster. Only the
 * account that runs PostgreSQL (and root) may enter it: this folder is the lock on the database's door.
 */
export function makeSocketDirectory(cluster: string, account: ServerAccount): string {
  const name = createHash('sha256').update(cluster).digest('hex').slice(0, 12);
  for (const candidate of candidates(name, account)) {
    const socket = join(candidate, `.s.PGSQL.${embeddedPort}`);
    if (Buffer.byteLength(socket) > longestSocketPathBytes) continue;
    if (mayReach(candidate, account) && makePrivateDirectory(candidate, account)) return candidate;
  }
  throw new Error(
    `no folder for the database's socket: a short path writable by "${account.name}" is needed, such as ${tmpdir()}`,
  );
}

function candidates(name: string, account: ServerAccount): string[] {
  const found: string[] = [];
  if (account.dropsRights) {
    try {
      mkdirSync('/run/amethyst-exchange', { recursive: true, mode: 0o755 });
      found.push(join('/run/amethyst-exchange', name));
    } catch {
      // No writable /run (macOS, a read-only system): the temporary folder comes next.
    }
  }
  // Not XDG_RUNTIME_DIR: it is deleted when its user logs out, and with it the socket of a running server.
  for (const folder of new Set([tmpdir(), '/tmp'])) {
    found.push(join(folder, `amethyst-${account.uid}-${name}`));
  }
  return found;
}
