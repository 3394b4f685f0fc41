import { describe, expect, it } from 'vitest';
import { digitsOf, groupingsOf } from './book.ts';

describe('book grouping', () => {
  it('DESK-022 offers the tick size and coarser steps down to a hundredth of the price', () => {
    expect(groupingsOf(2, '97432.15')).toEqual(['0.01', '0.1', '1', '10', '100']);
    expect(groupingsOf(2, '88.61')).toEqual(['0.01', '0.1']);
    expect(groupingsOf(2, '1.42')).toEqual(['0.01']);
    expect(groupingsOf(7, '0.0000247')).toEqual(['0.0000001']);
    expect(groupingsOf(6, '0.731245')[0]).toBe('0.000001');
  });

  it('DESK-022 a coarser step shows fewer decimals', () => {
    expect(digitsOf('0.01')).toBe(2);
    expect(digitsOf('1')).toBe(0);
    expect(digitsOf('100')).toBe(0);
  });
});
