import { describe, expect, it } from 'vitest';
import { digitsOfPair } from './digits.ts';
import { pairOf } from './pair.ts';
import { LISTED } from './testing/listed-pair.ts';

describe('the decimals of orders and trades', () => {
  it.each([
    [2, 5, 7],
    [2, 1, 3],
    [6, 0, 6],
    [6, 4, 8],
  ])('WEB-026 prices of %d and amounts of %d decimals make totals of %d', (price, amount, total) => {
    const pair = pairOf({ ...LISTED, pricePrecision: price, amountPrecision: amount });
    expect(digitsOfPair(pair)).toEqual({ price, amount, total });
  });

  it('WEB-026 everything is told while the pair is not known', () => {
    expect(digitsOfPair(undefined)).toEqual({ price: 8, amount: 8, total: 8 });
  });
});
