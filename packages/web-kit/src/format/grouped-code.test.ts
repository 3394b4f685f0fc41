import { expect, it } from 'vitest';
import { groupsOfFour, shortenCode } from './grouped-code.tsx';

it('WEB-302 shortens a long code in the middle and keeps a short one', () => {
  expect(shortenCode('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t')).toBe('TR7NHqje…SzgjLj6t');
  expect(shortenCode('eosaccount12')).toBe('eosaccount12');
  expect(groupsOfFour('TR7NHqjeKQ')).toEqual(['TR7N', 'Hq', 'jeKQ']);
  expect(groupsOfFour('TR7NHqje')).toEqual(['TR7N', 'Hqje']);
  expect(groupsOfFour('TR7NHq')).toEqual(['TR7N', 'Hq']);
  expect(groupsOfFour('TR7')).toEqual(['TR7']);
  expect(groupsOfFour('')).toEqual([]);
});
