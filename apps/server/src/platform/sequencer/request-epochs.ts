/** Returned when a new epoch of requests starts: its number, and the oldest epoch with running requests. */
export interface EpochBounds {
  /** Number of the epoch of requests that has just started. */
  readonly current: number;
  /** The epoch in which the oldest running request started; equal to `current` if no request is running. */
  readonly oldest: number;
}

/**
 * Epoch-based reclamation for caches that steps read. A request belongs to the epoch in which it started, from before
 * its `prepare` until its answer. A cache records the epoch of each item's last use. If this epoch precedes the oldest
 * epoch with running requests, no queued, running or uncommitted step needs the item.
 */
export class RequestEpochs {
  private current = 0;
  /** Number of running requests per epoch, oldest epoch first. */
  private readonly active = new Map<number, number>();

  /** Counts a request as running. Returns its epoch, which must be passed to `leave`. */
  enter(): number {
    const epoch = this.current;
    this.active.set(epoch, (this.active.get(epoch) ?? 0) + 1);
    return epoch;
  }

  /** Counts a running request of this epoch as answered. Throws if no request of this epoch is running. */
  leave(epoch: number): void {
    const count = this.active.get(epoch) ?? 0;
    if (count === 0) throw new RangeError(`no request of epoch ${epoch} is under way`);
    if (count === 1) this.active.delete(epoch);
    else this.active.set(epoch, count - 1);
  }

  /** Starts the next epoch of requests, and returns its number and the oldest epoch with running requests. */
  advance(): EpochBounds {
    this.current += 1;
    const [oldest = this.current] = this.active.keys();
    return { current: this.current, oldest };
  }
}
