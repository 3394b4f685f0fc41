import classes from './depth-chart.module.css';
import { type PointerEvent, useState } from 'react';
import { formatPrice } from '../format/format.ts';
import { useLocale, useWords } from '../i18n/words.ts';

interface DepthChartProps {
  /** From the highest bid. */
  readonly bids: readonly { readonly price: string; readonly total: string }[];
  /** From the lowest ask. */
  readonly asks: readonly { readonly price: string; readonly total: string }[];
  readonly pricePrecision: number;
  readonly baseCoin: string;
}

/** The drawing's own units; CSS stretches it over its parent. */
const WIDTH = 1_000;
const HEIGHT = 400;

/** What waits on either side of the spread, cumulated; hovering shows a level's price and amount. */
export function DepthChart({ bids, asks, pricePrecision, baseCoin }: DepthChartProps) {
  const t = useWords('chart');
  const locale = useLocale();
  const [pointer, setPointer] = useState<number>();
  const curve = depthCurve(bids, asks);
  if (curve === undefined) return <p className={classes.empty}>{t('depthEmpty')}</p>;

  const follow = (event: PointerEvent<SVGSVGElement>): void => {
    const box = event.currentTarget.getBoundingClientRect();
    setPointer(Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)));
  };
  const level = pointer === undefined ? undefined : levelAt(curve, pointer);
  const prices = [0.1, 0.3, 0.5, 0.7, 0.9].map(
    (share) => curve.lowest + share * (curve.highest - curve.lowest),
  );
  const shown = (price: number): string => formatPrice(price.toFixed(pricePrecision), locale, pricePrecision);

  return (
    <figure className={classes.figure} aria-label={t('depth')}>
      <svg
        className={classes.drawing}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        onPointerMove={follow}
        onPointerLeave={() => setPointer(undefined)}
        aria-hidden="true"
      >
        <path className={classes.bids} d={depthPath(curve, 'bids', WIDTH, HEIGHT)} />
        <path className={classes.asks} d={depthPath(curve, 'asks', WIDTH, HEIGHT)} />
        {pointer !== undefined && (
          <line className={classes.pointer} x1={pointer * WIDTH} x2={pointer * WIDTH} y1="0" y2={HEIGHT} />
        )}
      </svg>
      <figcaption className={classes.axis} aria-hidden="true">
        {prices.map((price) => (
          <span key={price}>{shown(price)}</span>
        ))}
      </figcaption>
      {level !== undefined && (
        <p className={classes.note} data-side={level.side}>
          <b>{t(level.side)}</b> {shown(level.price)} · {level.total.toPrecision(6)} {baseCoin}
        </p>
      )}
    </figure>
  );
}

/** A price level as numbers; the chart is a picture, exactness stays in the book. */
export interface CurvePoint {
  readonly price: number;
  /** Sum of the amounts from the best price up to this one. */
  readonly total: number;
}

interface Level {
  readonly price: string;
  readonly total: string;
}

export interface DepthCurve {
  readonly bids: readonly CurvePoint[];
  readonly asks: readonly CurvePoint[];
  readonly lowest: number;
  readonly highest: number;
  readonly deepest: number;
}

/** Farther from the middle, as a share of it, a curve would be flattened to a spike by orders that hardly matter. */
const REACH_SHARE = 0.03;

/**
 * Both sides of a book as cumulative curves around one middle price, as far as the drawing reaches; undefined
 * where a side is empty.
 */
export function depthCurve(bids: readonly Level[], asks: readonly Level[]): DepthCurve | undefined {
  const bidPoints = bids.map(pointOf);
  const askPoints = asks.map(pointOf);
  const bestBid = bidPoints[0];
  const bestAsk = askPoints[0];
  if (bestBid === undefined || bestAsk === undefined) return undefined;
  const middle = (bestBid.price + bestAsk.price) / 2;
  // A wide spread still shows what stands at its edges.
  const most = Math.max(middle * REACH_SHARE, (bestAsk.price - bestBid.price) * 1.5);
  const isNear = ({ price }: CurvePoint): boolean => Math.abs(price - middle) <= most;
  const near = { bids: bidPoints.filter(isNear), asks: askPoints.filter(isNear) };
  const lastBid = near.bids.at(-1)!;
  const lastAsk = near.asks.at(-1)!;
  // Equal reach on both sides, so that the middle stays in the middle.
  const reach = Math.max(middle - lastBid.price, lastAsk.price - middle) || middle * 0.001;
  const deepest = Math.max(lastBid.total, lastAsk.total);
  return { ...near, lowest: middle - reach, highest: middle + reach, deepest };
}

/** The `d` of one side's stepped area in a `width` × `height` box. */
export function depthPath(curve: DepthCurve, side: 'bids' | 'asks', width: number, height: number): string {
  const x = (price: number): number =>
    round(((price - curve.lowest) / (curve.highest - curve.lowest)) * width);
  const y = (total: number): number => round(height - (total / curve.deepest) * height * 0.92);
  const points = curve[side];
  const edge = side === 'bids' ? 0 : width;
  const first = points[0]!;
  let path = `M${x(first.price)} ${height}`;
  let level = height;
  for (const point of points) {
    path += `L${x(point.price)} ${level}L${x(point.price)} ${y(point.total)}`;
    level = y(point.total);
  }
  return `${path}L${edge} ${level}L${edge} ${height}Z`;
}

/** The level that a pointer at `share` (0 left … 1 right) of the width stands on. */
export function levelAt(
  curve: DepthCurve,
  share: number,
): (CurvePoint & { side: 'bids' | 'asks' }) | undefined {
  const price = curve.lowest + share * (curve.highest - curve.lowest);
  const side = share < 0.5 ? 'bids' : 'asks';
  const reached = curve[side].filter((point) =>
    side === 'bids' ? point.price >= price : point.price <= price,
  );
  const point = reached.at(-1) ?? curve[side][0];
  return point === undefined ? undefined : { ...point, side };
}

function pointOf({ price, total }: Level): CurvePoint {
  return { price: Number(price), total: Number(total) };
}

function round(pixels: number): number {
  return Math.round(pixels * 10) / 10;
}
