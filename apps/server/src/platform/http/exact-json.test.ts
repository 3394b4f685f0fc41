import { Decimal } from '@exchange/core/decimal.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exactJson, plainJson, PrerenderedJson } from './exact-json.ts';

describe('exact JSON', () => {
  it('EDGE-020 prints a Decimal as a number with every digit, never through floating point', () => {
    const close = Decimal.parse('12345678901234567890.123456789012345678');
    expect(exactJson({ close, levels: [[Decimal.parse('0.00000001'), Decimal.parse('-2.50')]] })).toBe(
      '{"close":12345678901234567890.123456789012345678,"levels":[[0.00000001,-2.5]]}',
    );
  });

  it('EDGE-021 prints a Decimal as text outside the market calls', () => {
    expect(plainJson({ price: Decimal.parse('0.10') })).toBe('{"price":"0.1"}');
  });

  it('inserts prerendered JSON at any depth', () => {
    const inner = new PrerenderedJson('{"a":1.50}');
    expect(exactJson([inner, { inner }])).toBe('[{"a":1.50},{"inner":{"a":1.50}}]');
    expect(plainJson(inner)).toBe('{"a":1.50}');
  });

  it('omits undefined fields and prints undefined as null', () => {
    expect(exactJson({ a: undefined, b: [undefined], c: null, d: () => 1 })).toBe('{"b":[null],"c":null}');
    expect(exactJson(undefined)).toBe('null');
    expect(plainJson(undefined)).toBe('null');
    expect(exactJson({ when: new Date(0) })).toBe('{"when":"1970-01-01T00:00:00.000Z"}');
  });

  it('equals JSON.stringify for any JSON value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(exactJson(value)).toBe(JSON.stringify(value));
      }),
    );
  });

  it('prints any Decimal so that its digits can be read back', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 38n) + 1n, max: 10n ** 38n - 1n }), (atoms) => {
        const value = Decimal.ofAtoms(atoms);
        expect(Decimal.parse(exactJson(value)).atoms).toBe(atoms);
      }),
    );
  });
});
