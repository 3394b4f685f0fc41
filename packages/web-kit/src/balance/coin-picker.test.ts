import { expect, it } from 'vitest';
import { sortByValue } from './coin-picker.tsx';

const balance = (currency: string, availableCurrency: string, total: string) => ({
  currency,
  currencyName: currency,
  logo: '',
  price: '1',
  status: 1 as const,
  availableCurrency,
  frozenCurrency: '0',
  total,
});

it('WEB-301 sorts held coins first by value and keeps the order of the others', () => {
  const balances = [balance('BTC', '0', '0'), balance('XRP', '9000', '50'), balance('ETH', '2', '8000')];
  expect(sortByValue(['BTC', 'USDT', 'XRP', 'ETH', 'ADA'], balances)).toEqual([
    'ETH',
    'XRP',
    'BTC',
    'USDT',
    'ADA',
  ]);
  expect(sortByValue(['BTC', 'USDT'], [])).toEqual(['BTC', 'USDT']);
});
