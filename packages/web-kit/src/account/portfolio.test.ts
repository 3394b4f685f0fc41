import { Decimal } from '@exchange/core/decimal.ts';
import { describe, expect, it } from 'vitest';
import { profitOf as profitAfterFee } from './portfolio.ts';

const cost = (amount: string, total: string, realized = '0') => ({ amount, cost: total, realized });
const balance = (availableCurrency: string, frozenCurrency: string, price: string) => ({
  availableCurrency,
  frozenCurrency,
  price,
});

const profitOf = (...[texts, held]: [ReturnType<typeof cost>, ReturnType<typeof balance>]) =>
  profitAfterFee(texts, held, Decimal.parse('0.001'));

describe('the profit of a coin', () => {
  it('PORT-021 covers bought units that remain, available or frozen', () => {
    const profit = profitOf(cost('2', '300', '7'), balance('1.5', '2.5', '160'));
    expect([profit.average, profit.open?.profit, profit.open?.share, profit.realized].map(String)).toEqual([
      '150',
      '19.68',
      '0.0656',
      '7',
    ]);
    expect(String(profitOf(cost('2', '300'), balance('1', '0', '140')).open?.profit)).toBe('-10.14');
  });

  it('PORT-021 is unknown without remaining bought units; realised profit stays', () => {
    const sold = profitOf(cost('0', '0', '5'), balance('1', '0', '160'));
    expect([sold.average, sold.open, String(sold.realized)]).toEqual([undefined, undefined, '5']);
    expect(profitOf(cost('2', '300'), balance('0', '0', '160')).open).toBeUndefined();
  });

  it('PORT-021 is unknown until the fee rate of the sale is known', () => {
    const early = profitAfterFee(cost('2', '300', '7'), balance('1', '0', '160'), undefined);
    expect([early.open, String(early.realized)]).toEqual([undefined, '7']);
  });
});
