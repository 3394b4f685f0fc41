import { expect, it } from 'vitest';
import { typedAmounts } from './tracking.ts';

const rangeOf = (typed: string) => {
  const range = typedAmounts(typed);
  return range && [range.least.toString(), range.below.toString()];
};

it.each([
  ['100', ['100', '101']],
  ['12.5', ['12.5', '12.6']],
  ['0.00120', ['0.0012', '0.00121']],
  ['1,250.50', ['1250.5', '1250.51']],
  ['12,5', ['12.5', '12.6']],
  ['1,250', ['1250', '1251']],
])('OPS-1164 %s finds the amounts that begin with it', (typed, range) => {
  expect(rangeOf(typed)).toEqual(range);
});

it.each(['0', '0.00', '-5', '1e3', '', 'abc', '0xabc', '9'.repeat(31), '1.2.3', ','])(
  'OPS-1164 “%s” is no amount',
  (typed) => {
    expect(rangeOf(typed)).toBeUndefined();
  },
);
