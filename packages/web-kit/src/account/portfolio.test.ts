import { describe, expect, it } from 'vitest';
import { profitOf } from './portfolio.ts';

const cost = (amount: string, of: string, realized = '0') => ({ amount, cost: of, realized });
const balance = (availableCurrency: string, frozenCurrency: string, price: string) => ({
  availableCurrency,
  frozenCurrency,
  price,
});

describe('what a coin earns', () => {
  it('PORT-021 is of those that were bought and are still there, free or on hold', () => {
    const found = profitOf(cost('2', '300', '7'), balance('1.5', '2.5', '160'));
    expect([found.average, found.open?.profit, found.open?.share, found.realized].map(String)).toEqual([
      '150',
      '20',
      '0.0666',
      '7',
    ]);
    expect(String(profitOf(cost('2', '300'), balance('1', '0', '140')).open?.profit)).toBe('-10');
  });

  it('PORT-021 is not known of coins that were not bought, or are gone; what sales have earned stays', () => {
    const sold = profitOf(cost('0', '0', '5'), balance('1', '0', '160'));
    expect([sold.average, sold.open, String(sold.realized)]).toEqual([undefined, undefined, '5']);
    expect(profitOf(cost('2', '300'), balance('0', '0', '160')).open).toBeUndefined();
  });
});
