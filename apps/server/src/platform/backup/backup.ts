import { createHash, type Hash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readFile, rename, rm, writeFile, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import * as z from 'zod';
import { installJobQueue } from '../jobs/install.ts';
import type { DatabaseLog } from '../database/log.ts';
import { migrate } from '../database/migrate.ts';
import { readMigrationFiles } from '../database/migration-files.ts';
import { clientOptions, type DatabaseConnection } from '../database/pool.ts';

/** The setting of a database that was restored: when its backup was made. */
export const RESTORED_FROM = 'restored_from';

const TABLE = z.object({
  name: z.string(),
  columns: z.array(z.string()),
  rows: z.int(),
  /** Of the table's rows as they are sent, before they are compressed. */
  sha256: z.string(),
});
const MANIFEST = z.object({
  format: z.literal(1),
  madeAt: z.iso.datetime(),
  /** The newest migration it was made with. */
  schema: z.int(),
  tables: z.array(TABLE),
  sequences: z.record(z.string(), z.string()),
});
type BackupManifest = z.output<typeof MANIFEST>;

const MANIFEST_FILE = 'backup.json';
const LINE_END = 0x0a;

/**
 * Writes everything in a database, as it is at one moment, into a folder of files that only this user can read. The
 * exchange goes on meanwhile. The folder gets its name when it is complete.
 */
export async function backUp(
  connection: DatabaseConnection,
  folder: string,
  madeAt: Date,
): Promise<BackupManifest> {
  const draft = `${folder}.unfinished`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { recursive: true, mode: 0o700 });
  const manifest = await connected(connection, async (client) => {
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
  await writeFile(join(draft, MANIFEST_FILE), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
  await rename(draft, folder);
  return manifest;
}

/** What a backup holds. Throws where there is none. */
async function readBackup(folder: string): Promise<BackupManifest> {
  const file = join(folder, MANIFEST_FILE);
  if (!existsSync(file)) throw new Error(`there is no backup in ${folder}: ${MANIFEST_FILE} is missing`);
  return MANIFEST.parse(JSON.parse(await readFile(file, 'utf8')));
}

interface RestoreOptions {
  /** An empty database, as the role that is to own it. */
  readonly connection: DatabaseConnection;
  readonly folder: string;
  /** Folder of this version's migrations: as new as the backup's, or newer. */
  readonly migrations: string;
  readonly log: DatabaseLog;
}

/**
 * Fills an empty database from a backup, all of it or nothing: the schema as it was then, and each row. What differs from
 * what was written is refused. Newer migrations come with the server's next start, which sends nothing until operators
 * have confirmed it.
 */
export async function restoreBackup(options: RestoreOptions): Promise<BackupManifest> {
  const { connection, folder, migrations, log } = options;
  const manifest = await readBackup(folder);
  await connected(connection, requireEmpty);
  await migrateTo(manifest.schema, { connection, directory: migrations, log });
  await installJobQueue(connection, log);
  await connected(connection, async (client) => {
    await client.query('begin');
    const names = manifest.tables.map(({ name }) => quoted(name));
    // Rows come as they were: nothing is counted again, and append-only tables lose what the migrations put in.
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

async function connected<T>(connection: DatabaseConnection, use: (client: pg.Client) => Promise<T>) {
  const client = new pg.Client(clientOptions(connection, 'exchange backup'));
  client.on('error', () => undefined); // a lost connection also fails the query that is under way
  await client.connect();
  try {
    await client.query('set statement_timeout = 0');
    return await use(client);
  } finally {
    await client.end();
  }
}

async function requireEmpty(client: pg.Client): Promise<void> {
  const tables = await tablesOf(client);
  if (tables.length > 0)
    throw new Error('a backup is restored into an empty database only, and this one has tables');
}

/** The schema as it was when the backup was made. */
async function migrateTo(
  version: number,
  { connection, directory, log }: { connection: DatabaseConnection; directory: string; log: DatabaseLog },
): Promise<void> {
  const files = await readMigrationFiles(directory);
  if (!files.some((file) => file.version === version))
    throw new Error(`the backup was made by a version with migration ${version}, which is not here`);
  const until = await mkdtemp(join(tmpdir(), 'exchange-restore-'));
  try {
    for (const file of files.filter((one) => one.version <= version)) {
      const name = `${String(file.version).padStart(4, '0')}_${file.name}.sql`;
      await copyFile(join(directory, name), join(until, name));
    }
    await migrate({ connection, directory: until, log });
  } finally {
    await rm(until, { recursive: true, force: true });
  }
}

/** Counts and hashes what goes through. */
class Tally extends Transform {
  rows = 0;
  private readonly hash: Hash = createHash('sha256');

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: (error: null, chunk: Buffer) => void) {
    // A line end within a cell is escaped, so each one that is there ends a row.
    for (let at = chunk.indexOf(LINE_END); at >= 0; at = chunk.indexOf(LINE_END, at + 1)) this.rows += 1;
    this.hash.update(chunk);
    done(null, chunk);
  }

  sum(): { rows: number; sha256: string } {
    return { rows: this.rows, sha256: this.hash.digest('hex') };
  }
}

const fileOf = (folder: string, name: string) => join(folder, `${name}.copy.gz`);
const listOf = ({ name, columns }: BackedUpTable) => `${quoted(name)} (${columns.map(quoted).join(', ')})`;

async function writeTable(client: pg.Client, table: BackedUpTable, folder: string) {
  const tally = new Tally();
  await pipeline(
    client.query(copyTo(`copy ${listOf(table)} to stdout`)),
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
  const tally = new Tally();
  await pipeline(
    createReadStream(fileOf(folder, table.name)),
    createGunzip(),
    tally,
    client.query(copyFrom(`copy ${listOf(table)} from stdin`)),
  );
  const { rows, sha256 } = tally.sum();
  if (rows !== table.rows || sha256 !== table.sha256)
    throw new Error(`${table.name} of the backup is not what was written: ${rows} rows, ${sha256}`);
}

/** A table as a backup names it, with the columns that can be written. */
interface BackedUpTable {
  /** `schema.table`. */
  readonly name: string;
  readonly columns: readonly string[];
}

/** What a migration makes anew belongs to the schema, not to the data. */
const OF_THE_SCHEMA: ReadonlySet<string> = new Set(['public.schema_migration', 'graphile_worker.migrations']);
const SCHEMAS = `('public', 'graphile_worker')`;

/** Every table with data, each after those that it refers to. */
async function tablesOf(client: pg.ClientBase): Promise<BackedUpTable[]> {
  const { rows } = await client.query<{ name: string; columns: string[]; behind: string[] }>(
    `select n.nspname || '.' || c.relname as name,
       array(select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum > 0
         and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns,
       array(select distinct fn.nspname || '.' || f.relname from pg_constraint k
         join pg_class f on f.oid = k.confrelid join pg_namespace fn on fn.oid = f.relnamespace
         where k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> c.oid) as behind
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname in ${SCHEMAS} order by 1`,
  );
  const waiting = new Map(rows.filter(({ name }) => !OF_THE_SCHEMA.has(name)).map((row) => [row.name, row]));
  const ordered: BackedUpTable[] = [];
  while (waiting.size > 0) {
    const free = [...waiting.values()].filter(({ behind }) => !behind.some((name) => waiting.has(name)));
    if (free.length === 0) throw new Error(`tables refer to each other: ${[...waiting.keys()].join(', ')}`);
    for (const { name, columns } of free) {
      ordered.push({ name, columns });
      waiting.delete(name);
    }
  }
  return ordered;
}

/** The last number that each sequence gave; one that gave none is left out. */
async function sequencesOf(client: pg.ClientBase): Promise<Readonly<Record<string, string>>> {
  const { rows } = await client.query<{ name: string; last: string }>(
    `select schemaname || '.' || sequencename as name, last_value::text as last
     from pg_sequences where schemaname in ${SCHEMAS} and last_value is not null order by 1`,
  );
  return Object.fromEntries(rows.map(({ name, last }) => [name, last]));
}

/** A name that may stand in SQL: ours are small letters, digits and lines. */
function quoted(name: string): string {
  return name
    .split('.')
    .map((part) => `"${part.replaceAll('"', '""')}"`)
    .join('.');
}

/** When the newest complete backup below a folder was made; undefined where there is none, or no such folder. */
export async function newestBackup(below: string): Promise<number | undefined> {
  const names = await readdir(below).catch(() => []);
  // Named by their time: the newest first.
  for (const name of names.toSorted((one, other) => (one < other ? 1 : -1))) {
    const found = await readBackup(`${below}/${name}`).catch(() => undefined);
    if (found !== undefined) return Date.parse(found.madeAt);
  }
  return undefined;
}
