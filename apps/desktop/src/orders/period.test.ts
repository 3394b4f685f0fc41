import { INITIAL_HISTORY } from '@exchange/web-kit/spot/history-form.ts';
import { describe, expect, it } from 'vitest';
import { withPeriod } from './period.ts';

const NOON = new Date(2026, 2, 1, 12).getTime();

describe('periods of records', () => {
  it('DESK-124 end today and count days, today included', () => {
    expect(withPeriod(INITIAL_HISTORY, 'today', NOON)).toMatchObject({
      from: '2026-03-01',
      to: '2026-03-01',
    });
    expect(withPeriod(INITIAL_HISTORY, 'week', NOON)).toMatchObject({ from: '2026-02-23', to: '2026-03-01' });
    expect(withPeriod(INITIAL_HISTORY, 'month', NOON)).toMatchObject({ from: '2026-01-31' });
  });

  it('DESK-124 own dates stay as they were chosen, and all time has none', () => {
    const own = { ...INITIAL_HISTORY, from: '2026-01-05', to: '2026-01-06' };
    expect(withPeriod(own, 'own', NOON)).toBe(own);
    expect(withPeriod(own, 'all', NOON)).toEqual(INITIAL_HISTORY);
  });
});
