import type { UserId } from '@exchange/core/ids.ts';
import type { Instant } from '@exchange/core/time.ts';
import { sql } from 'kysely';
import type { Reader } from '../../platform/database/database.ts';

/** Stores the encrypted travel-rule record of a withdrawal that is about to be requested. */
export async function insertRecord(
  reader: Reader,
  record: {
    readonly withdrawal: string;
    readonly owner: UserId;
    readonly sealed: Buffer;
    readonly createdAt: Instant;
  },
): Promise<void> {
  await sql`
    insert into travel_rule_record (withdrawal, owner, sealed, created_at)
    values (${record.withdrawal}, ${record.owner}, ${record.sealed}, ${record.createdAt}::bigint)
  `.execute(reader);
}

export async function findRecord(
  reader: Reader,
  withdrawal: string,
): Promise<{ readonly owner: UserId; readonly sealed: Buffer } | undefined> {
  const { rows } = await sql<{ owner: UserId; sealed: Buffer }>`
    select owner::text as owner, sealed from travel_rule_record where withdrawal = ${withdrawal}
  `.execute(reader);
  return rows[0];
}

/** Removes the travel-rule record with this withdrawal id. Does nothing if the withdrawal exists. */
export async function removeRecord(reader: Reader, withdrawal: string): Promise<void> {
  await sql`
    delete from travel_rule_record r where withdrawal = ${withdrawal}
      and not exists (select from withdrawal w where w.id = r.withdrawal)
  `.execute(reader);
}

/**
 * Removes the travel-rule records that were stored from `since` until before `before` and have no withdrawal, because
 * of a crash before the request.
 */
export async function removeOrphans(
  reader: Reader,
  { since, before }: { readonly since: Instant; readonly before: Instant },
): Promise<void> {
  await sql`
    delete from travel_rule_record r
    where created_at >= ${since}::bigint and created_at < ${before}::bigint
      and not exists (select from withdrawal w where w.id = r.withdrawal)
  `.execute(reader);
}
