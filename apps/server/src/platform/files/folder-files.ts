import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Names of everything in a folder, sorted. Throws if the folder cannot be read. */
export async function fileNamesIn(folder: string): Promise<string[]> {
  return (await readdir(folder)).toSorted();
}

/** Contents of a file of a folder. Throws if it cannot be read or has more than `bytesMax` bytes. */
export async function readFileIn(folder: string, name: string, bytesMax: number): Promise<Buffer> {
  const path = join(folder, name);
  const { size } = await stat(path);
  if (size > bytesMax) throw new Error(`it has ${size} bytes, more than ${bytesMax}`);
  return readFile(path);
}
