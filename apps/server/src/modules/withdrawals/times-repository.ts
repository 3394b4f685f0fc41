import { DAY_MS, type Instant } from '@exchange/core/time.ts';
import { sql } from 'kysely';
import type { Reader } from '../../platform/database/database.ts';
import { isLate, stepOf, type DurationCount } from './times-domain.ts';
import type { WithdrawalTables } from './tables.ts';

/** Adds a finished withdrawal to the histogram. */
export async function countDuration(
  reader: Reader,
  { asset, network }: Pick<DurationCount, 'asset' | 'network'>,
  { createdAt, endedAt }: { readonly createdAt: Instant; readonly endedAt: Instant },
): Promise<void> {
  // The machine's clock may have been set back in between.
  const ms = Math.max(0, endedAt - createdAt);
  await sql`
    insert into withdrawal_time (day, asset, network, seconds, count, late, slowest_ms)
    values (${Math.floor(endedAt / DAY_MS)}, ${asset}, ${network}, ${stepOf(ms)}, 1, ${isLate(ms) ? 1 : 0}, ${ms}::bigint)
    on conflict (day, asset, network, seconds) do update set
      count = withdrawal_time.count + 1, late = withdrawal_time.late + excluded.late,
      slowest_ms = greatest(withdrawal_time.slowest_ms, excluded.slowest_ms)
  `.execute(reader);
}

/** Finished withdrawals since the day of `since`, by coin, network and bucket, summed over days. */
export async function durationsSince(reader: Reader, since: Instant): Promise<DurationCount[]> {
  const rows = await reader
    .withTables<WithdrawalTables>()
    .selectFrom('withdrawal_time')
    .select(({ fn }) => [
      ...(['asset', 'network', 'seconds'] as const),
      fn.sum<bigint>('count').as('count'),
      fn.sum<bigint>('late').as('late'),
      fn.max('slowest_ms').as('slowest'),
    ])
    .where('day', '>', Math.floor(since / DAY_MS))
    .groupBy(['asset', 'network', 'seconds'])
    .orderBy('asset')
    .orderBy('network')
    .execute();
  return rows.map(({ asset, network, seconds, count, late, slowest }) => ({
    asset,
    network,
    seconds,
    count: Number(count),
    late: Number(late),
    slowestMs: Number(slowest),
  }));
}

/** Number of open withdrawals that could have been sent before `before`; the wait for a new address does not count. */
export async function waitingSince(reader: Reader, before: Instant): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from withdrawal where status in (0, 3) and created_at < ${before}::bigint
      and coalesce(known_at, created_at) < ${before}::bigint
  `.execute(reader);
  return rows[0]!.n;
}
