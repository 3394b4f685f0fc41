import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Where contents are kept by name: on a machine's disk, or in a bucket that several machines share. */
export interface FileStore {
  /** Keeps a content under a name that nothing has yet; safe when it returns. */
  put(name: string, content: Buffer): Promise<void>;
  /** Undefined where there is none. */
  get(name: string): Promise<Buffer | undefined>;
  /** Whether or not there is one. */
  delete(name: string): Promise<void>;
}

const NAME = /^[0-9a-f-]{36}$/;

/** Names are ids, so that none leads anywhere else. */
export function requireFileName(name: string): void {
  if (!NAME.test(name)) throw new RangeError('a file has an id for its name');
}

/** A folder that only this user can read. Names are ids; a subfolder by their last digits, which are random. */
export class LocalFileStore implements FileStore {
  private readonly directory: string;

  constructor(directory: string) {
    this.directory = directory;
  }

  async put(name: string, content: Buffer): Promise<void> {
    const path = this.pathOf(name);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const draft = `${path}.${randomBytes(4).toString('hex')}`;
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
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
    await rm(this.pathOf(name), { force: true });
  }

  private pathOf(name: string): string {
    requireFileName(name);
    return join(this.directory, name.slice(-2), name);
  }
}
