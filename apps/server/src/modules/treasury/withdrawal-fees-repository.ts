import type { Instant } from '@exchange/core/time.ts';
import { tablesOf, type Reader, type Store } from '../../platform/database/database.ts';
import type { TreasuryTables } from './tables.ts';

const tables = tablesOf<TreasuryTables>();

/**
 * Returns the codes of the networks on which operators chose the fixed withdrawal fees of the table in
 * `core/network.ts`, instead of fees that follow the network's cost.
 */
export async function networksWithTableFees(reader: Reader): Promise<string[]> {
  const rows = await tables(reader)
    .selectFrom('network_table_fees')
    .select('network')
    .where('ended_at', 'is', null)
    .execute();
  return rows.map(({ network }) => network);
}

/**
 * Stores that the fixed withdrawal fees of the table in `core/network.ts` apply on a network. Does nothing if that is
 * stored already.
 */
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

/**
 * Stores that the withdrawal fees of a network follow its cost again, instead of the fixed fees of the table in
 * `core/network.ts`. Does nothing if they follow it already.
 */
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
