import { realpathSync } from 'node:fs';
import pg from 'pg';
import { assertDurable } from '../durability.ts';
import { isFileSystemError } from './file-system-error.ts';
import {
  askForPassword,
  asksForPassword,
  embeddedPassword,
  makeEmbeddedPassword,
  reloadRules,
} from './password.ts';
import { embeddedDatabase, embeddedPort, embeddedRuntimeUser, embeddedUser } from './settings.ts';

/** How to reach the embedded server with `pg`. */
export interface EmbeddedConnection {
  /** The folder of the socket. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  readonly password?: string | undefined;
}

/**
 * What a server said when we knocked:
 * - `ours`: it serves the cluster we mean, and our database exists
 * - `busy`: it starts up, recovers or shuts down
 * - `silent`: nobody listens, or it does not answer in time
 */
export type Answer = 'ours' | 'busy' | 'silent';

const answerTimeoutMs = 5_000;
const invalidCatalogName = '3D000';
const cannotConnectNow = '57P03';
const adminShutdown = '57P01';
const invalidPassword = '28P01';
const PASSWORD_LOCK = 0x70617373; // any fixed number serves; it spells "pass"
const duplicateDatabase = '42P04';
const duplicateObject = '42710';
const uniqueViolation = '23505';

/** The connection of the exchange's own database in a server with this socket. */
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
 * Knocks at a server. Creates our database and the role that the server works as if the very first start was interrupted before that (or is
 * this one). Throws when the server answers as ours but may lose data, or refuses us for good.
 */
export async function knock(socketDirectory: string, cluster: string): Promise<Answer> {
  const connection = connectionOf(socketDirectory, cluster);
  try {
    if (connection.password === undefined && asksForPassword(cluster)) return forgetPassword(cluster);
    return await inspect(connection, cluster);
  } catch (error) {
    if (hasState(error, invalidCatalogName)) {
      await createDatabase(connection, cluster);
      return 'busy'; // look again, now with the database
    }
    if (hasState(error, cannotConnectNow, adminShutdown)) return 'busy';
    if (hasState(error, invalidPassword)) return forgetPassword(cluster);
    if (isPasswordMissing(error)) return 'busy'; // another process has just made it: look again, now with it
    if (isConnectionLoss(error)) return 'silent';
    throw error;
  }
}

function inspect(connection: EmbeddedConnection, cluster: string): Promise<Answer> {
  return connected<Answer>(connection, async (client) => {
    await assertServes(client, cluster);
    await assertDurable((sql) => client.query(sql));
    const isNew = await ensureRuntimeRole(client);
    if (isNew || !asksForPassword(cluster)) await setPassword(client, cluster);
    return 'ours';
  });
}

/** Data of an earlier version do not know the role that owns nothing. */
async function ensureRuntimeRole(client: pg.Client): Promise<boolean> {
  const { rowCount } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [embeddedRuntimeUser]);
  if (rowCount !== 0) return false;
  try {
    await client.query(`CREATE ROLE ${embeddedRuntimeUser} LOGIN`);
  } catch (error) {
    if (!hasState(error, duplicateObject, uniqueViolation)) throw error; // made by another supervisor meanwhile
  }
  return true;
}

/**
 * Gives both roles the password, then makes the server ask for it. A kill in between leaves a server that asks for none, and
 * the next start does it again.
 */
async function setPassword(client: pg.Client, cluster: string): Promise<void> {
  const password = client.escapeLiteral(makeEmbeddedPassword(cluster));
  // One at a time, and in no log.
  await client.query('SELECT pg_advisory_lock($1)', [PASSWORD_LOCK]);
  await client.query("SET log_min_duration_statement = -1; SET log_min_error_statement = 'panic'");
  // Rounds slow down whoever guesses words; 32 random bytes cannot be guessed, and each connection would pay for the
  // rounds. PostgreSQL 15 has no such setting.
  await client.query("SELECT set_config(name, '1', false) FROM pg_settings WHERE name = 'scram_iterations'");
  for (const role of [embeddedUser, embeddedRuntimeUser])
    await client.query(`ALTER ROLE ${role} PASSWORD ${password}`);
  askForPassword(cluster, true);
  await client.query('SELECT pg_reload_conf()');
}

/**
 * The file of the password is gone or another's, as after a copy of the cluster alone: who may write the cluster's rules may set
 * a new one, and nobody is shut out of their data.
 */
function forgetPassword(cluster: string): Answer {
  askForPassword(cluster, false);
  reloadRules(cluster);
  return 'busy';
}

/** The driver was asked for a password that it was not given. */
function isPasswordMissing(error: unknown): boolean {
  return error instanceof Error && error.message.includes('client password must be a string');
}

function createDatabase(connection: EmbeddedConnection, cluster: string): Promise<void> {
  return connected({ ...connection, database: 'postgres' }, async (client) => {
    await assertServes(client, cluster);
    try {
      await client.query(`CREATE DATABASE ${embeddedDatabase}`);
    } catch (error) {
      if (!hasState(error, duplicateDatabase, uniqueViolation)) throw error; // made by another supervisor meanwhile
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

async function connected<T>(
  connection: EmbeddedConnection,
  use: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    ...connection,
    ssl: false,
    connectionTimeoutMillis: answerTimeoutMs,
    query_timeout: answerTimeoutMs,
    application_name: 'exchange supervisor',
  });
  client.on('error', () => undefined); // a loss while idle: the next query of this client fails and says so
  try {
    await client.connect();
    return await use(client);
  } finally {
    await client.end().catch(() => undefined); // the connection is given up either way
  }
}

function hasState(error: unknown, ...states: readonly string[]): boolean {
  return error instanceof pg.DatabaseError && error.code !== undefined && states.includes(error.code);
}

function isConnectionLoss(error: unknown): boolean {
  if (isFileSystemError(error, 'ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOTCONN')) return true;
  // `pg` has no codes for its own timeouts, nor for a connection that ends in the middle.
  return error instanceof Error && /timeout|terminated|not queryable/i.test(error.message);
}
