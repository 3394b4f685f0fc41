import { readFileSync } from 'node:fs';

/**
 * The header `authorization` with the `user:password` in a file, such as a node's cookie file. It is read each time, because
 * a node writes a new one at each of its starts. Throws if the file cannot be read.
 */
export function basicAuthorization(file: string): string {
  return `Basic ${Buffer.from(readFileSync(file, 'utf8').trim()).toString('base64')}`;
}
