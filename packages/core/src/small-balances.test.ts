import { expect, it } from 'vitest';
import { termsForPayment } from './convert.ts';
import { Decimal } from './decimal.ts';
import { balanceWorth, isSmallBalance, smallBalanceProblem } from './small-balances.ts';

const d = (text: string) => Decimal.parse(text);
const ETH = { asset: 'ETH', digits: 8, index: d('3000') };
const BTC = { asset: 'BTC', digits: 8, index: d('100000') };

it('DUST-001 a balance is small up to its value in USDT at the index', () => {
  expect(balanceWorth(d('0.00333333'), ETH).toString()).toBe('9.99999');
  expect(isSmallBalance(d('0.00333333'), ETH)).toBe(true);
  expect(isSmallBalance(d('0.00333334'), ETH)).toBe(false);
  expect(isSmallBalance(d('0'), ETH)).toBe(false);
});

it('DUST-002 refuses a balance that is too large or would bring nothing', () => {
  const problemOf = (amount: string) => smallBalanceProblem(ETH, termsForPayment(ETH, BTC, d(amount)));
  expect(problemOf('0.003')).toBeUndefined();
  expect(problemOf('0.004')).toMatchObject({
    key: 'l.small_too_large',
    parameters: { limit: '10', value: '12', unit: 'ETH' },
  });
  expect(problemOf('0.0000001')).toMatchObject({ key: 'l.small_nothing', parameters: { value: 'ETH' } });
});
