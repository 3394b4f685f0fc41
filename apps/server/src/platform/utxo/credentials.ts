import { readFileSync } from 'node:fs';

/**
 * Returns the value of the header `authorization` with the `user:password` in a file, such as a node's cookie
 * file. The file is read at each call, because a node writes a new one at each start. Throws if the file
 * cannot be read.
 */
export function basicAuthorization(file: string): string {
  return `Basic ${Buffer.from(readFileSync(file, 'utf8').trim()).toString('base64')}`;
}
