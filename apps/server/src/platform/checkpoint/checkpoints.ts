import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { DAY_MS } from '@exchange/core/time.ts';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { Clock } from '../clock.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { SerialRuns } from '../jobs/serial-runs.ts';
import type { Log } from '../log.ts';
import type { SigningKey } from '../secrets/signing-key.ts';
import {
  columnsOf,
  JournalDigest,
  manifestHash,
  partCopy,
  ROW_DIGEST,
  RowTally,
  type CheckpointManifest,
  type CheckpointPart,
  type ManifestPart,
} from './checkpoint.ts';

/**
 * A checkpoint is due when this many steps were executed since the last checkpoint. If at least one step was executed
 * since then, it is also due when the last checkpoint is 23.5 hours old or when there is no checkpoint yet.
 */
const STEPS_MAX = 1_000_000;
const AGE_MAX_MS = DAY_MS - DAY_MS / 48;
/**
 * Number of newest checkpoints whose folders with the files of rows are stored. Of older checkpoints only the
 * signed manifests are stored.
 */
const FOLDERS_MAX = 3;
const UNFINISHED = '.unfinished';
const HOURLY = '23 * * * *';

interface Parts {
  /** Database pool for reading. One of its connections is in use while a checkpoint is created. */
  readonly reader: pg.Pool;
  /** Database pool for writing. */
  readonly pool: pg.Pool;
  /** Folder in which checkpoints are stored as files. */
  readonly folder: string;
  readonly parts: readonly CheckpointPart[];
  readonly signingKey: SigningKey;
  readonly clock: Clock;
  readonly log: Log;
  readonly stepsMax?: number;
}

/** Returns the folder of checkpoints inside a data folder. */
export function checkpointsIn(dataDirectory: string): string {
  return join(dataDirectory, 'checkpoints');
}

/**
 * Returns the path of the file with a part's rows in a checkpoint's folder. `place` is the part's index in
 * the manifest.
 */
export function partFile(folder: string, place: number): string {
  return join(folder, `${place}.copy.gz`);
}

/**
 * Stores signed checkpoints of all state that steps have made. A replay of the journal can start from a checkpoint. A
 * checkpoint is read in a database snapshot while steps continue, and its rows are streamed to files.
 */
export class Checkpoints {
  private readonly parts: Parts;
  private readonly runs = new SerialRuns(() => this.create());

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /** Schedules an hourly job that creates a checkpoint when one is due. */
  defineJob(jobs: Jobs): void {
    jobs.define('checkpoints.make', () => this.makeDue(), { cron: HOURLY });
  }

  async makeDue(): Promise<void> {
    const { pool, clock, stepsMax = STEPS_MAX } = this.parts;
    const { rows } = await pool.query<{ steps: string; step: string | null; at: string | null }>(
      `select writer.sequence::text as steps, newest.step::text, newest.at::text from writer
       left join lateral (select step, at from replay_checkpoint order by step desc limit 1) as newest on true`,
    );
    const { steps, step, at } = rows[0]!;
    const stepsSince = Number(steps) - Number(step ?? 0);
    const isDue = stepsSince >= stepsMax || (stepsSince > 0 && clock.now() - Number(at ?? 0) >= AGE_MAX_MS);
    if (isDue) await this.make();
  }

  /**
   * Stores a checkpoint of the last stored step. Resolves to the step's number, or to undefined if no step was stored
   * since the last checkpoint.
   */
  make(): Promise<number | undefined> {
    return this.runs.run();
  }

  private async create(): Promise<number | undefined> {
    const { folder, signingKey, pool, log, clock } = this.parts;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const beganMs = clock.monotonicMs();
    const manifest = await this.write();
    if (manifest === undefined) return undefined;
    const { step, at } = manifest;
    const text = JSON.stringify(manifest);
    const { key, signature } = signingKey.sign(text);
    // First the files with the rows are completed, then the checkpoint is stored in the database.
    await rm(join(folder, String(step)), { recursive: true, force: true });
    await rename(join(folder, `${step}${UNFINISHED}`), join(folder, String(step)));
    await pool.query(
      'insert into replay_checkpoint (step, at, manifest, key, signature) values ($1, $2, $3, $4, $5)',
      [step, at, text, key, signature],
    );
    const rows = manifest.parts.reduce((sum, part) => sum + part.rows, 0);
    log.info('checkpoints.made', { step, rows, ms: Math.round(clock.monotonicMs() - beganMs) });
    return step;
  }

