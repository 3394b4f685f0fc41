import { randomBytes } from 'node:crypto';
import { chownSync, linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isFileSystemError } from './file-system-error.ts';

const PASSWORD_BYTES = 32;
const PASSWORD_FILE = 'password';
const WITH_PASSWORD = 'scram-sha-256';
const WITHOUT_PASSWORD = 'trust';

/** The password of both roles of the embedded server; undefined for data of before there was one. Beside the cluster. */
export function embeddedPassword(cluster: string): string | undefined {
  try {
    return readFileSync(passwordPath(cluster), 'utf8').trim();
  } catch (error) {
    if (isFileSystemError(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** The same, made where there is none; of two processes that make one at a time both get the same. */
export function makeEmbeddedPassword(cluster: string): string {
  const known = embeddedPassword(cluster);
  if (known !== undefined) return known;
  const draft = `${passwordPath(cluster)}.${randomBytes(6).toString('hex')}`;
  writeFileSync(draft, `${randomBytes(PASSWORD_BYTES).toString('base64url')}\n`, {
    mode: 0o600,
    flush: true,
  });
  try {
    linkSync(draft, passwordPath(cluster));
  } catch (error) {
    if (!isFileSystemError(error, 'EEXIST')) throw error; // made by another process meanwhile
  } finally {
    rmSync(draft);
  }
  return embeddedPassword(cluster)!;
}

/** Whether the server of a cluster asks whoever connects for a password. */
export function asksForPassword(cluster: string): boolean {
  return readFileSync(rulesPath(cluster), 'utf8') === rulesOf(WITH_PASSWORD);
}

/** Makes the server ask for a password, or for none; in force once it has read its rules again. */
export function askForPassword(cluster: string, isAsked: boolean): void {
  const { uid, gid } = statSync(rulesPath(cluster));
  const draft = `${rulesPath(cluster)}.${randomBytes(6).toString('hex')}`;
  writeFileSync(draft, rulesOf(isAsked ? WITH_PASSWORD : WITHOUT_PASSWORD), { mode: 0o600, flush: true });
  chownSync(draft, uid, gid);
  renameSync(draft, rulesPath(cluster));
}

/** Makes a running server read its rules again. */
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

/** Nothing listens on the network; replication comes over the same socket. */
function rulesOf(method: string): string {
  return [
    '# Written by the exchange at each start.',
    `local all         all ${method}`,
    `local replication all ${method}`,
    '',
  ].join('\n');
}
