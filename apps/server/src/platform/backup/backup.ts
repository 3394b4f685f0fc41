import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { copyFile, cp, mkdir, mkdtemp, readFile, rename, rm, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import * as z from 'zod';
import { RowTally } from '../checkpoint/checkpoint.ts';
import { installJobQueue } from '../jobs/install.ts';
import type { DatabaseLog } from '../database/log.ts';
import { syncFolder, writeDurably } from '../files/durable-file.ts';
import { migrate } from '../database/migrate.ts';
import { readMigrationFiles } from '../database/migration-files.ts';
import { clientOptions, withClient, type DatabaseConnection } from '../database/pool.ts';

/** Name of the database setting that stores the time of the backup from which the database was restored. */
export const RESTORED_FROM = 'restored_from';

const TABLE = z.object({
  name: z.string(),
  columns: z.array(z.string()),
  rows: z.int(),
  /** SHA-256 of the rows of the table as PostgreSQL's COPY sends them, before they are compressed. */
  sha256: z.string(),
});
const MANIFEST = z.object({
  format: z.literal(1),
  madeAt: z.iso.datetime(),
  /** Version of the newest migration in the backup. */
  schema: z.int(),
  tables: z.array(TABLE),
  sequences: z.record(z.string(), z.string()),
});
type BackupManifest = z.output<typeof MANIFEST>;

const MANIFEST_FILE = 'backup.json';
/** End of the name of a backup's folder until the backup is complete. */
const UNFINISHED = '.unfinished';

/** Name of the folder with the uploaded files in a backup. */
export const FILES_FOLDER = 'files';

interface BackupOptions {
  /** Folder for the backup, which must not exist. */
  readonly folder: string;
  readonly madeAt: Date;
  /** Folder of the uploaded files on this machine; undefined to leave the files out of the backup. */
  readonly files?: string | undefined;
}

/**
 * Writes a consistent snapshot of a database, and the uploaded files, to a folder that only this user can read. The
 * exchange may run meanwhile. The folder gets its final name when it is complete. An unfinished folder of an earlier,
 * failed call with the same name is removed first.
 */
export async function backUp(
  connection: DatabaseConnection,
  { folder, madeAt, files }: BackupOptions,
): Promise<BackupManifest> {
  const draft = `${folder}${UNFINISHED}`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { recursive: true, mode: 0o700 });
  const manifest = await withConnection(connection, async (client) => {
    await client.query('begin isolation level repeatable read read only');
    const { rows } = await client.query<{ version: number }>(
      'select max(version) as version from schema_migration',
    );
    const tables: BackupManifest['tables'] = [];
    for (const table of await tablesOf(client)) tables.push(await writeTable(client, table, draft));
    const sequences = await sequencesOf(client);
    await client.query('commit');
    return { format: 1 as const, madeAt: madeAt.toISOString(), schema: rows[0]!.version, tables, sequences };
  });
  // The files are copied after the database snapshot, so that no file of the snapshot is missing unless it was deleted
  // on purpose. Additional files do no harm.
  if (files !== undefined) await cp(files, join(draft, FILES_FOLDER), { recursive: true });
  await writeDurably(join(draft, MANIFEST_FILE), `${JSON.stringify(manifest, null, 2)}\n`);
  await rename(draft, folder);
  await syncFolder(dirname(folder));
  return manifest;
}

/** Reads a backup's manifest. Throws if the folder contains no backup or the manifest is invalid. */
async function readBackup(folder: string): Promise<BackupManifest> {
  const file = join(folder, MANIFEST_FILE);
  if (!existsSync(file)) throw new Error(`there is no backup in ${folder}: ${MANIFEST_FILE} is missing`);
  return MANIFEST.parse(JSON.parse(await readFile(file, 'utf8')));
}

interface RestoreOptions {
  /** The empty database to fill; the connection must use the role that will own the tables. */
  readonly connection: DatabaseConnection;
  readonly folder: string;
  /** Folder of this version's migrations, which must include the backup's newest migration. */
  readonly migrations: string;
  readonly log: DatabaseLog;
}

/**
 * Fills an empty database from a backup: creates the schema of the backup's time and inserts every row. Either all rows
 * are stored or none. After a failure the schema may remain. Throws if the folder contains no valid backup, if the
 * database has tables, if this version lacks the backup's newest migration, or if a file differs from its recorded
 * hash. The next start of the server applies newer migrations, and sends no withdrawals until operators have confirmed
 * the restore.
 */
export async function restoreBackup(options: RestoreOptions): Promise<BackupManifest> {
  const { connection, folder, migrations, log } = options;
  const manifest = await readBackup(folder);
  await withConnection(connection, requireEmpty);
  await migrateTo(manifest.schema, { connection, directory: migrations, log });
  await installJobQueue(connection, log);
  await withConnection(connection, async (client) => {
    await client.query('begin');
    const names = manifest.tables.map(({ name }) => quoted(name));
    // Triggers are disabled, so that they do not change the inserted rows, and so that the rows that migrations have
    // inserted can be removed even from append-only tables.
    for (const name of names) await client.query(`alter table ${name} disable trigger user`);
    await client.query(`truncate ${names.join(', ')}`);
    for (const table of manifest.tables) await readTable(client, table, folder);
    for (const name of names) await client.query(`alter table ${name} enable trigger user`);
    for (const [name, last] of Object.entries(manifest.sequences))
      await client.query('select setval($1::regclass, $2::bigint)', [quoted(name), last]);
    await client.query(
      'insert into database_setting (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value',
      [RESTORED_FROM, manifest.madeAt],
    );
    await client.query('commit');
    await client.query('analyze');
  });
  return manifest;
}

