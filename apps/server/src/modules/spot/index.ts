/**
 * spot: orders on the exchange's own books. One command checks an order, holds its funds, matches it by price and
 * time, settles each trade between both sides, and rests or releases the remainder. Results are published after
 * the commit. Stops wait outside of the book until a trade triggers them, and are then executed by further
 * commands. The memory is a cache of the open orders in the database and is loaded at the start. All traders,
 * including market makers, use the same use cases. Every change is a registered command that a replay of the
 * journal can run again.
 */
import type { Operation } from '../../platform/console/operation.ts';
import type { RecordSource } from '../../platform/console/records.ts';
import type { Events } from '../../platform/events.ts';
import type { Feed } from '../../platform/feed/feed.ts';
import type { Route } from '../../platform/http/route.ts';
import type { MoneyModule, Movements } from '../ledger/index.ts';
import type { Demo } from '../../platform/demo.ts';
import { seedSpot } from './demo.ts';
import { Explanations } from './explanations.ts';
import { Exports } from './export.ts';
import { exportRoutes, spotRoutes } from './routes.ts';
import { feedSpot } from './feed.ts';
import { spotReplay, spotTables } from './loading.ts';
import { pairOperations } from './pair-operations.ts';
import { spotRecords } from './history-repository.ts';
import { spotHolds } from './repository.ts';
import { Records } from './records.ts';
import type { TradingPauses } from '../trading-pauses/index.ts';
import { Spot } from './service.ts';

export {
  type CancelState,
  type PlaceOco,
  type PlaceOrder,
  type PlaceOto,
  type AccountStatuses,
  type TradingAccount,
} from './command-inputs.ts';
export { type Spot } from './service.ts';
export { type Records } from './records.ts';
export { ProgramReads } from './program-reads.ts';
export type { AmountChange } from './program-reads-repository.ts';
export { isPending, listIdOf, type SpotOrder } from './domain/order.ts';
export { orderChanged, type OrderChanged, type OrderFill } from './events.ts';
export type { UserFill } from './history-repository.ts';
export type { TradedSeconds } from './pair-trades-repository.ts';
export type { SpotTrade } from './tables.ts';
export { AlgoNotifier } from './algo-notifier.ts';
export { FillNotifier } from './fill-notifier.ts';
export { algoMessages } from './words/messages.ts';

/** Declaration of the module spot for audit, reconciliation, checkpoints and replay. */
export const spotMoney: MoneyModule = {
  name: 'spot',
  tables: spotTables,
  holds: spotHolds,
  replay: spotReplay,
};

type Parts = ConstructorParameters<typeof Spot>[0] & {
  events: Events;
  feed: Feed;
  movements: Movements;
  tradingPauses: TradingPauses;
};

/** Creates the parts of the spot module. The caller must add `spot` to the sequencer's participants. */
export function createSpot(parts: Parts): {
  spot: Spot;
  records: Records;
  routes: readonly Route[];
  operations: readonly Operation[];
  /** Record sources of spot orders and fills, for the operators' search and for users' timelines. */
  operatorRecords: readonly RecordSource[];
  /** Creates the demo trader's orders. */
  seed: (demo: Demo) => Promise<void>;
} {
  const spot = new Spot(parts);
  const records = new Records({ ...parts, stops: spot });
  feedSpot({
    events: parts.events,
    feed: parts.feed,
    records,
    spot,
    tradingPauses: parts.tradingPauses,
  });
  const explanations = new Explanations({
    reader: parts.reader,
    market: parts.market,
    pairOf: (symbol) => spot.pairOf(symbol),
  });
  const exports = new Exports({ records, pairOf: (symbol) => spot.pairOf(symbol) });
  return {
    spot,
    records,
    routes: [...spotRoutes({ spot, records, explanations }), ...exportRoutes(exports)],
    operations: pairOperations({
      statuses: spot.statuses,
      pauses: parts.tradingPauses,
      market: parts.market,
      listed: () => spot.listed({}),
    }),
    operatorRecords: spotRecords(parts.reader, (symbol) => spot.pairOf(symbol)),
    seed: (demo) => seedSpot({ spot, market: parts.market }, demo),
  };
}
