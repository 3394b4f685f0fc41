import type { OrderId } from '@exchange/core/ids.ts';
import type { SpotOrder } from './order.ts';

interface Entry {
  readonly order: SpotOrder;
  readonly position: number;
}

/**
 * Orders waiting to be executed one after another, each at a unique position. They are grouped by pair, so that
 * all orders of a halted pair are skipped together. Adding the last order of a pair and removing its first take
 * constant time on average; other changes take a binary search and a move of the entries behind.
 */
export class ExecutionQueue {
  private readonly entries = new Map<OrderId, Entry>();
  private readonly pairs = new Map<string, PairQueue>();

  get size(): number {
    return this.entries.size;
  }

  /** The ids of all queued orders, in execution order. */
  get ids(): OrderId[] {
    return Array.from(this.inOrder(), ({ id }) => id);
  }

  get(id: OrderId): SpotOrder | undefined {
    return this.entries.get(id)?.order;
  }

  has(id: OrderId): boolean {
    return this.entries.has(id);
  }

  /** The position of an order; undefined when it is not queued. */
  positionOf(id: OrderId): number | undefined {
    return this.entries.get(id)?.position;
  }

  add(order: SpotOrder, position: number): void {
    const entry: Entry = { order, position };
    const { symbol } = order.pair;
    let queue = this.pairs.get(symbol);
    if (queue === undefined) this.pairs.set(symbol, (queue = new PairQueue()));
    this.entries.set(order.id, entry);
    queue.add(entry);
  }

  /** Removes an order and returns it; undefined if it was not queued. */
  remove(id: OrderId): SpotOrder | undefined {
    const entry = this.entries.get(id);
    if (entry === undefined) return undefined;
    this.entries.delete(id);
    this.pairs.get(entry.order.pair.symbol)!.remove(entry);
    return entry.order;
  }

  clear(): void {
    this.entries.clear();
    this.pairs.clear();
  }

  /**
   * Yields the orders in execution order, without those of the pairs for which `isPassedOver` returns true. The queue
   * must not change during the iteration. Yielding one order takes time linear in the number of pairs.
   */
  *inOrder(isPassedOver: (order: SpotOrder) => boolean = () => false): IterableIterator<SpotOrder> {
    const readers: Iterator<Entry>[] = [];
    const heads: (Entry | undefined)[] = [];
    for (const queue of this.pairs.values()) {
      const reader = queue.read();
      const head = reader.next().value;
      if (head === undefined || isPassedOver(head.order)) continue;
      readers.push(reader);
      heads.push(head);
    }
    for (;;) {
      const index = indexOfFirst(heads);
      if (index === undefined) return;
      yield heads[index]!.order;
      heads[index] = readers[index]!.next().value;
    }
  }
}

function indexOfFirst(heads: readonly (Entry | undefined)[]): number | undefined {
  let first: number | undefined;
  for (const [index, head] of heads.entries()) {
    if (head !== undefined && (first === undefined || head.position < heads[first]!.position)) first = index;
  }
  return first;
}

/**
 * The array is compacted when at least this number of entries at its front are removed, and these are at least half of
 * the array.
 */
const REMOVED_MIN = 1_024;

/** The queued orders of one pair, sorted by position. */
class PairQueue {
  private sorted: Entry[] = [];
  /** The index of the first queued order that is not removed. */
  private head = 0;

  *read(): IterableIterator<Entry, undefined> {
    for (let index = this.head; index < this.sorted.length; index += 1) yield this.sorted[index]!;
    return undefined;
  }

  add(entry: Entry): void {
    const last = this.sorted.at(-1);
    if (last === undefined || last.position < entry.position || this.head === this.sorted.length)
      this.sorted.push(entry);
    else this.sorted.splice(this.indexOf(entry.position), 0, entry);
  }

  remove(entry: Entry): void {
    if (this.sorted[this.head] !== entry) {
      this.sorted.splice(this.indexOf(entry.position), 1);
      return;
    }
    this.head += 1;
    if (this.head < REMOVED_MIN || this.head * 2 < this.sorted.length) return;
    this.sorted = this.sorted.slice(this.head);
    this.head = 0;
  }

  /** The index of the queued order at this position, or where it would be inserted. */
  private indexOf(position: number): number {
    let low = this.head;
    let high = this.sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.sorted[middle]!.position < position) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
