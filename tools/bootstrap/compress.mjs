/**
 * Writes a compressed .br and .gz copy next to each built file that is worth compressing, so that the server does not
 * have to compress files for each request.
 */
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

const COMPRESSIBLE = /\.(js|css|html|svg|json|webmanifest|md|txt)$/;
const SMALLEST_BYTES = 1000;
const WORKERS = 2;

/**
 * Compresses the files of a folder and its subfolders (except `.vite`) that have a compressible type and more than
 * SMALLEST_BYTES, writes a `.gz` and a `.br` file beside each, and returns the sizes.
 * @param {string} dist a folder of built files
 * @returns {Promise<{ file: string, bytes: number, gzipBytes: number, brotliBytes: number }[]>} the largest
 *   after gzip first
 */
export async function compressFolder(dist) {
  const entries = await readdir(dist, { recursive: true, withFileTypes: true });
  const queue = entries
    .filter((entry) => entry.isFile() && COMPRESSIBLE.test(entry.name) && !entry.parentPath.endsWith('.vite'))
    .map((entry) => join(entry.parentPath, entry.name));
  /** @type {Awaited<ReturnType<typeof compressFolder>>} the files that are already compressed */
  const done = [];
  const work = async () => {
    for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
      const sizes = await compressFile(path);
      if (sizes) done.push({ file: path.slice(dist.length + 1), ...sizes });
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, work));
  return done.toSorted((first, second) => second.gzipBytes - first.gzipBytes);
}

/**
 * Writes the `.gz` and the `.br` copy of a file. Resolves to the sizes in bytes, or to null if the file is
 * too small to be compressed. @param {string} path
 */
async function compressFile(path) {
  const content = await readFile(path);
  if (content.length <= SMALLEST_BYTES) return null;
  const gzipped = await zip(content, { level: 9 });
  const brotlied = await brotli(content, {
    params: {
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    },
  });
  await Promise.all([writeFile(`${path}.gz`, gzipped), writeFile(`${path}.br`, brotlied)]);
  return { bytes: content.length, gzipBytes: gzipped.length, brotliBytes: brotlied.length };
}
