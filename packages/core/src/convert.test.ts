import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CONVERT_FEE,
  CONVERT_MAX_USDT,
  convertProblem,
  convertRate,
  termsOfPaid,
  termsOfWanted,
  type ConvertSide,
} from './convert.ts';
import { Decimal } from './decimal.ts';

const d = (text: string) => Decimal.parse(text);
const side = (asset: string, index: string, digits = 8): ConvertSide => ({ asset, digits, index: d(index) });
const BTC = side('BTC', '100000');
const USDT = side('USDT', '1');

describe('an instant exchange', () => {
  it('CONV-001 receives index less spread, less a fee that is rounded up', () => {
    expect(convertRate(BTC, USDT).toString()).toBe('99900');
    const terms = termsOfPaid(BTC, USDT, d('0.5'));
    expect([terms.fee, terms.toAmount].map(String)).toEqual(['49.95', '49900.05']);
    const small = termsOfPaid(USDT, BTC, d('1'));
    expect(small.rate.toString()).toBe('0.00000999');
    // 0.00000999 BTC, of which a thousandth is less than the smallest unit.
    expect([small.fee, small.toAmount].map(String)).toEqual(['0.00000001', '0.00000998']);
  });

  it('CONV-002 asked by what is wanted, at least that arrives, and a unit less paid would not do for the rate', () => {
    const amount = fc.bigInt({ min: 1n, max: 10n ** 14n });
    const price = fc.bigInt({ min: 10n ** 10n, max: 10n ** 23n }).map((atoms) => Decimal.ofAtoms(atoms));
    const digits = fc.integer({ min: 2, max: 8 });
    const sides = fc
      .tuple(price, price, digits, digits)
      .map(([one, other, places, otherPlaces]): [ConvertSide, ConvertSide] => [
        { asset: 'A', digits: places, index: one },
        { asset: 'B', digits: otherPlaces, index: other },
      ]);
    fc.assert(
      fc.property(sides, amount, ([from, to], units) => {
        const wanted = Decimal.ofScaled(units, to.digits);
        const terms = termsOfWanted(from, to, wanted);
        if (terms === undefined) return;
        expect(terms.toAmount.isLess(wanted)).toBe(false);
        expect(termsOfPaid(from, to, terms.fromAmount)).toEqual(terms);
        // Nobody pays more than the smallest unit of either side above the exact price.
        const gross = wanted.over(Decimal.one.minus(CONVERT_FEE), 'up', to.digits);
        const exact = gross.plus(Decimal.ofScaled(2n, to.digits)).over(terms.rate, 'up', from.digits);
        expect(terms.fromAmount.isMore(exact.plus(Decimal.ofScaled(1n, from.digits)))).toBe(false);
      }),
    );
  });

  it('CONV-001 never gives more than the index is worth, however it is rounded', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 16n }), (units) => {
        const paid = Decimal.ofScaled(units, 8);
        const there = termsOfPaid(BTC, USDT, paid);
        const back = termsOfPaid(USDT, BTC, there.toAmount);
        expect(back.toAmount.isMore(paid)).toBe(false);
      }),
    );
  });

  it('CONV-003 is refused below 1 USDT and above 50,000 by its limit and the value given', () => {
    const asked = (amount: string) => convertProblem(BTC, termsOfPaid(BTC, USDT, d(amount)));
    expect(asked('0.5')).toBeUndefined();
    expect(asked(CONVERT_MAX_USDT.over(BTC.index, 'down').toString())).toBeUndefined();
    expect(asked('0.50000001')).toMatchObject({
      kind: 'aboveMaximum',
      parameters: { limit: '0.5', value: '0.50000001', unit: 'BTC' },
    });
    expect(asked('0.00000999')).toMatchObject({ kind: 'belowMinimum', parameters: { limit: '0.00001' } });
    expect(asked('0.00001')).toBeUndefined();
  });
});
