import css from './book-columns.module.css';
import { type Ref, useLayoutEffect, useRef } from 'react';
import { classes } from '../ui/class-names.ts';
import type { BookSide, DepthRow } from './book.ts';
import { type DepthView, followDepth } from './live.ts';

export interface BookColumn {
  readonly className?: string | undefined;
  readonly textOf: (row: DepthRow) => string;
}

interface BookColumnsProps extends DepthView {
  readonly symbol: string;
  readonly side: BookSide;
  /** Order book columns from left to right. Must be referentially stable, because a new array redraws all columns. */
  readonly columns: readonly BookColumn[];
  readonly rowPx: number;
  /** Vertical gap between two depth bars in pixels. */
  readonly gapPx?: number;
  /** The edge of the row at which the depth bars begin; `right` by default. */
  readonly from?: 'left' | 'right';
  /**
   * True if the asks are drawn above the bids, that is from the worst to the best price. Bids are always drawn from the
   * best price to the worst.
   */
  readonly isStacked?: boolean;
  readonly className: string | undefined;
}

/**
 * The visible texts and bars of one side of an order book: one text element per column, with one line per row, and one
 * shape for all bars, so that an update changes a few texts instead of dozens of table cells. Other elements handle
 * clicks and accessibility.
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
      followDepth(symbol, { rows, grouping }, ({ [side]: rowsFromBest }) => {
        if (box.current === null || bars.current === null) return;
        const levels = isStacked && side === 'asks' ? rowsFromBest.toReversed() : rowsFromBest;
        box.current.style.height = `${levels.length * rowPx}px`;
        writeBars(bars.current, levels, rowPx, gapPx);
        const texts = box.current.querySelectorAll('pre');
        for (const [index, { textOf }] of columns.entries()) writeLines(texts[index], levels, textOf);
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
      {columns.map((column, index) => (
        <pre key={index} className={column.className} translate="no" />
      ))}
    </div>
  );
}

interface BarsProps {
  readonly ref: Ref<SVGSVGElement>;
  readonly side: BookSide;
  /** The edge of the row at which the depth bars begin; `right` by default. */
  readonly from?: 'left' | 'right';
}

/** The field of an order book row that determines the length of its depth bar. */
type BarRow = Pick<DepthRow, 'share'>;

/**
 * The depth bars of one side of an order book. `writeBars` draws them as a single shape, so that the browser repaints
 * once per update. The parent element must be positioned and create a stacking context.
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

/**
 * Writes the depth bars of the given order book rows into the SVG element `bars`: the first row at the top, each row
 * `rowPx` pixels high, with a gap of `gapPx` pixels between two bars.
 */
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
 * SVG points of one polygon that contains a depth bar per row, in a box 100 units wide. A bar extends from the right
 * edge by the row's share of the width; `gapPx` separates two bars, where the outline follows the right edge and
 * encloses no area. Above the first and below the last bar the outline touches the left edge, so that the bounding box
 * is constant: a shape that changes its size makes the browser rebuild its layers.
 */
export function barPoints(rows: readonly Pick<DepthRow, 'share'>[], rowPx: number, gapPx: number): string {
  const bars = rows.map(({ share }, index) => {
    const left = (100 - share * 100).toFixed(0);
    const top = index * rowPx + gapPx / 2;
    const bottom = (index + 1) * rowPx - gapPx / 2;
    return `100,${top} ${left},${top} ${left},${bottom} 100,${bottom}`;
  });
  const edge = (y: number) => `100,${y} 0,${y} 100,${y}`;
  return [edge(0), ...bars, edge(rows.length * rowPx)].join(' ');
}

/**
 * Writes a line of text per item into the element of a column. Does nothing if the text is unchanged or the element is
 * missing.
 */
export function writeLines<Item>(
  column: Element | null | undefined,
  items: readonly Item[],
  lineOf: (item: Item) => string,
): void {
  if (column) writeText(column, items.map(lineOf).join('\n'));
}

/** Sets the text of an element that React renders without children. */
function writeText(element: Element, text: string): void {
  const { firstChild } = element;
  if (firstChild instanceof Text) {
    if (firstChild.data !== text) firstChild.data = text;
  } else {
    element.textContent = text;
  }
}