  /**
   * Writes the rows of a checkpoint to an unfinished folder, after it has removed the folders that are no longer
   * needed. Returns the checkpoint's manifest, or undefined if there is no step since the last checkpoint.
   */
  private async write(): Promise<CheckpointManifest | undefined> {
    const { reader, folder, parts, clock } = this.parts;
    const client = await reader.connect();
    let failure: Error | undefined;
    try {
      await client.query('begin isolation level repeatable read read only');
      await client.query('set local statement_timeout = 0');
      const previous = await newestCheckpoint(client);
      const { rows } = await client.query<{ sequence: string }>('select sequence::text from writer');
      const step = Number(rows[0]!.sequence);
      if (step === (previous?.step ?? 0)) return undefined;
      await this.removeFolders();
      const draft = join(folder, `${step}${UNFINISHED}`);
      await mkdir(draft, { mode: 0o700 });
      const journal = await journalDigest(client, previous);
      const writtenParts: ManifestPart[] = [];
      for (const [place, part] of parts.entries())
        writtenParts.push(await writePart(client, part, partFile(draft, place)));
      await client.query('commit');
      return {
        format: 1,
        step,
        at: clock.now(),
        previous: previous === undefined ? null : manifestHash(previous.manifest),
        journal,
        parts: writtenParts,
      };
    } catch (cause) {
      failure = cause instanceof Error ? cause : new Error(String(cause));
      throw cause;
    } finally {
      if (failure === undefined) await client.query('rollback');
      client.release(failure);
    }
  }

  /**
   * Before a checkpoint is added, removes unfinished folders, and the folders with the rows of all
   * checkpoints but the newest `FOLDERS_MAX - 1`.
   */
  private async removeFolders(): Promise<void> {
    const { folder } = this.parts;
    const names = await readdir(folder);
    const steps = names
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      .toSorted((left, right) => right - left);
    const unneeded = [
      ...names.filter((name) => name.endsWith(UNFINISHED)),
      // One checkpoint is about to be added, so the rows of only `FOLDERS_MAX - 1` old ones remain.
      ...steps.slice(FOLDERS_MAX - 1).map(String),
    ];
    for (const name of unneeded) await rm(join(folder, name), { recursive: true, force: true });
  }
}

interface StoredCheckpoint {
  readonly step: number;
  readonly manifest: string;
}

async function newestCheckpoint(client: pg.ClientBase): Promise<StoredCheckpoint | undefined> {
  const { rows } = await client.query<{ number: string; manifest: string }>(
    'select step::text as number, manifest from replay_checkpoint order by step desc limit 1',
  );
  return rows[0] && { step: Number(rows[0].number), manifest: rows[0].manifest };
}

/** Computes the journal's digest in the database snapshot. Reads only the rows after the previous checkpoint. */
async function journalDigest(client: pg.ClientBase, previous: StoredCheckpoint | undefined): Promise<string> {
  const previousDigest =
    previous === undefined ? '' : (JSON.parse(previous.manifest) as CheckpointManifest).journal;
  const digest = new JournalDigest(previousDigest);
  const digests = client.query(
    copyTo(
      `copy (select ${ROW_DIGEST} from step_journal where sequence > ${previous?.step ?? 0} order by sequence) to stdout`,
    ),
  ) as AsyncIterable<Buffer>;
  for await (const lines of digests) digest.addDigests(lines);
  return digest.value;
}

async function writePart(client: pg.ClientBase, part: CheckpointPart, file: string): Promise<ManifestPart> {
  const columns = await columnsOf(client, part.table);
  const tally = new RowTally();
  await pipeline(
    client.query(copyTo(await partCopy(client, part, columns))),
    tally,
    createGzip({ level: 1 }),
    createWriteStream(file, { mode: 0o600, flush: true }),
  );
  return { name: part.name, table: part.table, columns, ...tally.sum() };
}
