/**
 * spot: orders on our own books. An order is checked, its funds are held, it is matched by price and time,
 * every trade is settled between both sides at once, and what is left rests or is given back, all in one
 * step of the sequencer; nobody hears of it before the commit. Stops wait beside the book until a trade
 * meets them and execute in steps of their own. What is in memory is a cache of the open orders in the
 * database and is read back after a restart. Whoever trades, house market makers included, comes through
 * the same use cases, and each of those executes a registered command, which a replay of the journal runs
 * again.
 */
import type { Operation } from '../../platform/console/operation.ts';
import type { Events } from '../../platform/events.ts';
import type { Feed } from '../../platform/feed/feed.ts';
import type { Route } from '../../platform/http/route.ts';
import type { Movements } from '../ledger/index.ts';
import type { Demo } from '../../platform/demo.ts';
import { seedSpot } from './demo.ts';
import { Exports } from './export.ts';
import { exportRoutes, spotRoutes } from './routes.ts';
import { feedSpot } from './feed.ts';
import { pairOperations } from './pair-statuses.ts';
import { openHolds } from './repository.ts';
import { Records } from './records.ts';
import { Spot } from './service.ts';

export { type PlaceOrder, type AccountStatuses } from './command-inputs.ts';
export { type Spot } from './service.ts';
export { type Records } from './records.ts';
export { spotReplay, spotTables } from './loading.ts';
export { FillTeller } from './fill-teller.ts';

/** What open orders hold, for the ledger's audit. */
export const spotHolds = { name: 'spot', openHolds };

type Parts = ConstructorParameters<typeof Spot>[0] & { events: Events; feed: Feed; movements: Movements };

/** Puts the module together; `spot` has yet to join the sequencer. */
export function createSpot(parts: Parts): {
  spot: Spot;
  records: Records;
  routes: readonly Route[];
  operations: readonly Operation[];
  /** Gives a demo's trader orders. */
  seed: (demo: Demo) => Promise<void>;
} {
  const spot = new Spot(parts);
  const records = new Records({ ...parts, stops: spot });
  feedSpot({ events: parts.events, feed: parts.feed, records, spot });
  const exports = new Exports({ records, pairOf: (symbol) => spot.pairOf(symbol) });
  return {
    spot,
    records,
    routes: [...spotRoutes({ spot, records }), ...exportRoutes(exports)],
    operations: pairOperations(spot),
    seed: (demo) => seedSpot({ spot, market: parts.market }, demo),
  };
}
