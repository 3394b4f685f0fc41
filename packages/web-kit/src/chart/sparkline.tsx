import { useId } from 'react';
import { sparkPath } from './spark-path.ts';
import classes from './sparkline.module.css';

interface SparklineProps {
  /** Prices, oldest first. */
  readonly values: readonly string[] | undefined;
  readonly width?: number;
  readonly height?: number;
  /** Without it, the colour follows the first and last value. */
  readonly direction?: 'up' | 'down';
  /** Fills the area under the line. */
  readonly filled?: boolean;
}

/** A line of the last day's prices. It decorates numbers that stand beside it, so it is hidden from readers. */
export function Sparkline({ values, width = 96, height = 32, direction, filled = false }: SparklineProps) {
  const gradient = useId();
  const prices = (values ?? []).map(Number);
  const path = sparkPath(prices, width, height);
  const rose = (prices.at(-1) ?? 0) >= (prices[0] ?? 0);
  const shown = direction ?? (rose ? 'up' : 'down');
  return (
    <svg
      className={classes.spark}
      data-direction={shown}
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
