/** Runs an SQL text and resolves to its rows, like the `query` of a `pg` pool. */
export type RunSql = (sql: string) => Promise<{ rows: readonly unknown[] }>;

interface Setting {
  readonly name: string;
  readonly setting: string;
}

const oldestServer = { versionNumber: 150_000, text: '15' };

// Accepted values of PostgreSQL's durability settings. With every value of `synchronous_commit` except "off",
// PostgreSQL answers a COMMIT only after it is on the disk of its own machine.
const acceptable: Readonly<Record<string, readonly string[]>> = {
  fsync: ['on'],
  full_page_writes: ['on'],
  synchronous_commit: ['on', 'local', 'remote_write', 'remote_apply'],
};

/**
 * Throws if a PostgreSQL server may lose acknowledged commits or is too old for the exchange's SQL. The settings are
 * read inside the session, so that overrides by ALTER ROLE or ALTER DATABASE are included. The error lists every
 * reason.
 */
export async function assertDurable(query: RunSql): Promise<void> {
  const settingNames = [...Object.keys(acceptable), 'server_version_num', 'server_version'];
  const { rows } = await query(
    `SELECT name, setting FROM pg_settings WHERE name IN (${settingNames.map((name) => `'${name}'`).join(', ')})`,
  );
  const settings = new Map((rows as readonly Setting[]).map((row) => [row.name, row.setting]));
  const reasons: string[] = [];
  for (const [name, values] of Object.entries(acceptable)) {
    const value = settings.get(name) ?? 'unknown';
    if (!values.includes(value)) reasons.push(`${name} is ${value}, must be ${values.join(' or ')}`);
  }
  if (!(Number(settings.get('server_version_num')) >= oldestServer.versionNumber)) {
    reasons.push(`version is ${settings.get('server_version')}, must be ${oldestServer.text} or later`);
  }
  if (reasons.length > 0) {
    throw new Error(`this PostgreSQL server cannot keep an exchange's books: ${reasons.join('; ')}`);
  }
}
