import type { OrderId, UserId } from '@exchange/core/ids.ts';
import type { SpotOrder } from './order-domain.ts';

const SHARDS = 1_024;

interface Owned {
  readonly orders: Set<SpotOrder>;
  /** How many of them by symbol: asked before every placement. */
  readonly counts: Map<string, number>;
}

/**
 * The open orders by id and by owner. Sharded, because one huge map stops everything for half a second
 * whenever it grows.
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
    const { symbol } = order.pair;
    owned.counts.set(symbol, (owned.counts.get(symbol) ?? 0) + 1);
  }

  remove(order: SpotOrder): void {
    this.shardOf(order.id).delete(order.id);
    const owned = this.owners.get(order.owner);
    if (owned?.orders.delete(order) !== true) return;
    const { symbol } = order.pair;
    owned.counts.set(symbol, (owned.counts.get(symbol) ?? 0) - 1);
    if (owned.orders.size === 0) this.owners.delete(order.owner);
  }

  ofOwner(owner: UserId): readonly SpotOrder[] {
    return [...(this.owners.get(owner)?.orders ?? [])];
  }

  countOf(owner: UserId, symbol: string): number {
    return this.owners.get(owner)?.counts.get(symbol) ?? 0;
  }

  clear(): void {
    for (const shard of this.shards) shard.clear();
    this.owners.clear();
  }

  private shardOf(id: OrderId): Map<OrderId, SpotOrder> {
    return this.shards[Number.parseInt(id.slice(-3), 16) % SHARDS]!;
  }
}
