import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { clientOptions, type DatabaseConnection } from '../../platform/database/pool.ts';

/** A database of its own on the same server, removed afterwards. */
export async function onScratchDatabase<T>(
  connection: DatabaseConnection,
  purpose: string,
  use: (scratch: DatabaseConnection) => Promise<T>,
): Promise<T> {
  const name = `${purpose}_${randomBytes(4).toString('hex')}`;
  const client = new pg.Client(clientOptions(connection, purpose));
  await client.connect();
  try {
    await client.query(`create database ${name}`);
    try {
      return await use(onDatabase(connection, name));
    } finally {
      await client.query(`drop database ${name} with (force)`);
    }
  } finally {
    await client.end();
  }
}

function onDatabase(connection: DatabaseConnection, name: string): DatabaseConnection {
  if (!('connectionString' in connection)) return { ...connection, database: name };
  const url = new URL(connection.connectionString);
  url.pathname = `/${name}`;
  return { connectionString: url.href };
}
