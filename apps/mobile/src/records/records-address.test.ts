import { daysProblem, INITIAL_HISTORY, type HistoryForm } from '@exchange/web-kit/spot/history-form.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RECORDS_TABS } from '../paths.ts';
import { activeFilterCount, ORDER_TYPES, queryOf, viewOf } from './records-query.ts';

const day = fc
  .date({ min: new Date('2020-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const anyForm: fc.Arbitrary<HistoryForm> = fc.record({
  pair: fc.constantFrom('', 'BTC/USDT', 'SHIB/USDT', 'ETH/BTC'),
  side: fc.constantFrom('', '1', '2'),
  type: fc.constantFrom('' as const, ...ORDER_TYPES),
  ended: fc.constantFrom('all', 'finished', 'cancelled'),
  from: fc.oneof(fc.constant(''), day),
  to: fc.oneof(fc.constant(''), day),
});
const form = anyForm.filter((filters) => daysProblem(filters) === undefined);

describe('the filters of the orders', () => {
  it('MOB-109 are written to the URL and parsed unchanged', () => {
    fc.assert(
      fc.property(fc.constantFrom(...RECORDS_TABS), form, (tab, filters) => {
        expect(viewOf(queryOf({ tab, form: filters }))).toEqual({ tab, form: filters });
      }),
    );
  });

  it('MOB-109 invalid parameters filter nothing', () => {
    const query = new URLSearchParams('tab=x&pair=%3Cb%3E&side=3&kind=oco&ended=all&from=today&to=2026-1-1');
    expect(viewOf(query)).toEqual({ tab: 'history', form: INITIAL_HISTORY });
    expect(queryOf({ tab: 'history', form: INITIAL_HISTORY }).toString()).toBe('tab=history');
    const backwards = new URLSearchParams('tab=fills&from=2026-11-21&to=2026-11-20');
    expect(viewOf(backwards)).toEqual({ tab: 'fills', form: INITIAL_HISTORY });
  });

  it('MOB-109 counts the period once and the outcome only for closed orders', () => {
    const filters = {
      ...INITIAL_HISTORY,
      side: '1',
      ended: 'finished',
      from: '2026-11-01',
      to: '2026-11-21',
    } as const;
    expect(activeFilterCount(filters, 'history')).toBe(3);
    expect(activeFilterCount(filters, 'fills')).toBe(2);
    expect(activeFilterCount(INITIAL_HISTORY, 'history')).toBe(0);
  });
});
