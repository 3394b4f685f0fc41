import { Decimal } from '@exchange/core/decimal.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bestPriceOf, bookAfter, bookOf, depthOf, EMPTY_BOOK, levelsOf, sweepTo } from './book.ts';
import { tickersAfter } from './tickers.ts';

const level = fc.tuple(
  fc.integer({ min: 1, max: 400 }).map((ticks) => Decimal.ofScaled(BigInt(ticks), 1).toString()),
  fc.integer({ min: 0, max: 50 }).map(String),
);
const levels = fc.array(level, { maxLength: 40 });

describe('the order book', () => {
  it('WEB-986 calculates amount, total, average and slippage of an order down to a row', () => {
    const book = bookOf({
      bids: [
        ['99', '1'],
        ['98', '3'],
      ],
      asks: [
        ['100', '1'],
        ['102', '1'],
        ['110', '5'],
      ],
    });
    const sweep = (side: 'bids' | 'asks', price: string) => {
      const { amount, total, average, slippage } = sweepTo(levelsOf(book, side), side, Decimal.parse(price))!;
      return [amount, total, average, slippage].join(' ');
    };
    expect(sweep('asks', '102')).toBe('2 202 101 0.01');
    expect(sweep('asks', '105')).toBe('2 202 101 0.01');
    expect(sweep('bids', '98')).toBe('4 393 98.25 0.007575757575757575');
    expect(sweepTo(levelsOf(book, 'asks'), 'asks', Decimal.parse('99'))).toBeUndefined();
    expect(sweepTo([], 'asks', Decimal.parse('99'))).toBeUndefined();
  });

  it('WEB-050 contains after any updates the latest amount of each price, and no empty level', () => {
    fc.assert(
      fc.property(levels, fc.array(levels, { maxLength: 6 }), (first, updates) => {
        let book = bookOf({ bids: first, asks: [] });
        for (const bids of updates) book = bookAfter(book, { bids, asks: [] });
        const expected = new Map([first, ...updates].flat().map(([price, amount]) => [price, amount]));
        const amountsByPrice = new Map(depthOf(book, 1_000).bids.map(({ price, amount }) => [price, amount]));
        for (const [price, amount] of expected)
          expect(amountsByPrice.get(price)).toBe(amount === '0' ? undefined : amount);
      }),
    );
  });

  it('WEB-051 returns the best rows first, with running totals and bars relative to the deepest row', () => {
    const book = bookOf({
      bids: [
        ['99', '1'],
        ['100', '2'],
        ['98', '5'],
      ],
      asks: [
        ['102', '4'],
        ['101', '1'],
      ],
    });
    const { bids, asks } = depthOf(book, 2);
    expect(bids).toEqual([
      { price: '100', amount: '2', total: '2', share: 0.4 },
      { price: '99', amount: '1', total: '3', share: 0.6 },
    ]);
    expect(asks.map(({ price, share }) => [price, share])).toEqual([
      ['101', 0.2],
      ['102', 1],
    ]);
  });

  it('WEB-051 returns the best price of both sides after changes of either', () => {
    expect(bestPriceOf(EMPTY_BOOK, 'bids')).toBeUndefined();
    const book = bookOf({
      bids: [
        ['99', '1'],
        ['100', '2'],
      ],
      asks: [['102', '4']],
    });
    expect([bestPriceOf(book, 'bids'), bestPriceOf(book, 'asks')]).toEqual(['100', '102']);
    const after = bookAfter(book, { bids: [['100', '0']], asks: [] });
    expect([bestPriceOf(after, 'bids'), bestPriceOf(after, 'asks')]).toEqual(['99', '102']);
  });

  it('WEB-051 merges levels into steps away from the spread without losing amounts', () => {
    fc.assert(
      fc.property(levels, fc.constantFrom('0.5', '1', '10'), (some, step) => {
        const book = bookOf({ bids: some, asks: some });
        const grouping = Decimal.parse(step);
        const plain = depthOf(book, 1_000);
        const grouped = depthOf(book, 1_000, grouping);
        expect(grouped.bids.at(-1)?.total).toBe(plain.bids.at(-1)?.total);
        expect(grouped.asks.at(-1)?.total).toBe(plain.asks.at(-1)?.total);
        for (const row of [...grouped.bids, ...grouped.asks]) {
          expect(Decimal.parse(row.price).atoms % grouping.atoms).toBe(0n);
        }
      }),
    );
  });
});

describe('tickers', () => {
  const message = { symbol: 'btcusdt', open: '100', close: '99', high: '1', low: '1', vol: '1', amount: '1' };

  it('WEB-052 contain the 24-hour change and the direction of the last step, and keep the sparkline', () => {
    const first = tickersAfter(new Map(), [{ ...message, spark: ['1', '2'] }], true);
    expect(first.get('btcusdt')).toMatchObject({ change: '-0.01', direction: 'none', spark: ['1', '2'] });
    const next = tickersAfter(first, [{ ...message, close: '101' }], false);
    expect(next.get('btcusdt')).toMatchObject({ change: '0.01', direction: 'up', spark: ['1', '2'] });
    const same = tickersAfter(next, [{ ...message, close: '101' }], false);
    expect(same.get('btcusdt')?.direction).toBe('up');
  });
});
