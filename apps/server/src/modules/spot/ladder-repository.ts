import { Decimal } from '@exchange/core/decimal.ts';
import type { OrderId, UserId } from '@exchange/core/ids.ts';
import type { Pair, Side } from '@exchange/core/pair.ts';
import type { LadderSizes } from '@exchange/core/spot-ladder.ts';
import { instant } from '@exchange/core/time.ts';
import { type Selectable, sql } from 'kysely';
import type { Reader } from '../../platform/database/database.ts';
import { BY_ID, readPage, type ListPage, type PagedRows } from '../../platform/database/paged-rows.ts';
import { wholeNumber } from '../../platform/database/whole-number.ts';
import type { LadderProgress } from './domain/ladder.ts';
import type { SpotOrder } from './domain/order.ts';
import { orderOf, ordersWithTerms } from './repository.ts';
import type { SpotTables } from './tables.ts';

/**
 * Selects the user's ladders to which one of `openOrders` (all open orders of the user) belongs, or with `hasEnded` all
 * other ladders of the user.
 */
export interface LadderFilter {
  readonly openOrders: readonly OrderId[];
  readonly hasEnded: boolean;
}

type LadderRow = Selectable<SpotTables['spot_ladder']>;

/**
 * A page of a user's running ladders or, with `hasEnded`, of the ended ones, newest first. Running ladders are found by
 * the user's open orders, so that ended ladders need not be searched.
 */
export async function laddersOf(
  reader: Reader,
  owner: UserId,
  { openOrders, hasEnded }: LadderFilter,
  page: PagedRows,
): Promise<ListPage<LadderProgress>> {
  const open = sql<string>`(select ladder from spot_ladder_order where order_id = any(${openOrders}::uuid[]))`;
  const ladders = reader
    .withTables<SpotTables>()
    .selectFrom('spot_ladder')
    .selectAll()
    .where('owner', '=', owner)
    .where('id', hasEnded ? 'not in' : 'in', open);
  const rows = await readPage(reader, ladders, BY_ID, page);
  return {
    list: await withProgress(reader, rows.list),
    total: rows.total,
    anchor: rows.anchor,
    next: rows.next,
  };
}

/** A ladder of a user, running or ended; undefined when it is missing or belongs to another user. */
export async function findLadder(
  reader: Reader,
  owner: UserId,
  id: string,
): Promise<LadderProgress | undefined> {
  const rows = await reader
    .withTables<SpotTables>()
    .selectFrom('spot_ladder')
    .selectAll()
    .where('id', '=', id)
    .where('owner', '=', owner)
    .execute();
  return (await withProgress(reader, rows))[0];
}

/** The ladders, running or ended, with one of these ids, in no order. An id without a ladder is left out. */
export async function laddersWithIds(reader: Reader, ids: readonly string[]): Promise<LadderProgress[]> {
  const rows = await reader
    .withTables<SpotTables>()
    .selectFrom('spot_ladder')
    .selectAll()
    .where('id', 'in', ids)
    .execute();
  return withProgress(reader, rows);
}

/** The orders of a ladder, from its first price to its last. */
export async function ordersOfLadder(
  reader: Reader,
  ladder: string,
  pairOf: (symbol: string) => Pair,
): Promise<SpotOrder[]> {
  const rows = await ordersWithTerms(reader)
    .innerJoin('spot_ladder_order', 'spot_ladder_order.order_id', 'spot_order.id')
    .selectAll(['spot_order', 'spot_order_terms'])
    .where('spot_ladder_order.ladder', '=', ladder)
    .orderBy('spot_ladder_order.position')
    .execute();
  return rows.map((row) => orderOf(row, row, pairOf));
}

/** The ids of the open orders of all accounts that belong to ladders, each with the id of its ladder. */
export async function openLadderOrders(
  reader: Reader,
): Promise<readonly { readonly ladder: string; readonly orderId: OrderId }[]> {
  const { rows } = await sql<{ ladder: string; order_id: string }>`
    select l.ladder, l.order_id from spot_order o join spot_ladder_order l on l.order_id = o.id
    where o.status = ${sql.lit('open')}
  `.execute(reader);
  return rows.map(({ ladder, order_id: orderId }) => ({ ladder, orderId: orderId as OrderId }));
}

interface SumsRow {
  readonly ladder: string;
  readonly open: bigint;
  readonly filled: bigint;
  readonly filled_amount: string;
  readonly filled_total: string;
  readonly fee: string;
  readonly updated_at: bigint;
}

async function withProgress(reader: Reader, ladders: readonly LadderRow[]): Promise<LadderProgress[]> {
  if (ladders.length === 0) return [];
  const ids = ladders.map(({ id }) => id);
  const { rows } = await sql<SumsRow>`
    select l.ladder,
      count(*) filter (where o.status = 'open') as open,
      count(*) filter (where o.status = 'filled') as filled,
      sum(o.filled_amount) as filled_amount,
      sum(o.filled_total) as filled_total,
      sum(o.fee) as fee,
      max(o.updated_at) as updated_at
    from spot_ladder_order l join spot_order o on o.id = l.order_id
    where l.ladder = any(${ids}::uuid[])
    group by l.ladder
  `.execute(reader);
  const sums = new Map(rows.map((row) => [row.ladder, row]));
  return ladders.map((row) => progressOf(row, sums.get(row.id)!));
}

function progressOf(row: LadderRow, sums: SumsRow): LadderProgress {
  return {
    id: row.id,
    owner: row.owner as UserId,
    symbol: row.symbol,
    side: row.side as Side,
    fromPrice: Decimal.parse(row.from_price),
    toPrice: Decimal.parse(row.to_price),
    count: row.orders,
    amount: Decimal.parse(row.amount),
    sizes: row.sizes as LadderSizes,
    createdAt: instant(wholeNumber(row.created_at)),
    open: wholeNumber(sums.open),
    filled: wholeNumber(sums.filled),
    filledAmount: Decimal.parse(sums.filled_amount),
    filledTotal: Decimal.parse(sums.filled_total),
    fee: Decimal.parse(sums.fee),
    updatedAt: instant(wholeNumber(sums.updated_at)),
  };
}
