import { recall, remember } from '@exchange/web-kit/storage.ts';
import { useState } from 'react';

export const BOOK_SIDES = ['both', 'bids', 'asks'] as const;
export type BookSides = (typeof BOOK_SIDES)[number];

const SIDES_KEY = 'mobile-book-sides';

/** Which sides of the book are shown, remembered on this device, and the way to the next choice. */
export function useBookSides(): { sides: BookSides; showNext: () => void } {
  const [sides, setSides] = useState<BookSides>(
    () => BOOK_SIDES.find((known) => known === recall(SIDES_KEY)) ?? 'both',
  );
  const showNext = () => {
    const next = nextSides(sides);
    remember(SIDES_KEY, next);
    setSides(next);
  };
  return { sides, showNext };
}

const COLUMN_KEY = 'mobile-book-column';
/** What stands beside the price: how much is offered at it, or at it and all better ones. */
export type BookFigure = 'amount' | 'total';

/** Which figure the book shows, remembered on this device, and the way to the other. */
export function useBookFigure(): { figure: BookFigure; showOther: () => void } {
  const [figure, setFigure] = useState<BookFigure>(() =>
    recall(COLUMN_KEY) === 'total' ? 'total' : 'amount',
  );
  const showOther = () => {
    const other = figure === 'amount' ? 'total' : 'amount';
    remember(COLUMN_KEY, other);
    setFigure(other);
  };
  return { figure, showOther };
}

/** The next choice of the button that walks through them. */
export function nextSides(sides: BookSides): BookSides {
  return BOOK_SIDES[(BOOK_SIDES.indexOf(sides) + 1) % BOOK_SIDES.length] ?? 'both';
}

/** Rows on each side that fit into a height (pixels): whole ones, at least `least`. */
export function fittingRows(heightPx: number, rowPx: number, sides: BookSides, least: number): number {
  const all = Math.floor(heightPx / rowPx);
  return Math.max(least, sides === 'both' ? Math.floor(all / 2) : all);
}
