import { greatest, least } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { Pair, PairFilters } from '@exchange/core/pair.ts';
import { trailingStopPrice } from '@exchange/core/stop.ts';
import type { Database, Reader } from '../../platform/database/database.ts';
import type { Ledger } from '../ledger/index.ts';
import type { SidedLevel } from '../market/index.ts';
import { PriceTimeBook } from '../matching/index.ts';
import { spotCommands } from './commands.ts';
import { isDormant, type SpotOrder } from './domain/order.ts';
import type { Marking } from './exchange-state.ts';
import { SpotExchange, type SpotMarket } from './exchange.ts';
import {
  lastPrices,
  lastTradeSequence,
  openOrders,
  owedExits,
  pairStatuses,
  pricesSince,
  storedCountdowns,
  storedMarkings,
} from './repository.ts';
import { openChases } from './chase-repository.ts';
import type { Chase } from './domain/chase.ts';
import type { Grid } from './domain/grid.ts';
import type { Iceberg } from './domain/iceberg.ts';
import { openGrids } from './grid-repository.ts';
import { openIcebergs } from './iceberg-repository.ts';
import { openLadderOrders } from './ladder-repository.ts';
import { openTwaps } from './twap-repository.ts';

/**
 * Loads the exchange from the database: books in time priority, waiting stops with the best prices that trailing stops
 * follow, due stops and the take-profit and stop-loss orders still to be placed in execution order, OCOs and OTOs,
 * expiries, countdowns, trades whose stops are still to be marked, running TWAP orders, icebergs, chase orders and
 * grids, ladders, and pair statuses. If `signal` is aborted while the database is read, throws and leaves the exchange
 * as it is.
 */
export async function loadExchange(
  exchange: SpotExchange,
  database: Database,
  ledger: Ledger,
  signal?: AbortSignal,
): Promise<void> {
  const { reader } = database;
  const [surroundings, orders] = await Promise.all([
    readSurroundings(exchange, reader),
    openOrders(database, (symbol) => exchange.market(symbol).pair),
  ]);
  await catchUpTrailing(reader, orders, surroundings.markings);
  await ledger.prepareAll(ownersOf(orders, surroundings));
  signal?.throwIfAborted();
  exchange.clear();
  setMarkets(exchange, surroundings);
  for (const order of orders.sort(placeComparator(surroundings))) exchange.restore(order);
  linkOrders(exchange);
  setDueWork(exchange, surroundings);
}

/** The stored state of spot except the open orders. */
interface Surroundings {
  readonly markings: ReadonlyMap<string, Marking>;
  readonly owed: readonly SpotOrder[];
  readonly statuses: Awaited<ReturnType<typeof pairStatuses>>;
  /** The sequence number of the last trade of all pairs. */
  readonly sequence: number;
  readonly prices: Awaited<ReturnType<typeof lastPrices>>;
  readonly countdowns: Awaited<ReturnType<typeof storedCountdowns>>;
  readonly twaps: Awaited<ReturnType<typeof openTwaps>>;
  readonly ladders: Awaited<ReturnType<typeof openLadderOrders>>;
  readonly icebergs: readonly Iceberg[];
  readonly chases: readonly Chase[];
  readonly grids: readonly Grid[];
}

export async function readSurroundings(exchange: SpotExchange, reader: Reader): Promise<Surroundings> {
  const [markings, owed, statuses, sequence, prices, countdowns, twaps, ladders, icebergs, chases, grids] =
    await Promise.all([
      loadMarkings(reader),
      owedExits(reader, (symbol) => exchange.market(symbol).pair),
      pairStatuses(reader),
      lastTradeSequence(reader),
      lastPrices(reader),
      storedCountdowns(reader),
      openTwaps(reader),
      openLadderOrders(reader),
      openIcebergs(reader),
      openChases(reader),
      openGrids(reader),
    ]);
  return {
    markings,
    owed,
    statuses,
    sequence,
    prices,
    countdowns,
    twaps,
    ladders,
    icebergs,
    chases,
    grids,
  };
}

/** The owners whose balances must be loaded, because commands that no user requests change them. */
export function ownersOf(orders: readonly SpotOrder[], { owed, twaps }: Surroundings): Set<UserId> {
  return new Set([...orders, ...owed, ...twaps].map(({ owner }) => owner));
}

