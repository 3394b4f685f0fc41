import type { HiddenAmounts, NextSlice } from '../domain/book/contract.ts';

const SLICES_MAX = 4;

/**
 * Hidden amounts for tests, derived from the number in an order's id: every third order is followed by one to four
 * slices. The id of a slice contains the number of slices placed so far, so each book needs its own instance.
 */
export class NumberedIcebergs implements HiddenAmounts {
  readonly size = 1;
  private placed = 0;

  slicesAfter(id: string): readonly bigint[] {
    const [order = '', position = '0'] = id.split('/');
    const number = Number(order.slice(order.indexOf('-') + 1));
    if (number % 3 !== 0) return [];
    const count = 1 + (number % SLICES_MAX);
    const amounts = Array.from({ length: count }, (_, index) => BigInt(1 + ((number * 7 + index * 5) % 11)));
    return amounts.slice(Number.parseInt(position, 10));
  }

  replace(id: string): NextSlice | null {
    const [amount] = this.slicesAfter(id);
    if (amount === undefined) return null;
    const [order, position = '0'] = id.split('/');
    this.placed += 1;
    return { id: `${order}/${Number.parseInt(position, 10) + 1}#${this.placed}`, amount };
  }
}
