import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { afterPurchase, afterSale, averageCost, NO_COST, openProfit, type Cost } from './cost.ts';
import { Decimal, sum } from './decimal.ts';

const d = (text: string): Decimal => Decimal.parse(text);
const texts = ({ amount, cost, realized }: Cost) => [amount, cost, realized].map(String);

describe('the cost of coins', () => {
  it('PORT-020 purchases are averaged, and sales earn what they bring beyond that average', () => {
    const two = afterPurchase(afterPurchase(NO_COST, d('1'), d('100')), d('3'), d('500'));
    expect(averageCost(two)?.toString()).toBe('150');
    const sold = afterSale(two, d('2'), d('360'));
    expect(texts(sold)).toEqual(['2', '300', '60']);
    expect(averageCost(sold)?.toString()).toBe('150');
    expect(texts(afterSale(sold, d('2'), d('200')))).toEqual(['0', '0', '-40']);
  });

  it('PORT-020 coins that were not bought have no cost and earn nothing', () => {
    expect(texts(afterSale(NO_COST, d('1'), d('100')))).toEqual(['0', '0', '0']);
    const one = afterPurchase(NO_COST, d('1'), d('100'));
    // Of four sold one was bought: a quarter of what they brought counts.
    expect(texts(afterSale(one, d('4'), d('800')))).toEqual(['0', '0', '100']);
    expect(averageCost(NO_COST)).toBeUndefined();
    expect(openProfit(NO_COST, d('5'), d('100'))).toBeUndefined();
  });

  it('PORT-021 what would be earned now counts what is held and was bought', () => {
    const two = afterPurchase(NO_COST, d('2'), d('300'));
    expect(String(openProfit(two, d('5'), d('160'))?.profit)).toBe('20');
    expect(String(openProfit(two, d('1'), d('140'))?.profit)).toBe('-10');
  });

  it('PORT-020 nothing is lost on the way: what came in is cost, earnings and what is left, to the last digit', () => {
    const deeds = fc.array(
      fc.tuple(fc.boolean(), fc.integer({ min: 1, max: 1e9 }), fc.integer({ min: 1, max: 1e9 })),
    );
    fc.assert(
      fc.property(deeds, (list) => {
        let now = NO_COST;
        const [spent, earned]: [Decimal[], Decimal[]] = [[], []];
        for (const [isPurchase, amount, value] of list) {
          const [coins, usdt] = [amount, value].map((whole) => Decimal.ofScaled(BigInt(whole), 5)) as [
            Decimal,
            Decimal,
          ];
          if (isPurchase) spent.push(usdt);
          else if (!coins.isMore(now.amount)) earned.push(usdt);
          if (isPurchase) now = afterPurchase(now, coins, usdt);
          else if (!coins.isMore(now.amount)) now = afterSale(now, coins, usdt);
          expect(now.amount.isNegative() || now.cost.isNegative()).toBe(false);
        }
        const difference = sum(spent).plus(now.realized).minus(sum(earned)).minus(now.cost).absolute();
        expect(difference.isMore(d('0.00001'))).toBe(false);
      }),
    );
  });
});
