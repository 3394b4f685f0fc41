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
 * Number of changed orders up to which an update is always quicker than loading all orders. More are found after a standby was
 * stopped for a while.
 */
const CHANGED_MIN = 10_000;

interface Parts {
  readonly exchange: SpotExchange;
  readonly database: Database;
  readonly ledger: Ledger;
}

/**
 * Keeps the open orders of a standby current. An update compares the versions of all stored open orders with those in memory,
 * so it is right however the rows came about: steps that were rolled back or are stored late, another code version of the
 * writer, or changes by hand. Only changed orders are read.
 */
export class FollowedExchange implements FollowedState {
  private readonly parts: Parts;
  /** The versions of the stored rows that the orders in memory were made from, or of earlier ones. */
  private versions = new OrderVersions();

  constructor(parts: Parts) {
    this.parts = parts;
  }

  async load({ copy, signal }: Snapshot): Promise<void> {
    const { exchange, database, ledger } = this.parts;
    // Versions first: an order that changes before its row is read has an older version here, and the next update reads it
    // again.
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
    // Orders are only added to memory, and removed from it, by a comparison with the stored ones. So memory is the same if
    // these are, and if no order was loaded that was open only between the reads of `load`.
    const isSame = ids.length === 0 && versions.size === this.versions.size;
    this.versions.apply(versions);
    if (!isSame || exchange.orders.size !== versions.size) {
      this.replace(orders, placeComparator(surroundings.icebergs));
      linkOrders(exchange);
    }
    setDueWork(exchange, surroundings);
  }

  /** Compares sums over all open orders, and the books with the orders on them. */
  async confirm({ copy }: Snapshot): Promise<void> {
    const { exchange } = this.parts;
    // The database computes its sums at the same time.
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

  /** Releases the memory that only following needs. */
  end(): void {
    this.versions = new OrderVersions();
  }

  /** The stored open orders that must be read again. */
  private changedIds({ ids }: ChangedVersions): OrderId[] {
    const changed = new Set(ids);
    for (const order of this.parts.exchange.orders) if (isVolatile(order)) changed.add(order.id);
    return [...changed];
  }

  /** Replaces the changed orders, and removes the orders that are no longer open. */
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
    // Removals and fills first, so that the books cross at no time.
    for (const order of discarded) {
      exchange.discard(order);
      owners.add(order.owner);
    }
    for (const [order, next] of updated) {
      this.updateInPlace(order, next);
      changed.delete(order.id);
    }
    for (const order of [...changed.values()].sort(byPlace)) {
      // An order enters its level at the end, as its rank is the number of the step that placed it there.
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
 * Whether the state of an order in memory depends on more than its row: trailing stops follow the trades since, and due stops
 * have an order among themselves.
 */
function isVolatile({ stop }: SpotOrder): boolean {
  if (stop === undefined) return false;
  return stop.status === 'due' || (stop.status === 'waiting' && stop.trail !== undefined);
}

/** Whether an order on the book is still there in the same place, with the same or a smaller amount. */
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
  /** The lots of the orders on the book. */
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
