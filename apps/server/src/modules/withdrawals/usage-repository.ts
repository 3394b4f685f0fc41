import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { instant, type Instant } from '@exchange/core/time.ts';
import { sql } from 'kysely';
import type { Reader } from '../../platform/database/database.ts';
import type { Withdrawal } from './domain.ts';

/**
 * Value in USDT of a user's withdrawals since two instants; `autoUsed` is the part since `day` that needed no review.
 * Rejected, failed and cancelled withdrawals do not count.
 */
export async function usedSince(
  reader: Reader,
  owner: UserId,
  { day, month }: { readonly day: Instant; readonly month: Instant },
): Promise<{ dayUsed: Decimal; autoUsed: Decimal; monthUsed: Decimal }> {
  const { rows } = await sql<{ day: string; auto: string; month: string }>`
    select coalesce(sum(value) filter (where created_at > ${day}::bigint), 0)::text as day,
      coalesce(sum(value) filter (where created_at > ${day}::bigint and is_auto), 0)::text as auto,
      coalesce(sum(value), 0)::text as month
    from withdrawal where owner = ${owner} and status in (0, 1, 3) and created_at > ${month}::bigint
  `.execute(reader);
  const { day: dayUsed, auto, month: monthUsed } = rows[0]!;
  return {
    dayUsed: Decimal.parse(dayUsed),
    autoUsed: Decimal.parse(auto),
    monthUsed: Decimal.parse(monthUsed),
  };
}

/**
 * Counts a user's requests since an instant, up to the newest `most`, whatever their outcome, and the time of the first
 * of them. Reads at most `most` rows.
 */
export async function requestsSince(
  reader: Reader,
  owner: UserId,
  { since, most }: { readonly since: Instant; readonly most: number },
): Promise<{ readonly count: number; readonly firstAt: Instant | undefined }> {
  const { rows } = await sql<{ count: number; first: string | null }>`
    select count(*)::int as count, min(created_at)::text as first from (
      select created_at from withdrawal where owner = ${owner} order by id desc limit ${most}
    ) newest where created_at > ${since}::bigint
  `.execute(reader);
  const { count, first } = rows[0]!;
  return { count, firstAt: first === null ? undefined : instant(Number(first)) };
}

/** Value in USDT approved by a single operator since an instant, by owner. Failed withdrawals do not count. */
export async function approvedByOneSince(
  reader: Reader,
  owners: readonly UserId[],
  since: Instant,
): Promise<ReadonlyMap<UserId, Decimal>> {
  const { rows } = await sql<{ owner: UserId; value: string }>`
    select owner, sum(value)::text as value from withdrawal
    where owner = any(${owners}::uuid[]) and one_approved_at > ${since}::bigint and status in (1, 3) group by owner
  `.execute(reader);
  return new Map(rows.map(({ owner, value }) => [owner, Decimal.parse(value)]));
}

/** Numbers of earlier finished withdrawals. */
export interface DestinationHistory {
  readonly finishedToAddress: number;
  readonly finishedOfAccount: number;
}

/** Finished withdrawals of an account: all, and those to the same address. */
export async function finishedBefore(
  reader: Reader,
  { owner, asset, network, address }: Pick<Withdrawal, 'owner' | 'asset' | 'network' | 'address'>,
): Promise<DestinationHistory> {
  const { rows } = await sql<{ all: number; same: number }>`
    select count(*)::int as all,
      count(*) filter (where asset = ${asset} and network = ${network}
        and lower(address) = lower(${address}))::int as same
    from withdrawal where owner = ${owner} and status = 1
  `.execute(reader);
  const { all: finishedOfAccount, same: finishedToAddress } = rows[0]!;
  return { finishedToAddress, finishedOfAccount };
}
