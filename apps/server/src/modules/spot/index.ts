/**
 * spot: limit and market orders on our own books. An order is checked, its funds are held, it is matched
 * by price and time, every trade is settled between both sides at once, and what is left rests or is given
 * back, all in one step of the sequencer; nobody hears of it before the commit. The books in memory are a
 * cache of the open orders in the database and are read back after a restart. Whoever trades, house
 * market makers included, comes through `place` and `cancel`.
 */
import type { Events } from '../../platform/events.ts';
import type { Feed } from '../../platform/feed/topics.ts';
import type { Route } from '../../platform/http/route.ts';
import type { Movements } from '../ledger/index.ts';
import { feedSpot } from './feed.ts';
import { openHolds } from './repository.ts';
import { Records } from './records.ts';
import { spotRoutes } from './routes.ts';
import { Spot } from './service.ts';

export { type PlaceOrder, type Spot, type Standings } from './service.ts';
export { type Records } from './records.ts';

/** What open orders hold, for the ledger's audit. */
export const spotHolds = { name: 'spot', openHolds };

type Parts = ConstructorParameters<typeof Spot>[0] & { events: Events; feed: Feed; movements: Movements };

/** Puts the module together; `spot` has yet to join the sequencer. */
export function createSpot(parts: Parts): { spot: Spot; records: Records; routes: readonly Route[] } {
  const spot = new Spot(parts);
  const records = new Records(parts);
  feedSpot({ events: parts.events, feed: parts.feed, records });
  return { spot, records, routes: spotRoutes({ spot, records }) };
}