/**
 * Sets the sequence number of the last trade, and the statuses, last prices and unfinished markings of all
 * pairs. Orders are restored afterwards.
 */
export function setMarkets(
  exchange: SpotExchange,
  { markings, statuses, sequence, prices }: Surroundings,
): void {
  exchange.tradeSequence = sequence;
  exchange.unmarked.clear();
  for (const market of exchange.markets.values()) {
    market.status = 'open';
    market.last = undefined;
    market.marking = undefined;
  }
  for (const { symbol, status } of statuses) exchange.market(symbol).status = status;
  for (const { symbol, price } of prices) exchange.market(symbol).last = price;
  for (const [symbol, marking] of markings) {
    const market = exchange.market(symbol);
    market.marking = marking;
    exchange.unmarked.add(market);
  }
}

/** Rebuilds the links between the restored orders of OCOs and of OTOs. */
export function linkOrders(exchange: SpotExchange): void {
  exchange.groups.clear();
  exchange.otos.clear();
  exchange.owedOtos.clear();
  exchange.restoreGroups();
}

/**
 * Replaces in memory the countdowns, the take-profit and stop-loss orders still to be placed, the running TWAP orders,
 * the open orders of ladders, and the icebergs, chase orders and grids, whose open orders get their `parentId`. Also
 * sets for each pair the sequence number of the trade up to which the progress of all trailing stops is stored. Called
 * after loading and at each update of a standby.
 */
export function setDueWork(
  exchange: SpotExchange,
  { owed, sequence, countdowns, twaps, ladders, icebergs, chases, grids }: Surroundings,
): void {
  exchange.owedExits.clear();
  exchange.countdowns.clear();
  for (const countdown of countdowns) exchange.countdowns.set(countdown);
  for (const order of owed) exchange.owedExits.add(order, order.rank);
  exchange.twaps.clear();
  for (const twap of twaps) exchange.twaps.set(twap);
  exchange.ladders.clear();
  for (const { ladder, orderId } of ladders) exchange.ladders.add(ladder, orderId);
  exchange.icebergs.clear();
  for (const iceberg of icebergs) {
    exchange.icebergs.add(iceberg);
    const slice = exchange.orders.get(iceberg.slice!);
    if (slice !== undefined) slice.parentId = iceberg.id;
  }
  exchange.chases.clear();
  for (const chase of chases) {
    exchange.chases.add(chase);
    const order = exchange.orders.get(chase.orderId);
    if (order !== undefined) order.parentId = chase.id;
  }
  exchange.grids.clear();
  for (const grid of grids) {
    exchange.grids.add(grid);
    for (const { orderId } of grid.cells) {
      const order = orderId === undefined ? undefined : exchange.orders.get(orderId);
      if (order !== undefined) order.parentId = grid.id;
    }
  }
  for (const { stops } of exchange.markets.values()) {
    const stored = [...stops.trailing.orders()].map(({ stop }) => stop!.tradeSequence);
    stops.storedTrailing = stored.length === 0 ? sequence : stored.reduce((a, b) => Math.min(a, b));
  }
}

/** The trades whose triggered stops are still to be marked as due, by pair. */
async function loadMarkings(reader: Reader): Promise<Map<string, Marking>> {
  const markings = new Map<string, Marking>();
  for (const { symbol, from, to } of await storedMarkings(reader)) {
    const newestFirst = await pricesSince(reader, symbol, from - 1);
    const trades = newestFirst.reverse().filter(({ sequence }) => sequence <= to);
    markings.set(symbol, { trades, next: 0, isStored: true });
  }
  return markings;
}

/** All price levels of both sides of a market's book, in ticks and lots. */
export function levelsOf({ book }: SpotMarket): SidedLevel[] {
  const { bids, asks } = book.depth(Number.MAX_SAFE_INTEGER);
  const sides = [
    ['buy', bids],
    ['sell', asks],
  ] as const;
  return sides.flatMap(([side, levels]) => levels.map(({ price, amount }) => ({ side, price, amount })));
}

/**
 * Returns a comparator that sorts open orders as they are to be restored: by rank; slices of icebergs and
 * orders of grids that one step placed by their numbers within the step; due stops last, by the trades that
 * triggered them.
 */
