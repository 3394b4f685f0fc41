import type { OrderId, TradeId } from '@exchange/core/ids.ts';
import type { Pair } from '@exchange/core/pair.ts';
import type { Database, Reader } from '../../platform/database/database.ts';
import { wholeNumber } from '../../platform/database/whole-number.ts';
import type { SpotOrder } from './order-domain.ts';
import { orderOf, ordersWithTerms } from './repository.ts';
import type { SpotTables } from './tables.ts';

/** The ledger entry up to which every ended order has been told. */
export async function toldUpTo(reader: Reader): Promise<number> {
  const row = await reader
    .withTables<SpotTables>()
    .selectFrom('spot_fill_cursor')
    .select('sequence')
    .executeTakeFirstOrThrow();
  return wholeNumber(row.sequence);
}

/** Moves the cursor on; never back. */
export async function moveToldUpTo({ store }: Database, sequence: number): Promise<void> {
  await store
    .withTables<SpotTables>()
    .updateTable('spot_fill_cursor')
    .set({ sequence: BigInt(sequence) })
    .where('sequence', '<', BigInt(sequence))
    .execute();
}

/** Ended orders with fills among these and those of these trades, and which of them a trade met at rest. */
export async function endedWithFills(
  reader: Reader,
  { trades, orders }: { readonly trades: readonly TradeId[]; readonly orders: readonly OrderId[] },
  pairOf: (symbol: string) => Pair | undefined,
): Promise<{ order: SpotOrder; wasMaker: boolean }[]> {
  const sides =
    trades.length === 0
      ? []
      : await reader
          .withTables<SpotTables>()
          .selectFrom('spot_trade')
          .select(['maker_order', 'taker_order'])
          .where('id', 'in', trades)
          .execute();
  const makers = new Set(sides.map(({ maker_order: maker }) => maker));
  const ids = new Set([...orders, ...makers, ...sides.map(({ taker_order: taker }) => taker)]);
  if (ids.size === 0) return [];
  const rows = await ordersWithTerms(reader)
    .selectAll()
    .where('id', 'in', [...ids])
    .where('status', '<>', 'open')
    .where('filled_amount', '>', '0')
    .execute();
  return rows.flatMap((row) => {
    const pair = pairOf(row.symbol);
    return pair === undefined ? [] : [{ order: orderOf(row, row, () => pair), wasMaker: makers.has(row.id) }];
  });
}
