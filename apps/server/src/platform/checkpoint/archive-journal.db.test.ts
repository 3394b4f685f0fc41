import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '../../../testing/database.ts';
import { SigningKey } from '../secrets/signing-key.ts';
import { archiveJournal, type ArchiveOptions, type ArchiveProgress } from './archive-journal.ts';
import { JournalDigest, manifestHash, type CheckpointManifest } from './checkpoint.ts';
import { archivedRows, archiveFiles, type ArchivedRow } from './journal-archive.ts';

const key = new SigningKey(Buffer.alloc(32, 1));
const publicKeys = new Map([[key.id, key.publicKey]]);
/** Number of rows of the test's journal. Each row has two steps, so the sequences of the rows are 2, 4, … */
const ROWS = 2_600;
const CHECKPOINTS = [1_000, 3_000, 5_000];
const rowOf = (sequence: number): ArchivedRow => ({
  sequence,
  steps: [sequence - 1, sequence]
    .map((step) => JSON.stringify([step, 7, 'test', { text: 'ü\n' }]))
    .join('\n'),
});
const journal = Array.from({ length: ROWS }, (_, index) => rowOf(2 * (index + 1)));
const upTo = (step: number) => journal.filter(({ sequence }) => sequence <= step);

describe('archiving the journal', () => {
  let testDb: TestDatabase;
  let client: pg.PoolClient;
  let root: string;
  let folder: string;

  beforeEach(async () => {
    testDb = await testDatabase();
    client = await testDb.pool.connect();
    root = mkdtempSync(join(tmpdir(), 'amethyst-archive-'));
    folder = join(root, 'archive');
    await mkdir(join(root, 'checkpoints', '5000'), { recursive: true });
    await insert(journal);
    await client.query('update writer set sequence = $1', [2 * ROWS]);
    await sign();
  });

  afterEach(async () => {
    client.release();
    await testDb.drop();
    rmSync(root, { recursive: true });
  });

  const insert = (rows: readonly ArchivedRow[]) =>
    client.query(
      'insert into step_journal (sequence, steps) select * from unnest($1::bigint[], $2::text[])',
      [rows.map(({ sequence }) => sequence), rows.map(({ steps }) => steps)],
    );

  /** Stores signed checkpoints of the steps `CHECKPOINTS`, made at the times 100, 200 and 300. */
  async function sign(): Promise<void> {
    let previous: { text: string; journal: string; step: number } | undefined;
    for (const [index, step] of CHECKPOINTS.entries()) {
      const digest = new JournalDigest(previous?.journal ?? '');
      for (const row of journal)
        if (row.sequence > (previous?.step ?? 0) && row.sequence <= step) digest.addRow(row);
      const manifest: CheckpointManifest = {
        format: 1,
        step,
        at: 100 * (index + 1),
        previous: previous === undefined ? null : manifestHash(previous.text),
        journal: digest.value,
        parts: [],
      };
      const text = JSON.stringify(manifest);
      await client.query(
        'insert into replay_checkpoint (step, at, manifest, key, signature) values ($1, $2, $3, $4, $5)',
        [step, manifest.at, text, key.id, key.sign(text).signature],
      );
      previous = { text, journal: manifest.journal, step };
    }
  }

  const archive = (options: Partial<ArchiveOptions> = {}) =>
    archiveJournal({
      client,
      folder,
      signingKey: key,
      publicKeys,
      checkpoints: join(root, 'checkpoints'),
      until: { at: 250 },
      keepsRows: false,
      version: '1.2.3',
      fileBytesMax: 20_000,
      freeBytes: () => Promise.resolve(2 ** 40),
      ...options,
    });

  async function stored(): Promise<ArchivedRow[]> {
    const { rows } = await client.query<{ sequence: string; steps: string }>(
      'select sequence::text, steps from step_journal order by step_journal.sequence',
    );
    return rows.map(({ sequence, steps }) => ({ sequence: Number(sequence), steps }));
  }

  async function archived(): Promise<ArchivedRow[]> {
    const rows: ArchivedRow[] = [];
    for await (const row of archivedRows(await archiveFiles(folder, publicKeys), 0, Number.MAX_SAFE_INTEGER))
      rows.push(row);
    return rows;
  }

  const marker = async () =>
    (
      await client.query<{ value: string }>(
        `select value from database_setting where name = 'journal_archived_to'`,
      )
    ).rows[0]?.value;

  /** Executes a statement that changes the append-only journal, whose triggers are disabled meanwhile. */
  async function tamper(statement: string): Promise<void> {
    await client.query('alter table step_journal disable trigger user');
    await client.query(statement);
    await client.query('alter table step_journal enable trigger user');
  }

  it('REPLAY-980 moves the rows up to the newest checkpoint that is old enough into bounded signed files', async () => {
    expect(await archive()).toEqual({ checkpoint: 3_000, files: expect.any(Number), deletedRows: 1_500 });
    expect(await archived()).toEqual(upTo(3_000));
    expect(await stored()).toEqual(journal.slice(1_500));
    expect(await marker()).toBe('3000');
    const files = await archiveFiles(folder, publicKeys);
    expect(files.length).toBeGreaterThan(3);
    for (const { manifest } of files) {
      expect(manifest.rows).toBeLessThan(400);
      expect(manifest).toMatchObject({ version: '1.2.3', checkpoint: 3_000 });
    }
    expect(await archive()).toEqual({ checkpoint: undefined, files: 0, deletedRows: 0 });
    // A later run of the archiving continues the chain of signed files.
    expect(await archive({ until: { step: 5_100 } })).toMatchObject({
      checkpoint: 5_000,
      deletedRows: 1_000,
    });
    expect(await archived()).toEqual(upTo(5_000));
  });

  it('REPLAY-980 archives nothing if no checkpoint is old enough', async () => {
    for (const until of [{ at: 99 }, { step: 999 }])
      expect(await archive({ until })).toEqual({ checkpoint: undefined, files: 0, deletedRows: 0 });
    expect(readdirSync(root)).toEqual(['checkpoints']);
  });

  it('REPLAY-980 writes without deleting, and a later run deletes what it has compared again', async () => {
    expect(await archive({ keepsRows: true })).toMatchObject({ checkpoint: 3_000, deletedRows: 0 });
    expect(await archived()).toEqual(upTo(3_000));
    expect(await stored()).toEqual(journal);
    expect(await marker()).toBeUndefined();
    expect(await archive()).toEqual({ checkpoint: 3_000, files: 0, deletedRows: 1_500 });
    expect(await stored()).toEqual(journal.slice(1_500));
  });

  it('REPLAY-981 interrupted after any part of its work, has each row in the database or the archive, and continues', async () => {
    const points = new Set<ArchiveProgress['did']>();
    const interrupted = (stop: number) => {
      let count = 0;
      return archive({
        fileBytesMax: 60_000,
        onProgress: ({ did }) => {
          count += 1;
          if (count < stop) return;
          points.add(did);
          throw new Error('the process ends');
        },
      }).then(
        () => false,
        (cause: unknown) => {
          if (!(cause instanceof Error) || cause.message !== 'the process ends') throw cause;
          return true;
        },
      );
    };
    for (let stop = 1; await interrupted(stop); stop += 1) {
      const inDatabase = new Map((await stored()).map((row) => [row.sequence, row.steps]));
      const inArchive = new Map((await archived()).map((row) => [row.sequence, row.steps]));
      for (const { sequence, steps } of journal) {
        expect(inDatabase.get(sequence) ?? inArchive.get(sequence)).toBe(steps);
        expect(inArchive.get(sequence) ?? steps).toBe(steps);
      }
      await archive();
      expect(await archived()).toEqual(upTo(3_000));
      expect(await stored()).toEqual(journal.slice(1_500));
      await rm(folder, { recursive: true });
      await client.query(`delete from database_setting where name = 'journal_archived_to'`);
      await insert(upTo(3_000));
    }
    expect(points).toEqual(new Set(['wroteRows', 'wroteManifest', 'compared', 'deleted']));
  });

  it('REPLAY-981 removes what an interrupted run has left in the folder', async () => {
    await mkdir(folder);
    const left = '0000000000000002-0000000000000004';
    for (const name of [`${left}.journal.gz`, `${left}.json.0123abcd`])
      await writeFile(join(folder, name), 'half');
    await archive();
    expect(readdirSync(folder).filter((name) => name.includes(left))).toEqual([]);
  });

  it('REPLAY-982 after a restore of an older backup, rows that are in both must be equal', async () => {
    await archive();
    await insert(journal.slice(700, 1_500));
    await client.query(`update database_setting set value = '1400' where name = 'journal_archived_to'`);
    await tamper(
      `update step_journal set steps = replace(steps, '"test"', '"changed"') where sequence = 2000`,
    );
    await expect(archive()).rejects.toThrow(/the batch of step 2000 is not the one in the database/);
    await tamper(
      `update step_journal set steps = replace(steps, '"changed"', '"test"') where sequence = 2000`,
    );
    await tamper('delete from step_journal where sequence = 2002');
    await expect(archive()).rejects.toThrow(/the batch of step 2004 is not the one in the database/);
    expect(await stored()).toHaveLength(ROWS - 701);
    await insert([rowOf(2_002)]);
    expect(await archive()).toEqual({ checkpoint: 3_000, files: 0, deletedRows: 800 });
    expect(await archived()).toEqual(upTo(3_000));
  });

  it('REPLAY-983 refuses a changed file, a broken chain, another exchange and a folder without the archived steps', async () => {
    await archive({ keepsRows: true });
    const [first, second, third] = readdirSync(folder)
      .filter((name) => name.endsWith('.gz'))
      .map((name) => join(folder, name)) as [string, string, string];
    const manifestOf = (path: string) => path.replace('.journal.gz', '.json');
    const refuses = async (path: string, change: (content: Buffer) => Buffer, message: RegExp) => {
      const content = await readFile(path);
      await writeFile(path, change(content));
      await expect(archive()).rejects.toThrow(message);
      await writeFile(path, content);
      expect(await stored()).toEqual(journal);
    };
    await refuses(second, (content) => Buffer.concat([content, content]), /is not the file that was signed/);
    await refuses(
      manifestOf(second),
      (content) => Buffer.from(content.toString().replace('1.2.3', '1.2.4')),
      /the signature does not belong to its manifest/,
    );
    await refuses(manifestOf(second), () => Buffer.from('{}'), /is not the manifest of an archived journal/);
    await copyFile(manifestOf(second), join(root, 'second'));
    await rm(manifestOf(second));
    await expect(archive()).rejects.toThrow(new RegExp(`${manifestOf(third)} does not follow ${first}`));
    await copyFile(join(root, 'second'), manifestOf(second));
    await rm(third);
    await expect(archive()).rejects.toThrow(`${third} is missing`);
    const other = new SigningKey(Buffer.alloc(32, 2));
    await expect(archiveFiles(folder, new Map([[other.id, other.publicKey]]))).rejects.toThrow(
      /was signed by another exchange/,
    );
    await rm(folder, { recursive: true });
    await archive();
    await expect(archive({ folder: join(root, 'empty') })).rejects.toThrow(
      /the steps to 3000 are archived, and .*empty has those to 0/,
    );
  });

  it('REPLAY-983 refuses a journal or a checkpoint that is not what was signed, and a full disk', async () => {
    await expect(archive({ freeBytes: () => Promise.resolve(1_000) })).rejects.toThrow(
      /less than 512 MiB free/,
    );
    await rm(join(root, 'checkpoints', '5000'), { recursive: true });
    await expect(archive()).rejects.toThrow(/the rows of the newest checkpoint 5000 are not in/);
    await mkdir(join(root, 'checkpoints', '5000'));
    await expect(archive({ publicKeys: new Map() })).rejects.toThrow(
      /does not belong to a key of this exchange/,
    );
    await tamper(`update step_journal set steps = steps || ' ' where sequence = 1600`);
    await expect(archive()).rejects.toThrow(
      'checkpoint 3000: the journal of the steps 1001 to 3000 is not what was signed',
    );
    expect(await archived()).toEqual([]);
    expect(await stored()).toHaveLength(ROWS);
  });

  it('REPLAY-984 no row is changed, or deleted without a declared archiving, and one archiving works at a time', async () => {
    for (const statement of [
      'delete from step_journal',
      `update step_journal set steps = ''`,
      'truncate step_journal',
      `begin; set local exchange.archiving = 'on'; update step_journal set steps = ''`,
      `begin; set local exchange.archiving = 'on'; truncate step_journal`,
    ]) {
      await expect(client.query(statement)).rejects.toThrow('step_journal is append-only');
      await client.query('rollback');
    }
    const second = await testDb.pool.connect();
    try {
      await second.query("select pg_advisory_lock(x'61726368'::int)");
      await expect(archive()).rejects.toThrow('another archive-journal is at work');
    } finally {
      second.release(true);
    }
    expect(await stored()).toEqual(journal);
  });

  it('REPLAY-984 the exchange appends rows while rows are deleted', async () => {
    const second = await testDb.pool.connect();
    try {
      await second.query('begin');
      const next = rowOf(2 * ROWS + 2);
      await second.query('insert into step_journal (sequence, steps) values ($1, $2)', [
        next.sequence,
        next.steps,
      ]);
      expect(await archive()).toMatchObject({ deletedRows: 1_500 });
      await second.query('commit');
      expect((await stored()).at(-1)).toEqual(next);
    } finally {
      second.release();
    }
  });
});
