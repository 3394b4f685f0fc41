import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BOOK_SIDES, fittingRows, nextSides, type BookSides } from './book-view.ts';

describe('the view of the book', () => {
  it('MOB-105 walks through both sides, bids and asks and comes back', () => {
    const seen: BookSides[] = ['both'];
    for (let press = 0; press < 3; press += 1) seen.push(nextSides(seen.at(-1) ?? 'both'));
    expect(seen).toEqual(['both', 'bids', 'asks', 'both']);
  });

  it('MOB-105 draws as many whole rows as the height takes, and never fewer than asked', () => {
    const heights = fc.integer({ min: 0, max: 2_000 });
    fc.assert(
      fc.property(heights, fc.constantFrom(...BOOK_SIDES), (height, sides) => {
        const drawn = fittingRows(height, 24, sides, 5) * (sides === 'both' ? 2 : 1);
        const least = sides === 'both' ? 10 : 5;
        expect(drawn).toBeGreaterThanOrEqual(least);
        // The rows fit the height, and another pair of rows would not.
        expect(drawn === least || drawn * 24 <= height).toBe(true);
        expect((drawn + 2) * 24).toBeGreaterThan(height);
      }),
    );
  });
});
