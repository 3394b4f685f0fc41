import { Big } from 'big.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Decimal, sum, type Rounding } from './decimal.ts';

const Strict = Big();
Strict.strict = true;
Strict.DP = 60;
Strict.NE = -100;
Strict.PE = 100;

const decimals = fc
  .tuple(
    fc.boolean(),
    fc.bigInt({ min: 0n, max: 10n ** 20n - 1n }),
    fc.bigInt({ min: 0n, max: 10n ** 18n - 1n }),
  )
  .map(
    ([negative, whole, fraction]) =>
      `${negative ? '-' : ''}${whole}.${fraction.toString().padStart(18, '0')}`,
  );
const small = fc
  .tuple(fc.boolean(), fc.bigInt({ min: 0n, max: 10n ** 9n }), fc.bigInt({ min: 0n, max: 10n ** 18n - 1n }))
  .map(
    ([negative, whole, fraction]) =>
      `${negative ? '-' : ''}${whole}.${fraction.toString().padStart(18, '0')}`,
  );
const roundings = fc.constantFrom<Rounding>('up', 'down', 'halfEven');
const places = fc.integer({ min: 0, max: 18 });
const BIG_ROUNDING = { up: 3, down: 0, halfEven: 2 } as const;

const expectEqual = (ours: Decimal, theirs: Big): void => expect(ours.toString()).toBe(plain(theirs));
const plain = (value: Big): string => (value.eq('0') ? '0' : value.toFixed());

describe('MONEY-001 a Decimal is exact', () => {
  it('MONEY-001 adds, subtracts and compares like an independent library', () => {
    fc.assert(
      fc.property(decimals, decimals, (a, b) => {
        const [x, y, bx, by] = [Decimal.parse(a), Decimal.parse(b), new Strict(a), new Strict(b)];
        expectEqual(x.plus(y), bx.plus(by));
        expectEqual(x.minus(y), bx.minus(by));
        expect(x.compare(y)).toBe(bx.cmp(by));
      }),
    );
  });

  it('MONEY-002 multiplies and divides with the given rounding like an independent library', () => {
    fc.assert(
      fc.property(small, small, roundings, places, (a, b, rounding, digits) => {
        const [x, y, bx, by] = [Decimal.parse(a), Decimal.parse(b), new Strict(a), new Strict(b)];
        expectEqual(x.times(y, rounding, digits), bx.times(by).round(digits, BIG_ROUNDING[rounding]));
        if (!y.isZero() && rounding !== 'halfEven') {
          expectEqual(x.over(y, rounding, digits), exactQuotient(x, y, rounding, digits));
        }
        expect(x.rounded(digits, rounding).toString()).toBe(plain(bx.round(digits, BIG_ROUNDING[rounding])));
      }),
    );
  });

  it('MONEY-003 parsing and formatting is lossless', () => {
    fc.assert(
      fc.property(decimals, (text) => {
        const value = Decimal.parse(text);
        expect(Decimal.parse(value.toString()).equals(value)).toBe(true);
        expect(value.toString()).toBe(plain(new Strict(text)));
        expect(value.toPlaces(4)).toBe(
          new Strict(text)
            .round(4, 0)
            .toFixed(4)
            .replace(/^-(0\.0+)$/, '$1'),
        );
      }),
    );
  });

  it('MONEY-004 refuses everything that is not a plain number', () => {
    for (const text of [
      '',
      ' 1',
      '1 ',
      '+1',
      '1e5',
      '.5',
      '1.',
      '0x10',
      'NaN',
      '１',
      '1,000',
      '--1',
      '1.0000000000000000001',
      '1'.repeat(21),
    ]) {
      expect(Decimal.tryParse(text), JSON.stringify(text)).toBeUndefined();
    }
    expect(() => Decimal.parse('abc')).toThrow(RangeError);
  });

  it('MONEY-004 accepts exactly the texts of a minus sign, up to 20 digits, and a point with up to 18 digits', () => {
    const plainNumber = /^-?\d{1,20}(?:\.\d{1,18})?$/;
    const digits = (maxLength: number) =>
      fc.string({ unit: fc.constantFrom('0', '1', '2', '3', '4', '5', '6', '7', '8', '9'), maxLength });
    const texts = fc
      .tuple(
        fc.constantFrom('', '-', '+', '--', ' '),
        digits(22),
        fc.constantFrom('', '.', ',', '..', 'e'),
        digits(20),
      )
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.oneof(texts, fc.string()), (text) => {
        expect(Decimal.tryParse(text) !== undefined, JSON.stringify(text)).toBe(plainNumber.test(text));
      }),
    );
  });

  it('MONEY-005 cannot be compared with operators', () => {
    expect(() => Decimal.parse('1') < Decimal.parse('2')).toThrow(TypeError);
  });

  it('MONEY-006 an exact product that needs more than 18 decimals throws', () => {
    expect(Decimal.parse('0.000000001').timesExact(Decimal.parse('0.000000001')).toString()).toBe(
      '0.000000000000000001',
    );
    expect(() => Decimal.parse('0.0000000001').timesExact(Decimal.parse('0.000000001'))).toThrow(RangeError);
    expect(() => Decimal.one.over(Decimal.zero, 'down')).toThrow(RangeError);
    expect(() => Decimal.parse('0.123').toScaled(2)).toThrow(RangeError);
  });

  it('MONEY-007 a sum does not depend on the order', () => {
    fc.assert(
      fc.property(fc.array(decimals), (texts) => {
        const values = texts.map((text) => Decimal.parse(text));
        expect(sum(values).equals(sum([...values].reverse()))).toBe(true);
      }),
    );
  });
});

function exactQuotient(x: Decimal, y: Decimal, rounding: 'up' | 'down', digits: number): Big {
  // The test divides with big.js, which has a fixed number of decimals. Sixty are enough to distinguish an exact
  // quotient from a rounded one.
  const quotient = new Strict(x.toString()).div(new Strict(y.toString()));
  return quotient.round(digits, BIG_ROUNDING[rounding]);
}
