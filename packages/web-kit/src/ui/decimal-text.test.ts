import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimalOf, stepped, typedDecimal } from './decimal-text.ts';

describe('typing a decimal', () => {
  it.each([
    ['', ''],
    ['0', '0'],
    ['007.5', '7.5'],
    ['12.', '12.'],
    ['.5', '0.5'],
    ['0.10', '0.10'],
    ['1,5', '1.5'],
    ['1,234,567.89', '1234567.89'],
    ['1.23456', '1.2345'],
  ])('WEB-040 takes %j as %j', (typed, text) => {
    expect(typedDecimal(typed, 4)).toBe(text);
  });

  it.each(['1e5', '-1', '1.2.3', 'abc', '１', '0x10', '1 000', '123456789012345678901'])(
    'WEB-040 does not take %j',
    (typed) => {
      expect(typedDecimal(typed, 4)).toBeUndefined();
    },
  );

  it('WEB-040 keeps what it gave as it is', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[\d.,]{0,24}$/), fc.integer({ min: 0, max: 18 }), (typed, places) => {
        const text = typedDecimal(typed, places);
        fc.pre(text !== undefined);
        expect(typedDecimal(text ?? '', places)).toBe(text);
      }),
    );
  });

  it('WEB-041 steps up and down by the last place, exactly, and never below zero', () => {
    expect(stepped('0.1', 2, 1)).toBe('0.3');
    expect(stepped('', 1, 2)).toBe('0.01');
    expect(stepped('0.01', -5, 2)).toBe('0');
    expect(stepped('9.99', 1, 2)).toBe('10.00');
    expect(stepped('41', 1, 0)).toBe('42');
    expect(decimalOf('12.')).toBe('12');
  });
});
