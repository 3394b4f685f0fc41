import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { clientOptions, type DatabaseConnection } from '../../platform/database/pool.ts';

/**
 * Creates a temporary database on the same PostgreSQL server, calls `use` with it, and removes it, also if
 * `use` fails. Returns the result of `use`.
 */
export async function onScratchDatabase<T>(
  connection: DatabaseConnection,
  purpose: string,
  use: (scratch: DatabaseConnection) => Promise<T>,
): Promise<T> {
  const name = `${purpose}_${randomBytes(4).toString('hex')}`;
  const client = new pg.Client(clientOptions(connection, purpose));
  // Without an error listener, a lost connection would end the process. With it, the next statement rejects and states
  // the cause.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(`create database ${name}`).catch(rethrowExplained);
    try {
      return await use(onDatabase(connection, name));
    } finally {
      await client.query(`drop database ${name} with (force)`);
    }
  } finally {
    await client.end();
  }
}

const NOT_PERMITTED = '42501';

function rethrowExplained(cause: unknown): never {
  if (!(cause instanceof pg.DatabaseError) || cause.code !== NOT_PERMITTED) throw cause;
  throw new Error(
    'The role that owns the tables may make no database to rehearse in: as an administrator, ALTER ROLE … CREATEDB.',
    { cause },
  );
}

function onDatabase(connection: DatabaseConnection, name: string): DatabaseConnection {
  if (!('connectionString' in connection)) return { ...connection, database: name };
  const url = new URL(connection.connectionString);
  url.pathname = `/${name}`;
  return { connectionString: url.href };
}
