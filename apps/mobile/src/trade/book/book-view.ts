import { readStored, store } from '@exchange/web-kit/storage.ts';
import { useState } from 'react';

export const BOOK_SIDES = ['both', 'bids', 'asks'] as const;
export type BookSides = (typeof BOOK_SIDES)[number];

const SIDES_KEY = 'mobile-book-sides';

/**
 * Hook that states which sides of the order book are visible, stored on this device, and a function that
 * switches to the next choice.
 */
export function useBookSides(): { sides: BookSides; showNext: () => void } {
  const [sides, setSides] = useState<BookSides>(
    () => BOOK_SIDES.find((candidate) => candidate === readStored(SIDES_KEY)) ?? 'both',
  );
  const showNext = () => {
    const next = nextSides(sides);
    store(SIDES_KEY, next);
    setSides(next);
  };
  return { sides, showNext };
}

const COLUMN_KEY = 'mobile-book-column';
/**
 * Kind of figure that the order book shows beside each price: the amount in the base coin at that price, or
 * the cumulative amount from the best price to that price.
 */
export type BookFigure = 'amount' | 'total';

/**
 * Hook with the figure beside each price of the order book (amount or cumulative amount), stored on this
 * device, and a function that toggles it.
 */
export function useBookFigure(): { figure: BookFigure; showOther: () => void } {
  const [figure, setFigure] = useState<BookFigure>(() =>
    readStored(COLUMN_KEY) === 'total' ? 'total' : 'amount',
  );
  const showOther = () => {
    const otherFigure = figure === 'amount' ? 'total' : 'amount';
    store(COLUMN_KEY, otherFigure);
    setFigure(otherFigure);
  };
  return { figure, showOther };
}

/**
 * Returns the choice of visible book sides to which the button switches from `sides`; after the last choice
 * the first follows.
 */
export function nextSides(sides: BookSides): BookSides {
  return BOOK_SIDES[(BOOK_SIDES.indexOf(sides) + 1) % BOOK_SIDES.length] ?? 'both';
}

/**
 * Returns the number of whole order book rows that fit a height in pixels, per visible side, but at least
 * `minRows`.
 */
export function fittingRows(heightPx: number, rowPx: number, sides: BookSides, minRows: number): number {
  const totalRows = Math.floor(heightPx / rowPx);
  return Math.max(minRows, sides === 'both' ? Math.floor(totalRows / 2) : totalRows);
}
