import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimalProblem, groupedDecimal, stepDecimal, typedAmount, typedDecimal } from './decimal-text.ts';

describe('parsing a typed decimal', () => {
  it.each([
    ['', ''],
    ['0', '0'],
    ['007.5', '7.5'],
    ['12.', '12.'],
    ['.5', '0.5'],
    ['0.10', '0.10'],
    ['1,234,567.89', '1234567.89'],
    ['96,921.29', '96921.29'],
    ['0.2500000', '0.2500000'],
    ['$96,500.00', '96500.00'],
    [' 12 ', '12'],
  ])('WEB-040 parses %j as %j', (typed, text) => {
    expect(typedDecimal(typed, 4)).toMatchObject({ text, fault: undefined });
  });

  it.each([
    '1e5',
    '1.500,5',
    '$',
    '1.2.3',
    '1,2,3',
    '1.5,',
    '1,0000',
    '1.000,5',
    'abc',
    '0x10',
    '1 000',
    '123456789012345678901',
  ])('WEB-214 keeps invalid %j as typed and reports a fault', (typed) => {
    expect(typedDecimal(typed, 4)).toEqual({ text: typed, value: typed, fault: 'number' });
    expect(decimalProblem('amount', typed, 4)).toMatchObject({ key: 'l.field_number' });
  });

  it('WEB-214 parses full-width digits and points', () => {
    expect(typedDecimal('１．５', 4)).toEqual({ text: '1.5', value: '1.5', fault: undefined });
    expect(decimalProblem('amount', '１．５', 4)).toBeUndefined();
  });

  it('WEB-214 reports negative numbers, and the allowed decimals when there are too many', () => {
    expect(typedDecimal('-1', 4)).toEqual({ text: '-1', value: '-1', fault: 'negative' });
    expect(decimalProblem('amount', '-1', 4)).toMatchObject({ key: 'l.field_positive' });
    expect(typedDecimal('0.000001', 5)).toEqual({ text: '0.000001', value: '0.000001', fault: 'decimals' });
    expect(decimalProblem('amount', '0.000001', 5)?.parameters).toEqual({
      field: 'amount',
      limit: '5',
      value: '0.000001',
    });
    expect(typedDecimal('1,25', 1)).toEqual({ text: '1,25', value: '1.25', fault: 'decimals' });
  });

  it('WEB-214 an amount is parsed as its field shows it, and missing only when nothing was typed', () => {
    const read = (text: string) => {
      const typed = typedAmount('amount', text, 4);
      return typed.ok ? typed.value.toString() : typed.refusal.key;
    };
    expect(['12.50', '1,000', '0', ''].map(read)).toEqual(['12.5', '1000', '0', 'l.amount_required']);
    expect(['1e5', 'abc', '1,0000', '-1', '0.00001'].map(read)).toEqual([
      'l.field_number',
      'l.field_number',
      'l.field_number',
      'l.field_positive',
      'l.field_decimals',
    ]);
  });

  it('WEB-214 groups a number that is not being edited and keeps its decimals', () => {
    expect(['96500.10', '1234567', '0.5', '', '1e3'].map(groupedDecimal)).toEqual([
      '96,500.10',
      '1,234,567',
      '0.5',
      '',
      '1e3',
    ]);
  });

  it('WEB-040 parses its own output to the same text', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[-$e\d.,]{0,24}$/),
        fc.integer({ min: 0, max: 18 }),
        (typed, places) => {
          const read = typedDecimal(typed, places);
          expect(typedDecimal(read.text, places)).toEqual(read);
          expect(typedDecimal(read.value, places).value).toBe(read.value);
        },
      ),
    );
  });

  it.each([
    ['1,000', '1000', '1000'],
    ['95,000.5', '95000.5', '95000.5'],
    ['1,234,567.89', '1234567.89', '1234567.89'],
    ['0,5', '0.5', '0.5'],
    [',5', '0.5', '0.5'],
    ['0,125', '0.125', '0.125'],
    ['1,', '1,', '1'],
    ['1,5', '1,5', '1.5'],
    ['1,50', '1,50', '1.50'],
    ['95000,25', '95000,25', '95000.25'],
    ['1，5', '1,5', '1.5'],
  ])('WEB-042 %j typed key by key shows %j with the value %j', (keys, text, number) => {
    expect(afterKeys(keys, 4)).toBe(text);
    expect(typedDecimal(text, 4).value).toBe(number);
  });

  it('WEB-042 a number with group commas parses the same when typed or pasted, for any number of decimals', () => {
    const grouped = fc
      .tuple(fc.integer({ min: 0, max: 2 ** 31 }), fc.constantFrom('', '.', '.5', '.25'))
      .map(([whole, fraction]) => whole.toLocaleString('en-US') + fraction);
    fc.assert(
      fc.property(grouped, fc.integer({ min: 2, max: 18 }), (keys, places) => {
        expect(afterKeys(keys, places)).toBe(keys.replaceAll(',', ''));
        expect(typedDecimal(keys, places).text).toBe(keys.replaceAll(',', ''));
      }),
    );
  });

  it('WEB-042 erasing and regrouping within a number keeps its size', () => {
    expect(afterKeys('1,000⌫', 2)).toBe('100');
    expect(typedDecimal('10,00', 2).text).toBe('10,00');
    expect(typedDecimal('1,000000', 2).fault).toBe('number');
  });

  it('WEB-042 a field without decimals accepts grouped numbers but no decimal sign', () => {
    expect(afterKeys('1,250', 1)).toBe('1250');
    expect(afterKeys('1,000', 0)).toBe('1000');
    expect(typedDecimal('1,5', 0).fault).toBe('decimals');
  });

  it('WEB-041 steps up and down by the last decimal place, exactly and never below zero', () => {
    expect(stepDecimal('0.1', 2, 1)).toBe('0.3');
    expect(stepDecimal('', 1, 2)).toBe('0.01');
    expect(stepDecimal('0.01', -5, 2)).toBe('0');
    expect(stepDecimal('9.99', 1, 2)).toBe('10.00');
    expect(stepDecimal('41', 1, 0)).toBe('42');
    expect(stepDecimal('1,5', 1, 1)).toBe('1.6');
    expect(stepDecimal('1e3', 1, 2)).toBe('0.01');
    expect(typedDecimal('12.', 2).value).toBe('12');
  });
});

/**
 * Returns the text of an empty decimal field after the given keys were typed; `⌫` deletes the last character.
 */
function afterKeys(keys: string, places: number): string {
  let text = '';
  for (const key of keys) {
    text = typedDecimal(key === '⌫' ? text.slice(0, -1) : text + key, places).text;
  }
  return text;
}
