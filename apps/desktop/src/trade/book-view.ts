import { isRecord, jsonIn, recall, remember } from '@exchange/web-kit/storage.ts';
import { type RefObject, useEffect, useMemo, useState } from 'react';
import { scaledPx } from '@exchange/web-kit/theme/text-size.ts';

/** How somebody likes the book: which sides, five rows or all, and the price step of each pair. */
interface BookView {
  readonly sides: BookSides;
  readonly isCompact: boolean;
  /** Price steps by symbol; a pair without one shows its tick. */
  readonly steps: Readonly<Record<string, string>>;
}

export const BOOK_SIDES = ['both', 'bids', 'asks'] as const;
type BookSides = (typeof BOOK_SIDES)[number];

export const INITIAL_BOOK_VIEW: BookView = { sides: 'both', isCompact: false, steps: {} };

/** The view kept on this device; what is not sound in it counts as never chosen. */
export function bookViewOf(text: string | null): BookView {
  const said = jsonIn(text);
  const view = isRecord(said) ? said : {};
  const steps = isRecord(view['steps']) ? Object.entries(view['steps']) : [];
  return {
    sides: BOOK_SIDES.find((sides) => sides === view['sides']) ?? INITIAL_BOOK_VIEW.sides,
    isCompact: view['isCompact'] === true,
    steps: Object.fromEntries(
      steps.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    ),
  };
}

/** The step a pair is shown in: the one chosen, as long as it is still offered, else the finest. */
export function stepOf(view: BookView, symbol: string, offered: readonly string[]): string {
  const chosen = view.steps[symbol];
  return offered.find((step) => step === chosen) ?? offered[0] ?? '1';
}

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

/** The height of a row where there is no room to spare. */
export const LEAST_PX = scaledPx(20);
const MOST_PX = scaledPx(24);
/** What stands between the sides. */
export const MIDDLE_PX = scaledPx(36);
/** No side of the book is longer than this, however high the window is. */
const MOST_ROWS = 50;

interface FittingRows {
  /** Of each side. */
  readonly rows: number;
  /** Whole pixels, so that a line of text begins where its row does. */
  readonly rowPx: number;
}

/** How many whole rows each of `sides` sides has in a box of `height` pixels, and how high they are: half a row is never drawn. */
export function fittingRows(height: number, sides: 1 | 2): FittingRows {
  const sidePx = Math.max(0, height - MIDDLE_PX) / sides;
  const rows = Math.min(MOST_ROWS, Math.max(1, Math.floor(sidePx / LEAST_PX)));
  const rowPx = Math.min(MOST_PX, Math.max(LEAST_PX, Math.floor(sidePx / rows)));
  return { rows, rowPx };
}

/** How the rows of `sides` sides of the book fill the box. */
export function useFittingRows(box: RefObject<HTMLElement | null>, sides: 1 | 2): FittingRows {
  const [height, setHeight] = useState(0);
  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(([entry]) => setHeight(entry?.contentRect.height ?? 0));
    observer.observe(element);
    return () => observer.disconnect();
  }, [box]);
  return fittingRows(height, sides);
}
