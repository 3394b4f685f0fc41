import type { OrderId, UserId } from '@exchange/core/ids.ts';
import type { Database } from '../../platform/database/database.ts';
import {
  StateDiffers,
  Unfollowable,
  type FollowedState,
  type Snapshot,
} from '../../platform/sequencer/followed-state.ts';
import type { Ledger } from '../ledger/index.ts';
import { isOffBook, remainingAmount, type SpotOrder } from './domain/order.ts';
import type { SpotExchange } from './exchange.ts';
import {
  catchUpTrailing,
  linkOrders,
  loadExchange,
  ownersOf,
  placeComparator,
  readSurroundings,
  setDueWork,
  setMarkets,
} from './loading.ts';
import { OrderVersions, type ChangedVersions } from './order-versions.ts';
import { openOrdersOf, openOrderSums } from './repository.ts';
import { lotsOf } from './settlement.ts';

/**
 * Number of changed orders up to which an update is always quicker than loading all orders. If more have
 * changed, which happens only after a pause of the standby, and they are over half of the open orders, all
 * are loaded again.
 */
const CHANGED_MIN = 10_000;

interface Parts {
  readonly exchange: SpotExchange;
  readonly database: Database;
  readonly ledger: Ledger;
}

/**
 * Keeps the open orders of a standby up to date. An update compares the versions of all stored open orders
 * with those in memory. It reads the changed orders, and always the due stops and the waiting trailing stops,
 * whose state also depends on other rows. It relies on stored rows only, so it is correct also after
 * rolled-back or late steps, changes by another version of the writer, and manual changes of the database.
 */
export class FollowedExchange implements FollowedState {
  private readonly parts: Parts;
  /** The row versions from which the orders in memory were made, or earlier versions of these rows. */
  private versions = new OrderVersions();

  constructor(parts: Parts) {
    this.parts = parts;
  }

  async load({ copy, signal }: Snapshot): Promise<void> {
    const { exchange, database, ledger } = this.parts;
    // The versions are read before the orders. If an order changes in between, its version here is too old, and the
    // next update reads the order again.
    const versions = new OrderVersions();
    const read = await versions.read(copy);
    await loadExchange(exchange, database, ledger, signal);
    versions.apply(read);
    this.versions = versions;
  }

  async update({ copy, signal }: Snapshot): Promise<void> {
    const { exchange, database, ledger } = this.parts;
    const { reader } = database;
    const versions = await this.versions.read(copy);
    const ids = this.changedIds(versions);
    if (ids.length > CHANGED_MIN && ids.length > versions.size / 2)
      throw new Unfollowable(`${ids.length} of ${versions.size} open orders have changed`);
    const orders = await openOrdersOf(copy, (symbol) => exchange.market(symbol).pair, ids);
    const surroundings = await readSurroundings(exchange, reader);
    await catchUpTrailing(reader, orders, surroundings.markings);
    await ledger.prepareAll(ownersOf(orders, surroundings));
    signal.throwIfAborted();
    setMarkets(exchange, surroundings);
    // Memory equals the stored orders if no version has changed and the numbers of orders are equal. The numbers differ
    // if `load` has read an order that was open only between its two reads.
    const isSame = ids.length === 0 && versions.size === this.versions.size;
    this.versions.apply(versions);
    if (!isSame || exchange.orders.size !== versions.size) {
      this.replace(orders, placeComparator(surroundings));
      linkOrders(exchange);
    }
    setDueWork(exchange, surroundings);
  }

  /** Compares sums over all open orders with the stored ones, and books with their orders; throws if they differ. */
  async confirm({ copy }: Snapshot): Promise<void> {
    const { exchange } = this.parts;
    // The database computes its sums while the sums in memory are computed.
    const reading = openOrderSums(copy);
    const sums = new Map([...exchange.markets.keys()].map((symbol) => [symbol, new SumsInMemory()]));
    for (const order of exchange.orders) sums.get(order.pair.symbol)!.add(order);
    for (const stored of await reading) {
      const sum = sums.get(stored.symbol);
      if (sum?.count !== stored.count || sum.ranks !== stored.ranks || sum.atoms !== stored.values.atoms)
        throw new StateDiffers(`the open orders of ${stored.symbol} differ from the stored ones`);
      sum.isStored = true;
    }
    for (const [symbol, { count, lots, isStored }] of sums) {
      if (!isStored && count > 0) throw new StateDiffers(`no open orders of ${symbol} are stored`);
      const { bids, asks } = exchange.market(symbol).book.depth(Number.MAX_SAFE_INTEGER);
      const onBook = [...bids, ...asks].reduce((sum, { amount }) => sum + amount, 0n);
      if (onBook !== lots) throw new StateDiffers(`the book of ${symbol} differs from its orders`);
    }
  }

