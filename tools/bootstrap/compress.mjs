/** Lays a .br and a .gz beside every file worth it, so that the server never compresses a page twice. */
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

const COMPRESSIBLE = /\.(js|css|html|svg|json|webmanifest|md|txt)$/;
const WORTH_IT_BYTES = 1000;
const AT_ONCE = 2;

/** @param {string} dist a folder of built files @returns {Promise<{ file: string, bytes: number, gzipBytes: number, brotliBytes: number }[]>} */
export async function compressFolder(dist) {
  const entries = await readdir(dist, { recursive: true, withFileTypes: true });
  const waiting = entries
    .filter((entry) => entry.isFile() && COMPRESSIBLE.test(entry.name) && !entry.parentPath.endsWith('.vite'))
    .map((entry) => join(entry.parentPath, entry.name));
  /** @type {Awaited<ReturnType<typeof compressFolder>>} */
  const done = [];
  const work = async () => {
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      const sizes = await compressFile(path);
      if (sizes) done.push({ file: path.slice(dist.length + 1), ...sizes });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return done.toSorted((one, other) => other.gzipBytes - one.gzipBytes);
}

/** @param {string} path */
async function compressFile(path) {
  const content = await readFile(path);
  if (content.length <= WORTH_IT_BYTES) return null;
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
