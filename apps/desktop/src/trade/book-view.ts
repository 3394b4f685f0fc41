import { isRecord, parseJson, readStored, store } from '@exchange/web-kit/storage.ts';
import { type RefObject, useMemo, useState } from 'react';
import { scaledPx } from '@exchange/web-kit/theme/text-size.ts';
import { useContentHeight } from '@exchange/web-kit/ui/use-content-height.ts';

/**
 * Display settings of the order book: the visible sides, five rows per side or as many as fit, and the price step of
 * each pair.
 */
interface BookView {
  readonly sides: BookSides;
  readonly isCompact: boolean;
  /** The price steps that the user chose, by pair symbol; all other pairs are displayed with their finest step. */
  readonly steps: Readonly<Record<string, string>>;
}

export const BOOK_SIDES = ['both', 'bids', 'asks'] as const;
type BookSides = (typeof BOOK_SIDES)[number];

export const INITIAL_BOOK_VIEW: BookView = { sides: 'both', isCompact: false, steps: {} };

/** Parses the stored display settings of the order book; each missing or invalid setting is replaced by its default. */
export function bookViewOf(text: string | null): BookView {
  const stored = parseJson(text);
  const view = isRecord(stored) ? stored : {};
  const steps = isRecord(view['steps']) ? Object.entries(view['steps']) : [];
  return {
    sides: BOOK_SIDES.find((sides) => sides === view['sides']) ?? INITIAL_BOOK_VIEW.sides,
    isCompact: view['isCompact'] === true,
    steps: Object.fromEntries(
      steps.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    ),
  };
}

/**
 * Returns the price step with which the order book of a pair is displayed: the step that the user chose if it
 * is among the offered ones, otherwise the first offered one, which is the finest; 1 if none is offered.
 */
export function stepOf(view: BookView, symbol: string, offered: readonly string[]): string {
  const storedStep = view.steps[symbol];
  return offered.find((step) => step === storedStep) ?? offered[0] ?? '1';
}

const STORAGE_KEY = 'trade-book';

/** The display settings of the order book, with functions that change them. */
export interface BookViewControl extends BookView {
  readonly showSides: (sides: BookSides) => void;
  readonly setCompact: (isCompact: boolean) => void;
  readonly setStep: (symbol: string, step: string) => void;
}

/**
 * Hook with the display settings of the order book and the functions that change the settings, which are
 * stored on this device.
 */
export function useBookView(): BookViewControl {
  const [view, setView] = useState(() => bookViewOf(readStored(STORAGE_KEY)));
  return useMemo(() => {
    const applyView = (nextView: BookView): void => {
      setView(nextView);
      store(STORAGE_KEY, JSON.stringify(nextView));
    };
    return {
      ...view,
      showSides: (sides) => applyView({ ...view, sides }),
      setCompact: (isCompact) => applyView({ ...view, isCompact }),
      setStep: (symbol, step) => applyView({ ...view, steps: { ...view.steps, [symbol]: step } }),
    };
  }, [view]);
}

/** Minimum height of an order book row, in pixels. */
export const MIN_ROW_PX = scaledPx(20);
const MAX_ROW_PX = scaledPx(24);
/** Height of the area between asks and bids, in pixels. */
export const MIDDLE_PX = scaledPx(36);
/** Greatest number of order book rows that are displayed per side. */
const MAX_ROWS = 50;

interface FittingRows {
  /** Number of order book rows that are displayed per side. */
  readonly rows: number;
  /** Row height in whole pixels, so that text lines align with their rows. */
  readonly rowPx: number;
}

/**
 * Returns the number of whole order book rows per side, at least 1 and at most `MAX_ROWS`, that fit a box of
 * `height` pixels which displays one or two sides, and the height of a row in whole pixels.
 */
export function fittingRows(height: number, sides: 1 | 2): FittingRows {
  const sidePx = Math.max(0, height - MIDDLE_PX) / sides;
  const rows = Math.min(MAX_ROWS, Math.max(1, Math.floor(sidePx / MIN_ROW_PX)));
  const rowPx = Math.min(MAX_ROW_PX, Math.max(MIN_ROW_PX, Math.floor(sidePx / rows)));
  return { rows, rowPx };
}

/**
 * Hook that returns the number and height of the order book rows that fit the given element, updated when the
 * element is resized.
 */
export function useFittingRows(box: RefObject<HTMLElement | null>, sides: 1 | 2): FittingRows {
  const height = useContentHeight(box);
  return fittingRows(height, sides);
}
