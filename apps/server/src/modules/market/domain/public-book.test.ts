import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PublicBook, type SidedLevel } from './public-book.ts';

const levels = fc.array(
  fc.record({
    side: fc.constantFrom('buy' as const, 'sell' as const),
    price: fc.bigInt(1n, 40n),
    amount: fc.bigInt(0n, 5n),
  }),
  { maxLength: 200 },
);

function expectedLevels(changes: readonly SidedLevel[], side: 'buy' | 'sell') {
  const amounts = new Map<bigint, bigint>();
  for (const level of changes) if (level.side === side) amounts.set(level.price, level.amount);
  const present = [...amounts]
    .filter(([, amount]) => amount > 0n)
    .map(([price, amount]) => ({ side, price, amount }));
  return present.toSorted((a, b) => Number(side === 'buy' ? b.price - a.price : a.price - b.price));
}

describe('the public book', () => {
  it('MKT-015 shows the best levels of each side first, with their latest amounts', () => {
    fc.assert(
      fc.property(levels, (changes) => {
        const book = new PublicBook();
        for (const level of changes) book.set(level);
        for (const side of ['buy', 'sell'] as const) {
          expect(book.top(side, 1_000)).toEqual(expectedLevels(changes, side));
          expect(book.top(side, 3)).toEqual(expectedLevels(changes, side).slice(0, 3));
          expect(book.best(side)).toEqual(expectedLevels(changes, side)[0]);
        }
      }),
    );
  });

  it('MKT-016 publishes changed levels once, with their latest amounts, so that a follower has the same book', () => {
    fc.assert(
      fc.property(fc.array(levels, { maxLength: 6 }), (rounds) => {
        const [book, follower] = [new PublicBook(), new PublicBook()];
        for (const round of rounds) {
          for (const level of round) book.set(level);
          for (const level of book.drainChanged()) follower.set(level);
          expect(follower.top('buy', 99)).toEqual(book.top('buy', 99));
          expect(follower.top('sell', 99)).toEqual(book.top('sell', 99));
          expect(book.drainChanged()).toEqual([]);
        }
      }),
    );
  });

  it('MKT-015 is loaded with levels in any order, in place of all earlier ones', () => {
    fc.assert(
      fc.property(levels, levels, fc.infiniteStream(fc.nat()), (before, changes, draws) => {
        const book = new PublicBook();
        for (const level of before) book.set(level);
        const present = (['buy', 'sell'] as const).flatMap((side) => expectedLevels(changes, side));
        book.load(present.toSorted(() => (draws.next().value % 2 === 0 ? -1 : 1)));
        for (const side of ['buy', 'sell'] as const)
          expect(book.top(side, 1_000)).toEqual(expectedLevels(changes, side));
        expect(book.drainChanged()).toEqual([]);
      }),
    );
  });

  it('MKT-015 changes its version only with a change', () => {
    const book = new PublicBook();
    book.load([{ side: 'buy', price: 1n, amount: 2n }]);
    const { version } = book;
    book.set({ side: 'sell', price: 9n, amount: 0n });
    expect(book.version).toBe(version);
    book.set({ side: 'buy', price: 1n, amount: 0n });
    expect(book.version).toBeGreaterThan(version);
    expect(book.best('buy')).toBeUndefined();
  });
});
