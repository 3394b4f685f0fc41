import { describe, expect, it } from 'vitest';
import { daysProblem, historyFilterOf, INITIAL_HISTORY } from './history-form.ts';

describe('the history filter', () => {
  it('WEB-140 is empty at first', () => {
    expect(historyFilterOf(INITIAL_HISTORY)).toEqual({});
  });

  it('WEB-140 filters by pair, side, type, outcome and days, both days inclusive', () => {
    const filter = historyFilterOf({
      pair: 'BTC/USDT',
      side: '2',
      type: 'trailing',
      ended: 'cancelled',
      from: '2026-11-20',
      to: '2026-11-21',
    });
    expect(filter).toEqual({
      baseCoin: 'BTC',
      quoteCoin: 'USDT',
      tradeType: '2',
      orderType: 'trailing',
      status: 'cancelled',
      startTime: new Date(2026, 10, 20).getTime(),
      endTime: new Date(2026, 10, 22).getTime() - 1,
    });
  });

  it('WEB-143 refuses a last day before the first, and nothing else', () => {
    expect(daysProblem({ from: '2026-11-21', to: '2026-11-20' })).toMatchObject({
      key: 'l.period_backwards',
      parameters: { field: 'endTime' },
    });
    for (const [from, to] of [
      ['2026-11-21', '2026-11-21'],
      ['2026-11-20', '2026-11-21'],
      ['', '2026-11-21'],
      ['2026-11-21', ''],
      ['', ''],
    ] as const) {
      expect(daysProblem({ from, to })).toBeUndefined();
    }
  });

  it('WEB-140 ignores an incomplete day', () => {
    expect(historyFilterOf({ ...INITIAL_HISTORY, from: '2026-11', to: '' })).toEqual({});
  });
});
