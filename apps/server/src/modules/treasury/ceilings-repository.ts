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
import type { CeilingRole, RoleCeiling } from './ceilings-domain.ts';

/** Returns, for every role whose ceiling operators have set, the newest ceiling. */
export async function storedCeilings(reader: Reader): Promise<RoleCeiling[]> {
  const { rows } = await sql<{ role: CeilingRole; version: number; most: string | null }>`
    select distinct on (role) role, version, trim_scale(most)::text as most
    from treasury_ceiling_version order by role, version desc
  `.execute(reader);
  return rows.map(({ role, version, most }) => ({
    role,
    version,
    most: most === null ? undefined : Decimal.parse(most),
  }));
}

/**
 * Stores the next version of a role's ceiling (the highest value in USDT of one operation) and returns the
 * version's number.
 */
export async function saveCeiling(
  tx: Tx,
  { role, most }: Omit<RoleCeiling, 'version'>,
  author: { readonly by: string; readonly reason: string; readonly at: Instant },
): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtext('treasury_ceiling_version'))`.execute(tx);
  const { rows } = await sql<{ version: number }>`
    insert into treasury_ceiling_version (role, version, most, set_by, reason, at)
    select ${role}, coalesce(max(version), 0) + 1, ${most?.toString() ?? null}::numeric, ${author.by}, ${author.reason},
      ${author.at}::bigint
    from treasury_ceiling_version where role = ${role}
    returning version
  `.execute(tx);
  return rows[0]!.version;
}

/**
 * Returns at most `limit` versions of a role's ceiling (the highest value in USDT of one operation), newest
 * first: those before version `before`, if defined. The initial ceiling is no version.
 */
export async function ceilingVersions(
  reader: Reader,
  role: CeilingRole,
  { before, limit }: VersionsBelow,
): Promise<StoredVersion[]> {
  const { rows } = await sql<VersionRow>`
    select version, set_by, reason, at, jsonb_build_object('most', trim_scale(most)::text) as terms
    from treasury_ceiling_version
    where role = ${role} and (${before ?? null}::bigint is null or version < ${before ?? null}::bigint)
    order by version desc limit ${limit}
  `.execute(reader);
  return rows.map(storedVersion);
}
