import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, statfs } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type pg from 'pg';
import { writeDurably } from '../files/durable-file.ts';
import type { SigningKey } from '../secrets/signing-key.ts';
import {
  JournalDigest,
  manifestHash,
  verifiedManifest,
  type CheckpointManifest,
  type SignedCheckpoint,
} from './checkpoint.ts';
import {
  archiveFiles,
  archiveLine,
  archivePaths,
  ARCHIVED_TO,
  ArchiveDiffers,
  readArchiveFile,
  sha256Of,
  type ArchivedRow,
  type ArchiveFile,
  type ArchiveManifest,
} from './journal-archive.ts';

/**
 * Number of bytes of steps, before compression, at which a file ends: the row that reaches it is the file's last one.
 */
const FILE_BYTES_MAX = 32 * 1024 * 1024;
/** Number of rows that are read, and deleted, at once. */
const ROWS_AT_ONCE = 1_000;
/** Free space in bytes that must remain on the disk of the archive. */
const FREE_BYTES_MIN = 512 * 1024 * 1024;
/** Matches the names of files with rows, and of drafts of `writeDurably`. An interrupted run can leave such files. */
const UNFINISHED = /^\d{16}-\d{16}\.(journal\.gz|(journal\.gz|json)\.[0-9a-f]{8})$/;
/** Number of the advisory lock that one archiving holds; its bytes spell "arch". */
const ARCHIVE_LOCK = 0x61726368;

/**
 * The part of the archiving that has just been completed: the file whose rows or manifest were written or that was
 * compared with the database, or the number of deleted rows and the sequence of the last one.
 */
export type ArchiveProgress =
  | { readonly did: 'wroteRows' | 'wroteManifest' | 'compared'; readonly file: string }
  | { readonly did: 'deleted'; readonly rows: number; readonly last: number };

export interface ArchiveOptions {
  /** Database connection with the role that owns the tables. */
  readonly client: pg.ClientBase;
  readonly folder: string;
  readonly signingKey: SigningKey;
  /** Public keys in PEM, by id, whose signatures are accepted. */
  readonly publicKeys: ReadonlyMap<string, string>;
  /**
   * Folder with a subfolder for each checkpoint, which contains the rows of the checkpoint's tables. The
   * subfolder of the newest checkpoint must exist.
   */
  readonly checkpoints: string;
  /**
   * Selects the checkpoint up to which the journal is archived: the newest one made at or before the time `at`
   * (milliseconds UTC), or the newest one of a step up to `step`.
   */
  readonly until: { readonly at: number } | { readonly step: number };
  /** Whether the archived rows stay in the database. */
  readonly keepsRows: boolean;
  readonly version: string;
  /**
   * Called after each completed part (see `ArchiveProgress`). If it throws, archiving ends there, and a later call
   * continues.
   */
  readonly onProgress?: (progress: ArchiveProgress) => void;
  readonly fileBytesMax?: number;
  /**
   * Returns the free space in bytes on the disk of a folder; by default what the operating system reports.
   */
  readonly freeBytes?: (folder: string) => Promise<number>;
}

export interface Archived {
  /** Step of the checkpoint up to which the journal is archived; undefined if there is nothing to archive. */
  readonly checkpoint: number | undefined;
  readonly files: number;
  readonly deletedRows: number;
}

/**
 * Moves the journal up to a signed checkpoint into files. First the journal is compared with all checkpoints that sign
 * it, then the files are written, then each file is read back and compared with the database, and only then rows are
 * deleted, in batches, unless `keepsRows` is set. It can run beside the exchange. If it is interrupted, each row is in
 * the database or in a verified file, and the next call continues. Throws `CheckpointDiffers` or `ArchiveDiffers`
 * before any row is deleted if anything differs. Throws another error if archiving is already running, the rows of the
 * newest checkpoint are missing, or the disk is nearly full.
 */
export async function archiveJournal(options: ArchiveOptions): Promise<Archived> {
  const { client } = options;
  const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [
    ARCHIVE_LOCK,
  ]);
  if (rows[0]?.locked !== true) throw new Error('another archive-journal is at work on this database');
  try {
    return await archive(options);
  } finally {
    await client.query('select pg_advisory_unlock($1)', [ARCHIVE_LOCK]);
  }
}

