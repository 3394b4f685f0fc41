import fc from 'fast-check';
import { DAY_MS } from '@exchange/core/time.ts';
import { expect, it } from 'vitest';
import { isLate, routeTimesOf, stepOf, timesOf, type Took } from './times-domain.ts';

const WEEK_MS = 7 * DAY_MS;

/** Rows as they are counted one by one. */
function counted(times: readonly number[], asset = 'USDT'): Took[] {
  return times.map((ms) => ({
    asset,
    network: 'TRC20',
    seconds: stepOf(ms),
    count: 1,
    late: isLate(ms) ? 1 : 0,
    slowestMs: ms,
  }));
}

it('WDR-011 half and nine of ten are never told as quicker than they were, and by no more than a step', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: WEEK_MS }), { minLength: 1, maxLength: 60 }), (times) => {
      const sorted = times.toSorted((one, other) => one - other);
      const at = (share: number) => sorted[Math.ceil(share * sorted.length) - 1]!;
      const told = timesOf(counted(times));
      const slowest = Math.ceil(sorted.at(-1)! / 1_000);
      expect(told.medianSeconds).toBe(Math.min(stepOf(at(0.5)), slowest));
      expect(told.p90Seconds).toBe(Math.min(stepOf(at(0.9)), slowest));
      expect(told.medianSeconds * 1_000).toBeGreaterThanOrEqual(at(0.5));
      expect(told.slowestSeconds).toBe(slowest);
      expect(told.late).toBe(times.filter((ms) => ms > DAY_MS).length);
    }),
  );
});

it('WDR-011 each coin and network has its own times, and nothing has none', () => {
  const rows = [...counted([61_000, 61_500]), ...counted([10_000], 'BTC')];
  expect(routeTimesOf(rows)).toEqual([
    {
      asset: 'USDT',
      network: 'TRC20',
      finished: 2,
      medianSeconds: 62,
      p90Seconds: 62,
      slowestSeconds: 62,
      late: 0,
    },
    {
      asset: 'BTC',
      network: 'TRC20',
      finished: 1,
      medianSeconds: 10,
      p90Seconds: 10,
      slowestSeconds: 10,
      late: 0,
    },
  ]);
  expect(timesOf([])).toEqual({ finished: 0, medianSeconds: 0, p90Seconds: 0, slowestSeconds: 0, late: 0 });
});
