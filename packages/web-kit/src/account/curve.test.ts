import { describe, expect, it } from 'vitest';
import { coinShares, profitBetween, profitUpTo } from './curve.ts';

describe('the curve of assets', () => {
  it('WEB-951 the profit of a period excludes deposits and withdrawals', () => {
    const points = [
      { time: 1, total: '1000', netDeposits: '700' },
      { time: 2, total: '1350', netDeposits: '300' },
      { time: 3, total: '1200', netDeposits: '-100' },
      { time: 0, total: '1210', netDeposits: '0' },
    ];
    const earned = points.map((_, index) => profitUpTo(points, index));
    expect(earned).toEqual([
      { amount: '0', fraction: '0', netDeposits: '0' },
      { amount: '50', fraction: '0.038461', netDeposits: '300' },
      { amount: '0', fraction: '0', netDeposits: '200' },
      { amount: '10', fraction: '0.008333', netDeposits: '200' },
    ]);
  });

  it('WEB-274 deposits are no profit and withdrawals no loss', () => {
    expect(profitBetween('100', '260', '150')).toEqual({ amount: '10', fraction: '0.04' });
    expect(profitBetween('100', '45', '-50')).toEqual({ amount: '-5', fraction: '-0.05' });
    expect(profitBetween('0', '0', '0')).toEqual({ amount: '0', fraction: undefined });
  });

  it('WEB-266 sums a coin over all accounts, and combines the smallest coins', () => {
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
