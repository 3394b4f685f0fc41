import type { Instant } from '@exchange/core/time.ts';
import type { Reader } from '../../platform/database/database.ts';
import type { TreasuryTables } from './tables.ts';

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
  store: Reader,
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
  store: Reader,
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

function tables(reader: Reader) {
  return reader.withTables<TreasuryTables>();
}
