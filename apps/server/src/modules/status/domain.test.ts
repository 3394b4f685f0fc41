import { describe, expect, it } from 'vitest';
import {
  bucketOf,
  LATENCY_BOUNDS_MS,
  LATENCY_BUCKETS,
  LatencyCounts,
  latencyWithin,
  uptimeOf,
} from './domain.ts';

describe('the histogram of acknowledged orders', () => {
  it('PAPI-084 counts a duration up to its bound, and longer ones than the last in a bucket of their own', () => {
    expect([0, 1, 1.01, 5_000, 5_001].map(bucketOf)).toEqual([0, 0, 1, 11, 12]);
    expect(LATENCY_BUCKETS).toBe(LATENCY_BOUNDS_MS.length + 1);
  });

  it('PAPI-084 shares are upper bounds; none beyond the last bound or without orders', () => {
    const counts = Array.from({ length: LATENCY_BUCKETS }, () => 0);
    expect(latencyWithin(counts, 0.5)).toBeUndefined();
    counts[0] = 50;
    counts[3] = 45;
    counts[12] = 5;
    expect([0.5, 0.51, 0.95, 0.99].map((share) => latencyWithin(counts, share))).toEqual([
      1,
      10,
      10,
      undefined,
    ]);
  });
});

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

describe('the uptime of a day', () => {
  const DAY = 20_000;
  const START = DAY * 1_440;

  it.each<[string, number | undefined, Parameters<typeof uptimeOf>]>([
    [
      'every minute so far',
      1,
      [DAY, { day: DAY, minutes: 60, firstMinute: START }, { firstDay: 0, nowMinute: START + 59 }],
    ],
    [
      'half of the day',
      0.5,
      [DAY, { day: DAY, minutes: 720, firstMinute: START }, { firstDay: 0, nowMinute: START + 5_000 }],
    ],
    [
      'the first day, from its first minute',
      1,
      [
        DAY,
        { day: DAY, minutes: 40, firstMinute: START + 1_400 },
        { firstDay: DAY, nowMinute: START + 9_000 },
      ],
    ],
    ['a day without any minute', 0, [DAY, undefined, { firstDay: DAY - 3, nowMinute: START + 5_000 }]],
    ['a day before the first', undefined, [DAY, undefined, { firstDay: DAY + 1, nowMinute: START + 5_000 }]],
  ])('PAPI-085 %s', (_, expected, parameters) => {
    expect(uptimeOf(...parameters)).toBe(expected);
  });
});
