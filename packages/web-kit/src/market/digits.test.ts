import { describe, expect, it } from 'vitest';
import { pairOf } from './pair.ts';
import { digitsOfPair } from './digits.ts';
import { LISTED } from './testing/listed-pair.ts';

describe('the decimals of orders and trades', () => {
  it('WEB-026 prices and amounts use their pair’s decimals', () => {
    const pair = pairOf({ ...LISTED, pricePrecision: 2, amountPrecision: 5 });
    expect(digitsOfPair(pair)).toEqual({ price: 2, amount: 5 });
  });

  it('WEB-026 all decimals are shown until the pair is known', () => {
    expect(digitsOfPair(undefined)).toEqual({ price: 8, amount: 8 });
  });
});
