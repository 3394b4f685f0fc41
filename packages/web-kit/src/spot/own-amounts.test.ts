import { Decimal } from '@exchange/core/decimal.ts';
import { bookOf, depthOf } from '../market/book.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ownAmounts } from './own-amounts.ts';

const order = (tradeType: 1 | 2, price: string, amount = '1', filledAmount = '0', cancelledAmount = '0') => ({
  tradeType,
  price,
  amount,
  filledAmount,
  cancelledAmount,
});

describe('the user’s orders in the book', () => {
  it('DESK-111 sums open amounts by price and side', () => {
    const orders = [
      order(1, '100', '2', '0.5'),
      order(1, '100', '2', '0.6', '0.4'),
      order(2, '100'),
      order(1, ''),
    ];
    expect([...ownAmounts(orders, 'bids', undefined)]).toEqual([['100', '2.5']]);
    expect([...ownAmounts(orders, 'asks', undefined)]).toEqual([['100', '1']]);
  });

  it('DESK-111 marks the row in which a grouped book shows the order', () => {
    const cents = fc.integer({ min: 1, max: 99_999 });
    const grouping = fc.constantFrom('0.1', '1', '10', '100');
    fc.assert(
      fc.property(cents, grouping, fc.constantFrom('bids' as const, 'asks' as const), (cent, step, side) => {
        const price = Decimal.ofScaled(BigInt(cent), 2).toString();
        const levels: [string, string][] = [[price, '1']];
        const none: [string, string][] = [];
        const book = bookOf(side === 'bids' ? { bids: levels, asks: none } : { bids: none, asks: levels });
        const [row] = depthOf(book, 5, Decimal.parse(step))[side];
        const amountsByRow = ownAmounts([order(side === 'bids' ? 1 : 2, price)], side, Decimal.parse(step));
        expect(amountsByRow.get(row?.price ?? '')).toBe('1');
      }),
    );
  });
});
