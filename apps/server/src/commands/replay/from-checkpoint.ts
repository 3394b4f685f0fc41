import { sql } from 'kysely';
import pg from 'pg';
import { CHECKPOINT_PARTS } from '../../money.ts';
import {
  CheckpointDiffers,
  JournalDigest,
  manifestHash,
  partSum,
  verifiedManifest,
  type CheckpointManifest,
  type SignedCheckpoint,
} from '../../platform/checkpoint/checkpoint.ts';
import { loadCheckpoint } from '../../platform/checkpoint/loading.ts';
import type { Reader } from '../../platform/database/database.ts';
import { clientOptions } from '../../platform/database/pool.ts';
import { publishedKeys } from '../../platform/secrets/published-keys.ts';
import { trustedKeys, type SigningKey } from '../../platform/secrets/signing-key.ts';
import { replaySteps, type Replayed, type ReplayOptions } from './replay-steps.ts';
import { stateHashes } from './state-hashes.ts';

export interface FromCheckpointOptions extends Omit<ReplayOptions, 'onJournalRow' | 'pausesAt' | 'onPause'> {
  /** Folder with the stored rows of checkpoints. */
  readonly checkpoints: string;
  /** Journal step of the checkpoint from which the replay starts; undefined for the newest checkpoint. */
  readonly step: number | undefined;
  /** Signing key of the exchange. Signatures by this key and by the earlier keys that it replaced are accepted. */
  readonly signingKey: SigningKey;
}

export interface ReplayedFromCheckpoint extends Replayed {
  /** Journal steps of the later checkpoints with which the replay was compared. */
  readonly compared: readonly number[];
  /**
   * One sentence for each difference between the replayed data and the signed checkpoints or the source
   * database; empty if all agree.
   */
  readonly problems: readonly string[];
}

/**
 * Verifies the signature of a checkpoint, loads the checkpoint into an empty database, and replays the steps after it.
 * At each later checkpoint it compares the journal and the state with the signed ones. If all steps are replayed, it
 * compares the final state with that of the source. Returns the differences. Throws `CheckpointDiffers` if the
 * checkpoint does not exist, or if its data or a later manifest differs from what was signed. Throws an error with the
 * step's number if a step cannot be repeated.
 */
export async function replayFromCheckpoint(options: FromCheckpointOptions): Promise<ReplayedFromCheckpoint> {
  const { source, target, step, signingKey, checkpoints, until } = options;
  const later = await verifiedCheckpoints(source, { wanted: step, signingKey });
  const first = later.shift()!;
  const client = new pg.Client({ ...clientOptions(target.connection, 'replay'), statement_timeout: 0 });
  await client.connect();
  try {
    await loadCheckpoint(client, first, checkpoints);
    const problems: string[] = [];
    const compared: number[] = [];
    let digest = new JournalDigest(first.journal);
    const byStep = new Map(later.map((manifest) => [manifest.step, manifest]));
    let previous = first.step;
    const replayed = await replaySteps({
      ...options,
      onJournalRow: (row) => digest.addRow(row),
      pausesAt: new Set(byStep.keys()),
      onPause: async (step) => {
        const manifest = byStep.get(step)!;
        if (digest.value !== manifest.journal)
          problems.push(
            `checkpoint ${step}: the journal of the steps ${previous + 1} to ${step} is not what was signed`,
          );
        problems.push(...(await differingParts(client, manifest)));
        compared.push(step);
        // After a difference the digest continues from the signed value, so that later checkpoints do not report the
        // same difference again.
        digest = new JournalDigest(manifest.journal);
        previous = step;
      },
    });
    for (const { step } of later)
      if (step <= (until ?? step) && !compared.includes(step))
        problems.push(`checkpoint ${step}: the journal has no batch that ends with its step`);
    if (until === undefined) problems.push(...(await differencesAtEnd(source, target.database.reader)));
    return { ...replayed, compared, problems };
  } finally {
    await client.end();
  }
}

/**
 * Returns the requested checkpoint (the newest if `wanted` is undefined) and all later ones, in the order of their
 * journal steps. Throws `CheckpointDiffers` if the requested one does not exist, if a signature is not valid, or if a
 * later one does not refer to its predecessor.
 */
async function verifiedCheckpoints(
  source: Reader,
  { wanted, signingKey }: { wanted: number | undefined; signingKey: SigningKey },
): Promise<CheckpointManifest[]> {
  const { rows } = await sql<SignedCheckpoint & { step: bigint }>`
    select step, manifest, key, signature from replay_checkpoint
    where step >= coalesce(${wanted ?? null}::bigint, (select max(step) from replay_checkpoint)) order by step
  `.execute(source);
  const publicKeys = trustedKeys(signingKey, await publishedKeys(source));
  const first = rows[0];
  if (first === undefined || (wanted !== undefined && Number(first.step) !== wanted))
    throw new CheckpointDiffers(
      wanted === undefined ? 'there is no checkpoint' : `there is no checkpoint ${wanted}`,
    );
  return rows.map((row, index) => {
    const step = Number(row.step);
    const manifest = verifiedManifest(step, row, publicKeys);
    const previous = rows[index - 1];
    if (previous !== undefined && manifest.previous !== manifestHash(previous.manifest))
      throw new CheckpointDiffers(`checkpoint ${step} does not follow checkpoint ${previous.step}`);
    return manifest;
  });
}

