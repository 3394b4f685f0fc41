import { INITIAL_HISTORY } from '@exchange/web-kit/spot/history-form.ts';
import { describe, expect, it } from 'vitest';
import { exportFiltersOf, exportFormOf } from './export-period.ts';

const NOON = new Date(2026, 10, 21, 12).getTime();

describe('the export', () => {
  it('DESK-125 begins with the chosen days, or with the last thirty', () => {
    const chosen = { ...INITIAL_HISTORY, from: '2026-11-01', to: '2026-11-05' };
    expect(exportFormOf(chosen, NOON)).toBe(chosen);
    const half = { ...INITIAL_HISTORY, from: '2026-11-01' };
    expect(exportFormOf(half, NOON)).toMatchObject({ from: '2026-10-23', to: '2026-11-21' });
  });

  it('DESK-125 is narrowed like the records, and needs both ends of its period', () => {
    const form = {
      ...INITIAL_HISTORY,
      pair: 'BTC/USDT',
      side: '1',
      ended: 'cancelled',
      from: '2026-11-01',
      to: '2026-11-01',
    } as const;
    const filters = exportFiltersOf(form);
    expect(filters).toMatchObject({ baseCoin: 'BTC', quoteCoin: 'USDT', tradeType: '1', entryStatus: '2' });
    expect(exportFiltersOf({ ...form, ended: 'all' })).not.toHaveProperty('entryStatus');
    expect(new Date(filters?.startTime ?? 0)).toEqual(new Date(2026, 10, 1));
    expect((filters?.endTime ?? 0) + 1).toBe(new Date(2026, 10, 2).getTime());
    expect(exportFiltersOf({ ...form, to: '' })).toBeUndefined();
  });
});
