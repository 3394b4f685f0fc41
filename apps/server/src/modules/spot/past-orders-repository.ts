import type { Pair } from '@exchange/core/pair.ts';
import { firstIdAt, type UserId } from '@exchange/core/ids.ts';
import { later, type Instant } from '@exchange/core/time.ts';
import { sql } from 'kysely';
import type { Reader } from '../../platform/database/database.ts';
import type { UserFill } from './history-repository.ts';
import { ordersWithTerms, orderOf, tradeOf } from './repository.ts';
import type { SpotOrder } from './domain/order.ts';
import type { SpotTables } from './tables.ts';

/** The fill with a trade id, if the owner was its taker or its maker; otherwise undefined. */
export async function ownFill(reader: Reader, owner: UserId, tradeId: string): Promise<UserFill | undefined> {
  const row = await reader
    .withTables<SpotTables>()
    .selectFrom('spot_trade')
    .selectAll()
    .where('id', '=', tradeId)
    .where((where) => where.or([where('taker', '=', owner), where('maker', '=', owner)]))
    .executeTakeFirst();
  return row && { ...tradeOf(row), role: row.taker === owner ? 'taker' : 'maker' };
}

/** Selection of an owner's orders on a pair that were open at some time of a period. */
export interface PastOrders {
  readonly owner: UserId;
  readonly pair: Pair;
  readonly from: Instant;
  readonly to: Instant;
  /** Number of the owner's newest orders, and of the newest open ones, that are searched. */
  readonly scanned: number;
  readonly limit: number;
}

/**
 * At most `limit` orders of an owner on a pair that were open at some time of a period, newest first. Of the orders
 * that were placed before the end of the period, only the newest `scanned` and the newest `scanned` open ones are
 * searched.
 */
export async function pastOrdersOf(
  reader: Reader,
  { owner, pair, from, to, scanned, limit }: PastOrders,
): Promise<SpotOrder[]> {
  const bound = firstIdAt(later(to, 1));
  const { rows } = await sql<{ id: string }>`
    select id from (
      (select id, symbol, status, updated_at from spot_order
        where owner = ${owner} and id < ${bound} order by id desc limit ${scanned})
      union
      (select id, symbol, status, updated_at from spot_order
        where owner = ${owner} and status = 'open' and id < ${bound} order by id desc limit ${scanned})
    ) as placed
    where symbol = ${pair.symbol} and (status = 'open' or updated_at >= ${from}::bigint)
    order by id desc limit ${limit}`.execute(reader);
  if (rows.length === 0) return [];
  const orders = await ordersWithTerms(reader)
    .selectAll()
    .where(
      'id',
      'in',
      rows.map(({ id }) => id),
    )
    .orderBy('id', 'desc')
    .execute();
  return orders.map((row) => orderOf(row, row, () => pair));
}
