import { createHash, verify, type Hash } from 'node:crypto';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import * as z from 'zod';

/** Rows of one table as a checkpoint has them. */
export interface CheckpointPart {
  readonly name: string;
  readonly table: string;
  /** Which rows, as the condition of a `where`; all when absent. */
  readonly rows?: string;
  /** Whether a replay may make these rows differently: they are loaded, and compared with nothing. */
  readonly isVolatile?: boolean;
  /**
   * Of a table of which a checkpoint has a few rows only: a condition on the rows that a replay makes. At its end each of
   * them has to be in the source as it was made.
   */
  readonly history?: string;
}

const PART = z.object({
  name: z.string(),
  table: z.string(),
  columns: z.array(z.string()),
  rows: z.int(),
  /** Of the rows as COPY sends them, in the order of the primary key. */
  sha256: z.string(),
});
const MANIFEST = z.object({
  format: z.literal(1),
  /** The last step that is in it. */
  step: z.int(),
  /** In milliseconds. */
  at: z.int(),
  /** SHA-256 of the manifest of the checkpoint before; null in the first one. */
  previous: z.nullable(z.string()),
  /** The journal up to `step`; see `JournalDigest`. */
  journal: z.string(),
  parts: z.array(PART),
});
export type CheckpointManifest = z.output<typeof MANIFEST>;
export type ManifestPart = CheckpointManifest['parts'][number];

/** A checkpoint as it is stored in the database. */
export interface SignedCheckpoint {
  readonly manifest: string;
  readonly key: string;
  readonly signature: string;
}

/** A checkpoint is not what was signed. The message names what differs. */
export class CheckpointDiffers extends Error {
  override readonly name = 'CheckpointDiffers';
}

/**
 * Reads a manifest whose signature is by the key. Throws `CheckpointDiffers` for any other.
 * `step` names the checkpoint in the message.
 */
export function verifiedManifest(
  step: number,
  { manifest, signature }: SignedCheckpoint,
  publicKey: string,
): CheckpointManifest {
  const isSigned = verify(null, Buffer.from(manifest), publicKey, Buffer.from(signature, 'base64'));
  if (!isSigned)
    throw new CheckpointDiffers(`checkpoint ${step}: the signature does not belong to its manifest`);
  const read = MANIFEST.parse(JSON.parse(manifest));
  if (read.step !== step)
    throw new CheckpointDiffers(`checkpoint ${step}: its manifest is that of checkpoint ${read.step}`);
  return read;
}

/** What the next checkpoint names as `previous`. */
export function manifestHash(manifest: string): string {
  return createHash('sha256').update(manifest).digest('hex');
}

/**
 * The digest of the journal from the first step on: SHA-256 over the digest at the checkpoint before, and the digest of
 * each row behind it.
 */
export class JournalDigest {
  private readonly hash: Hash;

  /** `before`: the digest of the journal at the checkpoint before; an empty text at the beginning. */
  constructor(before: string) {
    this.hash = createHash('sha256').update(`${before}\n`);
  }

  /** Adds the digest of a row, in hexadecimal, followed by a line end: as COPY sends `ROW_DIGEST`. */
  addDigests(lines: Buffer | string): void {
    this.hash.update(lines);
  }

  addRow({ sequence, steps }: { readonly sequence: number; readonly steps: string }): void {
    this.addDigests(`${createHash('sha256').update(`${sequence}\n${steps}`).digest('hex')}\n`);
  }

  /** The digest up to here. Further rows may be added. */
  get value(): string {
    return this.hash.copy().digest('hex');
  }
}

/** The digest of a row of `step_journal`, in SQL. */
export const ROW_DIGEST = `encode(sha256(convert_to(sequence || E'\\n' || steps, 'UTF8')), 'hex')`;

/** Counts and hashes the rows that go through. */
export class RowTally extends Transform {
  rows = 0;
  private readonly hash = createHash('sha256');

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: (error: null, chunk: Buffer) => void) {
    // A line end within a cell is escaped, so each one that is there ends a row.
    for (let at = chunk.indexOf(LINE_END); at >= 0; at = chunk.indexOf(LINE_END, at + 1)) this.rows += 1;
    this.hash.update(chunk);
    done(null, chunk);
  }

  /** Only once, when all rows went through. */
  sum(): { rows: number; sha256: string } {
    return { rows: this.rows, sha256: this.hash.digest('hex') };
  }
}

const LINE_END = 0x0a;

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** The statement that sends a part in its canonical form: these columns, in the order of the primary key. */
export async function partCopy(
  client: pg.ClientBase,
  { table, rows = 'true' }: Pick<CheckpointPart, 'table' | 'rows'>,
  columns: readonly string[],
): Promise<string> {
  const key = (await primaryKeyOf(client, table)).map(quoted).join(', ');
  return `copy (select ${columns.map(quoted).join(', ')} from ${quoted(table)} where ${rows} order by ${key}) to stdout`;
}

/** The names of a table's columns in the order of the alphabet: a database that was migrated later has the same. */
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

/** Rows and hash of a part as a database has it now. */
export async function partSum(
  client: pg.ClientBase,
  part: CheckpointPart,
  columns: readonly string[],
): Promise<{ rows: number; sha256: string }> {
  const tally = new RowTally();
  const nowhere = async (chunks: AsyncIterable<unknown>) => {
    // Rows are hashed on their way; nobody needs them here.
    for await (const chunk of chunks) void chunk;
  };
  await pipeline(client.query(copyTo(await partCopy(client, part, columns))), tally, nowhere);
  return tally.sum();
}
