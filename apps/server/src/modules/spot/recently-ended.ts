import type { OrderId, UserId } from '@exchange/core/ids.ts';

const GENERATION = 50_000;

/**
 * Whose the orders were that ended lately, so that a cancel that comes too late needs no query. Two
 * generations: when the younger one is full the older one is forgotten, so memory is bounded.
 */
export class RecentlyEnded {
  private young = new Map<OrderId, UserId>();
  private old = new Map<OrderId, UserId>();

  ownerOf(id: OrderId): UserId | undefined {
    return this.young.get(id) ?? this.old.get(id);
  }

  add(id: OrderId, owner: UserId): void {
    if (this.young.size >= GENERATION) {
      this.old = this.young;
      this.young = new Map();
    }
    this.young.set(id, owner);
  }

  /** An ending was undone. */
  remove(id: OrderId): void {
    this.young.delete(id);
    this.old.delete(id);
  }

  clear(): void {
    this.young = new Map();
    this.old = new Map();
  }
}
