import { sql } from 'kysely';
import type { Reader } from './database.ts';
import { wholeNumber } from './whole-number.ts';

/** A version of something's terms as it was published; `terms` is JSON, in which amounts are decimal text. */
export interface KeptVersion {
  readonly version: number;
  /** When it was published, in milliseconds. */
  readonly at: number;
  readonly by: string;
  readonly reason: string;
  readonly terms: Readonly<Record<string, unknown>>;
}

/** Which versions of a list to read, the newest first: those below `before`, or from the newest on. */
export interface VersionsBelow {
  readonly before: number | undefined;
  readonly limit: number;
}

/** Where versions of things lie that are named by a code. */
interface VersionTables {
  readonly versions: string;
  readonly things: string;
  /** The column of `versions` that refers to `things`. */
  readonly of: string;
}

/** Versions of the thing of a code, the newest first, by the primary key of their table. */
export async function keptVersions(
  reader: Reader,
  { versions, things, of }: VersionTables,
  code: string,
  { before, limit }: VersionsBelow,
): Promise<KeptVersion[]> {
  const { rows } = await sql<VersionRow>`
    select v.version, v.terms, v.set_by, v.reason, v.at
    from ${sql.table(versions)} v join ${sql.table(things)} t on t.id = v.${sql.ref(of)}
    where t.code = ${code} and (${before ?? null}::bigint is null or v.version < ${before ?? null}::bigint)
    order by v.version desc limit ${limit}
  `.execute(reader);
  return rows.map(keptVersion);
}

/** A row of a table of versions. */
export interface VersionRow {
  readonly version: number;
  readonly terms: unknown;
  readonly set_by: string;
  readonly reason: string;
  readonly at: bigint;
}

export function keptVersion(row: VersionRow): KeptVersion {
  return {
    version: row.version,
    at: wholeNumber(row.at),
    by: row.set_by,
    reason: row.reason,
    terms: row.terms as KeptVersion['terms'],
  };
}
