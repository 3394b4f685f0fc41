import { useId } from 'react';
import { wayOfPercent } from '../format/format.ts';
import { sparkPath } from './spark-path.ts';
import classes from './sparkline.module.css';

interface SparklineProps {
  /** Prices, oldest first. */
  readonly values: readonly string[] | undefined;
  readonly width?: number;
  readonly height?: number;
  /** The change of the 24 hours (a fraction) that stands beside it: the line has its colour. */
  readonly change: string | undefined;
  /** Fills the area under the line. */
  readonly filled?: boolean;
}

/** A line of the last day's prices. It decorates numbers that stand beside it, so it is hidden from readers. */
export function Sparkline({ values, width = 96, height = 32, change, filled = false }: SparklineProps) {
  const gradient = useId();
  const prices = (values ?? []).map(Number);
  const path = sparkPath(prices, width, height);
  return (
    <svg
      className={classes.spark}
      data-direction={wayOfPercent(change)}
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
