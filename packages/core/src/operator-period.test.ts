import { expect, it } from 'vitest';
import { Decimal } from './decimal.ts';
import { decisionOf, isRoutine, WITHOUT_MONEY } from './operator-period.ts';

const callOf = (decisions: number, value: string, greatest: string) => ({
  decisions,
  value: Decimal.parse(value),
  greatestValue: Decimal.parse(greatest),
});

it.each([
  [WITHOUT_MONEY, true],
  [decisionOf(Decimal.parse('1000')), true],
  [decisionOf(Decimal.parse('1000.000000000000000001')), false],
  [callOf(20, '10000', '1000'), true],
  [callOf(20, '10000.01', '1000'), false],
  [callOf(2, '1500', '1400'), false],
  [callOf(30, '0', '0'), true],
  [callOf(31, '0', '0'), false],
])('OPS-1168 a period could confirm %j: %j', (call, expected) => {
  expect(isRoutine(call)).toBe(expected);
});
