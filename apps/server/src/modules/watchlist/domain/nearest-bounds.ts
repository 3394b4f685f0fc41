interface Bound {
  readonly atoms: bigint;
  readonly id: string;
}

/**
 * Bounds of alerts on one side of a value, which is a price or a move of a price in per cent. The nearest bound is
 * available in constant time: checking a value costs one comparison, regardless of the number of bounds. Implemented as
 * a binary heap with an index by id. Values are in units of 10^-18.
 */
export class NearestBounds {
  /** Binary heap: each bound is at least as near as its two children, at 2n + 1 and 2n + 2. */
  private readonly heap: Bound[] = [];
  private readonly indexById = new Map<string, number>();
  private readonly side: 'up' | 'down';

  constructor(side: 'up' | 'down') {
    this.side = side;
  }

  get size(): number {
    return this.heap.length;
  }

  isReached(priceAtoms: bigint): boolean {
    const nearest = this.heap[0];
    if (nearest === undefined) return false;
    return this.side === 'up' ? priceAtoms >= nearest.atoms : priceAtoms <= nearest.atoms;
  }

  /** Adds the bound of an alert; the alert must not have a bound in this heap yet. */
  add(atoms: bigint, id: string): void {
    this.rise(this.heap.length, { atoms, id });
  }

  /** Removes the bound of an alert; does nothing if the alert has no bound in this heap. */
  remove(id: string): void {
    const index = this.indexById.get(id);
    if (index === undefined) return;
    this.indexById.delete(id);
    const last = this.heap.pop()!;
    if (index === this.heap.length) return;
    const parent = this.heap[(index - 1) >>> 1];
    if (index > 0 && this.isNearer(last, parent!)) this.rise(index, last);
    else this.sink(index, last);
  }

  /**
   * Removes the bounds that a value has reached (equal values included), and returns the ids of their alerts, nearest
   * bound first.
   */
  removeReached(priceAtoms: bigint): string[] {
    const ids: string[] = [];
    while (this.isReached(priceAtoms)) {
      const { id } = this.heap[0]!;
      this.remove(id);
      ids.push(id);
    }
    return ids;
  }

  /** Inserts a bound at the free index `from` or at one of its ancestors. */
  private rise(from: number, bound: Bound): void {
    let index = from;
    while (index > 0) {
      const parentIndex = (index - 1) >>> 1;
      const parent = this.heap[parentIndex]!;
      if (!this.isNearer(bound, parent)) break;
      this.put(index, parent);
      index = parentIndex;
    }
    this.put(index, bound);
  }

  /** Inserts a bound at the free index `from` or at one of its descendants. */
  private sink(from: number, bound: Bound): void {
    let index = from;
    for (;;) {
      let childIndex = 2 * index + 1;
      const [left, right] = [this.heap[childIndex], this.heap[childIndex + 1]];
      if (left === undefined) break;
      if (right !== undefined && this.isNearer(right, left)) childIndex += 1;
      const child = this.heap[childIndex]!;
      if (!this.isNearer(child, bound)) break;
      this.put(index, child);
      index = childIndex;
    }
    this.put(index, bound);
  }

  private put(index: number, bound: Bound): void {
    this.heap[index] = bound;
    this.indexById.set(bound.id, index);
  }

  private isNearer(a: Bound, b: Bound): boolean {
    return this.side === 'up' ? a.atoms < b.atoms : a.atoms > b.atoms;
  }
}
