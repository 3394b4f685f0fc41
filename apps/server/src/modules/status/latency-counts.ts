import { bucketOf, LATENCY_BUCKETS } from './domain.ts';

/** Counts acknowledged orders by latency in memory until the counts are stored. */
export class LatencyCounts {
  private counts = noCounts();

  /** Counts an order whose commit was `ms` milliseconds after its arrival. */
  add(ms: number): void {
    this.counts[bucketOf(ms)]! += 1;
  }

  /**
   * Calls `store` with the counts, if there are any, and resets them. If `store` fails, its error is thrown,
   * and the counts are added to those of the next call, because the published latencies would otherwise leave
   * orders out.
   */
  async storeBy(store: (counts: readonly number[]) => Promise<void>): Promise<void> {
    const { counts } = this;
    if (counts.every((count) => count === 0)) return;
    this.counts = noCounts();
    try {
      await store(counts);
    } catch (cause) {
      for (const [bucket, count] of counts.entries()) this.counts[bucket]! += count;
      throw cause;
    }
  }
}

function noCounts(): number[] {
  return Array.from({ length: LATENCY_BUCKETS }, () => 0);
}
