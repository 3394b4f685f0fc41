import { Decimal } from '@exchange/core/decimal.ts';
import { DAY_MS, instant } from '@exchange/core/time.ts';
import { expect, it } from 'vitest';
import { admittedCount, contractText, SHOWN_PER_DAY, shownAmount } from './watched-tokens-domain.ts';

/** Encodes a text as a contract returns a `string` (contract ABI): offset, length and text. */
function abiText(text: string, length = Buffer.byteLength(text)): string {
  const word = (number: number) => number.toString(16).padStart(64, '0');
  return `0x${word(32)}${word(length)}${Buffer.from(text).toString('hex').padEnd(64, '0')}`;
}

it('TRE-107 the name of a contract is its text, or what is printable of what it returned', () => {
  expect(contractText(abiText('Tether USD'))).toBe('Tether USD');
  expect(contractText(`0x${Buffer.from('MKR').toString('hex').padEnd(64, '0')}`)).toBe('MKR');
  expect(contractText(abiText('泰达币 ₮'))).toBe('泰达币 ₮');
  // Direction marks and line breaks in the name of a token could distort the text displayed around it, so they are
  // removed.
  expect(contractText(abiText('a\u202Eb\nc\u0000'))).toBe('abc');
  expect(contractText(abiText('x'.repeat(64)))).toBe('x'.repeat(40));
  expect(contractText(abiText('abc', 2 ** 40))).toBe('abc');
  expect([contractText('0x'), contractText('0x00'), contractText(`0x${'ff'.repeat(64)}`)]).toEqual([
    '',
    '',
    '',
  ]);
});

it('TRE-108 a number of transfers a day is shown, and none that is too small or that the database cannot store', () => {
  const now = instant(20_000 * DAY_MS + 5);
  const token = { day: 20_000, shownOnDay: SHOWN_PER_DAY - 2 };
  expect([1, 2, 3].map((count) => admittedCount(token, count, now))).toEqual([1, 2, 2]);
  expect(admittedCount({ ...token, shownOnDay: SHOWN_PER_DAY + 1 }, 1, now)).toBe(0);
  expect(admittedCount(token, SHOWN_PER_DAY + 1, instant(now + DAY_MS))).toBe(SHOWN_PER_DAY);
  const amountOf = (units: bigint) =>
    shownAmount({ least: Decimal.parse('0.5'), digits: 2 }, units)?.toString();
  const most = 10n ** 22n - 1n;
  expect([49n, 50n, most, most + 1n, 2n ** 256n - 1n].map(amountOf)).toEqual([
    undefined,
    '0.5',
    '99999999999999999999.99',
    undefined,
    undefined,
  ]);
});
