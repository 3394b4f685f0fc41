import { describe, expect, it } from 'vitest';
import {
  bucketOf,
  isWorking,
  LATENCY_BOUNDS_MS,
  LATENCY_BUCKETS,
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

describe('the summary of the status page', () => {
  const open = { state: 'open', pause: undefined } as const;
  const nothing = { incidents: [], haltedCoins: [], pausedCoins: [], pairs: [] };

  it('PAPI-084 says that all works only if no network is paused or delayed', () => {
    const network = { isDelayed: false, deposits: open, withdrawals: open };
    expect(isWorking([network], nothing)).toBe(true);
    expect(isWorking([network, { isDelayed: true, deposits: open, withdrawals: open }], nothing)).toBe(false);
    const pause = { note: { 'en-US': 'Upgrade' } as never, since: 1 as never, expectedAt: undefined };
    const paused = { state: 'paused', pause } as const;
    expect(isWorking([{ isDelayed: false, deposits: paused, withdrawals: open }], nothing)).toBe(false);
  });

  it('PAPI-084 says that all works only without halted or paused coins, restricted pairs and open incidents', () => {
    expect(isWorking([], { ...nothing, haltedCoins: ['LTC'] })).toBe(false);
    expect(isWorking([], { ...nothing, pausedCoins: ['LTC'] })).toBe(false);
    expect(isWorking([], { ...nothing, pairs: ['ltc_usdt'] })).toBe(false);
    expect(isWorking([], { ...nothing, incidents: [{ endedAt: undefined }] })).toBe(false);
    expect(isWorking([], { ...nothing, incidents: [{ endedAt: 5 as never }] })).toBe(true);
  });
});
