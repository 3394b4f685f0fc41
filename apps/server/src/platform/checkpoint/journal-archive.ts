import { createHash, verify } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { sql } from 'kysely';
import * as z from 'zod';
import type { Reader } from '../database/database.ts';
import { manifestHash } from './checkpoint.ts';

/** Name of the database setting with the sequence of the last journal row that was deleted after it was archived. */
export const ARCHIVED_TO = 'journal_archived_to';

const DATA_SUFFIX = '.journal.gz';
const MANIFEST_SUFFIX = '.json';
/**
 * Number of digits to which step numbers in file names are padded, so that the files' names sort in the order of the
 * steps.
 */
const STEP_DIGITS = 16;

const MANIFEST = z.object({
  format: z.literal(1),
  /** Sequence of the row before the first row of the file; 0 for the first file. */
  after: z.int(),
  /** Sequence of the first row in the file. */
  first: z.int(),
  /** Sequence of the last row in the file. */
  last: z.int(),
  rows: z.int(),
  /** SHA-256 of the compressed file. */
  sha256: z.string(),
  /** SHA-256 of the manifest of the previous file; null for the first file. */
  previous: z.nullable(z.string()),
  /** Step of the signed checkpoint with which the rows were compared. */
  checkpoint: z.int(),
  /** Version of the program that has written the file. */
  version: z.string(),
});
export type ArchiveManifest = z.output<typeof MANIFEST>;

const SIGNED = z.object({ manifest: z.string(), key: z.string(), signature: z.string() });
const ROW = z.tuple([z.int(), z.string()]);

/** A row of the journal: a batch of steps, stored under the sequence number of its last step. */
export interface ArchivedRow {
  readonly sequence: number;
  readonly steps: string;
}

/** A file of the archive whose manifest was verified. */
export interface ArchiveFile {
  readonly path: string;
  readonly manifest: ArchiveManifest;
  /** SHA-256 of the manifest, which the manifest of the next file contains. */
  readonly hash: string;
}

/**
 * Error: the archive differs from what was signed or from the journal, or the journal differs from the checkpoints. The
 * message names the file, the folder or the checkpoint.
 */
export class ArchiveDiffers extends Error {
  override readonly name = 'ArchiveDiffers';
}

/** Error: the requested steps are in the archive and no longer in the database. */
export class StepsArchived extends Error {
  override readonly name = 'StepsArchived';
}

/** Returns the folder of the archived journal inside a data folder. */
export function journalArchiveIn(dataDirectory: string): string {
  return join(dataDirectory, 'journal-archive');
}

/** Returns the paths of the file with the rows between two sequences (inclusive) and of its manifest. */
export function archivePaths(
  folder: string,
  { first, last }: Pick<ArchiveManifest, 'first' | 'last'>,
): { data: string; manifest: string } {
  const name = [first, last].map((step) => String(step).padStart(STEP_DIGITS, '0')).join('-');
  return { data: join(folder, `${name}${DATA_SUFFIX}`), manifest: join(folder, `${name}${MANIFEST_SUFFIX}`) };
}

/**
 * Returns the sequence of the last row that is no longer in the journal, because it was archived; 0 if all
 * rows are there.
 */
export async function archivedTo(reader: Reader): Promise<number> {
  const { rows } = await sql<{ value: string }>`
    select value from database_setting where name = ${ARCHIVED_TO}
  `.execute(reader);
  return Number(rows[0]?.value ?? 0);
}

/**
 * Reads and verifies the manifests of an archive and returns its files in the order of their steps; none if the folder
 * does not exist. The files themselves are verified by `readArchiveFile`, because they may be stored elsewhere. Throws
 * `ArchiveDiffers` if a manifest is malformed, its signature is not valid or its name belongs to other steps, or if a
 * file does not follow the file before it.
 */
export async function archiveFiles(
  folder: string,
  publicKeys: ReadonlyMap<string, string>,
): Promise<ArchiveFile[]> {
  if (!existsSync(folder)) return [];
  const names = (await readdir(folder)).filter((name) => /^\d{16}-\d{16}\.json$/.test(name)).toSorted();
  const files: ArchiveFile[] = [];
  for (const name of names) {
    const path = join(folder, name);
    const file = verifiedFile(path, await readFile(path, 'utf8'), publicKeys);
    const previous = files.at(-1);
    const isNext =
      file.manifest.previous === (previous?.hash ?? null) &&
      file.manifest.after === (previous?.manifest.last ?? 0);
    if (!isNext)
      throw new ArchiveDiffers(
        `${path} does not follow ${previous?.path ?? 'the beginning of the journal'}: a file is missing or was replaced`,
      );
    if (archivePaths(folder, file.manifest).manifest !== path)
      throw new ArchiveDiffers(`${path} has the name of other steps`);
    files.push({ ...file, path: archivePaths(folder, file.manifest).data });
  }
  return files;
}

function verifiedFile(path: string, text: string, publicKeys: ReadonlyMap<string, string>): ArchiveFile {
  let signed: z.output<typeof SIGNED>;
  try {
    signed = SIGNED.parse(JSON.parse(text));
  } catch (cause) {
    throw new ArchiveDiffers(`${path} is not the manifest of an archived journal`, { cause });
  }
  const { manifest, key, signature } = signed;
  const publicKey = publicKeys.get(key);
  if (publicKey === undefined)
    throw new ArchiveDiffers(`${path} was signed by another exchange: name a folder of this exchange`);
  if (!verify(null, Buffer.from(manifest), publicKey, Buffer.from(signature, 'base64')))
    throw new ArchiveDiffers(`${path}: the signature does not belong to its manifest`);
  return { path, manifest: MANIFEST.parse(JSON.parse(manifest)), hash: manifestHash(manifest) };
}

/**
 * Reads the rows of an archived file. A file is small enough to be read at once. Throws `ArchiveDiffers` if the file is
 * missing or differs from its manifest.
 */
export async function readArchiveFile({ path, manifest }: ArchiveFile): Promise<ArchivedRow[]> {
  if (!existsSync(path)) throw new ArchiveDiffers(`${path} is missing`);
  const compressed = await readFile(path);
  if (sha256Of(compressed) !== manifest.sha256)
    throw new ArchiveDiffers(`${path} is not the file that was signed`);
  const text = (await promisify(gunzip)(compressed)).toString('utf8');
  const rows = text
    .split('\n')
    .slice(0, -1)
    .map((line) => {
      const [sequence, steps] = ROW.parse(JSON.parse(line));
      return { sequence, steps };
    });
  const isComplete =
    rows.length === manifest.rows &&
    rows[0]?.sequence === manifest.first &&
    rows.at(-1)?.sequence === manifest.last;
  if (!isComplete) throw new ArchiveDiffers(`${path} does not have the rows that its manifest names`);
  return rows;
}

/** Returns the text of a row in an archived file: a line with its sequence and steps as a JSON array. */
export function archiveLine({ sequence, steps }: ArchivedRow): string {
  return `${JSON.stringify([sequence, steps])}\n`;
}

export function sha256Of(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

/** Yields the archived rows with sequences above `after` and up to and including `last`, in order. */
export async function* archivedRows(
  files: readonly ArchiveFile[],
  after: number,
  last: number,
): AsyncGenerator<ArchivedRow> {
  for (const file of files) {
    if (file.manifest.last <= after || file.manifest.after >= last) continue;
    for (const row of await readArchiveFile(file))
      if (row.sequence > after && row.sequence <= last) yield row;
  }
}