  /** Releases the memory of the row versions, which a writer does not need. */
  end(): void {
    this.versions = new OrderVersions();
  }

  /**
   * The ids of the open orders that must be read again from the database: those whose stored version has
   * changed, and always due stops and waiting trailing stops.
   */
  private changedIds({ ids }: ChangedVersions): OrderId[] {
    const changed = new Set(ids);
    for (const order of this.parts.exchange.orders) if (isVolatile(order)) changed.add(order.id);
    return [...changed];
  }

  /**
   * Replaces the changed orders, and removes the orders that are no longer open. Throws `Unfollowable` if a new order
   * has its place on the book before an order in memory.
   */
  private replace(
    orders: readonly SpotOrder[],
    byPlace: (first: SpotOrder, second: SpotOrder) => number,
  ): void {
    const { exchange } = this.parts;
    const changed = new Map(orders.map((order) => [order.id, order]));
    const discarded: SpotOrder[] = [];
    const updated = new Map<SpotOrder, SpotOrder>();
    let newestRank = 0;
    for (const order of exchange.orders) {
      const next = changed.get(order.id);
      if (next !== undefined && keepsPlace(order, next)) updated.set(order, next);
      else if (next !== undefined || !this.versions.has(order.id)) {
        discarded.push(order);
        continue;
      }
      if (!isOffBook(order) && order.rank > newestRank) newestRank = order.rank;
    }
    const owners = new Set<UserId>();
    // Removals and fills are applied before new orders are restored, so that a book is never crossed.
    for (const order of discarded) {
      exchange.discard(order);
      owners.add(order.owner);
    }
    for (const [order, next] of updated) {
      this.updateInPlace(order, next);
      changed.delete(order.id);
    }
    for (const order of [...changed.values()].sort(byPlace)) {
      // `restore` appends an order to its level, so the order must be newer than all orders in memory.
      if (!isOffBook(order) && order.rank <= newestRank)
        throw new Unfollowable(`the order ${order.id} has a place before newer orders`);
      exchange.restore(order);
      owners.add(order.owner);
    }
    exchange.orders.arrange(owners, byPlace);
  }

  /** Applies fills and other changes to an order that keeps its place in the book. */
  private updateInPlace(order: SpotOrder, next: SpotOrder): void {
    const amount = lotsOf(order.pair, remainingAmount(next));
    if (amount !== lotsOf(order.pair, remainingAmount(order)))
      this.parts.exchange.market(order.pair.symbol).bookToRestore().amend(order.id, { amount });
    Object.assign(order, next);
  }
}

/**
 * Whether an order's state in memory depends on more than its row. A trailing stop depends on later trades, and a due
 * stop has a place among the other due stops.
 */
function isVolatile({ stop }: SpotOrder): boolean {
  if (stop === undefined) return false;
  return stop.status === 'due' || (stop.status === 'waiting' && stop.trail !== undefined);
}

/** Whether a changed order has kept its place on the book, with an equal or smaller amount. */
function keepsPlace(order: SpotOrder, next: SpotOrder): boolean {
  if (isOffBook(order) || isOffBook(next)) return false;
  const { price } = order;
  return (
    order.rank === next.rank &&
    price !== undefined &&
    next.price?.equals(price) === true &&
    !remainingAmount(next).isMore(remainingAmount(order))
  );
}

/** Sums over the open orders of a pair in memory. */
class SumsInMemory {
  count = 0;
  ranks = 0n;
  atoms = 0n;
  /** The sum of the lots of all orders on the book. */
  lots = 0n;
  isStored = false;

  add(order: SpotOrder): void {
    this.count += 1;
    this.ranks += BigInt(order.rank);
    const { price, amount, filledAmount, filledTotal, fee, held } = order;
    this.atoms += (price?.atoms ?? 0n) + (amount?.atoms ?? 0n);
    this.atoms += filledAmount.atoms + filledTotal.atoms + fee.atoms + held.atoms;
    if (!isOffBook(order)) this.lots += lotsOf(order.pair, remainingAmount(order));
  }
}
