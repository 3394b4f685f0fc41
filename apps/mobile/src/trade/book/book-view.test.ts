import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BOOK_SIDES, fittingRows, nextSides, type BookSides } from './book-view.ts';

describe('display settings of the book', () => {
  it('MOB-105 cycles through both sides, bids and asks', () => {
    const visited: BookSides[] = ['both'];
    for (let press = 0; press < 3; press += 1) visited.push(nextSides(visited.at(-1) ?? 'both'));
    expect(visited).toEqual(['both', 'bids', 'asks', 'both']);
  });

  it('MOB-105 fits as many whole rows as possible, but at least the minimum', () => {
    const heights = fc.integer({ min: 0, max: 2_000 });
    fc.assert(
      fc.property(heights, fc.constantFrom(...BOOK_SIDES), (height, sides) => {
        const rowCount = fittingRows(height, 24, sides, 5) * (sides === 'both' ? 2 : 1);
        const minRows = sides === 'both' ? 10 : 5;
        expect(rowCount).toBeGreaterThanOrEqual(minRows);
        // The rows fit the height, unless there are only the minimum number of rows; with one more row on each side
        // they would not fit.
        expect(rowCount === minRows || rowCount * 24 <= height).toBe(true);
        expect((rowCount + 2) * 24).toBeGreaterThan(height);
      }),
    );
  });
});
