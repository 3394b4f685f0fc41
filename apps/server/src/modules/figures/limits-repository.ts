import { Decimal } from '@exchange/core/decimal.ts';
import type { Instant } from '@exchange/core/time.ts';
import { sql } from 'kysely';
import type { Reader, Tx } from '../../platform/database/database.ts';
import {
  storedVersion,
  type StoredVersion,
  type VersionRow,
  type VersionsBelow,
} from '../../platform/database/kept-versions.ts';
import type { Limit, LimitKey } from './domain.ts';

/** The newest limits of every risk measure and subject for which limits were ever set. */
export async function presentLimits(reader: Reader): Promise<Limit[]> {
  const { rows } = await sql<LimitRow>`
    select distinct on (measure, subject) measure, subject, version, trim_scale(least)::text as least,
      trim_scale(most)::text as most
    from house_limit_version order by measure, subject, version desc
  `.execute(reader);
  return rows.map(limitOf);
}

/** The current limits of a risk measure for a subject; with version 0 if none were ever set. */
export async function presentLimit(reader: Reader, { measure, subject }: LimitKey): Promise<Limit> {
  const { rows } = await sql<LimitRow>`
    select measure, subject, version, trim_scale(least)::text as least, trim_scale(most)::text as most
    from house_limit_version where measure = ${measure} and subject = ${subject} order by version desc limit 1
  `.execute(reader);
  const [row] = rows;
  return row === undefined
    ? { measure, subject, version: 0, least: undefined, most: undefined }
    : limitOf(row);
}

/**
 * Stores the next version of the limits of a risk measure, and returns the number of the version. Until the transaction
 * ends, other transactions that store limits of any measure wait.
 */
export async function saveLimit(
  tx: Tx,
  { measure, subject, least, most }: Omit<Limit, 'version'>,
  author: { readonly by: string; readonly reason: string; readonly at: Instant },
): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtext('house_limit_version'))`.execute(tx);
  const { rows } = await sql<{ version: number }>`
    insert into house_limit_version (measure, subject, version, least, most, set_by, reason, at)
    select ${measure}, ${subject}, coalesce(max(version), 0) + 1, ${least?.toString() ?? null}::numeric,
      ${most?.toString() ?? null}::numeric, ${author.by}, ${author.reason}, ${author.at}::bigint
    from house_limit_version where measure = ${measure} and subject = ${subject}
    returning version
  `.execute(tx);
  return rows[0]!.version;
}

/**
 * The versions of the limits of a risk measure for a subject, newest first, at most `limit`; with `before` only those
 * with a lower version number.
 */
export async function limitVersions(
  reader: Reader,
  { measure, subject }: LimitKey,
  { before, limit }: VersionsBelow,
): Promise<StoredVersion[]> {
  const { rows } = await sql<VersionRow>`
    select version, set_by, reason, at,
      jsonb_build_object('least', trim_scale(least)::text, 'most', trim_scale(most)::text) as terms
    from house_limit_version
    where measure = ${measure} and subject = ${subject}
      and (${before ?? null}::bigint is null or version < ${before ?? null}::bigint)
    order by version desc limit ${limit}
  `.execute(reader);
  return rows.map(storedVersion);
}

interface LimitRow {
  readonly measure: string;
  readonly subject: string;
  readonly version: number;
  readonly least: string | null;
  readonly most: string | null;
}

function limitOf({ least, most, ...row }: LimitRow): Limit {
  return {
    ...row,
    least: least === null ? undefined : Decimal.parse(least),
    most: most === null ? undefined : Decimal.parse(most),
  };
}
