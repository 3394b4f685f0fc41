import { describe, expect, it } from 'vitest';
import { changeBetween, coinShares, profitBetween } from './curve.ts';

describe('the curve of assets', () => {
  it('WEB-266 says how much more or less it is, and which part of what was there before', () => {
    expect(changeBetween('100', '112.5')).toEqual({ amount: '12.5', fraction: '0.125' });
    expect(changeBetween('100', '50')).toEqual({ amount: '-50', fraction: '-0.5' });
    expect(changeBetween('0', '50')).toEqual({ amount: '50', fraction: undefined });
  });

  it('WEB-274 what came from outside is no profit, and what left is no loss', () => {
    expect(profitBetween('100', '260', '150')).toEqual({ amount: '10', fraction: '0.04' });
    expect(profitBetween('100', '45', '-50')).toEqual({ amount: '-5', fraction: '-0.05' });
    expect(profitBetween('0', '0', '0')).toEqual({ amount: '0', fraction: undefined });
  });

  it('WEB-266 adds up a coin over all accounts, and what is worth least', () => {
    const holdings = [
      { currency: 'BTC', total: '50' },
      { currency: 'USDT', total: '20' },
      { currency: 'BTC', total: '10' },
      { currency: 'ETH', total: '15' },
      { currency: 'XRP', total: '5' },
      { currency: 'NEW', total: '0' },
    ];
    expect(coinShares(holdings, 2)).toEqual([
      { coin: 'BTC', total: '60', fraction: '0.6' },
      { coin: 'USDT', total: '20', fraction: '0.2' },
      { coin: undefined, total: '20', fraction: '0.2' },
    ]);
    expect(coinShares([], 2)).toEqual([]);
  });
});
