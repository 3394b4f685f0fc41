import { createHash, verify, type Hash } from 'node:crypto';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import * as z from 'zod';

/** A part of each checkpoint: which rows of a database table it contains. */
export interface CheckpointPart {
  readonly name: string;
  readonly table: string;
  /** An SQL condition on the table's rows that a checkpoint contains; if absent, it contains all rows. */
  readonly rows?: string;
  /**
   * Whether a replay may produce rows that differ from the original. Such rows are loaded from checkpoints but not
   * compared after a replay.
   */
  readonly isVolatile?: boolean;
  /**
   * For a table of which a checkpoint contains only some rows: an SQL condition that selects the rows which a replay
   * produces. After a replay, each of these rows must exist unchanged in the original database.
   */
  readonly history?: string;
}

const PART = z.object({
  name: z.string(),
  table: z.string(),
  columns: z.array(z.string()),
  rows: z.int(),
  /** SHA-256 of the table's rows as COPY sends them, in the order of the primary key. */
  sha256: z.string(),
});
const MANIFEST = z.object({
  format: z.literal(1),
  /** The last journal step contained in the checkpoint. */
  step: z.int(),
  /** Time of the checkpoint in milliseconds UTC. */
  at: z.int(),
  /** SHA-256 of the previous checkpoint's manifest; null for the first checkpoint. */
  previous: z.nullable(z.string()),
  /** Digest of the journal up to `step`; see `JournalDigest`. */
  journal: z.string(),
  parts: z.array(PART),
});
export type CheckpointManifest = z.output<typeof MANIFEST>;
export type ManifestPart = CheckpointManifest['parts'][number];

/** A checkpoint as stored in the database. */
export interface SignedCheckpoint {
  readonly manifest: string;
  readonly key: string;
  readonly signature: string;
}

/**
 * Error: a checkpoint does not exist, or its data or manifest differs from what was signed. The message names the
 * difference.
 */
export class CheckpointDiffers extends Error {
  override readonly name = 'CheckpointDiffers';
}

/**
 * Verifies a manifest's signature with the public key (PEM) whose id is `key`, and parses the manifest. Throws
 * `CheckpointDiffers` if the key is unknown, the signature is invalid, or the manifest belongs to another step.
 */
export function verifiedManifest(
  step: number,
  { manifest, key, signature }: SignedCheckpoint,
  publicKeys: ReadonlyMap<string, string>,
): CheckpointManifest {
  const publicKey = publicKeys.get(key);
  if (publicKey === undefined)
    throw new CheckpointDiffers(
      `checkpoint ${step}: the signature does not belong to a key of this exchange`,
    );
  const isSigned = verify(null, Buffer.from(manifest), publicKey, Buffer.from(signature, 'base64'));
  if (!isSigned)
    throw new CheckpointDiffers(`checkpoint ${step}: the signature does not belong to its manifest`);
  const parsed = MANIFEST.parse(JSON.parse(manifest));
  if (parsed.step !== step)
    throw new CheckpointDiffers(`checkpoint ${step}: its manifest is that of checkpoint ${parsed.step}`);
  return parsed;
}

/** Returns the hash of a checkpoint's manifest, which the next checkpoint stores as `previous`. */
export function manifestHash(manifest: string): string {
  return createHash('sha256').update(manifest).digest('hex');
}

/**
 * Computes the digest of the journal from the first step: SHA-256 over the digest at the previous checkpoint and the
 * digests of all later rows.
 */
export class JournalDigest {
  private readonly hash: Hash;

  /** `before` is the journal's digest at the previous checkpoint; empty for the first. */
  constructor(before: string) {
    this.hash = createHash('sha256').update(`${before}\n`);
  }

  /**
   * Adds journal rows by their hexadecimal digests, each followed by a line end, as COPY sends `ROW_DIGEST`.
   */
  addDigests(lines: Buffer | string): void {
    this.hash.update(lines);
  }

  addRow({ sequence, steps }: { readonly sequence: number; readonly steps: string }): void {
    this.addDigests(`${createHash('sha256').update(`${sequence}\n${steps}`).digest('hex')}\n`);
  }

  /** The digest of all journal rows added so far. Further rows may be added afterwards. */
  get value(): string {
    return this.hash.copy().digest('hex');
  }
}

/** SQL expression for the digest of a `step_journal` row. */
export const ROW_DIGEST = `encode(sha256(convert_to(sequence || E'\\n' || steps, 'UTF8')), 'hex')`;

/** Counts and hashes the rows of a stream that PostgreSQL's COPY sends. */
export class RowTally extends Transform {
  rows = 0;
  private readonly hash = createHash('sha256');

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: (error: null, chunk: Buffer) => void) {
    // Line ends inside cells are escaped, so every line end terminates a row.
    for (let index = chunk.indexOf(LINE_END); index >= 0; index = chunk.indexOf(LINE_END, index + 1))
      this.rows += 1;
    this.hash.update(chunk);
    done(null, chunk);
  }

  /** Returns the number of rows and the SHA-256 of the stream. It may be called only once, after the stream's end. */
  sum(): { rows: number; sha256: string } {
    return { rows: this.rows, sha256: this.hash.digest('hex') };
  }
}

const LINE_END = 0x0a;

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/**
 * Returns the COPY statement that sends a checkpoint's table in canonical form: the given columns, with the rows
 * ordered by primary key.
 */
export async function partCopy(
  client: pg.ClientBase,
  { table, rows = 'true' }: Pick<CheckpointPart, 'table' | 'rows'>,
  columns: readonly string[],
): Promise<string> {
  const key = (await primaryKeyOf(client, table)).map(quoted).join(', ');
  return `copy (select ${columns.map(quoted).join(', ')} from ${quoted(table)} where ${rows} order by ${key}) to stdout`;
}

/**
 * Returns the names of a table's columns without generated ones, in alphabetical order, so that the order of
 * migrations has no effect.
 */
export async function columnsOf(client: pg.ClientBase, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select attname as name from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attname collate "C"`,
    [quoted(table)],
  );
  return rows.map(({ name }) => name);
}

async function primaryKeyOf(client: pg.ClientBase, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select a.attname as name from pg_index i
     cross join lateral unnest(i.indkey) with ordinality as k(attnum, place)
     join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum
     where i.indrelid = $1::regclass and i.indisprimary order by k.place`,
    [quoted(table)],
  );
  return rows.map(({ name }) => name);
}

/** Returns the row count and SHA-256 of a checkpoint's table in the current database. */
export async function partSum(
  client: pg.ClientBase,
  part: CheckpointPart,
  columns: readonly string[],
): Promise<{ rows: number; sha256: string }> {
  const tally = new RowTally();
  const discard = async (chunks: AsyncIterable<unknown>) => {
    // The rows are discarded, because `tally` has already counted and hashed them.
    for await (const chunk of chunks) void chunk;
  };
  await pipeline(client.query(copyTo(await partCopy(client, part, columns))), tally, discard);
  return tally.sum();
}
