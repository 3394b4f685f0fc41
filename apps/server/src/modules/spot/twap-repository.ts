import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { Pair, Side } from '@exchange/core/pair.ts';
import { instant } from '@exchange/core/time.ts';
import type { Selectable } from 'kysely';
import type { Reader } from '../../platform/database/database.ts';
import { wholeNumber } from '../../platform/database/whole-number.ts';
import type { SpotOrder } from './domain/order.ts';
import type { Twap, TwapEnding, TwapPause } from './domain/twap.ts';
import { orderOf, ordersWithTerms } from './repository.ts';
import type { SpotTables } from './tables.ts';

type TwapRow = Selectable<SpotTables['spot_twap']>;

/** The TWAP orders of all accounts that have not ended. */
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

/** A TWAP order of a user, running or ended; undefined if there is none with this id or it belongs to another user. */
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

/** The child orders of a TWAP order, oldest first. The whole list is read, because its length is limited. */
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

/** The TWAP orders, running or ended, with one of these ids, in no order. An id without a TWAP order is left out. */
export async function twapsWithIds(reader: Reader, ids: readonly string[]): Promise<Twap[]> {
  const rows = await reader
    .withTables<SpotTables>()
    .selectFrom('spot_twap')
    .selectAll()
    .where('id', 'in', ids)
    .execute();
  return rows.map(twapOf);
}

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
