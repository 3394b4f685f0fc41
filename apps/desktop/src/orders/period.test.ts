import { INITIAL_HISTORY } from '@exchange/web-kit/spot/history-form.ts';
import { describe, expect, it } from 'vitest';
import { exportFormOf, withPeriod } from './period.ts';

const NOON = new Date(2026, 2, 1, 12).getTime();

describe('periods of records', () => {
  it('DESK-124 end today and count days including today', () => {
    expect(withPeriod(INITIAL_HISTORY, 'today', NOON)).toMatchObject({
      from: '2026-03-01',
      to: '2026-03-01',
    });
    expect(withPeriod(INITIAL_HISTORY, 'week', NOON)).toMatchObject({ from: '2026-02-23', to: '2026-03-01' });
    expect(withPeriod(INITIAL_HISTORY, 'month', NOON)).toMatchObject({ from: '2026-01-31' });
  });

  it('DESK-124 custom dates stay unchanged, and the complete period has none', () => {
    const customDays = { ...INITIAL_HISTORY, from: '2026-01-05', to: '2026-01-06' };
    expect(withPeriod(customDays, 'own', NOON)).toBe(customDays);
    expect(withPeriod(customDays, 'all', NOON)).toEqual(INITIAL_HISTORY);
  });
});

const NOVEMBER_NOON = new Date(2026, 10, 21, 12).getTime();

describe('the export', () => {
  it('DESK-125 starts with the chosen dates or the last thirty days', () => {
    const chosenDays = { ...INITIAL_HISTORY, from: '2026-11-01', to: '2026-11-05' };
    expect(exportFormOf(chosenDays, NOVEMBER_NOON)).toBe(chosenDays);
    const half = { ...INITIAL_HISTORY, from: '2026-11-01' };
    expect(exportFormOf(half, NOVEMBER_NOON)).toMatchObject({ from: '2026-10-23', to: '2026-11-21' });
  });
});
