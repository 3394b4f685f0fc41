import { describe, expect, it } from 'vitest';
import { LatencyCounts } from './latency-counts.ts';

describe('the counts of acknowledged orders', () => {
  it('PAPI-084 are stored once, and with the next ones when the database fails', async () => {
    const counts = new LatencyCounts();
    const stored: (readonly number[])[] = [];
    const store = (values: readonly number[]) => Promise.resolve(void stored.push(values));
    counts.add(1);
    await expect(counts.storeBy(() => Promise.reject(new Error('no database')))).rejects.toThrow(
      'no database',
    );
    counts.add(1);
    counts.add(6_000);
    await counts.storeBy(store);
    await counts.storeBy(store);
    expect(stored.map((values) => [values[0], values.at(-1)])).toEqual([[2, 1]]);
  });
});
