import { useLayoutEffect, useRef } from 'react';
import { classes } from '../ui/class-names.ts';
import { writeLines } from '../ui/written-text.ts';
import type { BookSide, DepthRow } from './book.ts';
import css from './book-columns.module.css';
import { WrittenBars, writeBars } from './depth-bars.tsx';
import { followDepth, type DepthShown } from './live.ts';

export interface BookColumn {
  readonly className?: string | undefined;
  readonly textOf: (row: DepthRow) => string;
}

interface BookColumnsProps extends DepthShown {
  readonly symbol: string;
  readonly side: BookSide;
  /** From the left; everything is written anew when this is another array. */
  readonly columns: readonly BookColumn[];
  readonly rowPx: number;
  /** Between two bars. */
  readonly gapPx?: number;
  /** The edge at which bars begin. */
  readonly from?: 'left' | 'right';
  /** Asks stand above bids: the best of them comes last. */
  readonly isStacked?: boolean;
  readonly className: string | undefined;
}

/**
 * What is seen of one side of a book: columns of text, a line for each row, and one shape with all bars, so that an
 * update writes and lays out a few texts instead of dozens of cells. What is tapped and read out is somebody else's.
 */
export function BookColumns(props: BookColumnsProps) {
  const {
    symbol,
    side,
    rows,
    grouping,
    columns,
    rowPx,
    gapPx = 0,
    from,
    isStacked = false,
    className,
  } = props;
  const box = useRef<HTMLDivElement>(null);
  const bars = useRef<SVGSVGElement>(null);
  useLayoutEffect(
    () =>
      followDepth(symbol, { rows, grouping }, ({ [side]: best }) => {
        if (box.current === null || bars.current === null) return;
        const levels = isStacked && side === 'asks' ? best.toReversed() : best;
        box.current.style.height = `${levels.length * rowPx}px`;
        writeBars(bars.current, levels, rowPx, gapPx);
        const texts = box.current.querySelectorAll('pre');
        for (const [place, { textOf }] of columns.entries()) writeLines(texts[place], levels, textOf);
      }),
    [symbol, side, rows, grouping, columns, rowPx, gapPx, isStacked],
  );
  return (
    <div
      ref={box}
      className={classes(css.columns, className)}
      style={{ lineHeight: `${rowPx}px` }}
      aria-hidden="true"
    >
      <WrittenBars ref={bars} side={side} {...(from !== undefined && { from })} />
      {columns.map((column, place) => (
        <pre key={place} className={column.className} />
      ))}
    </div>
  );
}
