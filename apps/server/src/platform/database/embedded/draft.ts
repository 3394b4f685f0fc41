import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isFileSystemError } from './file-system-error.ts';
import { stateOf } from './processes.ts';

// A folder that takes long to fill is created under a draft name and renamed when it is complete. A killed process
// therefore leaves at most a draft, which the next call of `makeDraft` removes.

/**
 * Removes the drafts beside `path` that ended processes have left, and creates an empty draft folder there,
 * named after this process. Returns its path.
 */
export function makeDraft(path: string): string {
  sweepDrafts(path);
  const draft = `${path}.draft-${process.pid}-${randomBytes(3).toString('hex')}`;
  mkdirSync(draft, { recursive: true, mode: 0o700 });
  return draft;
}

/** Renames the draft to `path` durably. If `path` exists already, the draft is removed instead. */
export function publishDraft(draft: string, path: string): void {
  try {
    renameSync(draft, path);
  } catch (error) {
    if (!isFileSystemError(error, 'ENOTEMPTY', 'EEXIST')) throw error;
    discardDraft(draft);
    return;
  }
  const parent = openSync(dirname(path), 'r');
  fsyncSync(parent);
  closeSync(parent);
}

/** Removes a draft. Retries, because programs that a killed process started may still be writing into it. */
export function discardDraft(draft: string): void {
  rmSync(draft, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
}

function sweepDrafts(path: string): void {
  const prefix = `${basename(path)}.draft-`;
  for (const name of readdirSync(dirname(path))) {
    if (!name.startsWith(prefix)) continue;
    const pid = Number.parseInt(name.slice(prefix.length), 10);
    // The process that fills this draft folder is still running.
    if (Number.isSafeInteger(pid) && stateOf(pid) === 'alive') continue;
    discardDraft(join(dirname(path), name));
  }
}
