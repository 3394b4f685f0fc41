import type { DepthRow } from './book.ts';

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
