import type pg from 'pg';

/** A table as a backup names it, with the columns that can be written. */
export interface BackedUpTable {
  /** `schema.table`. */
  readonly name: string;
  readonly columns: readonly string[];
}

/** What a migration makes anew belongs to the schema, not to the data. */
const OF_THE_SCHEMA: ReadonlySet<string> = new Set(['public.schema_migration', 'graphile_worker.migrations']);
const SCHEMAS = `('public', 'graphile_worker')`;

/** Every table with data, each after those that it refers to. */
export async function tablesOf(client: pg.ClientBase): Promise<BackedUpTable[]> {
  const { rows } = await client.query<{ name: string; columns: string[]; behind: string[] }>(
    `select n.nspname || '.' || c.relname as name,
       array(select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum > 0
         and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns,
       array(select distinct fn.nspname || '.' || f.relname from pg_constraint k
         join pg_class f on f.oid = k.confrelid join pg_namespace fn on fn.oid = f.relnamespace
         where k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> c.oid) as behind
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname in ${SCHEMAS} order by 1`,
  );
  const waiting = new Map(rows.filter(({ name }) => !OF_THE_SCHEMA.has(name)).map((row) => [row.name, row]));
  const ordered: BackedUpTable[] = [];
  while (waiting.size > 0) {
    const free = [...waiting.values()].filter(({ behind }) => !behind.some((name) => waiting.has(name)));
    if (free.length === 0) throw new Error(`tables refer to each other: ${[...waiting.keys()].join(', ')}`);
    for (const { name, columns } of free) {
      ordered.push({ name, columns });
      waiting.delete(name);
    }
  }
  return ordered;
}

/** The last number that each sequence gave; one that gave none is left out. */
export async function sequencesOf(client: pg.ClientBase): Promise<Readonly<Record<string, string>>> {
  const { rows } = await client.query<{ name: string; last: string }>(
    `select schemaname || '.' || sequencename as name, last_value::text as last
     from pg_sequences where schemaname in ${SCHEMAS} and last_value is not null order by 1`,
  );
  return Object.fromEntries(rows.map(({ name, last }) => [name, last]));
}

/** A name that may stand in SQL: ours are small letters, digits and lines. */
export function quoted(name: string): string {
  return name
    .split('.')
    .map((part) => `"${part.replaceAll('"', '""')}"`)
    .join('.');
}
