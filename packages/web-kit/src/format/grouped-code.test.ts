import { expect, it } from 'vitest';
import { groupsOfFour, leadingGroups, shortenCode } from './grouped-code.tsx';

it('WEB-302 shortens a long code in the middle and keeps a short one', () => {
  expect(shortenCode('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t')).toBe('TR7NHqje…SzgjLj6t');
  expect(shortenCode('eosaccount12')).toBe('eosaccount12');
  expect(groupsOfFour('TR7NHqjeKQ')).toEqual(['TR7N', 'Hq', 'jeKQ']);
  expect(groupsOfFour('TR7NHqje')).toEqual(['TR7N', 'Hqje']);
  expect(groupsOfFour('TR7NHq')).toEqual(['TR7N', 'Hq']);
  expect(groupsOfFour('TR7')).toEqual(['TR7']);
  expect(groupsOfFour('')).toEqual([]);
});

it('WEB-302 highlights at least four characters that addresses of a kind do not share', () => {
  const highlighted = (code: string) => groupsOfFour(code).slice(0, leadingGroups(code)).join(' ');
  expect(highlighted('ltc1q9kptqash0ft2jf6vrpwgj0c3lwldx6akpmw5t8')).toBe('ltc1 q9kp');
  expect(highlighted('bc1qhglsyu3s4gp56qsxsn3ncwfrkwujdwxy3u6gqv')).toBe('bc1q hgls');
  expect(highlighted('0x8C8d35429F74ec245F8Ef2f4Fd1e551cFF97d650')).toBe('0x8C 8d35');
  expect(highlighted('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t')).toBe('TR7N');
  expect(highlighted('TR7')).toBe('TR7');
});
