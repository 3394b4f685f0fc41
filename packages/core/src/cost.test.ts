import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { afterPurchase, afterSale, averageCost, NO_COST, openProfit, type Cost } from './cost.ts';
import { Decimal, sum } from './decimal.ts';
import { feeOn } from './fee.ts';

const d = (text: string): Decimal => Decimal.parse(text);
const texts = ({ amount, cost, realized }: Cost) => [amount, cost, realized].map(String);

describe('cost basis', () => {
  it('PORT-020 purchases are averaged, and sales realize the difference to the average cost', () => {
    const bought = afterPurchase(afterPurchase(NO_COST, d('1'), d('100')), d('3'), d('500'));
    expect(averageCost(bought)?.toString()).toBe('150');
    const afterFirstSale = afterSale(bought, d('2'), d('360'));
    expect(texts(afterFirstSale)).toEqual(['2', '300', '60']);
    expect(averageCost(afterFirstSale)?.toString()).toBe('150');
    expect(texts(afterSale(afterFirstSale, d('2'), d('200')))).toEqual(['0', '0', '-40']);
  });

  it('PORT-020 coins that were not purchased have no cost and realize no profit', () => {
    expect(texts(afterSale(NO_COST, d('1'), d('100')))).toEqual(['0', '0', '0']);
    const bought = afterPurchase(NO_COST, d('1'), d('100'));
    // Of the four sold coins only one had been purchased, so a quarter of the proceeds counts for the profit.
    expect(texts(afterSale(bought, d('4'), d('800')))).toEqual(['0', '0', '100']);
    expect(averageCost(NO_COST)).toBeUndefined();
    expect(openProfit(NO_COST, d('5'), { price: d('100'), sellingFee: d('0.001') })).toBeUndefined();
  });

  it('PORT-021 unrealized profit counts only held coins that were purchased, less the fee of their sale', () => {
    const bought = afterPurchase(NO_COST, d('2'), d('300'));
    const profitAt = (held: string, price: string, sellingFee: string) =>
      String(openProfit(bought, d(held), { price: d(price), sellingFee: d(sellingFee) })?.profit);
    expect(profitAt('5', '160', '0')).toBe('20');
    expect(profitAt('5', '160', '0.001')).toBe('19.68');
    expect(profitAt('1', '140', '0.001')).toBe('-10.14');
  });

  it('PORT-021 the unrealized profit at a price is what a sale at this price realizes', () => {
    const cents = fc.integer({ min: 1, max: 1e9 }).map((whole) => Decimal.ofScaled(BigInt(whole), 4));
    fc.assert(
      fc.property(cents, cents, cents, (amount, spent, price) => {
        const bought = afterPurchase(NO_COST, amount, spent);
        const sellingFee = d('0.001');
        const proceeds = amount.times(price, 'down', 8);
        const sold = afterSale(bought, amount, proceeds.minus(feeOn(proceeds, sellingFee)));
        expect(String(openProfit(bought, amount, { price, sellingFee })?.profit)).toBe(String(sold.realized));
      }),
    );
  });

  it('PORT-020 spending plus realized profit equals proceeds plus remaining cost, to the last digit', () => {
    const trades = fc.array(
      fc.tuple(fc.boolean(), fc.integer({ min: 1, max: 1e9 }), fc.integer({ min: 1, max: 1e9 })),
    );
    fc.assert(
      fc.property(trades, (tradeList) => {
        let position = NO_COST;
        const [spent, earned]: [Decimal[], Decimal[]] = [[], []];
        for (const [isPurchase, amount, value] of tradeList) {
          const [coins, usdt] = [amount, value].map((whole) => Decimal.ofScaled(BigInt(whole), 5)) as [
            Decimal,
            Decimal,
          ];
          if (isPurchase) spent.push(usdt);
          else if (!coins.isMore(position.amount)) earned.push(usdt);
          if (isPurchase) position = afterPurchase(position, coins, usdt);
          else if (!coins.isMore(position.amount)) position = afterSale(position, coins, usdt);
          expect(position.amount.isNegative() || position.cost.isNegative()).toBe(false);
        }
        const difference = sum(spent)
          .plus(position.realized)
          .minus(sum(earned))
          .minus(position.cost)
          .absolute();
        expect(difference.isMore(d('0.00001'))).toBe(false);
      }),
    );
  });
});
