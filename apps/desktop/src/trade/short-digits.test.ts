import { describe, expect, it } from 'vitest';
import { shortDigits } from './short-digits.ts';

describe('amounts in narrow places', () => {
  it.each([
    ['1499.264235', 2],
    ['970.5912372', 3],
    ['0.9717599', 6],
    ['0.0000093', 7],
    ['0.00001234567', 8],
    ['43347.748163', 2],
    ['0.01', 2],
    ['1800', 0],
    ['0', 0],
  ])('DESK-126 %s is told with %d decimals', (value, digits) => {
    expect(shortDigits(value)).toBe(digits);
  });
});