function withConnection<T>(
  connection: DatabaseConnection,
  use: (client: pg.Client) => Promise<T>,
): Promise<T> {
  return withClient(clientOptions(connection, 'exchange backup'), async (client) => {
    await client.query('set statement_timeout = 0');
    return use(client);
  });
}

async function requireEmpty(client: pg.Client): Promise<void> {
  const tables = await tablesOf(client);
  if (tables.length > 0)
    throw new Error('a backup is restored into an empty database only, and this one has tables');
}

/** Creates the schema of the backup's version. Throws if the migration of that version is missing. */
async function migrateTo(
  version: number,
  { connection, directory, log }: { connection: DatabaseConnection; directory: string; log: DatabaseLog },
): Promise<void> {
  const files = await readMigrationFiles(directory);
  if (!files.some((file) => file.version === version))
    throw new Error(`the backup was made by a version with migration ${version}, which is not here`);
  const directoryUntil = await mkdtemp(join(tmpdir(), 'exchange-restore-'));
  try {
    for (const file of files.filter((migration) => migration.version <= version)) {
      const name = `${String(file.version).padStart(4, '0')}_${file.name}.sql`;
      await copyFile(join(directory, name), join(directoryUntil, name));
    }
    await migrate({ connection, directory: directoryUntil, log });
  } finally {
    await rm(directoryUntil, { recursive: true, force: true });
  }
}

const fileOf = (folder: string, name: string) => join(folder, `${name}.copy.gz`);
const columnList = ({ name, columns }: BackedUpTable) =>
  `${quoted(name)} (${columns.map(quoted).join(', ')})`;

async function writeTable(client: pg.Client, table: BackedUpTable, folder: string) {
  const tally = new RowTally();
  await pipeline(
    client.query(copyTo(`copy ${columnList(table)} to stdout`)),
    tally,
    createGzip(),
    createWriteStream(fileOf(folder, table.name), { mode: 0o600, flush: true }),
  );
  return { ...table, columns: [...table.columns], ...tally.sum() };
}

async function readTable(
  client: pg.Client,
  table: BackupManifest['tables'][number],
  folder: string,
): Promise<void> {
  const tally = new RowTally();
  await pipeline(
    createReadStream(fileOf(folder, table.name)),
    createGunzip(),
    tally,
    client.query(copyFrom(`copy ${columnList(table)} from stdin`)),
  );
  const { rows, sha256 } = tally.sum();
  if (rows !== table.rows || sha256 !== table.sha256)
    throw new Error(`${table.name} of the backup is not what was written: ${rows} rows, ${sha256}`);
}

/** A database table in a backup, with those of its columns that can be written. */
interface BackedUpTable {
  /** Name of the table with its schema, `schema.table`. */
  readonly name: string;
  readonly columns: readonly string[];
}

/** Tables whose rows describe the schema: the migrations create them, so a backup does not contain them. */
const SCHEMA_TABLES: ReadonlySet<string> = new Set(['public.schema_migration', 'graphile_worker.migrations']);
const SCHEMAS = `('public', 'graphile_worker')`;

/**
 * Returns all tables that a backup contains. Each comes after the tables that it references. Throws if tables
 * reference each other in a cycle.
 */
async function tablesOf(client: pg.ClientBase): Promise<BackedUpTable[]> {
  const { rows } = await client.query<{ name: string; columns: string[]; references: string[] }>(
    `select n.nspname || '.' || c.relname as name,
       array(select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum > 0
         and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns,
       array(select distinct fn.nspname || '.' || f.relname from pg_constraint k
         join pg_class f on f.oid = k.confrelid join pg_namespace fn on fn.oid = f.relnamespace
         where k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> c.oid) as "references"
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname in ${SCHEMAS} order by 1`,
  );
  const waiting = new Map(rows.filter(({ name }) => !SCHEMA_TABLES.has(name)).map((row) => [row.name, row]));
  const ordered: BackedUpTable[] = [];
  while (waiting.size > 0) {
    const unblocked = [...waiting.values()].filter(
      ({ references }) => !references.some((name) => waiting.has(name)),
    );
    if (unblocked.length === 0)
      throw new Error(`tables refer to each other: ${[...waiting.keys()].join(', ')}`);
    for (const { name, columns } of unblocked) {
      ordered.push({ name, columns });
      waiting.delete(name);
    }
  }
  return ordered;
}

/**
 * Returns the last used value of each sequence of the database. Sequences that were never used are left out.
 */
async function sequencesOf(client: pg.ClientBase): Promise<Readonly<Record<string, string>>> {
  const { rows } = await client.query<{ name: string; last: string }>(
    `select schemaname || '.' || sequencename as name, last_value::text as last
     from pg_sequences where schemaname in ${SCHEMAS} and last_value is not null order by 1`,
  );
  return Object.fromEntries(rows.map(({ name, last }) => [name, last]));
}

/** Quotes a `schema.name` as an SQL identifier. */
function quoted(name: string): string {
  return name
    .split('.')
    .map((part) => `"${part.replaceAll('"', '""')}"`)
    .join('.');
}

/**
 * Returns the time in milliseconds UTC of the newest complete backup in a folder; undefined if there is none
 * or the folder cannot be read.
 */
export async function newestBackup(folder: string): Promise<number | undefined> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => !name.endsWith(UNFINISHED));
  // The name of a backup's folder begins with its time, so the newest one is read first.
  for (const name of names.toSorted((left, right) => (left < right ? 1 : -1))) {
    const backup = await readBackup(`${folder}/${name}`).catch(() => undefined);
    if (backup !== undefined) return Date.parse(backup.madeAt);
  }
  return undefined;
}
