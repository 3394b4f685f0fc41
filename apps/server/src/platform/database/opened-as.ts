import pg from 'pg';
import { clientOptions, withClient, type DatabaseConnection } from './pool.ts';

/**
 * Properties that are recorded at the first start with a database and that every later start must match: demo
 * or live mode, which never changes, and the fingerprint of the server secret, which only a rotation of the
 * secret changes.
 */
export interface OpenedAs {
  /** The mode, demo or live, in which the database was first opened. It cannot be opened in the other mode. */
  readonly mode: 'demo' | 'live';
  /** Fingerprint of the server secret, which does not reveal the secret. */
  readonly secretFingerprint: string;
  /** Fingerprint of the server secret that a rotation is replacing, with which the database may have been opened. */
  readonly retiringFingerprint?: string | undefined;
}

const UNDEFINED_TABLE = '42P01';
type StoredName = 'mode' | 'secretFingerprint';

const NAMES: Readonly<Record<StoredName, string>> = {
  mode: 'mode',
  secretFingerprint: 'secret_fingerprint',
};

type Stored = Partial<Record<StoredName, string>>;

/**
 * Reads the recorded properties of a database: its mode and the fingerprint of the server secret. Returns
 * none for a new database. Does not write.
 */
export async function readOpenedAs(owner: DatabaseConnection): Promise<Stored> {
  return withClient(clientOptions(owner, 'exchange opening'), readStored);
}

/**
 * Throws with a sentence for the operator if the database was opened in another mode, or with a server secret that is
 * neither the current nor the retiring one. Stored passwords can only be verified with the secret with which they were
 * stored.
 */
export function requireSame(stored: Stored, current: OpenedAs): void {
  if (stored.mode !== undefined && stored.mode !== current.mode) {
    throw new Error(
      `this database was opened in ${stored.mode} mode and cannot be used in ${current.mode} mode: set MODE or DATA_DIR`,
    );
  }
  const knownFingerprints = [current.secretFingerprint, current.retiringFingerprint];
  if (stored.secretFingerprint !== undefined && !knownFingerprints.includes(stored.secretFingerprint)) {
    throw new Error(
      'this database was opened with another server secret, without which nobody can sign in: set SERVER_SECRET ' +
        'to the one in use, or put its secret.key into DATA_DIR',
    );
  }
}

/**
 * Records the mode and the secret's fingerprint of a database at its first start, and replaces the fingerprint of a
 * retiring secret. Throws if the recorded properties differ. The role of `owner` must own the tables.
 */
export async function recordOpenedAs(owner: DatabaseConnection, current: OpenedAs): Promise<void> {
  await withClient(clientOptions(owner, 'exchange opening'), async (client) => {
    const { mode, secretFingerprint } = await readStored(client);
    if (mode === current.mode && secretFingerprint === current.secretFingerprint) return;
    if (current.retiringFingerprint !== undefined)
      await client.query('update database_setting set value = $2 where name = $1 and value = $3', [
        NAMES.secretFingerprint,
        current.secretFingerprint,
        current.retiringFingerprint,
      ]);
    for (const [key, name] of Object.entries(NAMES)) {
      await client.query(
        'insert into database_setting (name, value) values ($1, $2) on conflict do nothing',
        [name, current[key as StoredName]],
      );
    }
    requireSame(await readStored(client), current);
  });
}

async function readStored(client: pg.Client): Promise<Stored> {
  try {
    const { rows } = await client.query<{ name: string; value: string }>(
      'select name, value from database_setting where name = any($1)',
      [Object.values(NAMES)],
    );
    const values = new Map(rows.map(({ name, value }) => [name, value]));
    const settings = Object.entries(NAMES).map(([key, name]) => [key, values.get(name)] as const);
    return Object.fromEntries(settings.filter(([, value]) => value !== undefined));
  } catch (cause) {
    // Without the table, no migration was applied yet.
    if (cause instanceof pg.DatabaseError && cause.code === UNDEFINED_TABLE) return {};
    throw cause;
  }
}
