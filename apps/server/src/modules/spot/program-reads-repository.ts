import { Decimal } from '@exchange/core/decimal.ts';
import { firstIdAt, type OrderId, type UserId } from '@exchange/core/ids.ts';
import type { Pair } from '@exchange/core/pair.ts';
import { sql, type Selectable } from 'kysely';
import type { Reader } from '../../platform/database/database.ts';
import { wholeNumber } from '../../platform/database/whole-number.ts';
import type { SpotOrder } from './domain/order.ts';
import type { UserFill } from './history-repository.ts';
import { orderOf, ordersWithTerms, tradeOf } from './repository.ts';
import type { SpotTables } from './tables.ts';

type PairOf = (symbol: string) => Pair;

/**
 * A range of an owner's orders or fills on one pair; all bounds are inclusive, times in
 * milliseconds.
 */
export interface OwnRange {
  readonly symbol: string;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly limit: number;
}

/** The amounts of an order before and after one amendment; both undefined for an order without an amount (by total). */
export interface AmountChange {
  /** The sequence number of the step that amended the order; later amendments have greater numbers. */
  readonly sequence: number;
  readonly at: number;
  readonly amount: Decimal | undefined;
  readonly amountBefore: Decimal | undefined;
}

/**
 * Up to `limit` of an owner's orders on a pair, oldest first: the oldest from a lower bound (a time or an order)
 * on, or without one the newest.
 */
export async function ownOrders(
  reader: Reader,
  owner: UserId,
  { symbol, from, to, limit, fromOrder }: OwnRange & { readonly fromOrder?: OrderId | undefined },
  pairOf: PairOf,
): Promise<SpotOrder[]> {
  const isAscending = from !== undefined || fromOrder !== undefined;
  let query = ordersWithTerms(reader).where('owner', '=', owner).where('symbol', '=', symbol);
  if (fromOrder !== undefined) query = query.where('id', '>=', fromOrder);
  if (from !== undefined) query = query.where('id', '>=', firstIdAt(from));
  if (to !== undefined) query = query.where('id', '<', firstIdAt(to + 1));
  const rows = await query
    .selectAll()
    .orderBy('id', isAscending ? 'asc' : 'desc')
    .limit(limit)
    .execute();
  const orders = rows.map((row) => orderOf(row, row, pairOf));
  return isAscending ? orders : orders.toReversed();
}

/**
 * The id of the newest order with a client order id among the owner's newest `searched` orders; undefined if
 * there is none.
 */
export async function newestWithClientId(
  reader: Reader,
  owner: UserId,
  clientId: string,
  searched: number,
): Promise<OrderId | undefined> {
  const { rows } = await sql<{ id: OrderId }>`
    select id from (
      select id, client_id from spot_order where owner = ${owner} order by id desc limit ${searched}
    ) newest
    where client_id = ${clientId} order by id desc limit 1
  `.execute(reader);
  return rows[0]?.id;
}

/**
 * The id of the newest order list with a client id, among the lists of the owner's newest `searched` orders;
 * undefined if there is none.
 */
export async function newestListNamed(
  reader: Reader,
  owner: UserId,
  name: string,
  searched: number,
): Promise<string | undefined> {
  const { rows } = await sql<{ list_id: string }>`
    select coalesce(terms.oto_id, terms.group_id) as list_id from (
      select id from spot_order where owner = ${owner} order by id desc limit ${searched}
    ) newest join spot_order_terms terms on terms.order_id = newest.id
    where terms.list_name = ${name} order by newest.id desc limit 1
  `.execute(reader);
  return rows[0]?.list_id;
}

/**
 * A range of an owner's order lists: with `fromId` or `from` the oldest from this bound on, otherwise
 * the newest. Bounds are inclusive.
 */
export interface ListRange {
  readonly fromId?: string | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly limit: number;
}

/** The ids of an owner's order lists (OCOs, OTOs and OTOCOs) of a range, oldest first. */
export async function ownLists(
  reader: Reader,
  owner: UserId,
  { fromId, from, to, limit }: ListRange,
): Promise<string[]> {
  const isAscending = fromId !== undefined || from !== undefined;
  let query = reader.withTables<SpotTables>().selectFrom('spot_order_list').where('owner', '=', owner);
  if (fromId !== undefined) query = query.where('id', '>=', fromId);
  if (from !== undefined) query = query.where('id', '>=', firstIdAt(from));
  if (to !== undefined) query = query.where('id', '<', firstIdAt(to + 1));
  const rows = await query
    .select('id')
    .orderBy('id', isAscending ? 'asc' : 'desc')
    .limit(limit)
    .execute();
  const ids = rows.map(({ id }) => id);
  return isAscending ? ids : ids.toReversed();
}

