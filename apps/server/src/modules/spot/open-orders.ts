import type { OrderId, UserId } from '@exchange/core/ids.ts';
import { isOffBook, type SpotOrder } from './order-domain.ts';

const SHARDS = 1_024;

/** How many orders somebody has on one pair: asked before every placement. */
interface Counts {
  resting: number;
  waiting: number;
}

interface Owned {
  readonly orders: Set<SpotOrder>;
  readonly counts: Map<string, Counts>;
}

const NONE: Readonly<Counts> = { resting: 0, waiting: 0 };

/**
 * The open orders by id and by owner. Sharded, because one huge map stops everything for half a second
 * whenever it grows. Whether an order waits off the book must not change while it is in here.
 */
export class OpenOrders {
  private readonly shards: Map<OrderId, SpotOrder>[] = Array.from({ length: SHARDS }, () => new Map());
  private readonly owners = new Map<UserId, Owned>();

  get(id: OrderId): SpotOrder | undefined {
    return this.shardOf(id).get(id);
  }

  add(order: SpotOrder): void {
    this.shardOf(order.id).set(order.id, order);
    let owned = this.owners.get(order.owner);
    if (owned === undefined) this.owners.set(order.owner, (owned = { orders: new Set(), counts: new Map() }));
    owned.orders.add(order);
    let counts = owned.counts.get(order.pair.symbol);
    if (counts === undefined) owned.counts.set(order.pair.symbol, (counts = { ...NONE }));
    if (isOffBook(order)) counts.waiting += 1;
    else counts.resting += 1;
  }

  remove(order: SpotOrder): void {
    this.shardOf(order.id).delete(order.id);
    const owned = this.owners.get(order.owner);
    if (owned?.orders.delete(order) !== true) return;
    const counts = owned.counts.get(order.pair.symbol)!;
    if (isOffBook(order)) counts.waiting -= 1;
    else counts.resting -= 1;
    if (owned.orders.size === 0) this.owners.delete(order.owner);
  }

  ofOwner(owner: UserId): readonly SpotOrder[] {
    return [...(this.owners.get(owner)?.orders ?? [])];
  }

  /** How many of an owner's orders rest on a pair's book, and how many wait for a price. */
  countsOf(owner: UserId, symbol: string): Readonly<Counts> {
    return this.owners.get(owner)?.counts.get(symbol) ?? NONE;
  }

  *[Symbol.iterator](): IterableIterator<SpotOrder> {
    for (const shard of this.shards) yield* shard.values();
  }

  clear(): void {
    for (const shard of this.shards) shard.clear();
    this.owners.clear();
  }

  private shardOf(id: OrderId): Map<OrderId, SpotOrder> {
    return this.shards[Number.parseInt(id.slice(-3), 16) % SHARDS]!;
  }
}
