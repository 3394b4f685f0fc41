import type { OrderId } from '@exchange/core/ids.ts';
import type { SpotOrder } from './order.ts';

interface Entry {
  readonly order: SpotOrder;
  readonly turn: number;
}

/**
 * Orders that wait to be executed one after another, each with a turn that no other has. They are stored by pair, so
 * that a pair of which nothing may move is passed over at once. Adding the last and removing the first take constant
 * time; everything else takes a binary search.
 */
export class TurnQueue {
  private readonly entries = new Map<OrderId, Entry>();
  private readonly pairs = new Map<string, PairTurns>();

  get size(): number {
    return this.entries.size;
  }

  /** The ids of all orders, the first to be executed first. */
  get ids(): OrderId[] {
    return Array.from(this.inTurn(), ({ id }) => id);
  }

  get(id: OrderId): SpotOrder | undefined {
    return this.entries.get(id)?.order;
  }

  has(id: OrderId): boolean {
    return this.entries.has(id);
  }

  /** The turn of an order; undefined when it is not queued. */
  turnOf(id: OrderId): number | undefined {
    return this.entries.get(id)?.turn;
  }

  add(order: SpotOrder, turn: number): void {
    const entry: Entry = { order, turn };
    const { symbol } = order.pair;
    let turns = this.pairs.get(symbol);
    if (turns === undefined) this.pairs.set(symbol, (turns = new PairTurns()));
    this.entries.set(order.id, entry);
    turns.add(entry);
  }

  /** Returns the removed order; undefined when it was not queued. */
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
   * The orders in their turn, without those of the pairs that `isPassedOver` names. The queue must not change while
   * the result is read. A step of the reading takes as long as there are pairs.
   */
  *inTurn(isPassedOver: (order: SpotOrder) => boolean = () => false): IterableIterator<SpotOrder> {
    const readers: Iterator<Entry>[] = [];
    const heads: (Entry | undefined)[] = [];
    for (const turns of this.pairs.values()) {
      const reader = turns.read();
      const head = reader.next().value;
      if (head === undefined || isPassedOver(head.order)) continue;
      readers.push(reader);
      heads.push(head);
    }
    for (;;) {
      const at = indexOfFirst(heads);
      if (at === undefined) return;
      yield heads[at]!.order;
      heads[at] = readers[at]!.next().value;
    }
  }
}

function indexOfFirst(heads: readonly (Entry | undefined)[]): number | undefined {
  let first: number | undefined;
  for (const [at, head] of heads.entries()) {
    if (head !== undefined && (first === undefined || head.turn < heads[first]!.turn)) first = at;
  }
  return first;
}

/** So many removed entries at the front are worth moving the rest. */
const REMOVED_MIN = 1_024;

/** The entries of one pair, sorted by turn. */
class PairTurns {
  private sorted: Entry[] = [];
  /** The entries before this index are removed. */
  private head = 0;

  *read(): IterableIterator<Entry, undefined> {
    for (let at = this.head; at < this.sorted.length; at += 1) yield this.sorted[at]!;
    return undefined;
  }

  add(entry: Entry): void {
    const last = this.sorted.at(-1);
    if (last === undefined || last.turn < entry.turn || this.head === this.sorted.length)
      this.sorted.push(entry);
    else this.sorted.splice(this.indexOf(entry.turn), 0, entry);
  }

  remove(entry: Entry): void {
    if (this.sorted[this.head] !== entry) {
      this.sorted.splice(this.indexOf(entry.turn), 1);
      return;
    }
    this.head += 1;
    if (this.head < REMOVED_MIN || this.head * 2 < this.sorted.length) return;
    this.sorted = this.sorted.slice(this.head);
    this.head = 0;
  }

  /** Where an entry of this turn is, or belongs. */
  private indexOf(turn: number): number {
    let low = this.head;
    let high = this.sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.sorted[middle]!.turn < turn) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
