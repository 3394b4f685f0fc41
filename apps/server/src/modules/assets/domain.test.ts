import { expect, it } from 'vitest';
import { createAssets } from './index.ts';

it('SPEC-007 every pair of the specification has the decimals of its price', () => {
  const listed = createAssets({ mode: 'live' }).pairs.map(
    ({ pair }) => `${pair.base}/${pair.quote} ${pair.priceDigits}`,
  );
  expect(listed).toEqual([
    ...['BTC/USDT 2', 'ETH/USDT 2', 'EOS/USDT 4', 'LTC/USDT 2', 'XRP/USDT 2'],
    ...['ADA/USDT 6', 'DOGE/USDT 6', 'SHIB/USDT 7'],
    ...['ETH/BTC 6', 'EOS/BTC 7', 'LTC/BTC 6', 'XRP/BTC 9', 'ADA/BTC 8', 'DOGE/BTC 9'],
    ...['EOS/ETH 8', 'ADA/ETH 6', 'DOGE/ETH 8'],
  ]);
});
