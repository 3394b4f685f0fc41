import type { Ref } from 'react';
import { barPoints } from './bar-points.ts';
import type { BookSide, DepthRow } from './book.ts';
import classes from './depth-bars.module.css';

interface Place {
  readonly side: BookSide;
  /** The edge at which bars begin. */
  readonly from?: 'left' | 'right';
}

/** A row as far as its bar needs it. */
type BarRow = Pick<DepthRow, 'share'>;

interface DepthBarsProps extends Place {
  /** From the top. */
  readonly rows: readonly BarRow[];
  readonly rowPx: number;
}

/**
 * The bars behind one side of a book, in a box that is placed and isolated: one shape, which an update paints and
 * lays out at once.
 */
export function DepthBars({ rows, rowPx, ...place }: DepthBarsProps) {
  return <Bars {...place} viewBox={boxOf(rows, rowPx)} points={barPoints(rows, rowPx, 0)} />;
}

/** The same shape for whom `writeBars` draws. */
export function WrittenBars({ ref, ...place }: Place & { readonly ref: Ref<SVGSVGElement> }) {
  return <Bars {...place} ref={ref} />;
}

/** Draws bars for the rows, from the top, with `gapPx` between two of them. */
export function writeBars(bars: SVGSVGElement, rows: readonly BarRow[], rowPx: number, gapPx: number): void {
  writeAttribute(bars, 'viewBox', boxOf(rows, rowPx));
  const [shape] = bars.children;
  if (shape !== undefined) writeAttribute(shape, 'points', barPoints(rows, rowPx, gapPx));
}

interface BarsProps extends Place {
  readonly ref?: Ref<SVGSVGElement>;
  readonly viewBox?: string;
  readonly points?: string;
}

function Bars({ side, from = 'right', points, ...rest }: BarsProps) {
  return (
    <svg
      {...rest}
      className={classes.bars}
      data-side={side}
      data-from={from}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <polygon points={points} />
    </svg>
  );
}

function boxOf(rows: readonly BarRow[], rowPx: number): string {
  return `0 0 100 ${rows.length * rowPx}`;
}

function writeAttribute(element: Element, name: string, value: string): void {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}
