import classes from './depth-chart.module.css';
import { type PointerEvent, useState } from 'react';
import { formatPrice } from '../format/format.ts';
import { useLocale, useWords } from '../i18n/words.ts';

interface DepthChartProps {
  /** Bids of the order book, highest price first. */
  readonly bids: readonly { readonly price: string; readonly total: string }[];
  /** Asks of the order book, lowest price first. */
  readonly asks: readonly { readonly price: string; readonly total: string }[];
  readonly pricePrecision: number;
  readonly baseCoin: string;
}

/**
 * Width and height of the depth chart's SVG coordinate system. The style sheet stretches it to the size of the parent.
 */
const WIDTH = 1_000;
const HEIGHT = 400;

/**
 * Chart of the cumulative amounts of the order book on both sides of the spread. The pointer shows the price
 * and cumulative amount of a level. If a side has no orders, a text is shown instead of the chart.
 */
export function DepthChart({ bids, asks, pricePrecision, baseCoin }: DepthChartProps) {
  const t = useWords('chart');
  const locale = useLocale();
  const [pointer, setPointer] = useState<number>();
  const curve = depthCurve(bids, asks);
  if (curve === undefined) return <p className={classes.empty}>{t('depthEmpty')}</p>;

  const movePointer = (event: PointerEvent<SVGSVGElement>): void => {
    const box = event.currentTarget.getBoundingClientRect();
    setPointer(Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)));
  };
  const level = pointer === undefined ? undefined : levelAt(curve, pointer);
  const prices = [0.1, 0.3, 0.5, 0.7, 0.9].map(
    (share) => curve.lowest + share * (curve.highest - curve.lowest),
  );
  const priceText = (price: number): string =>
    formatPrice(price.toFixed(pricePrecision), locale, pricePrecision);

  return (
    <figure className={classes.figure} aria-label={t('depth')}>
      <svg
        className={classes.drawing}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        onPointerMove={movePointer}
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
          <span key={price}>{priceText(price)}</span>
        ))}
      </figcaption>
      {level !== undefined && (
        <p className={classes.note} data-side={level.side}>
          <b>{t(level.side)}</b> {priceText(level.price)} · {level.total.toPrecision(6)} {baseCoin}
        </p>
      )}
    </figure>
  );
}

/**
 * A point of a depth curve: an order book level's price and the cumulative amount, as numbers, which are
 * precise enough for drawing.
 */
export interface CurvePoint {
  readonly price: number;
  /** Cumulative amount, in the base coin, of all levels from the best price to this one. */
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

/**
 * Maximum distance from the middle price that the depth chart shows, as a fraction of the middle price. Only with a
 * wide spread it shows more. More distant orders would flatten the curve.
 */
const REACH_SHARE = 0.03;

/** Computes the curves of cumulative amounts of both sides around the middle price; undefined if a side is empty. */
export function depthCurve(bids: readonly Level[], asks: readonly Level[]): DepthCurve | undefined {
  const bidPoints = bids.map(pointOf);
  const askPoints = asks.map(pointOf);
  const bestBid = bidPoints[0];
  const bestAsk = askPoints[0];
  if (bestBid === undefined || bestAsk === undefined) return undefined;
  const middle = (bestBid.price + bestAsk.price) / 2;
  // With a wide spread the shown range grows, so that the best prices are always visible.
  const maxDistance = Math.max(middle * REACH_SHARE, (bestAsk.price - bestBid.price) * 1.5);
  const isNear = ({ price }: CurvePoint): boolean => Math.abs(price - middle) <= maxDistance;
  const near = { bids: bidPoints.filter(isNear), asks: askPoints.filter(isNear) };
  const lastBid = near.bids.at(-1)!;
  const lastAsk = near.asks.at(-1)!;
  // Both sides of the depth chart have the same width, so that the middle price is in the centre.
  const reach = Math.max(middle - lastBid.price, lastAsk.price - middle) || middle * 0.001;
  const deepest = Math.max(lastBid.total, lastAsk.total);
  return { ...near, lowest: middle - reach, highest: middle + reach, deepest };
}

/** Returns the SVG path of the stepped area of one side of the depth chart, in a box of `width` × `height`. */
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

/**
 * Returns the order book level whose cumulative amount the curve shows at a horizontal position of the depth chart,
 * from 0 (left edge) to 1 (right edge): the level farthest from the spread that is not beyond the position. Between the
 * two best prices it is the best level of the nearer side.
 */
export function levelAt(
  curve: DepthCurve,
  share: number,
): (CurvePoint & { side: 'bids' | 'asks' }) | undefined {
  const price = curve.lowest + share * (curve.highest - curve.lowest);
  const side = share < 0.5 ? 'bids' : 'asks';
  const levelsInside = curve[side].filter((point) =>
    side === 'bids' ? point.price >= price : point.price <= price,
  );
  const point = levelsInside.at(-1) ?? curve[side][0];
  return point === undefined ? undefined : { ...point, side };
}

function pointOf({ price, total }: Level): CurvePoint {
  return { price: Number(price), total: Number(total) };
}

function round(pixels: number): number {
  return Math.round(pixels * 10) / 10;
}