export function placeComparator({
  icebergs,
  grids,
}: Pick<Surroundings, 'icebergs' | 'grids'>): (first: SpotOrder, second: SpotOrder) => number {
  const turns = new Map(icebergs.map(({ slice, sliceTurn }) => [slice, sliceTurn]));
  for (const { cells } of grids) for (const { orderId, turn } of cells) turns.set(orderId, turn);
  const turnInStep = ({ id }: SpotOrder) => turns.get(id) ?? 0;
  return (first, second) =>
    byTurn(first, second) ||
    first.rank - second.rank ||
    turnInStep(first) - turnInStep(second) ||
    (first.id < second.id ? -1 : 1);
}

/**
 * Compares orders for sorting: due stops come last, in the order of the trades that triggered them; other orders
 * compare as equal.
 */
function byTurn(first: SpotOrder, second: SpotOrder): number {
  return turnOf(first) - turnOf(second);
}

function turnOf({ stop }: SpotOrder): number {
  return stop?.status === 'due' ? stop.tradeSequence : 0;
}

/**
 * Moves trailing stops by the trades since they were last stored. Trades whose stops are still to be marked are
 * left out, because the marking applies them.
 */
export async function catchUpTrailing(
  reader: Reader,
  orders: readonly SpotOrder[],
  markings: ReadonlyMap<string, Marking>,
): Promise<void> {
  const bySymbol = new Map<string, SpotOrder[]>();
  for (const order of orders) {
    if (order.stop?.trail === undefined || order.stop.status !== 'waiting') continue;
    // A stop that is stored as inactive was not activated by any trade, because an activation is stored at once.
    if (isDormant(order.stop)) continue;
    const group = bySymbol.get(order.pair.symbol);
    if (group === undefined) bySymbol.set(order.pair.symbol, [order]);
    else group.push(order);
  }
  for (const [symbol, trailing] of bySymbol) {
    // The stops whose progress was stored last come first in the array, because each stop needs the trades
    // that its predecessors need and older ones.
    trailing.sort((first, second) => second.stop!.tradeSequence - first.stop!.tradeSequence);
    const oldest = trailing.at(-1)!.stop!.tradeSequence;
    const trades = await pricesSince(reader, symbol, oldest);
    const end = markings.get(symbol)?.trades[0]!.sequence ?? Number.POSITIVE_INFINITY;
    moveTrailing(
      trailing,
      trades.filter(({ sequence }) => sequence < end),
    );
  }
}

function moveTrailing(
  latestFirst: readonly SpotOrder[],
  newestFirst: Awaited<ReturnType<typeof pricesSince>>,
): void {
  let next = 0;
  let [highest, lowest] = [newestFirst[0]?.price, newestFirst[0]?.price];
  for (const { stop, pair, side } of latestFirst) {
    for (; next < newestFirst.length && newestFirst[next]!.sequence > stop!.tradeSequence; next += 1) {
      highest = greatest(highest!, newestFirst[next]!.price);
      lowest = least(lowest!, newestFirst[next]!.price);
    }
    if (next === 0) continue;
    const extreme = side === 'sell' ? greatest(stop!.extreme!, highest!) : least(stop!.extreme!, lowest!);
    stop!.extreme = extreme;
    stop!.price = trailingStopPrice(pair, side, extreme, stop!.trail!);
  }
}

/**
 * The parts of spot that a replay needs: its commands on separate books, and the state that the replay has to
 * reproduce.
 */
export function spotReplay(parts: {
  readonly pairs: readonly { readonly pair: Pair; readonly filters: PairFilters }[];
  readonly database: Database;
  readonly ledger: Ledger;
}) {
  const exchange = new SpotExchange(parts.ledger);
  for (const { pair, filters } of parts.pairs) exchange.list(pair, filters, new PriceTimeBook());
  return {
    commands: Object.values(spotCommands(exchange)),
    load: () => loadExchange(exchange, parts.database, parts.ledger),
    state: STATE,
  };
}

const LIVE_ORDERS =
  "status = 'open' or id in (select order_id from spot_order_terms where exit_status = 'waiting')";
const LIVE_TERMS = `order_id in (select id from spot_order where ${LIVE_ORDERS})`;
const TRAILS = "trail is not null and stop_status = 'waiting'";

