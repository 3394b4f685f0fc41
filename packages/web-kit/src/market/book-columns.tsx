import css from './book-columns.module.css';
import { type Ref, useLayoutEffect, useRef } from 'react';
import { classes } from '../ui/class-names.ts';
import type { BookSide, DepthRow } from './book.ts';
import { type DepthShown, followDepth } from './live.ts';

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
        <pre key={place} className={column.className} translate="no" />
      ))}
    </div>
  );
}

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
      className={css.bars}
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

/**
 * One polygon with a bar for each row from the top, as SVG points in a box 100 wide: from the right edge as far
 * as the row's share, with `gapPx` between two bars. There its outline runs along that edge, where it has no
 * width; above and below all bars it goes to the left edge and back, so that it is always as large as the box: a
 * shape that grows and shrinks has the browser sort its layers anew.
 */
export function barPoints(rows: readonly Pick<DepthRow, 'share'>[], rowPx: number, gapPx: number): string {
  const bars = rows.map(({ share }, place) => {
    const left = (100 - share * 100).toFixed(0);
    const top = place * rowPx + gapPx / 2;
    const bottom = (place + 1) * rowPx - gapPx / 2;
    return `100,${top} ${left},${top} ${left},${bottom} 100,${bottom}`;
  });
  const edge = (y: number) => `100,${y} 0,${y} 100,${y}`;
  return [edge(0), ...bars, edge(rows.length * rowPx)].join(' ');
}

/** Writes a column of text, a line for each item; the same text again costs nothing. Where there is no column, nothing. */
export function writeLines<Item>(
  column: Element | null | undefined,
  items: readonly Item[],
  lineOf: (item: Item) => string,
): void {
  if (column) writeText(column, items.map(lineOf).join('\n'));
}

/** Writes the one text of an element that React leaves empty. */
function writeText(element: Element, text: string): void {
  const { firstChild } = element;
  if (firstChild instanceof Text) {
    if (firstChild.data !== text) firstChild.data = text;
  } else {
    element.textContent = text;
  }
}
