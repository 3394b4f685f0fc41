import { Decimal } from '@exchange/core/decimal.ts';
import { expect, it } from 'vitest';
import { coveredDays, reservesHealth, type Reserve } from './reserves.ts';

const interest = (balance: string, daily: string, asset = 'USDT'): Reserve => ({
  account: 'interest',
  asset,
  balance: Decimal.parse(balance),
  daily: Decimal.parse(daily),
  needed: Decimal.parse(daily).times(Decimal.ofWhole(7), 'up'),
});
const fund = (balance: string, needed: string): Reserve => ({
  account: 'fund',
  asset: 'USDT',
  balance: Decimal.parse(balance),
  needed: Decimal.parse(needed),
});

it('EDGE-202 an account that covers its days is up, and an unused account is not mentioned', () => {
  const all = [
    interest('150', '10', 'ETH'),
    interest('140', '10'),
    interest('0', '0', 'BTC'),
    fund('9', '9'),
  ];
  expect(reservesHealth(all)).toEqual({
    isUp: true,
    facts: { interest: 'USDT covers 14 days', fund: 'USDT holds 9 of 9 needed' },
  });
});

it('EDGE-202 accounts that need funds are named before sales stop, and accounts with stopped sales come first', () => {
  const { isUp, reason } = reservesHealth([
    interest('139.99', '10'),
    interest('19', '10', 'BTC'),
    fund('8', '9'),
  ]);
  expect(isUp).toBe(false);
  expect(reason).toBe(
    [
      'interest BTC covers 1 day, so no more is sold until it is funded',
      'fund USDT holds 8 of 9 needed, so no more is sold until it is funded',
      'interest USDT covers 13 days: fund it before sales stop',
    ].join('; '),
  );
});

it('EDGE-202 the metric contains the covered days of accounts with regular payments', () => {
  const all = [interest('75', '10'), interest('0', '10', 'BTC'), interest('5', '0', 'ETH'), fund('8', '9')];
  expect(coveredDays(all)).toEqual({ 'interest USDT': 7, 'interest BTC': 0 });
});
