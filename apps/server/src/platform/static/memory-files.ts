import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { extname, join, relative, sep } from 'node:path';

/** A file in memory, with the compressed variants that the build has created, if any. */
export interface MemoryFile {
  /** Path of the file relative to its folder, with slashes but without a leading one. */
  readonly name: string;
  readonly type: string;
  /** Strong validator (ETag) of the uncompressed content, without the quotes and an encoding's suffix. */
  readonly tag: string;
  readonly plain: Buffer;
  readonly brotli: Buffer | undefined;
  readonly gzip: Buffer | undefined;
}

const TYPES: ReadonlyMap<string, string> = new Map([
  ['.css', 'text/css; charset=utf-8'],
  ['.html', 'text/html; charset=utf-8'],
  ['.ico', 'image/x-icon'],
  ['.jpg', 'image/jpeg'],
  ['.js', 'application/javascript; charset=utf-8'],
  ['.json', 'application/json; charset=utf-8'],
  ['.map', 'application/json; charset=utf-8'],
  ['.mjs', 'application/javascript; charset=utf-8'],
  ['.png', 'image/png'],
  ['.svg', 'image/svg+xml'],
  ['.txt', 'text/plain; charset=utf-8'],
  ['.wasm', 'application/wasm'],
  ['.webmanifest', 'application/manifest+json; charset=utf-8'],
  ['.webp', 'image/webp'],
  ['.woff', 'font/woff'],
  ['.woff2', 'font/woff2'],
]);
const COMPRESSED = /\.(?:br|gz)$/;

/**
 * The files of a folder, which the constructor reads into memory. Files and folders whose names begin with a dot are
 * skipped.
 */
export class MemoryFiles {
  readonly #files: ReadonlyMap<string, MemoryFile>;

  constructor(directory: string) {
    const names = filesBelow(directory);
    this.#files = new Map(names.map((name) => [name, read(directory, name)]));
  }

  find(name: string): MemoryFile | undefined {
    return this.#files.get(name);
  }

  names(): string[] {
    return [...this.#files.keys()];
  }
}

/**
 * Returns the HTTP answer to a request for a file. The status is 304 if the client's copy is current.
 * Otherwise the answer has the content in Brotli, gzip or uncompressed: the first of these that exists and
 * that the client accepts.
 */
export function answerOfFile(
  file: MemoryFile,
  headers: Pick<IncomingHttpHeaders, 'if-none-match' | 'accept-encoding'>,
): { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: Buffer } {
  const { encoding, body } = encodedBody(file, headers['accept-encoding'] ?? '');
  const tag = `"${file.tag}${encoding === undefined ? '' : `-${encoding}`}"`;
  const common = { etag: tag, vary: 'accept-encoding' };
  if (isKnown(headers['if-none-match'], tag)) return { status: 304, headers: common, body: Buffer.alloc(0) };
  return {
    status: 200,
    headers: {
      ...common,
      'content-type': file.type,
      ...(encoding !== undefined && { 'content-encoding': encoding }),
    },
    body,
  };
}

function encodedBody(
  { plain, brotli, gzip }: MemoryFile,
  acceptEncoding: string,
): { encoding?: string; body: Buffer } {
  if (brotli !== undefined && accepts(acceptEncoding, 'br')) return { encoding: 'br', body: brotli };
  if (gzip !== undefined && accepts(acceptEncoding, 'gzip')) return { encoding: 'gzip', body: gzip };
  return { body: plain };
}

function accepts(acceptEncoding: string, encoding: string): boolean {
  return acceptEncoding.split(',').some((part) => {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    return name === encoding && !parameters.some((text) => /^q=0(?:\.0*)?$/.test(text));
  });
}

function isKnown(header: string | undefined, tag: string): boolean {
  return header?.split(',').some((knownTag) => knownTag.trim().replace(/^W\//, '') === tag) ?? false;
}

function read(directory: string, name: string): MemoryFile {
  const path = join(directory, name);
  const plain = readFileSync(path);
  return {
    name,
    type: TYPES.get(extname(name).toLowerCase()) ?? 'application/octet-stream',
    tag: createHash('sha256').update(plain).digest('base64url').slice(0, 27),
    plain,
    brotli: compressed(`${path}.br`),
    gzip: compressed(`${path}.gz`),
  };
}

function compressed(path: string): Buffer | undefined {
  return existsSync(path) ? readFileSync(path) : undefined;
}

/**
 * Returns the files in a folder and all its subfolders, as paths relative to the folder with slashes, without
 * compressed copies and hidden files. Empty if there is no such folder.
 */
export function filesBelow(directory: string): string[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !COMPRESSED.test(entry.name))
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((name) => !name.split('/').some((part) => part.startsWith('.')));
}
