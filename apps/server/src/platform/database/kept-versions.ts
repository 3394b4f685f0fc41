import { sql } from 'kysely';
import type { Reader } from './database.ts';
import { wholeNumber } from './whole-number.ts';

/** A published version of a product's terms, as stored; `terms` is JSON with amounts as decimal text. */
export interface StoredVersion {
  readonly version: number;
  /** Time at which the version of the terms was published, in milliseconds UTC. */
  readonly at: number;
  readonly by: string;
  readonly reason: string;
  readonly terms: Readonly<Record<string, unknown>>;
}

/**
 * Selects versions of terms: the newest `limit` whose number is below `before`, or the newest `limit` of all if
 * `before` is undefined.
 */
export interface VersionsBelow {
  readonly before: number | undefined;
  readonly limit: number;
}

/**
 * Names of the tables that store a kind of product (`things`, with a column `code`) and the versions of their terms.
 */
interface VersionTables {
  readonly versions: string;
  readonly things: string;
  /** Name of the column by which the table of versions references the table of products. */
  readonly of: string;
}

/** Reads the versions of the terms of the product with this code, newest first: at most `limit`, below `before`. */
export async function readStoredVersions(
  reader: Reader,
  { versions, things, of: reference }: VersionTables,
  code: string,
  { before, limit }: VersionsBelow,
): Promise<StoredVersion[]> {
  const { rows } = await sql<VersionRow>`
    select v.version, v.terms, v.set_by, v.reason, v.at
    from ${sql.table(versions)} v join ${sql.table(things)} t on t.id = v.${sql.ref(reference)}
    where t.code = ${code} and (${before ?? null}::bigint is null or v.version < ${before ?? null}::bigint)
    order by v.version desc limit ${limit}
  `.execute(reader);
  return rows.map(storedVersion);
}

export interface VersionRow {
  readonly version: number;
  readonly terms: unknown;
  readonly set_by: string;
  readonly reason: string;
  readonly at: bigint;
}

export function storedVersion(row: VersionRow): StoredVersion {
  return {
    version: row.version,
    at: wholeNumber(row.at),
    by: row.set_by,
    reason: row.reason,
    terms: row.terms as StoredVersion['terms'],
  };
}
