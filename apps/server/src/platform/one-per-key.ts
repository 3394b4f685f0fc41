/** Lets one piece of work run at a time per key, e.g. per user; the others of that key wait in the order they came. */
export class OnePerKey {
  private readonly last = new Map<string, Promise<unknown>>();

  /** Runs the work when all earlier work of its key has ended, and gives what it gives. */
  run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const mine = (this.last.get(key) ?? Promise.resolve()).then(work);
    const ended = mine
      .catch(() => undefined)
      .then(() => {
        if (this.last.get(key) === ended) this.last.delete(key);
      });
    this.last.set(key, ended);
    return mine;
  }

  /** Keys for which work is under way or waits. */
  get size(): number {
    return this.last.size;
  }
}
