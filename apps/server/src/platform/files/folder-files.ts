import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Returns sorted names of all files and subfolders of a folder. Throws if the folder cannot be read. */
export async function fileNamesIn(folder: string): Promise<string[]> {
  return (await readdir(folder)).toSorted();
}

/**
 * Returns the content of a file in a folder. Throws if the file cannot be read or has more than `bytesMax`
 * bytes.
 */
export async function readFileIn(folder: string, name: string, bytesMax: number): Promise<Buffer> {
  const path = join(folder, name);
  const { size } = await stat(path);
  if (size > bytesMax) throw new Error(`it has ${size} bytes, more than ${bytesMax}`);
  return readFile(path);
}
