import { realpathSync } from 'node:fs';
import pg from 'pg';
import { assertDurable } from '../durability.ts';
import { withClient } from '../pool.ts';
import { isFileSystemError } from './file-system-error.ts';
import {
  setPasswordRequired,
  requiresPassword,
  embeddedPassword,
  makeEmbeddedPassword,
  reloadRules,
} from './password.ts';
import { embeddedDatabase, embeddedPort, embeddedRuntimeUser, embeddedUser } from './settings.ts';

/** Options with which the driver `pg` connects to the embedded PostgreSQL server. */
export interface EmbeddedConnection {
  /** Folder of the PostgreSQL server's Unix socket. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  readonly password?: string | undefined;
}

/**
 * State of the PostgreSQL server at a socket. `ours`: it serves the expected data directory, and the exchange's
 * database exists. `busy`: it is starting, recovering or shutting down, or the database or its password is being set
 * up. `silent`: nothing listens at the socket, or the server does not answer in time.
 */
export type Answer = 'ours' | 'busy' | 'silent';

const answerTimeoutMs = 5_000;
const invalidCatalogName = '3D000';
const cannotConnectNow = '57P03';
const adminShutdown = '57P01';
const invalidPassword = '28P01';
const PASSWORD_LOCK = 0x70617373; // number of an advisory lock, chosen freely; its bytes spell "pass"
const duplicateDatabase = '42P04';
const duplicateObject = '42710';
const uniqueViolation = '23505';

/**
 * Returns the options for a connection to the exchange's database as superuser, at the server with this
 * socket and data directory (`cluster`), with the password from the directory's password file if there is
 * one.
 */
export function connectionOf(socketDirectory: string, cluster: string): EmbeddedConnection {
  return {
    host: socketDirectory,
    port: embeddedPort,
    user: embeddedUser,
    database: embeddedDatabase,
    password: embeddedPassword(cluster),
  };
}

/**
 * Checks the PostgreSQL server at a socket. Creates the exchange's database, the runtime role and the password of both
 * roles if they are missing, and prepares the replacement of a missing or wrong password file. Throws if the server
 * serves another data directory, may lose acknowledged commits, or refuses the connection permanently.
 */
export async function probeServer(socketDirectory: string, cluster: string): Promise<Answer> {
  const connection = connectionOf(socketDirectory, cluster);
  try {
    if (connection.password === undefined && requiresPassword(cluster)) return disablePassword(cluster);
    return await inspect(connection, cluster);
  } catch (error) {
    if (hasState(error, invalidCatalogName)) {
      await createDatabase(connection, cluster);
      return 'busy'; // the caller tries again and then finds the database
    }
    if (hasState(error, cannotConnectNow, adminShutdown)) return 'busy';
    if (hasState(error, invalidPassword)) return disablePassword(cluster);
    // Another process has just set the database password. The caller tries again.
    if (isPasswordMissing(error)) return 'busy';
    if (isConnectionLoss(error)) return 'silent';
    throw error;
  }
}

function inspect(connection: EmbeddedConnection, cluster: string): Promise<Answer> {
  return withConnection<Answer>(connection, async (client) => {
    await assertServes(client, cluster);
    await assertDurable((sql) => client.query(sql));
    const isNew = await ensureRuntimeRole(client);
    if (isNew || !requiresPassword(cluster)) await setPassword(client, cluster);
    return 'ours';
  });
}

/** Creates the runtime role if it is missing, as in clusters of older versions. Returns whether it was missing. */
async function ensureRuntimeRole(client: pg.Client): Promise<boolean> {
  const { rowCount } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [embeddedRuntimeUser]);
  if (rowCount !== 0) return false;
  try {
    await client.query(`CREATE ROLE ${embeddedRuntimeUser} LOGIN`);
  } catch (error) {
    // A duplicate means that another process has created the role in the meantime.
    if (!hasState(error, duplicateObject, uniqueViolation)) throw error;
  }
  return true;
}

/**
 * Sets the password of both database roles, then makes the server require it. If the process is killed in between, the
 * server requires no password, and the next start sets it again.
 */
async function setPassword(client: pg.Client, cluster: string): Promise<void> {
  const password = client.escapeLiteral(makeEmbeddedPassword(cluster));
  // The lock serializes concurrent changes of the password. The settings keep the statements out of PostgreSQL's log.
  await client.query('SELECT pg_advisory_lock($1)', [PASSWORD_LOCK]);
  await client.query("SET log_min_duration_statement = -1; SET log_min_error_statement = 'panic'");
  // One SCRAM iteration is enough for a password of 32 random bytes. More would only slow down every connection.
  // PostgreSQL 15 does not have this setting.
  await client.query("SELECT set_config(name, '1', false) FROM pg_settings WHERE name = 'scram_iterations'");
  for (const role of [embeddedUser, embeddedRuntimeUser])
    await client.query(`ALTER ROLE ${role} PASSWORD ${password}`);
  setPasswordRequired(cluster, true);
  await client.query('SELECT pg_reload_conf()');
}

/**
 * Makes PostgreSQL require no password, because the password file is missing or wrong, e.g. after only the
 * data directory was copied. The next check sets the file's password, or a new one if the file is missing.
 * This weakens nothing: a user who may write `pg_hba.conf` can do the same.
 */
function disablePassword(cluster: string): Answer {
  setPasswordRequired(cluster, false);
  reloadRules(cluster);
  return 'busy';
}

/** Returns whether `pg` failed because the server requires a password and none was given. */
function isPasswordMissing(error: unknown): boolean {
  return error instanceof Error && error.message.includes('client password must be a string');
}

function createDatabase(connection: EmbeddedConnection, cluster: string): Promise<void> {
  return withConnection({ ...connection, database: 'postgres' }, async (client) => {
    await assertServes(client, cluster);
    try {
      await client.query(`CREATE DATABASE ${embeddedDatabase}`);
    } catch (error) {
      // A duplicate means that another process has created the database in the meantime.
      if (!hasState(error, duplicateDatabase, uniqueViolation)) throw error;
    }
  });
}

async function assertServes(client: pg.Client, cluster: string): Promise<void> {
  const { rows } = await client.query<{ directory: string }>(
    `SELECT current_setting('data_directory') AS directory`,
  );
  const directory = rows[0]?.directory;
  if (directory !== undefined && realpathSync(directory) === cluster) return;
  throw new Error(`the socket in ${client.host} is served by another database, ${directory}`);
}

function withConnection<T>(
  connection: EmbeddedConnection,
  use: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const options = {
    ...connection,
    ssl: false,
    connectionTimeoutMillis: answerTimeoutMs,
    query_timeout: answerTimeoutMs,
    application_name: 'exchange supervisor',
  };
  return withClient(options, use);
}

function hasState(error: unknown, ...states: readonly string[]): boolean {
  return error instanceof pg.DatabaseError && error.code !== undefined && states.includes(error.code);
}

function isConnectionLoss(error: unknown): boolean {
  if (isFileSystemError(error, 'ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOTCONN')) return true;
  // `pg` has no error codes for its own timeouts or for a connection that ends during a query, so these are
  // recognized by their messages.
  return error instanceof Error && /timeout|terminated|not queryable/i.test(error.message);
}
