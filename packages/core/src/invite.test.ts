import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { byForm } from '../../../tools/test-form.ts';
import { Decimal } from './decimal.ts';
import { feeShares } from './invite.ts';

const shares = (fee: string, points: number) => {
  const { discount, reward } = feeShares(Decimal.parse(fee), points);
  return [String(discount), String(reward)];
};

describe('invitation rewards', () => {
  it('INV-002 are 20 % of the fee, of which up to 10 points go to the invited user', () => {
    expect(shares('100', 0)).toEqual(['0', '20']);
    expect(shares('100', 5)).toEqual(['5', '14.25']);
    expect(shares('100', 10)).toEqual(['10', '9']);
    expect(shares('0.00000004', 10)).toEqual(['0', '0']);
  });

  it('INV-002 never exceed 20 % of a fee', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 20n }),
        fc.integer({ min: 0, max: 10 }),
        (units, points) => {
          const fee = Decimal.ofScaled(units, 8);
          const { discount, reward } = feeShares(fee, points);
          expect(discount.isNegative() || reward.isNegative()).toBe(false);
          expect(discount.plus(reward).isMore(fee.times(Decimal.parse('0.2'), 'up'))).toBe(false);
        },
      ),
      { numRuns: byForm(300, 10_000) },
    );
  });
});
