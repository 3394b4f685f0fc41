import { describe, expect, it } from 'vitest';
import { exportFiltersOf, isNarrowed } from './export-filters.ts';
import { INITIAL_HISTORY } from './history-form.ts';

const FORM = {
  pair: 'BTC/USDT',
  side: '1',
  type: '',
  ended: 'cancelled',
  from: '2026-11-01',
  to: '2026-11-01',
} as const;

describe('the filters of an export', () => {
  it('DESK-125 WEB-1101 are those of the records that apply to its kind, and require both ends of the period', () => {
    const filters = exportFiltersOf({ kind: 'orders', form: FORM });
    expect(filters).toMatchObject({ baseCoin: 'BTC', quoteCoin: 'USDT', tradeType: '1', entryStatus: '2' });
    expect(new Date(filters?.startTime ?? 0)).toEqual(new Date(2026, 10, 1));
    expect((filters?.endTime ?? 0) + 1).toBe(new Date(2026, 10, 2).getTime());
    expect(exportFiltersOf({ kind: 'fills', form: FORM })).toMatchObject({
      tradeType: '1',
      entryStatus: null,
    });
    const { startTime = 0, endTime = 0 } = filters ?? {};
    expect(exportFiltersOf({ kind: 'movements', form: FORM, coin: 'BTC' })).toEqual({
      startTime,
      endTime,
      currency: 'BTC',
    });
    expect(exportFiltersOf({ kind: 'orders', form: { ...FORM, to: '' } })).toBeUndefined();
  });

  it('WEB-1101 an outcome narrows orders, and neither fills nor the account history', () => {
    const form = { ...INITIAL_HISTORY, ended: 'finished' } as const;
    const narrowed = (['orders', 'fills', 'events', 'movements'] as const).filter((kind) =>
      isNarrowed({ kind, form }),
    );
    expect(narrowed).toEqual(['orders']);
  });
});
