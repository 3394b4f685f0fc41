/**
 * Runs at most one piece of work at a time per key, e.g. per user. Later work with the same key waits in the order of
 * arrival.
 */
export class OnePerKey {
  private readonly last = new Map<string, Promise<unknown>>();

  /** Runs `work` as soon as all earlier work with the same key has ended. Resolves or rejects like `work`. */
  run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const result = (this.last.get(key) ?? Promise.resolve()).then(work);
    const ended = result
      .catch(() => undefined)
      .then(() => {
        if (this.last.get(key) === ended) this.last.delete(key);
      });
    this.last.set(key, ended);
    return result;
  }

  /** Number of keys with running or waiting work. */
  get size(): number {
    return this.last.size;
  }
}
