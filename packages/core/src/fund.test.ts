import { describe, expect, it } from 'vitest';
import { commitSeed, byForm } from '../../../tools/test-form.ts';
import { Decimal, least } from './decimal.ts';
import {
  purchaseFor,
  closingOf,
  dailyCost,
  equityOf,
  marginRatio,
  partOf,
  saleOf,
  thresholdOf,
  unitValue,
  type Holding,
} from './fund.ts';
import { SeededGenerator } from './seeded-generator.ts';

const d = (text: string): Decimal => Decimal.parse(text);
const ROUNDS = byForm(2_000, 10_000);
const MMR = d('0.01');

/** Returns the decimal as an integer count of 10^-digits, because the reference implementation uses integers. */
const units = (value: Decimal, digits: number): bigint => value.atoms / 10n ** BigInt(18 - digits);

function randomHolding(random: SeededGenerator): { holding: Holding; step: Decimal } {
  const below = (bound: number) => Math.floor(random.next() * bound);
  const step = Decimal.ofScaled(1n, below(5));
  const buyPrice = Decimal.ofScaled(BigInt(1 + below(2 ** 40)), 8);
  const leverage = 1 + below(5);
  const margin = Decimal.ofScaled(BigInt(1 + below(2 ** 45)), 8);
  const purchase = purchaseFor(margin, leverage, buyPrice, step);
  const costs = purchase.usedMargin.times(Decimal.ofScaled(BigInt(below(900)), 3), 'down', 8);
  return { step, holding: { ...purchase, margin: purchase.usedMargin, buyPrice, costs, leverage } };
}

