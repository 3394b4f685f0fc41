import { AsyncLocalStorage } from 'node:async_hooks';
import type pg from 'pg';

/**
 * The origin of a query: a request at the public port, or an operator. A query without a lane belongs to the exchange's
 * own work (e.g. of the sequencer or of a job). Each origin has its own connection pools.
 */
export type Lane = 'requests' | 'operators';

const lanes = new AsyncLocalStorage<Lane | undefined>();

/** Runs `work`. All its database queries, also in nested calls, use the pools of `lane`. */
export function inLane<T>(lane: Lane, work: () => T): T {
  return lanes.run(lane, work);
}

/** Runs `work`. All its database queries use the exchange's own pools, even if a request has triggered the work. */
export function asOwnWork<T>(work: () => T): T {
  return lanes.run(undefined, work);
}

/** A database pool for each origin of queries and one for the exchange's own work. */
export type LanePools<Pool = pg.Pool> = Readonly<Record<Lane | 'own', Pool>>;

/**
 * Returns the database pool of the lane in which the caller runs (see `inLane`), or the exchange's own pool
 * outside of lanes.
 */
export function poolOfLane<Pool>(pools: LanePools<Pool>): Pool {
  return pools[lanes.getStore() ?? 'own'];
}
