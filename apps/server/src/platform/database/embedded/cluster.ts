import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { identityFor, type ServerAccount } from './account.ts';
import { discardDraft, makeDraft, publishDraft } from './draft.ts';
import { isFileSystemError } from './file-system-error.ts';
import { giveTo } from './permissions.ts';
import { embeddedUser, serverEnvironment } from './settings.ts';
import type { Binaries } from './binaries.ts';

/**
 * Returns the major version of the PostgreSQL that created this data directory; undefined if there is none
 * yet.
 */
export function clusterVersion(cluster: string): number | undefined {
  try {
    return Number.parseInt(readFileSync(join(cluster, 'PG_VERSION'), 'utf8'), 10);
  } catch (error) {
    // Without the file `PG_VERSION` there is no data directory yet.
    if (isFileSystemError(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/**
 * Creates a new PostgreSQL data directory. If the process is killed meanwhile, `cluster` is either missing or complete.
 * Throws if `cluster` contains other files.
 */
export async function initialiseCluster(
  cluster: string,
  binaries: Binaries,
  account: ServerAccount,
): Promise<void> {
  const draft = makeDraft(cluster);
  try {
    giveTo(draft, account);
    await runInitdb(binaries, account, initdbArguments(draft, binaries.majorVersion));
    publishDraft(draft, cluster);
  } catch (error) {
    discardDraft(draft);
    throw error;
  }
  if (clusterVersion(cluster) === undefined) {
    throw new Error(`${cluster} holds files but no PostgreSQL cluster: move them away`);
  }
}

function initdbArguments(folder: string, majorVersion: number): string[] {
  return [
    `--pgdata=${folder}`,
    `--username=${embeddedUser}`,
    '--encoding=UTF8',
    ...localeArguments(majorVersion),
    '--data-checksums',
    // PostgreSQL requires no password until the first start has set one (see `password.ts`).
    '--auth=trust',
    '--no-instructions',
  ];
}

// Options for `initdb` that order text by code point. PostgreSQL 17 and later have a builtin locale for this, so that
// indexes do not depend on the C library. Earlier versions need a locale of the C library, which macOS lacks.
function localeArguments(majorVersion: number): string[] {
  if (majorVersion >= 17) return ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  return [process.platform === 'linux' ? '--locale=C.UTF-8' : '--locale=C'];
}

function runInitdb(binaries: Binaries, account: ServerAccount, args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(binaries.initdb, args, {
      ...identityFor(account),
      cwd: '/',
      env: serverEnvironment(),
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let errorOutput = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (errorOutput += text));
    child.once('error', reject);
    child.once('close', (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`initdb ended with ${signal ?? `code ${code}`}: ${errorOutput.trim()}`));
    });
  });
}