/**
 * Per table, the SQL conditions of the rows that commands of spot need after a checkpoint (`rows`), e.g. of
 * orders that may still change, the last trade, and trades that trailing stops have not processed or whose
 * stops are still to be marked; and of the rows that a replay reproduces (`history`). Volatile rows are
 * loaded but not compared after a replay.
 */
export const spotTables = [
  {
    table: 'spot_order',
    rows: LIVE_ORDERS,
    history: 'true',
  },
  {
    table: 'spot_order_terms',
    rows: `${LIVE_TERMS} and not (${TRAILS})`,
    history: `not (trail is not null and coalesce(stop_status, '') = 'waiting')`,
  },
  {
    table: 'spot_order_terms',
    rows: `${LIVE_TERMS} and (${TRAILS})`,
    // The progress of trailing stops is stored periodically, not at every trade, so a replay can produce
    // different rows.
    isVolatile: true,
  },
  {
    table: 'spot_trade',
    rows: 'sequence = (select max(sequence) from spot_trade)',
    history: 'true',
  },
  {
    table: 'spot_trade',
    rows: `sequence < (select max(sequence) from spot_trade)
      and (sequence > (select min(trade_sequence) from spot_order_terms where ${TRAILS})
        or sequence >= (select min(from_trade) from spot_marking))`,
    isVolatile: true,
  },
  { table: 'spot_order_list', rows: 'false', history: 'true' },
  { table: 'spot_ladder', rows: 'false', history: 'true' },
  {
    table: 'spot_ladder_order',
    rows: "order_id in (select id from spot_order where status = 'open')",
    history: 'true',
  },
  { table: 'spot_iceberg', rows: 'ending is null', history: 'true' },
  { table: 'spot_chase', rows: 'ending is null', history: 'true' },
  { table: 'spot_iceberg_slice', rows: 'false', history: 'true' },
  { table: 'spot_grid', rows: 'ending is null', history: 'true' },
  {
    table: 'spot_grid_level',
    rows: 'grid in (select id from spot_grid where ending is null)',
    history: 'true',
  },
  { table: 'spot_grid_order', rows: 'false', history: 'true' },
  { table: 'spot_twap', rows: 'ending is null', history: 'true' },
  { table: 'spot_twap_child', rows: 'false', history: 'true' },
  'spot_last_price',
  'spot_countdown',
  'spot_marking',
  'spot_pair_status',
];

/**
 * Queries of the state that a replay has to reproduce. The terms of waiting trailing stops are left out, because
 * their progress is stored periodically and not at every trade.
 */
const STATE = {
  orders: 'select o::text as row, o.id as turn from spot_order o',
  terms:
    "select t::text as row, t.order_id as turn from spot_order_terms t where not (trail is not null and stop_status = 'waiting')",
  amendments: 'select a::text as row, (a.order_id, a.sequence) as turn from spot_amendment a',
  lists: 'select l::text as row, l.id as turn from spot_order_list l',
  ladders: 'select l::text as row, l.id as turn from spot_ladder l',
  ladderOrders: 'select l::text as row, (l.ladder, l.position) as turn from spot_ladder_order l',
  icebergs: 'select i::text as row, i.id as turn from spot_iceberg i',
  chases: 'select c::text as row, c.id as turn from spot_chase c',
  icebergSlices: 'select s::text as row, (s.iceberg, s.position) as turn from spot_iceberg_slice s',
  grids: 'select g::text as row, g.id as turn from spot_grid g',
  gridLevels: 'select l::text as row, (l.grid, l.level) as turn from spot_grid_level l',
  gridOrders: 'select o::text as row, (o.grid, o.position) as turn from spot_grid_order o',
  twaps: 'select w::text as row, w.id as turn from spot_twap w',
  twapChildren: 'select c::text as row, (c.twap, c.child) as turn from spot_twap_child c',
  lastPrices: `select (p, m.from_trade, m.to_trade)::text as row, p.symbol as turn
    from spot_last_price p left join spot_marking m on m.symbol = p.symbol`,
  countdowns: 'select c::text as row, (c.owner, c.symbol) as turn from spot_countdown c',
  trades: 'select t::text as row, t.sequence as turn from spot_trade t',
  books:
    "select (o.symbol, o.side, o.price, o.amount - o.filled_amount, o.owner)::text as row, (o.symbol, o.rank, o.id) as turn from spot_order o where status = 'open'",
};
