import type { Instant } from '@exchange/core/time.ts';
import { tablesOf, type Reader, type Store } from '../../platform/database/database.ts';
import type { TreasuryTables } from './tables.ts';

const tables = tablesOf<TreasuryTables>();

/** Codes of the networks on which operators chose the table's withdrawal fees. */
export async function networksWithTableFees(reader: Reader): Promise<string[]> {
  const rows = await tables(reader)
    .selectFrom('network_table_fees')
    .select('network')
    .where('ended_at', 'is', null)
    .execute();
  return rows.map(({ network }) => network);
}

/** Stores that the table's withdrawal fees apply on a network. Does nothing if they apply already. */
export async function startTableFees(
  store: Store,
  choice: {
    readonly id: string;
    readonly network: string;
    readonly by: string;
    readonly reason: string;
    readonly now: Instant;
  },
): Promise<void> {
  const { id, network, by, reason, now } = choice;
  await tables(store)
    .insertInto('network_table_fees')
    .values({
      id,
      network,
      since: BigInt(now),
      chosen_by: by,
      reason,
      ended_at: null,
      ended_by: null,
      end_reason: null,
    })
    .onConflict((conflict) => conflict.column('network').where('ended_at', 'is', null).doNothing())
    .execute();
}

/** Stores that the withdrawal fees of a network follow it again. Does nothing if they do already. */
export async function endTableFees(
  store: Store,
  {
    network,
    by,
    reason,
    now,
  }: { readonly network: string; readonly by: string; readonly reason: string; readonly now: Instant },
): Promise<void> {
  await tables(store)
    .updateTable('network_table_fees')
    .set({ ended_at: BigInt(now), ended_by: by, end_reason: reason })
    .where('network', '=', network)
    .where('ended_at', 'is', null)
    .execute();
}
