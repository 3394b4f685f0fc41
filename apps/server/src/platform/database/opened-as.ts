import pg from 'pg';
import { clientOptions, type DatabaseConnection } from './pool.ts';

/** What a database belongs to from its first start on. */
export interface OpenedAs {
  /** Play money and real money never meet. */
  readonly mode: 'demo' | 'live';
  /** Tells server secrets apart without giving anything away about them. */
  readonly secretFingerprint: string;
}

const UNDEFINED_TABLE = '42P01';
const NAMES: Readonly<Record<keyof OpenedAs, string>> = {
  mode: 'mode',
  secretFingerprint: 'secret_fingerprint',
};

type Stored = Partial<Record<keyof OpenedAs, string>>;

/** What a database was opened as so far; nothing of a fresh one. Only reads. */
export async function readOpenedAs(owner: DatabaseConnection): Promise<Stored> {
  return withClient(owner, stored);
}

/**
 * Throws with a sentence for the operator when a database belongs to another mode, or was opened with another
 * secret, under which nobody's password would be right any more.
 */
export function requireSame(found: Stored, wanted: OpenedAs): void {
  if (found.mode !== undefined && found.mode !== wanted.mode) {
    throw new Error(
      `this database was opened in ${found.mode} mode and cannot be used in ${wanted.mode} mode: set MODE or DATA_DIR`,
    );
  }
  if (found.secretFingerprint !== undefined && found.secretFingerprint !== wanted.secretFingerprint) {
    throw new Error(
      'this database was opened with another server secret, without which nobody can sign in: set SERVER_SECRET ' +
        'to the one in use, or put its secret.key into DATA_DIR',
    );
  }
}

/** Writes down what a database belongs to, where that is not known yet, and requires it. As its owner. */
export async function recordOpenedAs(owner: DatabaseConnection, wanted: OpenedAs): Promise<void> {
  await withClient(owner, async (client) => {
    for (const [key, name] of Object.entries(NAMES)) {
      await client.query(
        'insert into database_setting (name, value) values ($1, $2) on conflict do nothing',
        [name, wanted[key as keyof OpenedAs]],
      );
    }
    requireSame(await stored(client), wanted);
  });
}

async function stored(client: pg.Client): Promise<Stored> {
  try {
    const { rows } = await client.query<{ name: string; value: string }>(
      'select name, value from database_setting where name = any($1)',
      [Object.values(NAMES)],
    );
    const values = new Map(rows.map(({ name, value }) => [name, value]));
    const found = Object.entries(NAMES).map(([key, name]) => [key, values.get(name)] as const);
    return Object.fromEntries(found.filter(([, value]) => value !== undefined));
  } catch (cause) {
    if (cause instanceof pg.DatabaseError && cause.code === UNDEFINED_TABLE) return {}; // never migrated
    throw cause;
  }
}

async function withClient<T>(owner: DatabaseConnection, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(clientOptions(owner, 'exchange opening'));
  client.on('error', () => undefined); // a lost connection also fails the query that is under way
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
