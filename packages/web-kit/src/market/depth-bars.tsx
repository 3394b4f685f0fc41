import { barPoints } from './bar-points.ts';
import type { DepthRow } from './book.ts';

interface DepthBarsProps {
  /** From the top. */
  readonly rows: readonly Pick<DepthRow, 'share'>[];
  readonly rowPx: number;
  readonly gapPx?: number;
  /** Gives place, size and colour (`fill`). */
  readonly className: string | undefined;
}

/** The bars behind one side of a book, from the right edge: one shape, which an update paints and lays out at once. */
export function DepthBars({ rows, rowPx, gapPx = 0, className }: DepthBarsProps) {
  return (
    <svg
      className={className}
      viewBox={`0 0 100 ${rows.length * rowPx}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <polygon points={barPoints(rows, rowPx, gapPx)} />
    </svg>
  );
}
