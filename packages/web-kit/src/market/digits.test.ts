import { describe, expect, it } from 'vitest';
import { pairOf } from './pair.ts';
import { digitsOfPair } from './digits.ts';
import { LISTED } from './testing/listed-pair.ts';

describe('the decimals of orders and trades', () => {
  it("WEB-026 prices and amounts have their pair's, and what is not known all", () => {
    const pair = pairOf({ ...LISTED, pricePrecision: 2, amountPrecision: 5 });
    expect(digitsOfPair(pair)).toEqual({ price: 2, amount: 5 });
  });

  it('WEB-026 everything is told while the pair is not known', () => {
    expect(digitsOfPair(undefined)).toEqual({ price: 8, amount: 8 });
  });
});
