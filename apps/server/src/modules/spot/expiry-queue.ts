import type { Instant } from '@exchange/core/time.ts';
import type { SpotOrder } from './order-domain.ts';

interface Entry {
  readonly order: SpotOrder;
  readonly at: Instant;
  readonly rank: number;
  place: number;
}

/**
 * The orders of a pair that end by themselves, the first to end on top: a binary heap in which every entry
 * knows its place, so that an order that ends otherwise leaves at once and does not stay behind for weeks.
 */
export class ExpiryQueue {
  private readonly heap: Entry[] = [];
  private readonly entries = new Map<SpotOrder, Entry>();

  get size(): number {
    return this.heap.length;
  }

  /** When the first order ends; infinity when none does. */
  get nextAt(): number {
    return this.heap.length === 0 ? Infinity : this.heap[0]!.at;
  }

  get next(): SpotOrder | undefined {
    return this.heap[0]?.order;
  }

  add(order: SpotOrder): void {
    if (order.expireAt === undefined) return;
    const entry: Entry = { order, at: order.expireAt, rank: order.rank, place: this.heap.length };
    this.heap.push(entry);
    this.entries.set(order, entry);
    this.rise(entry);
  }

  remove(order: SpotOrder): void {
    const entry = this.entries.get(order);
    if (entry === undefined) return;
    this.entries.delete(order);
    const last = this.heap.pop()!;
    if (last === entry) return;
    this.put(last, entry.place);
    this.rise(last);
    this.sink(last);
  }

  clear(): void {
    this.heap.length = 0;
    this.entries.clear();
  }

  private rise(entry: Entry): void {
    while (entry.place > 0) {
      const above = this.heap[(entry.place - 1) >> 1]!;
      if (!isBefore(entry, above)) return;
      this.swap(entry, above);
    }
  }

  private sink(entry: Entry): void {
    for (;;) {
      const left = this.heap[2 * entry.place + 1];
      const right = this.heap[2 * entry.place + 2];
      const first = right !== undefined && left !== undefined && isBefore(right, left) ? right : left;
      if (first === undefined || !isBefore(first, entry)) return;
      this.swap(entry, first);
    }
  }

  private swap(one: Entry, other: Entry): void {
    const place = one.place;
    this.put(one, other.place);
    this.put(other, place);
  }

  private put(entry: Entry, place: number): void {
    entry.place = place;
    this.heap[place] = entry;
  }
}

function isBefore(one: Entry, other: Entry): boolean {
  return one.at < other.at || (one.at === other.at && one.rank < other.rank);
}