describe('leveraged funds', () => {
  it('FUND-001 a unit value is the weighted sum of its indexes, and null if an index is missing', () => {
    const basket = {
      constituents: [
        { symbol: 'btcusdt', weight: d('0.1') },
        { symbol: 'ethusdt', weight: d('2') },
      ],
      divisor: d('3'),
    };
    const valueFor = (points: Record<string, [string | null, boolean]>) =>
      unitValue(basket, (symbol) => {
        const [price, isDegraded] = points[symbol] ?? [undefined, false];
        if (price === undefined) return undefined;
        return { price: price === null ? null : d(price), isDegraded };
      });
    const whole = valueFor({ btcusdt: ['50000', false], ethusdt: ['2500.5', true] });
    expect([whole.value?.toString(), whole.isDegraded]).toEqual(['3333.66666667', true]);
    expect(valueFor({ btcusdt: ['50000', true], ethusdt: [null, false] }).value).toBeNull();
    expect(valueFor({ btcusdt: ['50000', false] }).value).toBeNull();
  });

  it('FUND-003 FUND-005 FUND-006 the published example: leverage 3 at 100 is liquidated below 67.3401', () => {
    const { quantity, usedMargin, notional } = purchaseFor(d('100'), 3, d('100'), d('0.001'));
    expect([quantity, usedMargin, notional].map(String)).toEqual(['3', '100', '300']);
    const holding = { quantity, buyPrice: d('100'), margin: usedMargin, costs: Decimal.zero, leverage: 3 };
    expect(thresholdOf(holding, MMR)?.rounded(4, 'halfEven').toString()).toBe('67.3401');
    const rates = { manageRate: d('0.0001'), financeRate: d('0.0005'), mmr: MMR, liqFee: d('0.005') };
    expect(dailyCost(holding, d('110'), rates).toString()).toBe('0.133');
    expect(thresholdOf({ ...holding, leverage: 1 }, MMR)).toBeUndefined();
  });

  it('FUND-003 FUND-006 FUND-007 for random values purchase, liquidation and payout equal integer arithmetic', () => {
    const random = new SeededGenerator(19_042 + commitSeed);
    const differing: string[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const { holding, step } = randomHolding(random);
      if (!holding.quantity.isPositive()) continue;
      const { quantity, buyPrice, margin, costs, leverage } = holding;
      const [q, buy] = [units(quantity, 4), units(buyPrice, 8)];
      // The bought quantity must be a whole number of steps that the margin can pay.
      const cost = q * buy;
      const locked = units(margin, 8) * 10_000n;
      const isBought = units(quantity, 4) % units(step, 4) === 0n && locked * BigInt(leverage) >= cost;
      const value = buyPrice.times(Decimal.ofScaled(BigInt(Math.floor(random.next() * 2_000)), 3), 'down', 8);
      const v = units(value, 8);
      const equity = locked - units(costs, 8) * 10_000n + q * (v - buy);
      const threshold = thresholdOf(holding, MMR);
      const isBelow = leverage > 1 && equity * 100n < q * v;
      const isLiquidated = threshold !== undefined && value.isLess(threshold);
      const ratio = marginRatio(holding, value, MMR);
      const isSame =
        units(equityOf(holding, value), 12) === equity &&
        isLiquidated === isBelow &&
        (ratio === undefined || !value.isPositive() || ratio.isLess(Decimal.one) === isBelow);
      const closing = closingOf(holding, value, d('0.005'));
      const paid = closing.payout.plus(closing.fee).minus(closing.shortfall);
      const exact = units(equityOf(holding, value).rounded(8, 'down'), 8);
      const isPaid =
        units(paid, 8) === exact &&
        !closing.payout.isNegative() &&
        margin.minus(costs).plus(closing.fromHouse).equals(closing.payout.plus(closing.fee));
      if (!isBought || !isSame || !isPaid)
        differing.push(`${quantity} ${buyPrice} ${margin} ${costs} ${leverage} ${value}`);
    }
    expect(differing).toEqual([]);
  });

  it('FUND-1020 a sale pays what its settlement pays: released margin plus profit less costs, at least zero', () => {
    const holding = { quantity: d('3'), buyPrice: d('100'), margin: d('100'), costs: d('0.6'), leverage: 3 };
    const textsOf = ({ payout, margin, profit, costs }: ReturnType<typeof saleOf>) =>
      [payout, margin, profit, costs].map(String);
    expect(textsOf(saleOf(holding, d('1.5'), d('110')))).toEqual(['64.7', '50', '15', '0.3']);
    expect(textsOf(saleOf(holding, d('9'), d('90')))).toEqual(['69.4', '100', '-30', '0.6']);
    expect(saleOf(holding, d('3'), d('60')).payout.isZero()).toBe(true);
    const random = new SeededGenerator(6 + commitSeed);
    for (let round = 0; round < ROUNDS; round += 1) {
      const { holding: otherHolding } = randomHolding(random);
      const value = otherHolding.buyPrice.times(d((0.5 + random.next()).toFixed(4)), 'up', 8);
      const half = least(
        otherHolding.quantity,
        otherHolding.quantity.over(Decimal.ofWhole(2), 'down', 4).plus(d('0.0001')),
      );
      const { margin, costs } = partOf(otherHolding, half);
      const settled = closingOf({ ...otherHolding, quantity: half, margin, costs }, value, undefined);
      const expected = otherHolding.quantity.isPositive()
        ? settled.payout
        : saleOf(otherHolding, half, value).payout;
      expect(saleOf(otherHolding, half, value).payout.equals(expected)).toBe(true);
    }
  });

  it('FUND-009 parts of a position add up to the whole for any sequence of sales', () => {
    const random = new SeededGenerator(5 + commitSeed);
    for (let round = 0; round < ROUNDS; round += 1) {
      const { holding, step } = randomHolding(random);
      let rest: Holding = holding;
      let [margin, costs] = [Decimal.zero, Decimal.zero];
      while (rest.quantity.isPositive()) {
        const steps = units(rest.quantity, 4) / units(step, 4);
        const soldSteps = 1n + BigInt(Math.floor(random.next() * Number(steps)));
        const sold =
          random.next() < 0.2 || soldSteps > steps
            ? rest.quantity
            : step.timesExact(Decimal.ofWhole(soldSteps));
        const part = partOf(rest, sold);
        expect(part.margin.isLess(part.costs)).toBe(false);
        [margin, costs] = [margin.plus(part.margin), costs.plus(part.costs)];
        rest = {
          ...rest,
          quantity: rest.quantity.minus(sold),
          margin: rest.margin.minus(part.margin),
          costs: rest.costs.minus(part.costs),
        };
        expect(rest.margin.isLess(rest.costs)).toBe(false);
      }
      const isWhole = margin.equals(holding.margin) && costs.equals(holding.costs);
      expect(isWhole || holding.quantity.isZero()).toBe(true);
    }
  });
});
