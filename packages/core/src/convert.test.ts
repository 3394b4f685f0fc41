import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CONVERT_FEE,
  CONVERT_MAX_USDT,
  convertProblem,
  convertRate,
  termsForPayment,
  termsForReceipt,
  type ConvertSide,
} from './convert.ts';
import { Decimal } from './decimal.ts';

const d = (text: string) => Decimal.parse(text);
const side = (asset: string, index: string, digits = 8): ConvertSide => ({ asset, digits, index: d(index) });
const BTC = side('BTC', '100000');
const USDT = side('USDT', '1');

describe('an instant conversion', () => {
  it('CONV-001 pays out the index rate less the spread and a fee that is rounded up', () => {
    expect(convertRate(BTC, USDT).toString()).toBe('99900');
    const terms = termsForPayment(BTC, USDT, d('0.5'));
    expect([terms.fee, terms.toAmount].map(String)).toEqual(['49.95', '49900.05']);
    const small = termsForPayment(USDT, BTC, d('1'));
    expect(small.rate.toString()).toBe('0.00000999');
    // The fee of 0.1 % on 0.00000999 BTC is less than the smallest unit, so it is rounded up to one unit.
    expect([small.fee, small.toAmount].map(String)).toEqual(['0.00000001', '0.00000998']);
  });

  it('CONV-002 terms for a wanted amount deliver at least that amount for the least possible payment', () => {
    const amount = fc.bigInt({ min: 1n, max: 10n ** 14n });
    const price = fc.bigInt({ min: 10n ** 10n, max: 10n ** 23n }).map((atoms) => Decimal.ofAtoms(atoms));
    const digits = fc.integer({ min: 2, max: 8 });
    const sides = fc
      .tuple(price, price, digits, digits)
      .map(([firstIndex, secondIndex, places, otherPlaces]): [ConvertSide, ConvertSide] => [
        { asset: 'A', digits: places, index: firstIndex },
        { asset: 'B', digits: otherPlaces, index: secondIndex },
      ]);
    fc.assert(
      fc.property(sides, amount, ([from, to], units) => {
        const wanted = Decimal.ofScaled(units, to.digits);
        const terms = termsForReceipt(from, to, wanted);
        if (terms === undefined) return;
        expect(terms.toAmount.isLess(wanted)).toBe(false);
        expect(termsForPayment(from, to, terms.fromAmount)).toEqual(terms);
        // The amount paid exceeds the exact price by at most the price of two smallest units of the received coin, and
        // one smallest unit of the paid coin.
        const gross = wanted.over(Decimal.one.minus(CONVERT_FEE), 'up', to.digits);
        const exact = gross.plus(Decimal.ofScaled(2n, to.digits)).over(terms.rate, 'up', from.digits);
        expect(terms.fromAmount.isMore(exact.plus(Decimal.ofScaled(1n, from.digits)))).toBe(false);
      }),
    );
  });

  it('CONV-001 never pays out more than the index value, whatever the rounding', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 16n }), (units) => {
        const paid = Decimal.ofScaled(units, 8);
        const outward = termsForPayment(BTC, USDT, paid);
        const returned = termsForPayment(USDT, BTC, outward.toAmount);
        expect(returned.toAmount.isMore(paid)).toBe(false);
      }),
    );
  });

  it('CONV-003 is refused below 1 USDT and above 50,000 USDT with the limit and the submitted value', () => {
    const problem = (amount: string) => convertProblem(BTC, termsForPayment(BTC, USDT, d(amount)));
    expect(problem('0.5')).toBeUndefined();
    expect(problem(CONVERT_MAX_USDT.over(BTC.index, 'down').toString())).toBeUndefined();
    expect(problem('0.50000001')).toMatchObject({
      kind: 'aboveMaximum',
      parameters: { limit: '0.5', value: '0.50000001', unit: 'BTC' },
    });
    expect(problem('0.00000999')).toMatchObject({ kind: 'belowMinimum', parameters: { limit: '0.00001' } });
    expect(problem('0.00001')).toBeUndefined();
  });
});
