import { expect, it } from 'vitest';
import { inFours, shortened } from './grouped-code.tsx';

it('WEB-302 shortens a long code in the middle and keeps a short one', () => {
  expect(shortened('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t')).toBe('TR7NHqje…SzgjLj6t');
  expect(shortened('eosaccount12')).toBe('eosaccount12');
  expect(inFours('TR7NHqjeKQ')).toEqual(['TR7N', 'Hqje', 'KQ']);
  expect(inFours('')).toEqual([]);
});
