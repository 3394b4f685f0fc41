import { expect, it } from 'vitest';
import { ceilingProblem, ceilingsOf } from './ceilings.ts';
import { Decimal } from './decimal.ts';
import { fractionOfPercent, percentOfFraction } from './percent.ts';

const d = (text: string) => Decimal.parse(text);

it('OPS-664 percentages and fractions convert exactly in both directions, and invalid text is rejected', () => {
  for (const [fraction, percent] of [
    ['0.00025', '0.025'],
    ['0.0002', '0.02'],
    ['1', '100'],
    ['0', '0'],
    ['0.098', '9.8'],
  ] as const) {
    expect(percentOfFraction(fraction)).toBe(percent);
    expect(fractionOfPercent(percent)).toBe(fraction);
    expect(fractionOfPercent(` ${percent} % `)).toBe(fraction);
  }
  expect(['', 'nine', '1e2', '0,5', `0.${'0'.repeat(17)}1`].map(fractionOfPercent)).toEqual(
    Array.from({ length: 5 }, () => undefined),
  );
});

it('OPS-665 a term above its ceiling is refused with field, ceiling and value; the ceiling itself is accepted', () => {
  const terms = {
    period: 30,
    dailyRate: d('0.025'),
    startAmount: d('1'),
    maxAmount: d('10'),
    capacity: d('100000'),
  };
  expect(ceilingProblem('finance', terms)).toMatchObject({
    kind: 'aboveMaximum',
    key: 'l.field_max',
    parameters: { field: 'dailyRate', limit: '0.002', value: '0.025' },
  });
  expect(ceilingProblem('finance', { ...terms, dailyRate: d('0.002') })).toBeUndefined();
  expect(ceilingProblem('finance', { ...terms, dailyRate: d('0.0002'), period: 367 })).toMatchObject({
    parameters: { field: 'period', limit: '366' },
  });
  expect(ceilingProblem('finance', { ...terms, dailyRate: d('0.0002'), period: Number.NaN })).toBeDefined();
});

it('OPS-665 every ceiling has a reason', () => {
  for (const product of ['finance', 'mining', 'fund', 'seconds', 'subscription'] as const)
    for (const [name, { most, why }] of ceilingsOf(product)) {
      expect([product, name, most.isPositive()]).toEqual([product, name, true]);
      expect(why.length).toBeGreaterThan(5);
    }
});
