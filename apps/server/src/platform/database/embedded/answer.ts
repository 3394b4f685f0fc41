import { realpathSync } from 'node:fs';
import pg from 'pg';
import { assertDurable } from '../durability.ts';
import { isFileSystemError } from './file-system-error.ts';
import { embeddedDatabase, embeddedPort, embeddedRuntimeUser, embeddedUser } from './settings.ts';

/** How to reach the embedded server with `pg`. */
export interface EmbeddedConnection {
  /** The folder of the socket. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
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
const duplicateDatabase = '42P04';
const duplicateObject = '42710';
const uniqueViolation = '23505';

/** The connection of the exchange's own database in a server with this socket. */
export function connectionOf(socketDirectory: string): EmbeddedConnection {
  return { host: socketDirectory, port: embeddedPort, user: embeddedUser, database: embeddedDatabase };
}

/**
 * Knocks at a server. Creates our database and the role that the server works as if the very first start was interrupted before that (or is
 * this one). Throws when the server answers as ours but may lose data, or refuses us for good.
 */
export async function knock(socketDirectory: string, cluster: string): Promise<Answer> {
  const connection = connectionOf(socketDirectory);
  try {
    return await inspect(connection, cluster);
  } catch (error) {
    if (hasState(error, invalidCatalogName)) {
      await createDatabase(connection, cluster);
      return 'busy'; // look again, now with the database
    }
    if (hasState(error, cannotConnectNow, adminShutdown)) return 'busy';
    if (isConnectionLoss(error)) return 'silent';
    throw error;
  }
}

function inspect(connection: EmbeddedConnection, cluster: string): Promise<Answer> {
  return connected<Answer>(connection, async (client) => {
    await assertServes(client, cluster);
    await assertDurable((sql) => client.query(sql));
    await ensureRuntimeRole(client);
    return 'ours';
  });
}

/** Data of an earlier version do not know the role that owns nothing. */
async function ensureRuntimeRole(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [embeddedRuntimeUser]);
  if (rowCount !== 0) return;
  try {
    await client.query(`CREATE ROLE ${embeddedRuntimeUser} LOGIN`);
  } catch (error) {
    if (!hasState(error, duplicateObject, uniqueViolation)) throw error; // made by another supervisor meanwhile
  }
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
