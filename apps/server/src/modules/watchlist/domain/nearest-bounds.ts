interface Bound {
  readonly atoms: bigint;
  readonly id: string;
}

/**
 * Prices that wait to be reached from one side, the nearest at hand: asking whether a price reaches any
 * costs one comparison, however many wait. A binary heap that knows where each id lies. Prices are counts
 * of 10^-18.
 */
export class NearestBounds {
  /** Each at least as near as its two children, at 2n + 1 and 2n + 2. */
  private readonly heap: Bound[] = [];
  private readonly places = new Map<string, number>();
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

  /** Adds the bound of an id that has none here yet. */
  add(atoms: bigint, id: string): void {
    this.rise(this.heap.length, { atoms, id });
  }

  /** Takes an id's bound out; one that is not there is no error. */
  remove(id: string): void {
    const place = this.places.get(id);
    if (place === undefined) return;
    this.places.delete(id);
    const last = this.heap.pop()!;
    if (place === this.heap.length) return;
    const parent = this.heap[(place - 1) >>> 1];
    if (place > 0 && this.isNearer(last, parent!)) this.rise(place, last);
    else this.sink(place, last);
  }

  /** Takes out all that a price reaches, the nearest first. */
  takeReached(priceAtoms: bigint): string[] {
    const ids: string[] = [];
    while (this.isReached(priceAtoms)) {
      const { id } = this.heap[0]!;
      this.remove(id);
      ids.push(id);
    }
    return ids;
  }

  /** Puts a bound where `from` is free, or above it. */
  private rise(from: number, bound: Bound): void {
    let place = from;
    while (place > 0) {
      const above = (place - 1) >>> 1;
      const parent = this.heap[above]!;
      if (!this.isNearer(bound, parent)) break;
      this.put(place, parent);
      place = above;
    }
    this.put(place, bound);
  }

  /** Puts a bound where `from` is free, or below it. */
  private sink(from: number, bound: Bound): void {
    let place = from;
    for (;;) {
      let below = 2 * place + 1;
      const [left, right] = [this.heap[below], this.heap[below + 1]];
      if (left === undefined) break;
      if (right !== undefined && this.isNearer(right, left)) below += 1;
      const child = this.heap[below]!;
      if (!this.isNearer(child, bound)) break;
      this.put(place, child);
      place = below;
    }
    this.put(place, bound);
  }

  private put(place: number, bound: Bound): void {
    this.heap[place] = bound;
    this.places.set(bound.id, place);
  }

  private isNearer(one: Bound, other: Bound): boolean {
    return this.side === 'up' ? one.atoms < other.atoms : one.atoms > other.atoms;
  }
}
