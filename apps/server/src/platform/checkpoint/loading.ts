import { createReadStream, existsSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import {
  CheckpointDiffers,
  quoted,
  RowTally,
  type CheckpointManifest,
  type ManifestPart,
} from './checkpoint.ts';
import { partFile } from './checkpoints.ts';

/**
 * Fills an empty database, which has the schema but no steps, from a checkpoint. The client must be connected as the
 * owner of the tables. Throws if the database has steps. If a file is missing or differs from its signed hash, throws
 * `CheckpointDiffers` and stores nothing.
 */
export async function loadCheckpoint(
  client: pg.ClientBase,
  manifest: CheckpointManifest,
  checkpoints: string,
): Promise<void> {
  const folder = join(checkpoints, String(manifest.step));
  const tables = [...new Set(manifest.parts.map(({ table }) => table))];
  await client.query('begin');
  try {
    await client.query('set local statement_timeout = 0');
    const { rows } = await client.query<{ sequence: string }>('select sequence::text from writer');
    if (Number(rows[0]!.sequence) !== 0)
      throw new Error('a checkpoint is loaded into an empty database only, and this one has steps');
    // Triggers are disabled, so that they do not change the inserted rows, and so that the rows that migrations have
    // inserted can be deleted even from append-only tables.
    for (const table of tables) await client.query(`alter table ${quoted(table)} disable trigger user`);
    for (const table of tables.toReversed()) await client.query(`delete from ${quoted(table)}`);
    for (const [place, part] of manifest.parts.entries())
      await loadPart(client, part, { file: partFile(folder, place), step: manifest.step });
    for (const table of tables) await client.query(`alter table ${quoted(table)} enable trigger user`);
    await client.query('update writer set sequence = $1', [manifest.step]);
    await client.query('commit');
    await client.query('analyze');
  } catch (cause) {
    await client.query('rollback');
    throw cause;
  }
}

async function loadPart(
  client: pg.ClientBase,
  part: ManifestPart,
  { file, step }: { file: string; step: number },
): Promise<void> {
  const differs = (difference: string, cause?: unknown) =>
    new CheckpointDiffers(`checkpoint ${step}: the rows of "${part.name}" ${difference} (${file})`, {
      cause,
    });
  if (!existsSync(file)) throw differs('are missing');
  const tally = new RowTally();
  const columns = part.columns.map(quoted).join(', ');
  try {
    await pipeline(
      createReadStream(file),
      createGunzip(),
      tally,
      client.query(copyFrom(`copy ${quoted(part.table)} (${columns}) from stdin`)),
    );
  } catch (cause) {
    // A file that cannot be decompressed or parsed was changed, and is treated like a file with a different hash.
    throw differs('cannot be read', cause);
  }
  const { rows, sha256 } = tally.sum();
  if (rows !== part.rows || sha256 !== part.sha256) throw differs('are not those that were signed');
}
