import { Decimal } from '@exchange/core/decimal.ts';
import { bookOf, depthOf } from '@exchange/web-kit/market/book.ts';
import { ownRows } from '@exchange/web-kit/spot/own-amounts.ts';
import { order } from '@exchange/web-kit/spot/testing/fixtures.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  centreShowing,
  GROUPINGS,
  hasLeftMiddle,
  ladderRows,
  ownMarks,
  priceOfRow,
  quickSizes,
  rowNumberOf,
  rowNumbers,
  stepOf,
  usualGrouping,
} from './ladder-rows.ts';

const d = (text: string): Decimal => Decimal.parse(text);
const TICK = d('0.01');

const book = bookOf({
  asks: [
    ['100.02', '1'],
    ['100.04', '3'],
    ['100.11', '5'],
  ],
  bids: [
    ['100', '2'],
    ['99.98', '4'],
    ['99.91', '7'],
  ],
});

/** The rows around a price with the amounts of `book`. */
function rowsAround(price: string, count: number, ticks: (typeof GROUPINGS)[number]) {
  const step = stepOf(TICK, ticks);
  const depth = depthOf(book, 100, ticks === 1 ? undefined : step);
  return ladderRows(rowNumbers(rowNumberOf(d(price), step), count), step, depth);
}

describe('the rows of the depth ladder', () => {
  it('DESK-145 are one price step apart, with the sizes at their prices and cumulated bars', () => {
    const rows = rowsAround('100', 9, 1).map(({ price, bid, ask, bidShare, askShare }) =>
      [price, bid, bidShare, ask, askShare].join(' '),
    );
    // The largest cumulated amount in the shown rows is that of the bids from 99.98 down: 2 + 4.
    expect(rows).toEqual([
      '100.04  0 3 66',
      '100.03  0  16',
      '100.02  0 1 16',
      '100.01  0  0',
      '100 2 33  0',
      '99.99  33  0',
      '99.98 4 100  0',
      '99.97  100  0',
      '99.96  100  0',
    ]);
  });

  it('DESK-145 a coarser step adds bids to the price below and asks to the price above', () => {
    const rows = rowsAround('100', 6, 10).map(({ price, bid, ask }) => `${price} ${bid} ${ask}`);
    expect(rows).toEqual(['100.3  ', '100.2  5', '100.1  4', '100 2 ', '99.9 11 ', '99.8  ']);
  });

  it('DESK-145 amounts out of sight count in the bars, and rows below the first price are empty', () => {
    const step = stepOf(TICK, 1);
    const far = ladderRows(rowNumbers(rowNumberOf(d('99'), step), 3), step, depthOf(book, 100));
    expect(far.map(({ bid, bidShare, askShare }) => [bid, bidShare, askShare])).toEqual(
      Array.from({ length: 3 }, () => ['', 100, 0]),
    );
    const lowest = ladderRows(rowNumbers(1n, 4), step, depthOf(book, 100));
    expect(lowest.map(({ price }) => price)).toEqual(['0.03', '0.02', '0.01', '']);
  });

  it('DESK-145 every size of the book is in the row of its price, whatever the step', () => {
    const level = fc.tuple(fc.integer({ min: 9_000, max: 11_000 }), fc.integer({ min: 1, max: 1_000 }));
    fc.assert(
      fc.property(
        fc.uniqueArray(level, { selector: ([price]) => price, maxLength: 60 }),
        fc.constantFrom(...GROUPINGS),
        (levels, ticks) => {
          const asks = levels.map(([price, amount]): [string, string] => [
            Decimal.ofScaled(BigInt(price), 2).toString(),
            Decimal.ofWhole(amount).toString(),
          ]);
          const step = stepOf(TICK, ticks);
          const depth = depthOf(bookOf({ asks, bids: [] }), 1_000, step);
          const rows = ladderRows(rowNumbers(rowNumberOf(d('100'), step), 2_400), step, depth);
          const shown = rows.reduce((sum, { ask }) => sum.plus(d(ask === '' ? '0' : ask)), Decimal.zero);
          const whole = levels.reduce((sum, [, amount]) => sum.plus(Decimal.ofWhole(amount)), Decimal.zero);
          expect(shown.toString()).toBe(whole.toString());
        },
      ),
    );
  });

  it('DESK-145 row numbers and prices belong together', () => {
    const step = stepOf(TICK, 50);
    expect(rowNumberOf(d('100.49'), step)).toBe(200n);
    expect(String(priceOfRow(200n, step))).toBe('100');
    expect(priceOfRow(0n, step)).toBeUndefined();
  });
});

describe('centring', () => {
  it('DESK-146 the price has left the middle half when it is more than a quarter of the rows away', () => {
    expect([95n, 96n, 104n, 105n].map((row) => hasLeftMiddle(row, 100n, 16))).toEqual([
      true,
      false,
      false,
      true,
    ]);
  });

  it('DESK-146 a row out of sight comes into sight by the shortest way', () => {
    expect(rowNumbers(100n, 5)).toEqual([102n, 101n, 100n, 99n, 98n]);
    expect(centreShowing(101n, 100n, 5)).toBe(100n);
    expect(centreShowing(105n, 100n, 5)).toBe(103n);
    expect(centreShowing(90n, 100n, 5)).toBe(92n);
  });

  it('DESK-145 the usual step is the coarsest within a ten-thousandth of the price', () => {
    expect(usualGrouping(TICK, d('95000'))).toBe(100);
    expect(usualGrouping(TICK, d('3600'))).toBe(10);
    expect(usualGrouping(TICK, d('98'))).toBe(1);
    expect(usualGrouping(TICK, undefined)).toBe(1);
  });
});

describe('own orders in the rows', () => {
  it('DESK-148 are summed by the row in which the book shows them', () => {
    const orders = [
      order('1', { price: '100.04', amount: '1', filledAmount: '0.25' }),
      order('2', { price: '100.06', amount: '2' }),
      order('3', { price: '100.06', tradeType: 2 }),
    ];
    const marks = ownMarks(ownRows(orders, 'bids', stepOf(TICK, 5)));
    expect([...marks]).toEqual([
      ['100', { amount: '0.75', ids: ['1'] }],
      ['100.05', { amount: '2', ids: ['2'] }],
    ]);
    expect([...ownMarks(ownRows(orders, 'asks', stepOf(TICK, 5))).keys()]).toEqual(['100.1']);
  });
});

describe('the offered order sizes', () => {
  const sizes = (price: string, minAmount: string, amountDigits = 5) =>
    quickSizes({ amountDigits, filters: { minAmount: d(minAmount), minTotal: d('5') } }, d(price));

  it('DESK-147 are round multiples of the least order at the price', () => {
    expect(sizes('95000', '0.00001')).toEqual(['0.0002', '0.002', '0.02']);
    expect(sizes('0.5', '1', 0)).toEqual(['20', '200', '2000']);
  });

  it('DESK-147 are at least the least amount', () => {
    expect(sizes('95000', '0.001')).toEqual(['0.001', '0.002', '0.02']);
    expect(sizes('0', '0.001')).toEqual([]);
  });
});
