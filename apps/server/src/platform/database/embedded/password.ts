import { randomBytes } from 'node:crypto';
import { chownSync, linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isFileSystemError } from './file-system-error.ts';

const PASSWORD_BYTES = 32;
const PASSWORD_FILE = 'password';
const WITH_PASSWORD = 'scram-sha-256';
const WITHOUT_PASSWORD = 'trust';

/**
 * The password of both database roles, stored beside PostgreSQL's data directory; undefined if its file is missing,
 * as before the first start.
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
 * Returns the database password and creates it if necessary. Two processes that create it at the
 * same time get the same one.
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
    if (!isFileSystemError(error, 'EEXIST')) throw error; // another process has created the password in the meantime
  } finally {
    rmSync(draft);
  }
  return embeddedPassword(cluster)!;
}

/** Whether `pg_hba.conf` of a data directory is the version of this module that requires a password. */
export function requiresPassword(cluster: string): boolean {
  return readFileSync(rulesPath(cluster), 'utf8') === rulesOf(WITH_PASSWORD);
}

/**
 * Makes PostgreSQL require a password, or none; takes effect when the server reloads `pg_hba.conf`.
 */
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
 * Content of `pg_hba.conf`: only local connections, because the server does not listen on the network;
 * replication uses the same socket.
 */
function rulesOf(method: string): string {
  return [
    '# Written by the exchange at each start.',
    `local all         all ${method}`,
    `local replication all ${method}`,
    '',
  ].join('\n');
}
