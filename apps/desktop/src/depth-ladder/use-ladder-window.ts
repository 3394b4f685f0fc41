import { Decimal } from '@exchange/core/decimal.ts';
import { readStored, store } from '@exchange/web-kit/storage.ts';
import { scaledPx } from '@exchange/web-kit/theme/text-size.ts';
import { useContentHeight } from '@exchange/web-kit/ui/use-content-height.ts';
import { type RefObject, useMemo, useState } from 'react';
import { centreShowing, hasLeftMiddle, rowNumberOf, rowNumbers } from './ladder-rows.ts';

/** Number of rows that the ladder renders until its height is known. */
const FIRST_ROWS = 11;
const LEAST_ROWS = 3;
const MOST_ROWS = 120;
const AUTO_KEY = 'depth-ladder-auto';

/** Returns the height of a row of the price ladder in pixels; large enough for a finger on touch screens. */
export function rowHeight(): number {
  return scaledPx(matchMedia('(pointer: coarse)').matches ? 44 : 22);
}

/**
 * Hook that returns the number of whole rows that fit the observed element, from LEAST_ROWS to MOST_ROWS;
 * FIRST_ROWS until the element's height is known.
 */
function useRowCount(box: RefObject<HTMLElement | null>, rowPx: number): number {
  const height = useContentHeight(box);
  if (height === 0) return FIRST_ROWS;
  return Math.min(MOST_ROWS, Math.max(LEAST_ROWS, Math.floor(height / rowPx)));
}

/** The rows that the ladder shows, and how they are moved. */
export interface LadderView {
  /** Numbers of the shown rows from the highest price to the lowest; empty until a price is known. */
  readonly numbers: readonly bigint[];
  readonly lastRow: bigint | undefined;
  readonly isAuto: boolean;
  readonly setAuto: (isAuto: boolean) => void;
  readonly centre: () => void;
  /** Shifts the shown prices up by this number of rows; a negative number shifts them down. */
  readonly scroll: (rows: number) => void;
  /** Shifts the shown prices as far as needed to show this row. */
  readonly show: (row: bigint) => void;
}

interface WindowSettings {
  readonly step: Decimal;
  readonly rowPx: number;
  /**
   * The price on which the ladder is centred: centring shifts the rows so that this price is in the middle.
   * Undefined until the price is known.
   */
  readonly price: Decimal | undefined;
  /** While true, automatic centring does not move the rows, because the user may be about to click one. */
  readonly isHeld: boolean;
}

/**
 * Hook with the rows that the ladder shows. They stand still while the market moves, until the user scrolls
 * or centres, or, with automatic centring, the price leaves their middle half while `isHeld` is false. Rows
 * to which the user has scrolled stay until the user centres or the price is in their middle half again.
 */
export function useLadderWindow(
  box: RefObject<HTMLElement | null>,
  { step, rowPx, price, isHeld }: WindowSettings,
): LadderView {
  const count = useRowCount(box, rowPx);
  const [isAuto, setAutoState] = useState(() => readStored(AUTO_KEY) !== '0');
  // The middle is stored as a price instead of a row number, because a price stays the same when the price step
  // changes.
  const [middle, setMiddle] = useState<Decimal>();
  const [isScrolled, setScrolled] = useState(false);
  const lastRow = price && rowNumberOf(price, step);
  const centreRow = middle && rowNumberOf(middle, step);
  const isInMiddle =
    lastRow !== undefined && centreRow !== undefined && !hasLeftMiddle(lastRow, centreRow, count);
  if (isScrolled && isInMiddle) setScrolled(false);
  const isFollowing = isAuto && !isHeld && !isScrolled && !isInMiddle;
  if (price !== undefined && (middle === undefined || isFollowing)) setMiddle(price);

  const numbers = useMemo(
    () => (centreRow === undefined ? [] : rowNumbers(centreRow, count)),
    [centreRow, count],
  );
  const moveTo = (row: bigint): void => {
    setMiddle(Decimal.ofAtoms((row > 1n ? row : 1n) * step.atoms));
    setScrolled(true);
  };
  return {
    numbers,
    lastRow,
    isAuto,
    setAuto: (next) => {
      setAutoState(next);
      store(AUTO_KEY, next ? '1' : '0');
    },
    centre: () => {
      if (price === undefined) return;
      setMiddle(price);
      setScrolled(false);
    },
    scroll: (rows) => {
      if (centreRow !== undefined) moveTo(centreRow + BigInt(rows));
    },
    show: (row) => {
      if (centreRow !== undefined) moveTo(centreShowing(row, centreRow, count));
    },
  };
}
