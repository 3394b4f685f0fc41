import pg from 'pg';
import type { DatabaseLog } from './log.ts';
import { clientOptions, type DatabaseConnection } from './pool.ts';

/**
 * Database privileges of the server's runtime role, with which not even the server can rewrite history. The role owns
 * nothing. A table is declared append-only by a trigger with the function `refuse_change` in its migration; for the
 * changes that the trigger refuses, the role gets no privilege.
 */

/** Database tables that only their owner may write, not the server's runtime role. */
const OWNER_TABLES = ['schema_migration', 'database_setting'];
const SCHEMAS = ['public', 'graphile_worker'];

const TRIGGER_EVENTS = { DELETE: 8, UPDATE: 16 } as const;
const TABLE_KINDS = ['r', 'p'];

interface Relation {
  readonly schema: string;
  readonly name: string;
  readonly kind: string;
  /**
   * Bits of the events that the table's triggers with `refuse_change` refuse, from `pg_trigger.tgtype` (see
   * `TRIGGER_EVENTS`); 0 without such a trigger.
   */
  readonly refused: number;
  readonly granted: readonly string[];
  /** Whether row-level security hides all rows of the table from the role, because no policy includes the role. */
  readonly hidden: boolean;
}

/**
 * Grants the role `runtime` its privileges on all tables, views and sequences and revokes all others. Call this after
 * every migration. Throws if the role does not exist or could extend its own privileges.
 */
export async function grantRights(
  owner: DatabaseConnection,
  runtime: string,
  log: DatabaseLog,
): Promise<void> {
  await onRights(owner, async (client) => {
    const statements = await missingRights(client, runtime);
    if (statements.length === 0) return;
    await client.query(['begin', ...statements, 'commit'].join(';\n'));
    log('info', 'database rights granted', { role: runtime, statements: statements.length });
  });
}

/**
 * Returns whether the role has exactly the privileges that `grantRights` grants. Only reads. Throws like `grantRights`.
 */
export async function hasRights(owner: DatabaseConnection, runtime: string): Promise<boolean> {
  return onRights(owner, async (client) => (await missingRights(client, runtime)).length === 0);
}

/**
 * Returns the statements that `grantRights` must execute; none if the role already has its privileges. Throws
 * if the role does not exist or could extend its own privileges.
 */
async function missingRights(client: pg.Client, runtime: string): Promise<string[]> {
  await requireLimitedRole(client, runtime);
  return [...(await schemaStatements(client, runtime)), ...(await tableStatements(client, runtime))];
}