async function archive(options: ArchiveOptions): Promise<Archived> {
  const { client, folder, publicKeys, keepsRows, onProgress } = options;
  const deletedTo = await archivedSequence(client);
  const files = await archiveFiles(folder, publicKeys);
  const written = files.at(-1)?.manifest.last ?? 0;
  if (written < deletedTo)
    throw new ArchiveDiffers(
      `the steps to ${deletedTo} are archived, and ${folder} has those to ${written}: name the folder that has them, or copy its files`,
    );
  const checkpoints = await verifiedCheckpoints(options, Math.min(written, deletedTo));
  const target = targetOf(checkpoints, options.until);
  if (target === undefined || target <= deletedTo) return { checkpoint: undefined, files: 0, deletedRows: 0 };
  const newest = checkpoints.at(-1)!.step;
  if (!existsSync(join(options.checkpoints, String(newest))))
    throw new Error(
      `the rows of the newest checkpoint ${newest} are not in ${options.checkpoints}: without them no replay could begin after the archived steps`,
    );
  for (const file of files)
    if (file.manifest.last > deletedTo && file.manifest.after < target)
      await compare(options, file, deletedTo);
  let count = 0;
  if (target > written) {
    await compareWithCheckpoints(client, checkpoints, { written, target });
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await removeUnfinished(folder, files);
    for await (const file of writeFiles(options, files.at(-1), target)) {
      await compare(options, file, deletedTo);
      count += 1;
    }
  }
  const deletedRows = keepsRows ? 0 : await deleteRows(client, target, onProgress);
  return { checkpoint: target, files: count, deletedRows };
}

async function archivedSequence(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ value: string }>(
    'select value from database_setting where name = $1',
    [ARCHIVED_TO],
  );
  return Number(rows[0]?.value ?? 0);
}

/**
 * Verifies all checkpoints from the newest at or before the step `from` to the end, and returns them in order. The
 * first one in the list is the one from which the digest of the journal continues. Throws `CheckpointDiffers` for an
 * invalid checkpoint, and `ArchiveDiffers` if one does not follow the one before it.
 */
async function verifiedCheckpoints(
  { client, publicKeys }: ArchiveOptions,
  from: number,
): Promise<CheckpointManifest[]> {
  const { rows } = await client.query<SignedCheckpoint & { number: string }>(
    `select step::text as number, manifest, key, signature from replay_checkpoint
     where step >= coalesce((select max(step) from replay_checkpoint where step <= $1), 0) order by step`,
    [from],
  );
  return rows.map((row, index) => {
    const manifest = verifiedManifest(Number(row.number), row, publicKeys);
    const previous = rows[index - 1];
    if (previous !== undefined && manifest.previous !== manifestHash(previous.manifest))
      throw new ArchiveDiffers(`checkpoint ${row.number} does not follow checkpoint ${previous.number}`);
    return manifest;
  });
}

function targetOf(
  checkpoints: readonly CheckpointManifest[],
  until: ArchiveOptions['until'],
): number | undefined {
  return checkpoints.findLast(({ at, step }) => ('at' in until ? at <= until.at : step <= until.step))?.step;
}

/**
 * Compares the journal, from the last checkpoint at or before the end of the archive up to the target, with what the
 * checkpoints sign. Throws `ArchiveDiffers` at the first difference.
 */
async function compareWithCheckpoints(
  client: pg.ClientBase,
  checkpoints: readonly CheckpointManifest[],
  { written, target }: { written: number; target: number },
): Promise<void> {
  let previous = checkpoints.findLast(({ step }) => step <= written);
  const later = checkpoints.filter(({ step }) => step > (previous?.step ?? 0) && step <= target);
  for (const checkpoint of later) {
    const after = previous?.step ?? 0;
    const digest = new JournalDigest(previous?.journal ?? '');
    for await (const page of journalPages(client, after, checkpoint.step))
      for (const row of page) digest.addRow(row);
    if (digest.value !== checkpoint.journal)
      throw new ArchiveDiffers(
        `checkpoint ${checkpoint.step}: the journal of the steps ${after + 1} to ${checkpoint.step} is not what was signed`,
      );
    previous = checkpoint;
  }
}

/**
 * Yields the rows of the journal with sequences after `after` up to and including `last`, in order and in
 * pages.
 */
async function* journalPages(
  client: pg.ClientBase,
  after: number,
  last: number,
): AsyncGenerator<readonly ArchivedRow[]> {
  for (let position = after; ;) {
    const { rows } = await client.query<{ number: string; steps: string }>(
      `select sequence::text as number, steps from step_journal
       where sequence > $1 and sequence <= $2 order by sequence limit ${ROWS_AT_ONCE}`,
      [position, last],
    );
    if (rows.length > 0) yield rows.map(({ number, steps }) => ({ sequence: Number(number), steps }));
    if (rows.length < ROWS_AT_ONCE) return;
    position = Number(rows.at(-1)!.number);
  }
}

/** Removes what an interrupted run has left: drafts, and files without a manifest, whose rows are in the database. */
async function removeUnfinished(folder: string, files: readonly ArchiveFile[]): Promise<void> {
  const finished = new Set(files.map(({ path }) => basename(path)));
  for (const name of await readdir(folder))
    if (UNFINISHED.test(name) && !finished.has(name)) await rm(join(folder, name));
}

/**
 * Writes the journal rows after the newest archive file, up to the checkpoint's step `target`, to new files
 * and yields each of them. A manifest is written after its file is on the disk. Throws `ArchiveDiffers` if no
 * row ends with the step `target`.
 */
