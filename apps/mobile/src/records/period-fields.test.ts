import { exportPeriodProblem } from '@exchange/core/period.ts';
import { historyFilterOf, INITIAL_HISTORY } from '@exchange/web-kit/spot/history-form.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lastDays, periodOf, PERIODS } from './period-fields.tsx';

/** Random times from 2020 to 2040, in milliseconds UTC. */
const moments = fc.integer({ min: 1_577_836_800_000, max: 2_208_988_800_000 });

describe('the period of an export', () => {
  it('MOB-110 every offered period can be exported, includes the current time, and is recognised again', () => {
    fc.assert(
      fc.property(
        moments,
        fc.constantFrom(...(['last7', 'last30', 'last90', 'lastYear'] as const)),
        (now, period) => {
          const days = lastDays(PERIODS[period], now);
          const { startTime = 0, endTime = 0 } = historyFilterOf({ ...INITIAL_HISTORY, ...days });
          expect(exportPeriodProblem({ startTime, endTime })).toBeUndefined();
          expect(startTime <= now && now <= endTime).toBe(true);
          expect(periodOf(days, now)).toBe(period);
        },
      ),
    );
  });

  it('MOB-110 a week has seven days across the ends of months and years', () => {
    const noon = new Date(2027, 0, 3, 12).getTime();
    expect(lastDays(7, noon)).toEqual({ from: '2026-12-28', to: '2027-01-03' });
    expect(periodOf({ from: '2026-12-27', to: '2027-01-03' }, noon)).toBeUndefined();
  });
});
