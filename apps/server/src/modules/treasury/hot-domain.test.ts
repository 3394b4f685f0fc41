import { Decimal } from '@exchange/core/decimal.ts';
import { expect, it } from 'vitest';
import {
  hotStateOf,
  isSurplusUnneeded,
  leavesShort,
  refillOf,
  refillOutcome,
  surplusOf,
} from './hot-domain.ts';

const amount = (text: string) => Decimal.parse(text);
const bounds = { least: amount('20'), target: amount('50'), most: amount('100') };
const coin = (balance: string, needed = '0') => ({
  balance: amount(balance),
  needed: amount(needed),
  bounds,
});

it.each([
  ['20', '0', undefined],
  ['19.9', '0', '30.1'],
  ['0', '0', '50'],
  // The balance (25) is above the lower bound, but below the approved withdrawals (25.1).
  ['25', '25.1', '25'],
  // The approved withdrawals need more than the target, so the refill raises the balance to their amount plus the lower
  // bound.
  ['25', '70', '65'],
  ['25', '25', undefined],
])('TRE-036 a wallet with %s, of which %s leave, is refilled with %s', (balance, needed, refill) => {
  expect(refillOf(coin(balance, needed))?.toString()).toBe(refill);
  expect(hotStateOf(coin(balance, needed))).toBe(refill === undefined ? 'enough' : 'short');
});

it.each([
  ['100', '0', undefined],
  ['100.5', '0', '50.5'],
  // After the move, the wallet still has the amount of the approved withdrawals plus the lower bound.
  ['120', '70', '30'],
  ['120', '101', undefined],
])('TRE-038 a wallet with %s, of which %s leave, has a surplus of %s', (balance, needed, surplus) => {
  expect(surplusOf(coin(balance, needed))?.toString()).toBe(surplus);
});

it('TRE-037 a refill ends when enough has arrived, and is not needed when the wallet has filled otherwise', () => {
  const outcome = (balance: string, received: string) =>
    refillOutcome(coin(balance), { amount: amount('40'), received: amount(received) });
  expect(outcome('10', '0')).toBe('waits');
  expect(outcome('30', '0')).toBe('waits');
  expect(outcome('50', '0')).toBe('unneeded');
  expect(outcome('11', '1')).toBe('waits');
  expect(outcome('25', '15')).toBe('done');
  // The refill counts as arrived, although withdrawals have already spent it.
  expect(outcome('5', '40')).toBe('done');
});

it('TRE-038 a surplus that would leave the wallet short, or that has left already, is not needed any more', () => {
  expect(isSurplusUnneeded(coin('120'), amount('70'))).toBe(false);
  expect(isSurplusUnneeded(coin('90'), amount('70'))).toBe(false);
  expect(isSurplusUnneeded(coin('89'), amount('70'))).toBe(true);
  expect(isSurplusUnneeded(coin('50'), amount('1'))).toBe(true);
  expect(leavesShort(coin('120', '31'), amount('70'))).toBe(true);
});
