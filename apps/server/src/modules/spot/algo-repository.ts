import type { OrderId, UserId } from '@exchange/core/ids.ts';
import { sql } from 'kysely';
import type { Reader, Tx } from '../../platform/database/database.ts';
import { BY_ID, readPage, type ListPage, type PagedRows } from '../../platform/database/paged-rows.ts';
import { queueInTable } from '../../platform/database/work-queue.ts';
import type { AlgoNotice } from './domain/algo-notice.ts';
import type { ChaseProgress } from './domain/chase.ts';
import type { Grid } from './domain/grid.ts';
import type { Iceberg } from './domain/iceberg.ts';
import type { LadderProgress } from './domain/ladder.ts';
import type { Twap } from './domain/twap.ts';
import { chasesWithIds } from './chase-repository.ts';
import { gridsWithIds } from './grid-repository.ts';
import { icebergsWithIds } from './iceberg-repository.ts';
import { laddersWithIds } from './ladder-repository.ts';
import type { SpotTables } from './tables.ts';
import { twapsWithIds } from './twap-repository.ts';

/** An algo order of any kind. */
export type AlgoOrder =
  | { readonly id: string; readonly kind: 'twap'; readonly twap: Twap }
  | { readonly id: string; readonly kind: 'chase'; readonly chase: ChaseProgress }
  | { readonly id: string; readonly kind: 'grid'; readonly grid: Grid }
  | { readonly id: string; readonly kind: 'iceberg'; readonly iceberg: Iceberg }
  | { readonly id: string; readonly kind: 'ladder'; readonly ladder: LadderProgress };

/**
 * A page of a user's algo orders of all kinds, newest first: with `hasEnded` those that have ended, otherwise the
 * running ones. `openOrders` must be all open orders of the user: a ladder is running if one of them belongs to it, so
 * that ended ladders need not be searched.
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
    .select('id')
    .where('owner', '=', owner)
    .where('id', hasEnded ? 'not in' : 'in', openLadders);
  const isEnded = hasEnded ? 'is not' : 'is';
  const twaps = tables
    .selectFrom('spot_twap')
    .select('id')
    .where('owner', '=', owner)
    .where('ending', isEnded, null);
  const icebergs = tables
    .selectFrom('spot_iceberg')
    .select('id')
    .where('owner', '=', owner)
    .where('ending', isEnded, null);
  const chases = tables
    .selectFrom('spot_chase')
    .select('id')
    .where('owner', '=', owner)
    .where('ending', isEnded, null);
  const grids = tables
    .selectFrom('spot_grid')
    .select('id')
    .where('owner', '=', owner)
    .where('ending', isEnded, null);
  const all = ladders.unionAll(twaps).unionAll(icebergs).unionAll(chases).unionAll(grids);
  const { list, total, anchor, next } = await readPage(reader, all, BY_ID, page);
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

/**
 * Reads the algo orders of all kinds that have one of the given ids, running or ended, by id. An id without an algo
 * order is missing from the map.
 */
async function algoOrdersWithIds(
  reader: Reader,
  ids: readonly string[],
): Promise<ReadonlyMap<string, AlgoOrder>> {
  const found = new Map<string, AlgoOrder>();
  if (ids.length === 0) return found;
  for (const twap of await twapsWithIds(reader, ids)) found.set(twap.id, { id: twap.id, kind: 'twap', twap });
  for (const chase of await chasesWithIds(reader, ids))
    found.set(chase.id, { id: chase.id, kind: 'chase', chase });
  for (const grid of await gridsWithIds(reader, ids)) found.set(grid.id, { id: grid.id, kind: 'grid', grid });
  for (const iceberg of await icebergsWithIds(reader, ids))
    found.set(iceberg.id, { id: iceberg.id, kind: 'iceberg', iceberg });
  for (const ladder of await laddersWithIds(reader, ids))
    found.set(ladder.id, { id: ladder.id, kind: 'ladder', ladder });
  return found;
}

/** A queued message about an algo order, and the stored algo order itself. */
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
