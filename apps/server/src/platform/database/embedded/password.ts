import { randomBytes } from 'node:crypto';
import { chownSync, linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isFileSystemError } from './file-system-error.ts';

const PASSWORD_BYTES = 32;
const PASSWORD_FILE = 'password';
const WITH_PASSWORD = 'scram-sha-256';
const WITHOUT_PASSWORD = 'trust';

/**
 * Reads the password of both database roles from its file beside PostgreSQL's data directory; undefined if the file is
 * missing, as before the first start.
 */
export function embeddedPassword(cluster: string): string | undefined {
  try {
    return readFileSync(passwordPath(cluster), 'utf8').trim();
  } catch (error) {
    if (isFileSystemError(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/**
 * Returns the database password, and creates its file if necessary. Processes that call this concurrently get the same
 * password.
 */
export function makeEmbeddedPassword(cluster: string): string {
  const existing = embeddedPassword(cluster);
  if (existing !== undefined) return existing;
  const draft = `${passwordPath(cluster)}.${randomBytes(6).toString('hex')}`;
  writeFileSync(draft, `${randomBytes(PASSWORD_BYTES).toString('base64url')}\n`, {
    mode: 0o600,
    flush: true,
  });
  try {
    linkSync(draft, passwordPath(cluster));
  } catch (error) {
    // If the password file exists already, another process has created it in the meantime.
    if (!isFileSystemError(error, 'EEXIST')) throw error;
  } finally {
    rmSync(draft);
  }
  return embeddedPassword(cluster)!;
}

/** Returns whether `pg_hba.conf` of a data directory is exactly this module's version that requires a password. */
export function requiresPassword(cluster: string): boolean {
  return readFileSync(rulesPath(cluster), 'utf8') === rulesOf(WITH_PASSWORD);
}

/** Writes a `pg_hba.conf` that requires a password or none. It takes effect when the server reloads the file. */
export function setPasswordRequired(cluster: string, isAsked: boolean): void {
  const { uid, gid } = statSync(rulesPath(cluster));
  const draft = `${rulesPath(cluster)}.${randomBytes(6).toString('hex')}`;
  writeFileSync(draft, rulesOf(isAsked ? WITH_PASSWORD : WITHOUT_PASSWORD), { mode: 0o600, flush: true });
  chownSync(draft, uid, gid);
  renameSync(draft, rulesPath(cluster));
}

/** Makes a running PostgreSQL server reload `pg_hba.conf`. */
export function reloadRules(cluster: string): void {
  const [pid = ''] = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
  process.kill(Number.parseInt(pid, 10), 'SIGHUP');
}

function passwordPath(cluster: string): string {
  return join(dirname(cluster), PASSWORD_FILE);
}

function rulesPath(cluster: string): string {
  return join(cluster, 'pg_hba.conf');
}

/**
 * Returns the content of `pg_hba.conf`: connections over the socket only, also for replication, with the
 * authentication method `method`. The server does not listen on the network.
 */
function rulesOf(method: string): string {
  return [
    '# Written by the exchange at each start.',
    `local all         all ${method}`,
    `local replication all ${method}`,
    '',
  ].join('\n');
}
