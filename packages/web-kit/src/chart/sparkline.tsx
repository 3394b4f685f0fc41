import classes from './sparkline.module.css';
import { useId } from 'react';
import { directionOfPercent } from '../format/format.ts';

interface SparklineProps {
  /** Prices, oldest first; undefined until known. With fewer than two prices nothing is drawn. */
  readonly values: readonly string[] | undefined;
  readonly width?: number;
  readonly height?: number;
  /**
   * Change of the price within 24 hours, as a fraction; undefined while unknown. Its sign determines the line's colour.
   */
  readonly change: string | undefined;
  /** True to fill the area under the line. */
  readonly filled?: boolean;
}

/**
 * Line of the prices `values`, oldest first. It is hidden from screen readers, because the screen shows the numbers
 * beside it.
 */
export function Sparkline({ values, width = 96, height = 32, change, filled = false }: SparklineProps) {
  const gradient = useId();
  const prices = (values ?? []).map(Number);
  const path = sparkPath(prices, width, height);
  return (
    <svg
      className={classes.spark}
      data-direction={directionOfPercent(change)}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {filled && path !== '' && (
        <>
          <linearGradient id={gradient} x1="0" y1="0" x2="0" y2="1">
            <stop offset="0" stopColor="currentColor" stopOpacity="0.24" />
            <stop offset="1" stopColor="currentColor" stopOpacity="0" />
          </linearGradient>
          <path d={`${path}L${width} ${height}L0 ${height}Z`} fill={`url(#${gradient})`} />
        </>
      )}
      {path !== '' && <path d={path} className={classes.line} />}
    </svg>
  );
}

/**
 * Returns the SVG path of a line through `values`, stretched to `width` × `height`, with a padding of 1 px at top and
 * bottom. The path is empty for fewer than two values.
 */
export function sparkPath(values: readonly number[], width: number, height: number): string {
  if (values.length < 2) return '';
  const lowest = Math.min(...values);
  const range = Math.max(...values) - lowest;
  const step = width / (values.length - 1);
  const points = values.map((value, index) => {
    const share = range === 0 ? 0.5 : (value - lowest) / range;
    return `${round(index * step)} ${round(height - 1 - share * (height - 2))}`;
  });
  return `M${points.join('L')}`;
}

function round(pixels: number): number {
  return Math.round(pixels * 100) / 100;
}
