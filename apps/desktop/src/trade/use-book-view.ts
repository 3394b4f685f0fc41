import { recall, remember } from '@exchange/web-kit/storage.ts';
import { useMemo, useState } from 'react';
import { bookViewOf, type BookSides, type BookView } from './book-view.ts';

const REMEMBERED_AS = 'trade-book';

/** How the book is shown, and the ways to change it. */
export interface BookViewControl extends BookView {
  readonly showSides: (sides: BookSides) => void;
  readonly setCompact: (isCompact: boolean) => void;
  readonly setStep: (symbol: string, step: string) => void;
}

/** The view of the book, remembered on this device. */
export function useBookView(): BookViewControl {
  const [view, setView] = useState(() => bookViewOf(recall(REMEMBERED_AS)));
  return useMemo(() => {
    const keep = (next: BookView): void => {
      setView(next);
      remember(REMEMBERED_AS, JSON.stringify(next));
    };
    return {
      ...view,
      showSides: (sides) => keep({ ...view, sides }),
      setCompact: (isCompact) => keep({ ...view, isCompact }),
      setStep: (symbol, step) => keep({ ...view, steps: { ...view.steps, [symbol]: step } }),
    };
  }, [view]);
}
