/** Two instants of the request epochs, as they are when an epoch begins. */
export interface EpochBounds {
  /** The epoch that has just begun. */
  readonly current: number;
  /** The epoch in which the oldest request that is still under way began; `current` when none is under way. */
  readonly oldest: number;
}

/**
 * Epoch-based reclamation for caches that steps read. A request belongs to the epoch in which it began, from before its
 * `prepare` until its answer. A cache remembers the epoch in which each item was last used: an item that was last used
 * before the oldest epoch with a request under way is needed by no queued, running or uncommitted step.
 */
export class RequestEpochs {
  private current = 0;
  /** How many requests of each epoch are under way, the oldest epoch first. */
  private readonly active = new Map<number, number>();

  /** Counts a request as under way and returns its epoch, which `leave` expects. */
  enter(): number {
    const epoch = this.current;
    this.active.set(epoch, (this.active.get(epoch) ?? 0) + 1);
    return epoch;
  }

  /** The request of this epoch is answered. */
  leave(epoch: number): void {
    const count = this.active.get(epoch) ?? 0;
    if (count === 0) throw new RangeError(`no request of epoch ${epoch} is under way`);
    if (count === 1) this.active.delete(epoch);
    else this.active.set(epoch, count - 1);
  }

  /** Begins the next epoch. */
  advance(): EpochBounds {
    this.current += 1;
    const [oldest = this.current] = this.active.keys();
    return { current: this.current, oldest };
  }
}
