import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { writeDurably } from './durable-file.ts';

/** Stores files by name: on a local disk, or in an S3 bucket that several machines share. */
export interface FileStore {
  /** Stores a file, and replaces one with the same name. Resolves when the file survives a power failure. */
  put(name: string, content: Buffer): Promise<void>;
  /** Reads a file. Resolves to undefined if it does not exist. */
  get(name: string): Promise<Buffer | undefined>;
  /** Deletes a file. Does nothing if it does not exist. */
  delete(name: string): Promise<void>;
}

const NAME = /^[0-9a-f-]{36}$/;

/** Throws if a file's name does not have the length and the characters of a UUID. So a name cannot contain a path. */
export function requireFileName(name: string): void {
  if (!NAME.test(name)) throw new RangeError('a file has an id for its name');
}

/**
 * Stores files on the local disk, readable only for this operating system user. A file's subfolder is named by the last
 * two digits of the file's name, which are random, so that the files are spread evenly.
 */
export class LocalFileStore implements FileStore {
  private readonly directory: string;

  constructor(directory: string) {
    this.directory = directory;
  }

  async put(name: string, content: Buffer): Promise<void> {
    const path = this.pathOf(name);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeDurably(path, content);
    await this.removeDrafts(path);
  }

  async get(name: string): Promise<Buffer | undefined> {
    try {
      return await readFile(this.pathOf(name));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  async delete(name: string): Promise<void> {
    const path = this.pathOf(name);
    await rm(path, { force: true });
    await this.removeDrafts(path);
  }

  /**
   * Removes the drafts of a file that interrupted writes have left behind, so that nothing of its content remains after
   * the file is deleted.
   */
  private async removeDrafts(path: string): Promise<void> {
    const folder = dirname(path);
    const names = await readdir(folder).catch((cause: unknown) => {
      // The folder does not exist, because no file was stored in it yet.
      if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw cause;
    });
    const start = `${basename(path)}.`;
    for (const name of names) if (name.startsWith(start)) await rm(join(folder, name), { force: true });
  }

  private pathOf(name: string): string {
    requireFileName(name);
    return join(this.directory, name.slice(-2), name);
  }
}
