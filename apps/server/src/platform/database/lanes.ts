import { AsyncLocalStorage } from 'node:async_hooks';
import type pg from 'pg';

/**
 * For whom the database is asked: a caller of the public port, an operator, or, outside of both, the exchange itself
 * (tape, sequencer, jobs, reconciliation). Each has pools of its own.
 */
export type Lane = 'requests' | 'operators';

const lanes = new AsyncLocalStorage<Lane | undefined>();

/** Runs `work` for a lane: whatever it asks the database goes over that lane's pools, however many calls further down. */
export function inLane<T>(lane: Lane, work: () => T): T {
  return lanes.run(lane, work);
}

/** Runs `work` as the exchange's own, whoever has caused it: it waits for nobody's requests. */
export function asOwnWork<T>(work: () => T): T {
  return lanes.run(undefined, work);
}

/** One pool for each lane and one for the exchange's own work. */
export type LanePools = Readonly<Record<Lane | 'own', pg.Pool>>;

/** The pool for whoever asks. */
export function poolOfLane(pools: LanePools): pg.Pool {
  return pools[lanes.getStore() ?? 'own'];
}
