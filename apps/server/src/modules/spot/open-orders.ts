import type { OrderId, UserId } from '@exchange/core/ids.ts';
import type { SpotOrder } from './order-domain.ts';

const SHARDS = 1_024;

/**
 * The open orders by id and by owner. Sharded, because one huge map stops everything for half a second
 * whenever it grows.
 */
export class OpenOrders {
  private readonly shards: Map<OrderId, SpotOrder>[] = Array.from({ length: SHARDS }, () => new Map());
  private readonly owners = new Map<UserId, Set<SpotOrder>>();

  get(id: OrderId): SpotOrder | undefined {
    return this.shardOf(id).get(id);
  }

  add(order: SpotOrder): void {
    this.shardOf(order.id).set(order.id, order);
    const owned = this.owners.get(order.owner);
    if (owned === undefined) this.owners.set(order.owner, new Set([order]));
    else owned.add(order);
  }

  remove(order: SpotOrder): void {
    this.shardOf(order.id).delete(order.id);
    const owned = this.owners.get(order.owner);
    owned?.delete(order);
    if (owned?.size === 0) this.owners.delete(order.owner);
  }

  ofOwner(owner: UserId): readonly SpotOrder[] {
    return [...(this.owners.get(owner) ?? [])];
  }

  countOf(owner: UserId, symbol: string): number {
    let count = 0;
    for (const order of this.owners.get(owner) ?? []) if (order.pair.symbol === symbol) count += 1;
    return count;
  }

  clear(): void {
    for (const shard of this.shards) shard.clear();
    this.owners.clear();
  }

  private shardOf(id: OrderId): Map<OrderId, SpotOrder> {
    return this.shards[Number.parseInt(id.slice(-3), 16) % SHARDS]!;
  }
}
