import { describe, expect, it } from 'vitest';
import { byForm } from '../../../tools/test-form.ts';
import { Decimal } from './decimal.ts';
import {
  breakEvenRate,
  entrySecond,
  expectedValue,
  profitOf,
  reserveOf,
  resultOf,
  secondsFee,
  settlementOf,
  settlementSeconds,
  stakeProblem,
  transferProblem,
  windowOf,
  type Direction,
} from './seconds.ts';
import { SeededGenerator } from './seeded-generator.ts';
import { instant } from './time.ts';

const d = (text: string) => Decimal.parse(text);
const T = 1_800_000_000_000;

describe('seconds contract', () => {
  it('CON-001 enters at the first whole second after acceptance', () => {
    expect(entrySecond(instant(T))).toBe(T + 1_000);
    expect(entrySecond(instant(T + 1))).toBe(T + 1_000);
    expect(entrySecond(instant(T + 999))).toBe(T + 1_000);
    expect(entrySecond(instant(T + 1_000))).toBe(T + 2_000);
  });

  it('CON-003 settles by one, three or five index points that end with the expiry', () => {
    expect([30, 59, 60, 299, 300, 600].map(windowOf)).toEqual([1, 1, 3, 3, 5, 5]);
    expect(settlementSeconds(instant(T), 3)).toEqual([T - 2_000, T - 1_000, T]);
    expect(settlementSeconds(instant(T), 1)).toEqual([T]);
  });

  it('CON-004 CON-005 CON-006 compares strictly; equality is a draw and a missing price makes it void', () => {
    const decide = (direction: Direction, entry: string | null, ...window: (string | null)[]) =>
      resultOf(
        direction,
        { entry: entry && d(entry), window: window.map((text) => text && d(text)) } as never,
        4,
      );
    expect(decide('up', '100', '100.0001')).toMatchObject({ result: 'win' });
    expect(decide('down', '100', '100.0001')).toMatchObject({ result: 'lose' });
    expect(decide('up', '100', '100')).toMatchObject({ result: 'draw' });
    // The mean of 100, 100 and 100.0001 is 100.00003…, which rounds to 100.0000 at four decimals. This equals the entry
    // price, so the result is a draw.
    expect(decide('up', '100', '100', '100', '100.0001')).toMatchObject({ result: 'draw' });
    expect(decide('up', null, '100')).toEqual({ result: 'void', reason: 'noEntryPoint' });
    expect(decide('up', '100', '101', null, '101')).toEqual({ result: 'void', reason: 'noSettlementPoint' });
  });

  it('CON-007 rounds the profit down and the fee up, and charges the fee only for a win or a loss', () => {
    const [stake, profit, fee] = [
      d('10.00000001'),
      profitOf(d('10.00000001'), d('0.85')),
      secondsFee(d('10.00000001'), d('0.01')),
    ];
    expect([profit.toString(), fee.toString()]).toEqual(['8.5', '0.10000001']);
    const net = (result: 'win' | 'lose' | 'draw' | 'void') =>
      settlementOf(result, { stake, profit, fee }).net.toString();
    expect([net('win'), net('lose'), net('draw'), net('void')]).toEqual([
      '8.39999999',
      '-10.10000002',
      '0',
      '0',
    ]);
  });

  it('CON-010 states the break-even rate and the expected value at even odds', () => {
    const rate = (r: string) => breakEvenRate(d(r)).rounded(4, 'halfEven').toString();
    expect(['0.8', '0.85', '0.92'].map(rate)).toEqual(['0.5556', '0.5405', '0.5208']);
    expect(['0.8', '0.85', '0.92'].map((r) => expectedValue(d(r)).toString())).toEqual([
      '-0.1',
      '-0.075',
      '-0.04',
    ]);
    expect(expectedValue(d('0.85'), d('0.01')).toString()).toBe('-0.085');
  });

  it('CON-011 refuses a stake with limit and submitted value', () => {
    const limits = {
      asset: 'USDT',
      digits: 8,
      minimum: d('5'),
      maximum: d('500'),
      feeRate: d('0.01'),
      available: d('100'),
    };
    const key = (text: string | undefined) =>
      stakeProblem(text === undefined ? undefined : d(text), limits)?.key;
    expect([undefined, '0', '0.000009', '4', '501', '100', '5.000000001', '99'].map(key)).toEqual([
      'l.c_enteropenamt',
      'l.c_enteropenamt',
      'l.c_enteropenamt',
      'l.u_limit_min_low',
      'l.amount_max',
      'l.insufficient_balance',
      'l.amount_decimals',
      undefined,
    ]);
    expect(stakeProblem(d('4'), limits)).toMatchObject({
      parameters: { limit: '5', value: '4', unit: 'USDT' },
    });
    expect(transferProblem(d('0.000009'), limits)?.key).toBe('l.c_a_transferTip');
    expect(transferProblem(d('101'), limits)?.key).toBe('l.insufficient_balance');
    expect(transferProblem(d('100'), limits)).toBeUndefined();
  });

  it('CON-008 CON-004 result, profit and fee of random positions equal a naive reference', () => {
    const generator = new SeededGenerator(18);
    const draw = (below: number) => Math.floor(generator.next() * below);
    for (let round = 0; round < byForm(1_000, 100_000); round += 1) {
      const window = ([1, 3, 5] as const)[draw(3)]!;
      const point = () => (draw(40) === 0 ? null : 1_000_000 + draw(7));
      const [entry, points] = [point(), Array.from({ length: window }, point)];
      const direction = draw(2) === 0 ? 'up' : 'down';
      const asDecimal = (units: number | null) =>
        units === null ? null : Decimal.ofScaled(BigInt(units), 4);
      const priceResult = resultOf(direction, { entry: asDecimal(entry), window: points.map(asDecimal) }, 4);
      expect(priceResult.result).toBe(naiveResult(direction, entry, points));
      const [units, rate] = [1 + draw(1_000_000_000), 1 + draw(100)];
      const stake = Decimal.ofScaled(BigInt(units), 8);
      expect(profitOf(stake, Decimal.ofScaled(BigInt(rate), 2)).toScaled(8)).toBe(
        (BigInt(units) * BigInt(rate)) / 100n,
      );
      expect(secondsFee(stake, Decimal.ofScaled(BigInt(rate), 2)).toScaled(8)).toBe(
        (BigInt(units) * BigInt(rate) + 99n) / 100n,
      );
    }
  });

  it('CON-008 the reserve of a bucket is the cost of the worse outcome', () => {
    const generator = new SeededGenerator(19);
    const draw = () => Decimal.ofScaled(BigInt(Math.floor(generator.next() * 1e9)), 8);
    for (let round = 0; round < 200; round += 1) {
      const bucket = { upStake: draw(), upProfit: draw(), downStake: draw(), downProfit: draw() };
      const costs = [
        bucket.upProfit.minus(bucket.downStake).toScaled(8),
        bucket.downProfit.minus(bucket.upStake).toScaled(8),
        0n,
      ];
      const worst = costs.reduce((most, cost) => (cost > most ? cost : most));
      expect(reserveOf(bucket).toScaled(8)).toBe(worst);
    }
  });
});

/**
 * Reference implementation of the result of a seconds contract position. It counts prices in units of their
 * last decimal.
 */
function naiveResult(direction: Direction, entry: number | null, points: readonly (number | null)[]) {
  if (entry === null || points.includes(null)) return 'void';
  const total = (points as number[]).reduce((all, point) => all + point, 0);
  // The number of points is odd, so the mean is never exactly halfway between two integers, and `Math.round` equals
  // rounding half to even.
  const settle = Math.round(total / points.length);
  if (settle === entry) return 'draw';
  return settle > entry === (direction === 'up') ? 'win' : 'lose';
}
