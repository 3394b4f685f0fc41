import { AsyncLocalStorage } from 'node:async_hooks';
import type pg from 'pg';

/**
 * The origin of a query: a caller of the public port or an operator. Without a lane it is the exchange itself
 * (tape, sequencer, jobs, reconciliation). Each origin has its own connection pools.
 */
export type Lane = 'requests' | 'operators';

const lanes = new AsyncLocalStorage<Lane | undefined>();

/**
 * Runs `work` for requests or operators: all its database queries, also in nested calls, use the
 * pools of that origin.
 */
export function inLane<T>(lane: Lane, work: () => T): T {
  return lanes.run(lane, work);
}

/** Runs `work` as the exchange's own work, whoever triggered it: its queries use the exchange's own pools. */
export function asOwnWork<T>(work: () => T): T {
  return lanes.run(undefined, work);
}

/** A database pool for each origin of queries and one for the exchange's own work. */
export type LanePools = Readonly<Record<Lane | 'own', pg.Pool>>;

/** Returns the database pool for the current origin of queries. */
export function poolOfLane(pools: LanePools): pg.Pool {
  return pools[lanes.getStore() ?? 'own'];
}
