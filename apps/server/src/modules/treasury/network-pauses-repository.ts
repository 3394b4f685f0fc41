import type { TextByLocale } from '@exchange/core/locale.ts';
import { instant, type Instant } from '@exchange/core/time.ts';
import { tablesOf, type Reader, type Tx } from '../../platform/database/database.ts';
import { wholeNumber } from '../../platform/database/whole-number.ts';
import type { NetworkPause, TransferDirection } from './domain.ts';
import type { TreasuryTables } from './tables.ts';

const tables = tablesOf<TreasuryTables>();

/**
 * Reads the current pauses of deposits and withdrawals on networks, at most one per network and direction.
 */
export async function openNetworkPauses(reader: Reader): Promise<NetworkPause[]> {
  const rows = await tables(reader)
    .selectFrom('network_pause')
    .selectAll()
    .where('ended_at', 'is', null)
    .execute();
  return rows.map(pauseOf);
}

/**
 * Stores a pause of deposits or withdrawals on a network; if there is one already, replaces its note and
 * expected end. Returns the pause; its `since` is the start of the pause, which a replacement does not
 * change.
 */
export async function storeNetworkPause(
  tx: Tx,
  id: string,
  pause: Omit<NetworkPause, 'since'> & { readonly now: Instant },
): Promise<NetworkPause> {
  const { network, direction, note, expectedAt, by, reason, now } = pause;
  const replaced = await endNetworkPause(tx, { network, direction }, { by, reason, now });
  const row = await tables(tx)
    .insertInto('network_pause')
    .values({
      id,
      network,
      direction,
      note: JSON.stringify(note),
      expected_at: expectedAt === undefined ? null : BigInt(expectedAt),
      since: BigInt(replaced?.since ?? now),
      paused_by: by,
      reason,
      ended_at: null,
      ended_by: null,
      end_reason: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return pauseOf(row);
}

/**
 * Ends the pause of deposits or withdrawals on a network and returns it; undefined if the network is not paused in this
 * direction.
 */
export async function endNetworkPause(
  tx: Tx,
  { network, direction }: Pick<NetworkPause, 'network' | 'direction'>,
  { by, reason, now }: { readonly by: string; readonly reason: string; readonly now: Instant },
): Promise<NetworkPause | undefined> {
  const row = await tables(tx)
    .updateTable('network_pause')
    .set({ ended_at: BigInt(now), ended_by: by, end_reason: reason })
    .where('network', '=', network)
    .where('direction', '=', direction)
    .where('ended_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
  return row && pauseOf(row);
}

function pauseOf(row: {
  readonly network: string;
  readonly direction: string;
  readonly note: unknown;
  readonly expected_at: bigint | null;
  readonly since: bigint;
  readonly paused_by: string;
  readonly reason: string;
}): NetworkPause {
  return {
    network: row.network,
    direction: row.direction as TransferDirection,
    note: row.note as TextByLocale,
    expectedAt: row.expected_at === null ? undefined : instant(wholeNumber(row.expected_at)),
    since: instant(wholeNumber(row.since)),
    by: row.paused_by,
    reason: row.reason,
  };
}
