import { Decimal } from '@exchange/core/decimal.ts';
import type { OrderId, UserId } from '@exchange/core/ids.ts';
import type { Side } from '@exchange/core/pair.ts';
import { instant } from '@exchange/core/time.ts';
import type { Selectable } from 'kysely';
import type { Reader } from '../../platform/database/database.ts';
import { wholeNumber } from '../../platform/database/whole-number.ts';
import type { AlgoEnding } from './domain/algo-ending.ts';
import type { Chase, ChaseProgress } from './domain/chase.ts';
import type { SpotTables } from './tables.ts';

type ChaseRow = Selectable<SpotTables['spot_chase']>;

/** The running chase orders of all accounts. */
export async function openChases(reader: Reader): Promise<Chase[]> {
  const rows = await reader
    .withTables<SpotTables>()
    .selectFrom('spot_chase')
    .selectAll()
    .where('ending', 'is', null)
    .orderBy('id')
    .execute();
  return rows.map(chaseOf);
}

/** A chase order of a user, running or ended; undefined when it is missing or belongs to another user. */
export async function findChase(
  reader: Reader,
  owner: UserId,
  id: string,
): Promise<ChaseProgress | undefined> {
  const [found] = await chasesWithIds(reader, [id]);
  return found?.owner === owner ? found : undefined;
}

/**
 * The chase orders, running or ended, with one of these ids, each with the price, fills and fees of its order;
 * unsorted. An id without a chase order is left out.
 */
export async function chasesWithIds(reader: Reader, ids: readonly string[]): Promise<ChaseProgress[]> {
  const rows = await reader
    .withTables<SpotTables>()
    .selectFrom('spot_chase')
    .innerJoin('spot_order', 'spot_order.id', 'spot_chase.order_id')
    .selectAll('spot_chase')
    .select(['spot_order.price', 'spot_order.filled_amount', 'spot_order.filled_total', 'spot_order.fee'])
    .where('spot_chase.id', 'in', ids)
    .execute();
  return rows.map((row) => ({
    ...chaseOf(row),
    price: Decimal.parse(row.price!),
    filledAmount: Decimal.parse(row.filled_amount),
    filledTotal: Decimal.parse(row.filled_total),
    fee: Decimal.parse(row.fee),
  }));
}

function chaseOf(row: ChaseRow): Chase {
  return {
    id: row.id,
    owner: row.owner as UserId,
    symbol: row.symbol,
    side: row.side as Side,
    amount: Decimal.parse(row.amount),
    distance: Decimal.parse(row.distance),
    limitPrice: row.limit_price === null ? undefined : Decimal.parse(row.limit_price),
    minutes: row.minutes,
    startPrice: Decimal.parse(row.start_price),
    worstPrice: Decimal.parse(row.worst_price),
    orderId: row.order_id as OrderId,
    createdAt: instant(wholeNumber(row.created_at)),
    moves: row.moves,
    movedAt: instant(wholeNumber(row.moved_at)),
    ending: (row.ending ?? undefined) as AlgoEnding | undefined,
    updatedAt: instant(wholeNumber(row.updated_at)),
  };
}