/**
 * Returns a sentence for each part of a checkpoint that differs in the replayed database or that this version of the
 * software does not contain. Volatile parts are not compared.
 */
async function differingParts(client: pg.Client, { step, parts }: CheckpointManifest): Promise<string[]> {
  const partsByName = new Map(CHECKPOINT_PARTS.map((part) => [part.name, part]));
  const problems: string[] = [];
  for (const signed of parts) {
    const part = partsByName.get(signed.name);
    if (part === undefined) problems.push(`checkpoint ${step}: this version knows no part "${signed.name}"`);
    if (part === undefined || part.isVolatile === true) continue;
    const actual = await partSum(client, part, signed.columns);
    if (actual.sha256 !== signed.sha256)
      problems.push(
        `checkpoint ${step}: "${part.name}" has ${signed.rows} rows, and the replay makes ${actual.rows} that differ`,
      );
  }
  return problems;
}

/**
 * Compares the source with the replayed database after all steps were replayed. Returns a sentence for each part that
 * differs and is not volatile, and for each differing row in the history of a table.
 */
async function differencesAtEnd(source: Reader, made: Reader): Promise<string[]> {
  const parts = CHECKPOINT_PARTS.filter(({ isVolatile }) => isVolatile !== true);
  const queries = Object.fromEntries(
    await Promise.all(
      parts.map(async ({ name, table, rows = 'true' }) => {
        const key = await keyOf(made, table);
        return [
          name,
          `select t::text as row, (${key.join(', ')}) as turn from ${table} t where ${rows}`,
        ] as const;
      }),
    ),
  );
  const [expected, actual] = [await stateHashes(source, queries), await stateHashes(made, queries)];
  const problems = expected.flatMap(({ name, hash, rows }, index) =>
    actual[index]?.hash === hash
      ? []
      : [`"${name}" has ${rows} rows, and the replay makes ${actual[index]?.rows} that differ`],
  );
  for (const { table, history } of parts)
    if (history !== undefined) problems.push(...(await differingHistory({ source, made, table, history })));
  return problems;
}

const ROWS_AT_ONCE = 5_000;
/** Maximum number of differing rows that are reported for the history of a table. */
const REPORTED_MAX = 10;

/**
 * Compares the replayed history of a table with the source. Returns a sentence for each replayed row that the source
 * lacks or contains with other values, at most `REPORTED_MAX` sentences.
 */
async function differingHistory({
  source,
  made,
  table,
  history,
}: {
  source: Reader;
  made: Reader;
  table: string;
  history: string;
}): Promise<string[]> {
  const columns = await keyOf(made, table);
  // A page contains all rows that have the same value in the first column of the primary key, because the rows of the
  // other database are selected by this column.
  const [key] = columns;
  const rowsWhere = (condition: string, most: string) =>
    sql<{ key: string; row: string; digest: string }>`
      select ${sql.raw(key!)}::text as key, concat_ws(' ', ${sql.raw(columns.join(', '))}) as row, md5(t::text) as digest
      from ${sql.raw(table)} t where ${sql.raw(history)} and ${sql.raw(condition)}
      order by ${sql.raw(key!)} ${sql.raw(most)}`;
  const problems: string[] = [];
  for (let last: string | undefined; ;) {
    const rest = last === undefined ? 'true' : `${key} > '${last}'`;
    const { rows } = await rowsWhere(rest, `fetch first ${ROWS_AT_ONCE} rows with ties`).execute(made);
    const keys = rows.map((row) => `'${row.key}'`).join(', ');
    const stored = keys === '' ? [] : (await rowsWhere(`${key} in (${keys})`, '').execute(source)).rows;
    const digests = new Map(stored.map(({ row, digest }) => [row, digest]));
    for (const { row, digest } of rows)
      if (digests.get(row) !== digest && problems.length < REPORTED_MAX)
        problems.push(`${table} ${row} is not as the replay makes it`);
    if (rows.length < ROWS_AT_ONCE || problems.length >= REPORTED_MAX) return problems;
    last = rows.at(-1)!.key;
  }
}

async function keyOf(reader: Reader, table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select a.attname as name from pg_index i
    cross join lateral unnest(i.indkey) with ordinality as k(attnum, place)
    join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum
    where i.indrelid = ${table}::regclass and i.indisprimary order by k.place
  `.execute(reader);
  return rows.map(({ name }) => name);
}
