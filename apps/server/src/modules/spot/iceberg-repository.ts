import { Decimal } from '@exchange/core/decimal.ts';
import type { OrderId, UserId } from '@exchange/core/ids.ts';
import type { Pair, Side } from '@exchange/core/pair.ts';
import { instant } from '@exchange/core/time.ts';
import type { Selectable } from 'kysely';
import type { Reader } from '../../platform/database/database.ts';
import { wholeNumber } from '../../platform/database/whole-number.ts';
import type { AlgoEnding } from './domain/algo-ending.ts';
import type { Iceberg } from './domain/iceberg.ts';
import type { SpotOrder } from './domain/order.ts';
import { orderOf, ordersWithTerms } from './repository.ts';
import type { SpotTables } from './tables.ts';

type IcebergRow = Selectable<SpotTables['spot_iceberg']>;

/** The running icebergs of all accounts. */
export async function openIcebergs(reader: Reader): Promise<Iceberg[]> {
  const rows = await reader
    .withTables<SpotTables>()
    .selectFrom('spot_iceberg')
    .selectAll()
    .where('ending', 'is', null)
    .orderBy('id')
    .execute();
  return rows.map(icebergOf);
}

/** An iceberg of a user, running or ended; undefined when it is missing or belongs to another user. */
export async function findIceberg(reader: Reader, owner: UserId, id: string): Promise<Iceberg | undefined> {
  const row = await reader
    .withTables<SpotTables>()
    .selectFrom('spot_iceberg')
    .selectAll()
    .where('id', '=', id)
    .where('owner', '=', owner)
    .executeTakeFirst();
  return row && icebergOf(row);
}

/** The icebergs, running or ended, with one of these ids, in no order. An id without an iceberg is left out. */
export async function icebergsWithIds(reader: Reader, ids: readonly string[]): Promise<Iceberg[]> {
  const rows = await reader
    .withTables<SpotTables>()
    .selectFrom('spot_iceberg')
    .selectAll()
    .where('id', 'in', ids)
    .execute();
  return rows.map(icebergOf);
}

/**
 * All orders of an iceberg, oldest first: the one that traded at once, if there was one, then the slices, ended and
 * open.
 */
export async function ordersOfIceberg(
  reader: Reader,
  iceberg: string,
  pairOf: (symbol: string) => Pair,
): Promise<SpotOrder[]> {
  const rows = await ordersWithTerms(reader)
    .innerJoin('spot_iceberg_slice', 'spot_iceberg_slice.order_id', 'spot_order.id')
    .selectAll(['spot_order', 'spot_order_terms'])
    .where('spot_iceberg_slice.iceberg', '=', iceberg)
    .orderBy('spot_iceberg_slice.position')
    .execute();
  return rows.map((row) => orderOf(row, row, pairOf));
}

function icebergOf(row: IcebergRow): Iceberg {
  return {
    id: row.id,
    owner: row.owner as UserId,
    symbol: row.symbol,
    side: row.side as Side,
    price: Decimal.parse(row.price),
    amount: Decimal.parse(row.amount),
    visible: Decimal.parse(row.visible),
    postOnly: row.post_only,
    heldAsset: row.held_asset,
    createdAt: instant(wholeNumber(row.created_at)),
    placed: row.placed,
    placedAmount: Decimal.parse(row.placed_amount),
    reserved: Decimal.parse(row.reserved),
    slice: (row.slice ?? undefined) as OrderId | undefined,
    sliceTurn: wholeNumber(row.slice_turn),
    filledAmount: Decimal.parse(row.filled_amount),
    filledTotal: Decimal.parse(row.filled_total),
    fee: Decimal.parse(row.fee),
    ending: (row.ending ?? undefined) as AlgoEnding | undefined,
    updatedAt: instant(wholeNumber(row.updated_at)),
  };
}
