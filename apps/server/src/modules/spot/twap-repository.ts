import { Decimal } from '@exchange/core/decimal.ts';
import type { OrderId, UserId } from '@exchange/core/ids.ts';
import type { Pair, Side } from '@exchange/core/pair.ts';
import { instant } from '@exchange/core/time.ts';
import { sql, type Selectable } from 'kysely';
import type { Reader, Tx } from '../../platform/database/database.ts';
import { BY_ID, readPage, type ListPage, type PagedRows } from '../../platform/database/paged-rows.ts';
import { wholeNumber } from '../../platform/database/whole-number.ts';
import { queueInTable } from '../../platform/database/work-queue.ts';
import type { LadderProgress } from './domain/ladder.ts';
import type { SpotOrder } from './domain/order.ts';
import type { AlgoNotice, Twap, TwapEnding, TwapPause } from './domain/twap.ts';
import { laddersWithIds } from './ladder-repository.ts';
import { orderOf, ordersWithTerms } from './repository.ts';
import type { SpotTables } from './tables.ts';

type TwapRow = Selectable<SpotTables['spot_twap']>;

/** A TWAP order or a ladder. */
export type AlgoOrder =
  | { readonly id: string; readonly kind: 'twap'; readonly twap: Twap }
  | { readonly id: string; readonly kind: 'ladder'; readonly ladder: LadderProgress };

/** The running TWAP orders of all accounts. */
export async function openTwaps(reader: Reader): Promise<Twap[]> {
  const rows = await reader
    .withTables<SpotTables>()
    .selectFrom('spot_twap')
    .selectAll()
    .where('ending', 'is', null)
    .orderBy('id')
    .execute();
  return rows.map(twapOf);
}

/** The open orders of ladders. */
export async function openLadderOrders(
  reader: Reader,
): Promise<readonly { readonly ladder: string; readonly orderId: OrderId }[]> {
  const { rows } = await sql<{ ladder: string; order_id: string }>`
    select l.ladder, l.order_id from spot_order o join spot_ladder_order l on l.order_id = o.id
    where o.status = ${sql.lit('open')}
  `.execute(reader);
  return rows.map(({ ladder, order_id: orderId }) => ({ ladder, orderId: orderId as OrderId }));
}

/** A TWAP order of a user; undefined when it is missing or belongs to another user. */
export async function findTwap(reader: Reader, owner: UserId, id: string): Promise<Twap | undefined> {
  const row = await reader
    .withTables<SpotTables>()
    .selectFrom('spot_twap')
    .selectAll()
    .where('id', '=', id)
    .where('owner', '=', owner)
    .executeTakeFirst();
  return row && twapOf(row);
}

/** The children of a TWAP order, oldest first; at most as many as a TWAP order may have. */
export async function childrenOf(
  reader: Reader,
  twap: string,
  pairOf: (symbol: string) => Pair,
): Promise<SpotOrder[]> {
  const rows = await ordersWithTerms(reader)
    .innerJoin('spot_twap_child', 'spot_twap_child.order_id', 'spot_order.id')
    .selectAll(['spot_order', 'spot_order_terms'])
    .where('spot_twap_child.twap', '=', twap)
    .orderBy('spot_twap_child.child')
    .execute();
  return rows.map((row) => orderOf(row, row, pairOf));
}

/**
 * A user's TWAP orders and ladders, newest first: either the ended ones or the others. Ladders with open orders are found
 * by those, so that history costs nothing.
 */
export async function algoOrdersOf(
  reader: Reader,
  owner: UserId,
  { openOrders, hasEnded }: { readonly openOrders: readonly OrderId[]; readonly hasEnded: boolean },
  page: PagedRows,
): Promise<ListPage<AlgoOrder>> {
  const tables = reader.withTables<SpotTables>();
  const openLadders = sql<string>`(select ladder from spot_ladder_order where order_id = any(${openOrders}::uuid[]))`;
  const ladders = tables
    .selectFrom('spot_ladder')
    .select(['id', sql.lit('ladder').as('kind')])
    .where('owner', '=', owner)
    .where('id', hasEnded ? 'not in' : 'in', openLadders);
  const twaps = tables
    .selectFrom('spot_twap')
    .select(['id', sql.lit('twap').as('kind')])
    .where('owner', '=', owner)
    .where('ending', hasEnded ? 'is not' : 'is', null);
  const { list, total, anchor, next } = await readPage(reader, ladders.unionAll(twaps), BY_ID, page);
  const found = await algoOrdersWithIds(
    reader,
    list.map(({ id }) => id),
  );
  return {
    list: list.flatMap(({ id }) => found.get(id) ?? []),
    total,
    anchor,
    next,
  };
}

/** TWAP orders and ladders by id. */
export async function algoOrdersWithIds(
  reader: Reader,
  ids: readonly string[],
): Promise<ReadonlyMap<string, AlgoOrder>> {
  const found = new Map<string, AlgoOrder>();
  if (ids.length === 0) return found;
  const rows = await reader
    .withTables<SpotTables>()
    .selectFrom('spot_twap')
    .selectAll()
    .where('id', 'in', ids)
    .execute();
  for (const row of rows) found.set(row.id, { id: row.id, kind: 'twap', twap: twapOf(row) });
  for (const ladder of await laddersWithIds(reader, ids))
    found.set(ladder.id, { id: ladder.id, kind: 'ladder', ladder });
  return found;
}

/** A message that waits to be sent, with the order that it is about. */
export interface AlgoNews {
  readonly notice: AlgoNotice;
  readonly order: AlgoOrder;
}

export const algoNotices = queueInTable<AlgoNotice, AlgoNews>(
  'spot_algo_notice',
  ['algo', 'kind'],
  async (tx: Tx, notices) => {
    const orders = await algoOrdersWithIds(
      tx,
      notices.map(({ algo }) => algo),
    );
    return notices.flatMap((notice) => {
      const order = orders.get(notice.algo);
      return order === undefined ? [] : [{ notice, order }];
    });
  },
);

function twapOf(row: TwapRow): Twap {
  return {
    id: row.id,
    owner: row.owner as UserId,
    symbol: row.symbol,
    side: row.side as Side,
    amount: Decimal.parse(row.amount),
    minutes: row.minutes,
    count: row.children,
    bound: Decimal.parse(row.bound),
    limitPrice: row.limit_price === null ? undefined : Decimal.parse(row.limit_price),
    startPrice: Decimal.parse(row.start_price),
    createdAt: instant(wholeNumber(row.created_at)),
    next: row.next_child,
    placed: row.placed,
    filledAmount: Decimal.parse(row.filled_amount),
    filledTotal: Decimal.parse(row.filled_total),
    fee: Decimal.parse(row.fee),
    pause: (row.pause ?? undefined) as TwapPause | undefined,
    notified: row.notified,
    ending: (row.ending ?? undefined) as TwapEnding | undefined,
    updatedAt: instant(wholeNumber(row.updated_at)),
  };
}