/** The orders of an owner's order lists by the ids of the lists, in no order. */
export async function ordersOfLists(
  reader: Reader,
  owner: UserId,
  ids: readonly string[],
  pairOf: PairOf,
): Promise<SpotOrder[]> {
  if (ids.length === 0) return [];
  const rows = await ordersWithTerms(reader)
    .selectAll()
    .where(sql<boolean>`coalesce(oto_id, group_id) = any(${ids}::uuid[])`)
    .where('owner', '=', owner)
    .execute();
  return rows.map((row) => orderOf(row, row, pairOf));
}

/**
 * The id and the creation time of the owner's first order created at or after `ms`, both times in
 * milliseconds UTC; undefined if there is none.
 */
export async function firstOrderFrom(
  reader: Reader,
  owner: UserId,
  ms: number,
): Promise<{ id: OrderId; createdMs: number } | undefined> {
  const row = await reader
    .withTables<SpotTables>()
    .selectFrom('spot_order')
    .select(['id', 'created_at'])
    .where('owner', '=', owner)
    .where('id', '>=', firstIdAt(ms))
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? undefined : { id: row.id as OrderId, createdMs: wholeNumber(row.created_at) };
}

/**
 * The ids of the owner's orders that were created in a millisecond. They are few, so there is no
 * limit.
 */
export async function ordersAt(reader: Reader, owner: UserId, ms: number): Promise<OrderId[]> {
  const rows = await reader
    .withTables<SpotTables>()
    .selectFrom('spot_order')
    .select('id')
    .where('owner', '=', owner)
    .where('id', '>=', firstIdAt(ms))
    .where('id', '<', firstIdAt(ms + 1))
    .execute();
  return rows.map(({ id }) => id as OrderId);
}

/**
 * Up to `limit` of an owner's fills on a pair, oldest first: the oldest from a lower bound (a time or a trade's
 * sequence number) on, or without one the newest. Fills as taker and fills as maker are read by separate
 * indexes; no user is on both sides of a trade.
 */
export async function ownFills(
  reader: Reader,
  owner: UserId,
  range: OwnRange & { readonly fromSequence?: number | undefined; readonly order?: OrderId | undefined },
): Promise<UserFill[]> {
  const { symbol, from, to, limit, fromSequence, order } = range;
  const firstMs = fromSequence === undefined ? undefined : await timeOfTrade(reader, fromSequence);
  if (fromSequence !== undefined && firstMs === undefined) return [];
  const isAscending = from !== undefined || fromSequence !== undefined;
  const direction = isAscending ? sql`asc` : sql`desc`;
  const side = (role: 'taker' | 'maker') => {
    const conditions = [sql`t.${sql.raw(role)} = ${owner}`, sql`t.symbol = ${symbol}`];
    if (order !== undefined) conditions.push(sql`t.${sql.raw(`${role}_order`)} = ${order}`);
    if (from !== undefined) conditions.push(sql`t.at >= ${from}`);
    if (firstMs !== undefined) conditions.push(sql`t.at >= ${firstMs} and t.sequence >= ${fromSequence}`);
    if (to !== undefined) conditions.push(sql`t.at <= ${to}`);
    return sql`(select t.* from spot_trade t where ${sql.join(conditions, sql` and `)}
      order by t.at ${direction}, t.sequence ${direction} limit ${limit})`;
  };
  const { rows } = await sql<Selectable<SpotTables['spot_trade']>>`
    ${side('taker')} union all ${side('maker')}
    order by at ${direction}, sequence ${direction} limit ${limit}
  `.execute(reader);
  const fills = rows.map((row): UserFill => ({
    ...tradeOf(row),
    role: row.taker === owner ? 'taker' : 'maker',
  }));
  return isAscending ? fills : fills.toReversed();
}

/** Amendments of an order from a step's sequence number on, oldest first, at most `limit`. */
export async function amendmentsFrom(
  reader: Reader,
  order: OrderId,
  { from, limit }: { readonly from: number; readonly limit: number },
): Promise<AmountChange[]> {
  const rows = await reader
    .withTables<SpotTables>()
    .selectFrom('spot_amendment')
    .select(['sequence', 'at', 'amount', 'amount_before'])
    .where('order_id', '=', order)
    .where('sequence', '>=', BigInt(from))
    .orderBy('sequence')
    .limit(limit)
    .execute();
  return rows.map(({ sequence, at, amount, amount_before: before }) => ({
    sequence: wholeNumber(sequence),
    at: wholeNumber(at),
    amount: amount === null ? undefined : Decimal.parse(amount),
    amountBefore: before === null ? undefined : Decimal.parse(before),
  }));
}

/**
 * The time, in milliseconds UTC, of the first trade whose sequence number is at least `sequence`; undefined
 * if there is none.
 */
async function timeOfTrade(reader: Reader, sequence: number): Promise<number | undefined> {
  const row = await reader
    .withTables<SpotTables>()
    .selectFrom('spot_trade')
    .select('at')
    .where('sequence', '>=', BigInt(sequence))
    .orderBy('sequence')
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? undefined : wholeNumber(row.at);
}
