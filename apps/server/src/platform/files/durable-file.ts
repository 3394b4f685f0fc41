import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Creates or replaces a file that only this operating system user can read. After a crash or a power failure the file
 * has either its old or its new content. A crash may leave a draft beside the file, whose name is the file's name, a
 * dot and eight hex digits.
 */
export async function writeDurably(path: string, content: string | Buffer): Promise<void> {
  const draft = await writeDraft(path, content);
  try {
    await rename(draft, path);
  } catch (failure) {
    await rm(draft, { force: true });
    throw failure;
  }
  await syncFolder(dirname(path));
}

/**
 * Writes a draft of the file `path`, syncs the draft to the disk and returns the draft's path. Removes the
 * draft if this fails.
 */
export async function writeDraft(path: string, content: string | Buffer): Promise<string> {
  const draft = `${path}.${randomBytes(4).toString('hex')}`;
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } catch (failure) {
    await rm(draft, { force: true });
    throw failure;
  } finally {
    await file.close();
  }
  return draft;
}

/** Syncs a folder, so that files that were created, renamed or linked in it survive a power failure. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
