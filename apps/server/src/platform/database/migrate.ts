import pg from 'pg';
import { errorMessage } from '../error-message.ts';
import { readMigrationFiles, type MigrationFile } from './migration-files.ts';
import { clientOptions, type DatabaseConnection } from './pool.ts';
import type { DatabaseLog } from './log.ts';

export interface MigrateOptions {
  readonly connection: DatabaseConnection;
  /** Folder with the SQL migrations, named `NNNN_name.sql`. */
  readonly directory: string;
  readonly log: DatabaseLog;
}

export interface MigrateOutcome {
  /** Version of the database schema after the migration; 0 if there are no migrations. */
  readonly version: number;
  /** Versions of the migrations that this call has applied, in order. */
  readonly applied: readonly number[];
}

interface AppliedRow {
  readonly version: number;
  readonly name: string;
  readonly sha256: Buffer;
}

// Number of the advisory lock for migrations, chosen freely. Its bytes spell "migr".
const advisoryLock = 0x6d696772;
const undefinedTable = '42P01';

/**
 * Applies the pending migrations of the database schema, each in its own transaction. A lock lets several servers start
 * concurrently. Without pending migrations only one query is made. Throws if a migration fails, if an applied file was
 * changed, if the schema is newer than this version, or if a pending file has a lower number than an applied one. After
 * a failure no later migration is applied.
 */
export async function migrate(options: MigrateOptions): Promise<MigrateOutcome> {
  const files = await readMigrationFiles(options.directory);
  const client = new pg.Client(clientOptions(options.connection, 'exchange migrations'));
  // A lost connection also fails the running query, which reports the error.
  client.on('error', () => undefined);
  await client.connect();
  try {
    const applied = await readApplied(client);
    if (applied !== undefined && pendingOf(files, applied).length === 0) {
      return { version: files.at(-1)?.version ?? 0, applied: [] };
    }
    return await migrateAlone(client, files, options.log);
  } finally {
    await client.end();
  }
}

/**
 * Throws if the database schema is newer than this version, an applied migration differs from its file, or a pending
 * file has a lower number than an applied one. Only reads.
 */
export async function requireNotNewer({ connection, directory }: Omit<MigrateOptions, 'log'>): Promise<void> {
  const files = await readMigrationFiles(directory);
  const client = new pg.Client(clientOptions(connection, 'exchange migrations'));
  // A lost connection also fails the running query, which reports the error.
  client.on('error', () => undefined);
  await client.connect();
  try {
    pendingOf(files, (await readApplied(client)) ?? []);
  } finally {
    await client.end();
  }
}

/**
 * Returns whether all migrations of this version are applied. Returns false for a new database. Throws like
 * `requireNotNewer`. Only reads.
 */
export async function isSchemaCurrent({
  connection,
  directory,
}: Omit<MigrateOptions, 'log'>): Promise<boolean> {
  const files = await readMigrationFiles(directory);
  const client = new pg.Client(clientOptions(connection, 'exchange migrations'));
  // A lost connection also fails the running query, which reports the error.
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<{ exists: boolean }>(
      `select to_regclass('schema_migration') is not null as exists`,
    );
    if (rows[0]?.exists !== true) return false;
    return pendingOf(files, (await readApplied(client)) ?? []).length === 0;
  } finally {
    await client.end();
  }
}

async function migrateAlone(
  client: pg.Client,
  files: readonly MigrationFile[],
  log: DatabaseLog,
): Promise<MigrateOutcome> {
  // The lock belongs to the session, so it is released when the connection ends.
  await client.query('SELECT pg_advisory_lock($1)', [advisoryLock]);
  await client.query(`CREATE TABLE IF NOT EXISTS schema_migration (
    version integer PRIMARY KEY,
    name text NOT NULL,
    sha256 bytea NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now()
  )`);
  // Applied migrations are read again, because another server may have migrated in the meantime.
  const applied = (await readApplied(client)) ?? [];
  const pending = pendingOf(files, applied);
  // An upgrade of a database logs every migration. The setup of a new database logs a single line.
  const fileLog: DatabaseLog = applied.length > 0 ? log : () => undefined;
  for (const file of pending) await apply(client, file, fileLog);
  if (applied.length === 0) log('info', 'database set up', { migrations: pending.length });
  return { version: files.at(-1)?.version ?? 0, applied: pending.map((file) => file.version) };
}

async function apply(client: pg.Client, file: MigrationFile, log: DatabaseLog): Promise<void> {
  await client.query('BEGIN');
  try {
    await client.query(file.sql);
    await client.query('INSERT INTO schema_migration (version, name, sha256) VALUES ($1, $2, $3)', [
      file.version,
      file.name,
      file.sha256,
    ]);
    await client.query('COMMIT');
  } catch (error) {
    // If the connection is lost, PostgreSQL rolls back by itself.
    await client.query('ROLLBACK').catch(() => undefined);
    throw new Error(`migration ${titleOf(file)} failed${placeOf(error, file.sql)}: ${errorMessage(error)}`, {
      cause: error,
    });
  }
  log('info', 'migration applied', { migration: titleOf(file) });
}

async function readApplied(client: pg.Client): Promise<readonly AppliedRow[] | undefined> {
  try {
    const { rows } = await client.query<AppliedRow>(
      'SELECT version, name, sha256 FROM schema_migration ORDER BY version',
    );
    return rows;
  } catch (error) {
    // Without the table, no migration was applied yet.
    if (error instanceof pg.DatabaseError && error.code === undefinedTable) return undefined;
    throw error;
  }
}

function pendingOf(
  files: readonly MigrationFile[],
  applied: readonly AppliedRow[],
): readonly MigrationFile[] {
  const filesByVersion = new Map(files.map((file) => [file.version, file]));
  for (const row of applied) {
    const file = filesByVersion.get(row.version);
    if (file === undefined) {
      throw new Error(
        `the database has migration ${titleOf(row)}, which this version of the server does not know: ` +
          'it was migrated by a newer one; start that, or restore a backup',
      );
    }
    if (!file.sha256.equals(row.sha256)) {
      throw new Error(
        `migration ${titleOf(file)} was changed after it had been applied: restore the file and put the change ` +
          'into a new migration',
      );
    }
  }
  const newest = applied.at(-1)?.version ?? 0;
  const done = new Set(applied.map((row) => row.version));
  const pending = files.filter((file) => !done.has(file.version));
  const late = pending.find((file) => file.version < newest);
  if (late !== undefined) {
    throw new Error(
      `migration ${titleOf(late)} comes before ${newest}, which is applied: give it a higher number`,
    );
  }
  return pending;
}

function titleOf({ version, name }: { readonly version: number; readonly name: string }): string {
  return `${String(version).padStart(4, '0')}_${name}`;
}

function placeOf(error: unknown, sql: string): string {
  const position = error instanceof pg.DatabaseError ? Number(error.position) : Number.NaN;
  return position > 0 ? ` at line ${sql.slice(0, position - 1).split('\n').length}` : '';
}
