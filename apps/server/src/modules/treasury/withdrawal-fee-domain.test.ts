import { Decimal } from '@exchange/core/decimal.ts';
import { EVERY_COIN_NETWORK, findCoinNetwork } from '@exchange/core/network.ts';
import { instant } from '@exchange/core/time.ts';
import { expect, it } from 'vitest';
import { convertedCost, feeBounds, FRESH_MS, isFresh, liveFee } from './withdrawal-fee-domain.ts';

const USDT = findCoinNetwork('USDT', 'ERC20')!;
const decimal = (text: string) => Decimal.parse(text);
const feeAt = (cost: string, charged?: string) =>
  liveFee(USDT, decimal(cost), charged === undefined ? undefined : decimal(charged)).toString();

it('WDR-1207 a live fee is the cost with a fifth more, rounded up to two significant digits', () => {
  expect(feeAt('2')).toBe('2.4');
  expect(feeAt('2.01')).toBe('2.5');
  expect(feeAt('1.7501')).toBe('2.2');
  const shib = findCoinNetwork('SHIB', 'ERC20')!;
  expect(liveFee(shib, decimal('100001'), undefined).toString()).toBe('130000');
  const btc = findCoinNetwork('BTC', 'BTC')!;
  expect(liveFee(btc, decimal('0.00004321'), undefined).toString()).toBe('0.000052');
});

it('WDR-1207 a live fee is at least a quarter of the table’s fee, and at most five times it or half of the least withdrawal', () => {
  expect(feeAt('0')).toBe('1');
  expect(feeAt('0.000000001')).toBe('1');
  expect(feeAt('7.9')).toBe('9.5');
  // The highest fee is 10 USDT: half of the minimum withdrawal of 20 USDT, because five times the table's fee of 4 USDT
  // is more.
  expect(feeAt('8.4')).toBe('10');
  expect(feeAt('1000000')).toBe('10');
  const tron = findCoinNetwork('USDT', 'TRC20')!;
  expect(liveFee(tron, decimal('1000'), undefined).toString()).toBe('5');
});

it('WDR-1207 the bounds of every coin contain the table’s fee, leave something of the least withdrawal and fit the coin’s digits', () => {
  for (const coin of EVERY_COIN_NETWORK) {
    const { least, most } = feeBounds(coin);
    const name = `${coin.asset} ${coin.network.code}`;
    expect(least.isPositive(), name).toBe(true);
    expect(least.isMore(coin.fee), name).toBe(false);
    expect(most.isLess(coin.fee), name).toBe(false);
    expect(most.isLess(coin.minWithdrawal), name).toBe(true);
    expect(least.fits(coin.digits) && most.fits(coin.digits), name).toBe(true);
    for (const part of ['0.01', '0.333333333333333333', '1', '3.7', '100'])
      expect(liveFee(coin, coin.fee.times(decimal(part), 'up'), undefined).fits(coin.digits), name).toBe(
        true,
      );
  }
});

it('WDR-1207 a fee stays as it is while its cost falls by less than a tenth, and rises as soon as the cost does', () => {
  // A charged fee of 2.4 stays while the cost times 1.2 is between 2.16 (90 % of 2.4) and 2.4.
  expect(feeAt('1.8', '2.4')).toBe('2.4');
  expect(feeAt('1.79', '2.4')).toBe('2.2');
  expect(feeAt('2', '2.4')).toBe('2.4');
  expect(feeAt('2.0001', '2.4')).toBe('2.5');
  // A charged fee outside of the bounds is not kept.
  expect(feeAt('9.9', '12')).toBe('10');
});

it('WDR-1207 a cost is converted at the index prices, rounded up, and not at all without both of them', () => {
  const cost = decimal('0.0005');
  expect(convertedCost(cost, decimal('3000'), Decimal.one)?.toString()).toBe('1.5');
  expect(convertedCost(cost, decimal('3000'), decimal('7'))?.toString()).toBe('0.214285714285714286');
  expect(convertedCost(cost, undefined, Decimal.one)).toBeUndefined();
  expect(convertedCost(cost, decimal('3000'), undefined)).toBeUndefined();
  expect(convertedCost(cost, Decimal.zero, Decimal.one)).toBeUndefined();
  expect(convertedCost(cost, decimal('3000'), Decimal.zero)).toBeUndefined();
});

it('WDR-1207 a fee that was not computed again for five minutes is not charged', () => {
  const at = instant(1_000_000);
  expect(isFresh({ at }, instant(1_000_000 + FRESH_MS))).toBe(true);
  expect(isFresh({ at }, instant(1_000_001 + FRESH_MS))).toBe(false);
});
