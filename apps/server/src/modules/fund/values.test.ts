import { Decimal } from '@exchange/core/decimal.ts';
import { instant } from '@exchange/core/time.ts';
import { describe, expect, it } from 'vitest';
import { RunningCandles, type ValuesAt } from './values.ts';

const at = (second: number, value: string): ValuesAt => ({
  t: instant(1_800_000_000_000 + second * 1_000),
  values: new Map([['a fund', { value: Decimal.parse(value), isDegraded: false }]]),
});
const shown = (candles: RunningCandles) =>
  candles
    .dequeueChanged()
    .map(({ timer, opened, open, high, low, close }) => `${timer} ${opened} ${open} ${high} ${low} ${close}`);

describe('candles of unit values that are not stored yet', () => {
  it('FUND-026 are the same after a failed attempt to store them', () => {
    const values = [at(0, '10'), at(1, '12'), at(2, '7'), at(3, '11'), at(60, '9')];
    const [kept, failed] = [new RunningCandles(), new RunningCandles()];
    for (const value of values) kept.add(value);
    for (const [place, value] of values.entries()) {
      failed.add(value);
      const changed = failed.dequeueChanged();
      if (place === 2) for (const later of values.slice(3)) failed.add(later);
      failed.putBack(changed);
      if (place === 2) break;
    }
    expect(shown(failed).toSorted()).toEqual(shown(kept).toSorted());
    expect(shown(failed)).toEqual([]);
  });
});
