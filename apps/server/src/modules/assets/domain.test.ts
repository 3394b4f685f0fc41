import { COIN_NAMES } from '@exchange/core/coin-names.ts';
import { expect, it } from 'vitest';
import { COINS } from './domain.ts';
import { createAssets } from './index.ts';

it('SPEC-007 every pair has the price decimals of the specification', () => {
  const listed = createAssets({ mode: 'live' }).pairs.map(
    ({ pair }) => `${pair.base}/${pair.quote} ${pair.priceDigits}`,
  );
  expect(listed).toEqual([
    'BTC/USDT 2',
    'ETH/USDT 2',
    'EOS/USDT 4',
    'LTC/USDT 2',
    'XRP/USDT 2',
    'ADA/USDT 6',
    'DOGE/USDT 6',
    'SHIB/USDT 7',
    'ETH/BTC 6',
    'EOS/BTC 7',
    'LTC/BTC 6',
    'XRP/BTC 9',
    'ADA/BTC 8',
    'DOGE/BTC 9',
    'EOS/ETH 8',
    'ADA/ETH 6',
    'DOGE/ETH 8',
  ]);
});

it('WEB-1002 every coin has a searchable name in each of the four languages', () => {
  for (const { code, name } of COINS) {
    const names = COIN_NAMES.get(code) ?? [];
    expect(names.length, code).toBeGreaterThanOrEqual(4);
    expect(names, code).toContain(name);
  }
});
