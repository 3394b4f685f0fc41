import { Decimal } from '@exchange/core/decimal.ts';
import { HOUR_MS, instant } from '@exchange/core/time.ts';
import { expect, it } from 'vitest';
import { isOutdated, isStuck, isWorthLeast, isWorthSweeping } from './sweep-domain.ts';

const price = (text: string | undefined) => (text === undefined ? undefined : Decimal.parse(text));

it.each([
  ['30', '1', '0.001', '3000', true],
  ['29.999999', '1', '0.001', '3000', false],
  ['1', '3000', '0.1', '3000', true],
  ['1000', undefined, '0.001', '3000', false],
  ['1000', '1', '0.001', undefined, false],
  ['0', '1', '0', '3000', false],
])('TRE-043 %s at %s USDT for a cost of %s at %s USDT, ten times: %s', (amount, worth, cost, coin, is) => {
  const holding = { amount: Decimal.parse(amount), price: price(worth) };
  const terms = { cost: Decimal.parse(cost), price: price(coin), factor: 10 };
  expect(isWorthSweeping(holding, terms)).toBe(is);
});

it('TRE-049 an open sweep is stuck after two hours, and out of date after six', () => {
  const sweep = { createdAt: instant(0), closedAt: undefined };
  const after = (hours: number) => instant(hours * HOUR_MS);
  expect([isStuck(sweep, instant(2 * HOUR_MS - 1)), isStuck(sweep, after(2))]).toEqual([false, true]);
  expect(isStuck({ ...sweep, closedAt: instant(1) }, after(3))).toBe(false);
  expect([isOutdated(sweep, instant(6 * HOUR_MS - 1)), isOutdated(sweep, after(6))]).toEqual([false, true]);
});

it('TRON-019 where the cost of a sweep has no price, it is worth it from a value of its own on', () => {
  const isWorth = (amount: string, worth: string | undefined) =>
    isWorthLeast({ amount: Decimal.parse(amount), price: price(worth) }, Decimal.parse('20'));
  expect([isWorth('20', '1'), isWorth('19.999999', '1'), isWorth('10', '2')]).toEqual([true, false, true]);
  expect([isWorth('20', undefined), isWorth('0', '1')]).toEqual([false, false]);
});
