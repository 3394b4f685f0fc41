import { barPoints } from './bar-points.ts';
import type { BookSide, DepthRow } from './book.ts';
import classes from './depth-bars.module.css';

interface DepthBarsProps {
  readonly side: BookSide;
  /** From the top. */
  readonly rows: readonly Pick<DepthRow, 'share'>[];
  readonly rowPx: number;
  readonly gapPx?: number;
  /** The edge at which bars begin. */
  readonly from?: 'left' | 'right';
}

/**
 * The bars behind one side of a book, in a box that is placed and isolated: one shape, which an update paints and
 * lays out at once.
 */
export function DepthBars({ side, rows, rowPx, gapPx = 0, from = 'right' }: DepthBarsProps) {
  return (
    <svg
      className={classes.bars}
      data-side={side}
      data-from={from}
      viewBox={`0 0 100 ${rows.length * rowPx}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <polygon points={barPoints(rows, rowPx, gapPx)} />
    </svg>
  );
}
