import { Decimal } from '@exchange/core/decimal.ts';
import { instant } from '@exchange/core/time.ts';
import { expect, it } from 'vitest';
import { coinTotalsOf, dayOf, dayOfText, dayText, differences, type Books } from './domain.ts';

const d = (text: string): Decimal => Decimal.parse(text);
const sums = (amounts: Readonly<Record<string, string>>) =>
  new Map(Object.entries(amounts).map(([coin, amount]) => [coin, d(amount)]));

const BOOKS: Books = {
  time: instant(1_795_219_200_000),
  entry: 9,
  owned: sums({ BTC: '5', USDT: '70' }),
  trading: sums({ BTC: '2' }),
  houseAccounts: [
    { account: 'fees', asset: 'USDT', amount: d('1.5') },
    { account: 'promo', asset: 'ETH', amount: d('4') },
  ],
  houseTotal: sums({ USDT: '1.5', ETH: '4' }),
  rest: sums({ BTC: '0', USDT: '0', ETH: '0' }),
};
const OWED = sums({ BTC: '3', USDT: '70' });

it('POL-002 matching leaves, root, exchange accounts and ledger have no differences', () => {
  expect(differences(OWED, OWED, BOOKS)).toEqual([]);
});

it.each([
  ['a user who was not counted', sums({ BTC: '3' }), OWED, {}, 'USDT'],
  ['a coin that nobody has', sums({ BTC: '3', USDT: '70', XRP: '1' }), OWED, {}, 'XRP'],
  ['a root of less', OWED, sums({ BTC: '3', USDT: '69' }), {}, 'root'],
  ['a house user who is counted twice', OWED, OWED, { trading: new Map() }, 'BTC'],
  ['an account of the house that is not listed', OWED, OWED, { houseAccounts: [] }, 'house'],
  ['books that do not sum to zero', OWED, OWED, { rest: sums({ BTC: '0.01' }) }, 'outside'],
])('POL-002 %s is a difference', (_, counted, root, changed: Partial<Books>, named) => {
  expect(differences(counted, root, { ...BOOKS, ...changed }).join()).toContain(named);
});

it('POL-001 totals list liabilities to users and the exchange’s non-zero accounts', () => {
  expect(coinTotalsOf(OWED, BOOKS)).toEqual([
    { currency: 'BTC', owed: '3', house: [{ account: 'trading', amount: '2' }] },
    { currency: 'ETH', owed: '0', house: [{ account: 'promo', amount: '4' }] },
    { currency: 'USDT', owed: '70', house: [{ account: 'fees', amount: '1.5' }] },
  ]);
});

it('POL-001 days are UTC calendar days', () => {
  expect(dayText(dayOf(instant(Date.UTC(2026, 10, 24, 23, 59))))).toBe('2026-11-24');
  expect(dayText(dayOfText('2028-02-29')!)).toBe('2028-02-29');
  expect([dayOfText('2027-02-29'), dayOfText('2027-13-01'), dayOfText('0000-00-00')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
