import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { inject } from 'vitest';
import { bringUpToDate } from '../src/platform/bring-up-to-date.ts';
import { embeddedRuntimeUser } from '../src/platform/database/embedded/settings.ts';
import { startEmbeddedPostgres } from '../src/platform/database/embedded/supervisor.ts';
import { readMigrationFiles } from '../src/platform/database/migration-files.ts';
import { clientOptions, openDatabase, type DatabaseConnection } from '../src/platform/database/pool.ts';
import type { DatabaseLog } from '../src/platform/database/log.ts';
import type {} from './postgres-global-setup.ts';

/**
 * The database of one test or one test file: without tables, or with the complete schema and no rows except those of
 * migrations.
 */
export interface TestDatabase {
  /**
   * Address of the database, with the role that owns all tables. Tests use it for changes that the server's
   * role may not make.
   */
  readonly connection: DatabaseConnection;
  readonly pool: pg.Pool;
  /** Closes the pool and drops the database, even if other clients are connected. */
  drop(): Promise<void>;
}

export interface TestDatabaseOptions {
  /** False creates an empty database without tables, for tests of code that creates the schema. */
  readonly withSchema?: boolean;
}

const migrations = fileURLToPath(new URL('../migrations', import.meta.url));
const objectInUse = '55006';
// Arbitrary key of the advisory lock for creating the template. Its bytes spell `tmpl`.
const templateLock = 0x746d706c;
const inUseTimeoutMs = 5_000;

let server: Promise<DatabaseConnection> | undefined;
let schemaTemplate: Promise<string> | undefined;
let administration: pg.Pool | undefined;

/**
 * Creates a database, by default from a template to which the migrations were applied. Requires
 * `testing/postgres-global-setup.ts` in vitest's `globalSetup`.
 */
export async function testDatabase(options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const admin = await (server ??= connectionOfServer());
  const name = `test_${randomBytes(6).toString('hex')}`;
  const template =
    options.withSchema === false ? 'template1' : await (schemaTemplate ??= makeTemplate(admin));
  // Copying the template's files takes less time than the default strategy, which writes each page to the write-ahead
  // log.
  await run(admin, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
  const connection = withDatabase(admin, name);
  const pool = openDatabase({ connection, log: silent, name: 'test', size: 8 });
  return {
    connection,
    pool,
    drop: async () => {
      await pool.end();
      await run(admin, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}

/**
 * Replaces the owner's role in a connection by the role that the exchange uses at runtime. A PostgreSQL server given by
 * TEST_DATABASE_URL has no such role, so the connection is returned unchanged.
 */
export function withRuntimeRole(connection: DatabaseConnection): DatabaseConnection {
  if (!('connectionString' in connection)) return { ...connection, user: embeddedRuntimeUser };
  if (inject('testServer').kind === 'given') return connection;
  const url = new URL(connection.connectionString);
  url.username = embeddedRuntimeUser;
  return { connectionString: url.href };
}

/** Returns the connection as a URL, in the format of the setting DATABASE_URL. */
export function urlOf(connection: DatabaseConnection): string {
  if ('connectionString' in connection) return connection.connectionString;
  const { host, port, user, database, password = '' } = connection;
  return `postgres:///${database}?host=${encodeURIComponent(host)}&port=${port}&user=${user}&password=${password}`;
}

const silent: DatabaseLog = () => undefined;

async function connectionOfServer(): Promise<DatabaseConnection> {
  const testServer = inject('testServer');
  if (testServer === undefined)
    throw new Error('add testing/postgres-global-setup.ts to globalSetup of the test config');
  if (testServer.kind === 'given') return { connectionString: testServer.url };
  // Every worker process of the tests reaches this statement. The first one starts PostgreSQL, and the others connect
  // to the same server.
  const postgres = await startEmbeddedPostgres({ dataDirectory: testServer.dataDirectory, log: silent });
  return postgres.connection;
}

/**
 * Creates the template database with all migrations applied and returns its name. If a template with these migrations
 * exists on the server already, returns that one's name.
 */
async function makeTemplate(admin: DatabaseConnection): Promise<string> {
  const hash = createHash('sha256');
  for (const file of await readMigrationFiles(migrations)) hash.update(file.name).update(file.sha256);
  const name = `template_${hash.digest('hex').slice(0, 16)}`;
  const client = new pg.Client(clientOptions(admin, 'test templates'));
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [templateLock]);
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (rowCount !== 0) return name;
    // The template gets its final name when it is complete, so that no test copies an incomplete template.
    const draft = `${name}_draft`;
    await client.query(`DROP DATABASE IF EXISTS ${draft} WITH (FORCE)`);
    await client.query(`CREATE DATABASE ${draft}`);
    const owner = withDatabase(admin, draft);
    const runtimeRole = 'host' in owner ? embeddedRuntimeUser : undefined;
    await bringUpToDate({ owner, runtimeRole, directory: migrations, log: silent });
    await retryWhileInUse(() => client.query(`ALTER DATABASE ${draft} RENAME TO ${name}`));
    return name;
  } finally {
    await client.end();
  }
}

/** Runs a statement over the worker process's administrative connection, which is reopened after a loss. */
async function run(admin: DatabaseConnection, sql: string): Promise<void> {
  if (administration === undefined) {
    administration = new pg.Pool({
      ...clientOptions(admin, 'test databases'),
      max: 1,
      idleTimeoutMillis: 0,
      allowExitOnIdle: true,
    });
    // If the server stops before this process, the pool emits an error event. Without a listener the event
    // would end the process.
    administration.on('error', () => undefined);
  }
  const pool = administration;
  await retryWhileInUse(() => pool.query(sql));
}

/**
 * Repeats `action` while PostgreSQL refuses it because a database is in use, which it may do for some milliseconds
 * after the last session was closed. Throws the error after `inUseTimeoutMs`, and every other error at once.
 */
async function retryWhileInUse(action: () => Promise<unknown>): Promise<void> {
  const deadline = performance.now() + inUseTimeoutMs;
  for (;;) {
    try {
      await action();
      return;
    } catch (error) {
      const isInUse = error instanceof pg.DatabaseError && error.code === objectInUse;
      if (!isInUse || performance.now() > deadline) throw error;
      await sleep(10);
    }
  }
}

function withDatabase(connection: DatabaseConnection, database: string): DatabaseConnection {
  if (!('connectionString' in connection)) return { ...connection, database };
  const url = new URL(connection.connectionString);
  url.pathname = `/${database}`;
  return { connectionString: url.href };
}