async function* writeFiles(
  options: ArchiveOptions,
  newest: ArchiveFile | undefined,
  target: number,
): AsyncGenerator<ArchiveFile> {
  const { client, fileBytesMax = FILE_BYTES_MAX } = options;
  let previous = newest;
  let rows: ArchivedRow[] = [];
  let bytes = 0;
  for await (const page of journalPages(client, newest?.manifest.last ?? 0, target))
    for (const row of page) {
      rows.push(row);
      bytes += Buffer.byteLength(row.steps);
      if (bytes < fileBytesMax && row.sequence !== target) continue;
      previous = await writeFile(options, { rows, previous, target });
      yield previous;
      rows = [];
      bytes = 0;
    }
  if (rows.length > 0)
    throw new ArchiveDiffers(`checkpoint ${target}: the journal has no batch that ends with its step`);
}

async function writeFile(
  { folder, signingKey, version, onProgress, freeBytes = freeBytesOf }: ArchiveOptions,
  {
    rows,
    previous,
    target,
  }: { rows: readonly ArchivedRow[]; previous: ArchiveFile | undefined; target: number },
): Promise<ArchiveFile> {
  const content = await promisify(gzip)(rows.map(archiveLine).join(''));
  if ((await freeBytes(folder)) < FREE_BYTES_MIN + content.length)
    throw new Error(
      `the disk of ${folder} has less than 512 MiB free: free some space, or name another folder with --to=FOLDER and copy the archive there`,
    );
  const manifest: ArchiveManifest = {
    format: 1,
    after: previous?.manifest.last ?? 0,
    first: rows[0]!.sequence,
    last: rows.at(-1)!.sequence,
    rows: rows.length,
    sha256: sha256Of(content),
    previous: previous?.hash ?? null,
    checkpoint: target,
    version,
  };
  const paths = archivePaths(folder, manifest);
  await writeDurably(paths.data, content);
  onProgress?.({ did: 'wroteRows', file: paths.data });
  const text = JSON.stringify(manifest);
  const { key, signature } = signingKey.sign(text);
  await writeDurably(paths.manifest, `${JSON.stringify({ manifest: text, key, signature })}\n`);
  onProgress?.({ did: 'wroteManifest', file: paths.data });
  return { path: paths.data, manifest, hash: manifestHash(text) };
}

async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/**
 * Reads a file back and compares it with all rows of its steps that are still in the database. Throws `ArchiveDiffers`
 * at the first difference.
 */
async function compare(
  { client, onProgress }: ArchiveOptions,
  file: ArchiveFile,
  deletedTo: number,
): Promise<void> {
  const { after, last } = file.manifest;
  const archivedRows = (await readArchiveFile(file)).filter(({ sequence }) => sequence > deletedTo);
  let count = 0;
  for await (const page of journalPages(client, Math.max(after, deletedTo), last))
    for (const { sequence, steps } of page) {
      const archivedRow = archivedRows[count];
      if (archivedRow?.sequence !== sequence || archivedRow.steps !== steps)
        throw new ArchiveDiffers(
          `${file.path}: the batch of step ${sequence} is not the one in the database; nothing was deleted`,
        );
      count += 1;
    }
  // A database that was restored from an older backup may lack the newest archived steps. This is no difference.
  const missing = archivedRows[count];
  const head = await newestSequence(client);
  if (missing !== undefined && missing.sequence <= head)
    throw new ArchiveDiffers(
      `${file.path}: the database lacks the batch of step ${missing.sequence}; nothing was deleted`,
    );
  onProgress?.({ did: 'compared', file: file.path });
}

async function newestSequence(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ number: string }>('select sequence::text as number from writer');
  return Number(rows[0]!.number);
}

/**
 * Deletes the rows up to the target, oldest first. The deletion of each batch is committed together with the sequence
 * of its last row. Returns the number of deleted rows.
 */
async function deleteRows(
  client: pg.ClientBase,
  target: number,
  onProgress: ArchiveOptions['onProgress'],
): Promise<number> {
  for (let count = 0; ;) {
    await client.query('begin');
    try {
      await client.query("set local exchange.archiving = 'on'");
      const { rows } = await client.query<{ rows: string; last: string | null }>(
        `with deleted as (
           delete from step_journal where sequence in (
             select sequence from step_journal where sequence <= $1 order by sequence limit ${ROWS_AT_ONCE}
           ) returning sequence
         ) select count(*)::text as rows, max(sequence)::text as last from deleted`,
        [target],
      );
      const [deleted, last] = [Number(rows[0]!.rows), rows[0]!.last];
      if (last !== null)
        await client.query(
          `insert into database_setting (name, value) values ($1, $2)
           on conflict (name) do update set value = excluded.value`,
          [ARCHIVED_TO, last],
        );
      await client.query('commit');
      count += deleted;
      if (deleted > 0) onProgress?.({ did: 'deleted', rows: deleted, last: Number(last) });
      if (deleted < ROWS_AT_ONCE) return count;
    } catch (cause) {
      // The rollback fails if the connection is lost, which rolls back by itself. This second error is ignored, because
      // the first one names the cause.
      await client.query('rollback').catch(() => undefined);
      throw cause;
    }
  }
}