async function onRights<T>(
  connection: DatabaseConnection,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(clientOptions(connection, 'exchange rights'));
  // A lost connection also fails the running query, which reports the error.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/**
 * Returns whether a connection's role is a superuser or may act as the owner of the ledger's table, so that it could
 * change append-only tables. Returns true if that cannot be determined.
 */
export async function ownsItsTables(connection: DatabaseConnection): Promise<boolean> {
  return onRights(connection, async (client) => {
    const { rows } = await client.query<{ owns: boolean }>(
      `select rolsuper or exists (
         select from pg_class where relname = 'ledger_entry' and relnamespace = 'public'::regnamespace
           and pg_has_role(current_user, relowner, 'MEMBER')
       ) as owns from pg_roles where rolname = current_user`,
    );
    return rows[0]?.owns ?? true;
  });
}

async function requireLimitedRole(client: pg.Client, runtime: string): Promise<void> {
  const { rows } = await client.query<{ free: boolean }>(
    `select rolsuper or rolcreaterole or rolbypassrls or pg_has_role(rolname, current_user, 'MEMBER') as free
     from pg_roles where rolname = $1`,
    [runtime],
  );
  if (rows[0] === undefined) throw new Error(`the database has no role "${runtime}"`);
  if (rows[0].free) {
    throw new Error(
      `the role "${runtime}" may do all that the owner of the tables may, or make itself able to: DATABASE_URL must ` +
        'name an ordinary role that is no member of the one in DATABASE_OWNER_URL',
    );
  }
}

async function schemaStatements(client: pg.Client, runtime: string): Promise<string[]> {
  const role = pg.escapeIdentifier(runtime);
  const { rows } = await client.query<{ schema: string; used: boolean; open: boolean }>(
    `select nspname as schema, exists (
         select from aclexplode(nspacl) as a where a.grantee = $1::regrole and a.privilege_type = 'USAGE'
       ) as used,
       has_schema_privilege($2, oid, 'CREATE') as open
     from pg_namespace where nspname = any($3)`,
    [role, runtime, SCHEMAS],
  );
  const statements = rows.flatMap(({ schema, used, open }) => [
    ...(used ? [] : [`grant usage on schema ${schema} to ${role}`]),
    ...(open ? [`revoke create on schema ${schema} from public, ${role}`] : []),
  ]);
  const databases = await client.query<{ name: string; open: boolean }>(
    `select datname as name, has_database_privilege($1, oid, 'TEMPORARY')
       and has_database_privilege(oid, 'TEMPORARY WITH GRANT OPTION') as open
     from pg_database where datname = current_database()`,
    [runtime],
  );
  // PostgreSQL searches a table's name among the temporary tables first, so a temporary table would hide the
  // real table with the same name. The role must therefore not create temporary tables.
  for (const { name, open } of databases.rows)
    if (open)
      statements.push(`revoke temporary on database ${pg.escapeIdentifier(name)} from public, ${role}`);
  return statements;
}

async function tableStatements(client: pg.Client, runtime: string): Promise<string[]> {
  const role = pg.escapeIdentifier(runtime);
  const { rows } = await client.query<Relation>(
    `select n.nspname as schema, c.relname as name, c.relkind as kind,
       coalesce((
         select bit_or(t.tgtype::int) from pg_trigger t join pg_proc p on p.oid = t.tgfoid
         where t.tgrelid = c.oid and p.proname = 'refuse_change'
       ), 0) as refused,
       array(
         select distinct a.privilege_type from aclexplode(c.relacl) as a where a.grantee = $1::regrole
       ) as granted,
       c.relrowsecurity and not exists (
         select from pg_policy p where p.polrelid = c.oid and $1::regrole = any(p.polroles)
       ) as hidden
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = any($2) and c.relkind in ('r', 'p', 'v', 'm', 'S')
     order by 1, 2`,
    [role, SCHEMAS],
  );
  return rows.flatMap((relation) => {
    const { schema, name, kind, granted, hidden } = relation;
    const wantedRightNames = wantedRights(relation);
    const path = `${schema}.${pg.escapeIdentifier(name)}`;
    const on = `on ${kind === 'S' ? 'sequence' : 'table'} ${path}`;
    const missing = wantedRightNames.filter((right) => !granted.includes(right));
    const surplus = granted.filter((right) => !wantedRightNames.includes(right));
    return [
      ...(surplus.length === 0 ? [] : [`revoke ${surplus.join(', ')} ${on} from ${role}`]),
      ...(missing.length === 0 ? [] : [`grant ${missing.join(', ')} ${on} to ${role}`]),
      // The tables of the job queue have row-level security without a policy, which hides all rows from the
      // role. The created policy permits the role all rows.
      ...(hidden ? [`create policy server_works on ${path} to ${role} using (true) with check (true)`] : []),
    ];
  });
}

function wantedRights({ name, kind, refused }: Relation): string[] {
  if (kind === 'S') return ['USAGE'];
  if (!TABLE_KINDS.includes(kind) || OWNER_TABLES.includes(name)) return ['SELECT'];
  const changes = Object.entries(TRIGGER_EVENTS).filter(([, bit]) => (refused & bit) === 0);
  return ['SELECT', 'INSERT', ...changes.map(([right]) => right)];
}
