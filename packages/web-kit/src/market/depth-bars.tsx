import type { Ref } from 'react';
import { barPoints } from './bar-points.ts';
import type { BookSide, DepthRow } from './book.ts';
import classes from './depth-bars.module.css';

interface BarsProps {
  readonly ref: Ref<SVGSVGElement>;
  readonly side: BookSide;
  /** The edge at which bars begin. */
  readonly from?: 'left' | 'right';
}

/** A row as far as its bar needs it. */
type BarRow = Pick<DepthRow, 'share'>;

/**
 * The bars behind one side of a book, in a box that is placed and isolated, for whom `writeBars` draws: one shape,
 * which an update paints and lays out at once.
 */
export function WrittenBars({ ref, side, from = 'right' }: BarsProps) {
  return (
    <svg
      ref={ref}
      className={classes.bars}
      data-side={side}
      data-from={from}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <polygon />
    </svg>
  );
}

/** Draws bars for the rows, from the top, with `gapPx` between two of them. */
export function writeBars(bars: SVGSVGElement, rows: readonly BarRow[], rowPx: number, gapPx: number): void {
  writeAttribute(bars, 'viewBox', boxOf(rows, rowPx));
  const [shape] = bars.children;
  if (shape !== undefined) writeAttribute(shape, 'points', barPoints(rows, rowPx, gapPx));
}

function boxOf(rows: readonly BarRow[], rowPx: number): string {
  return `0 0 100 ${rows.length * rowPx}`;
}

function writeAttribute(element: Element, name: string, value: string): void {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}
