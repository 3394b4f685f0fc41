import { digitsOf, multiples, niceStep } from '../chart/ticks.ts';
import type { LinePoint, PastPoint } from './index-line.ts';

/** Selectable time spans of the index chart, in seconds. */
export const SPANS = [300, 900, 3600] as const;
export type Span = (typeof SPANS)[number];

/** Seconds between two drawn points, by time span; 3,600 points in the hour's span would be too dense. */
const POINT_EVERY_S: Readonly<Record<Span, number>> = { 300: 1, 900: 2, 3600: 6 };
/** Seconds between two time labels of the index chart, by the displayed time span in seconds. */
const LABEL_EVERY_S: Readonly<Record<Span, number>> = { 300: 60, 900: 180, 3600: 900 };
/**
 * Width of the free space at the right of the index chart, as a fraction of its time span; it contains the expiries of
 * open positions.
 */
const FUTURE_SHARE = 0.2;
/** Margin above and below the index line, as a fraction of the chart's height. */
const MARGIN = 0.08;
const PRICE_LABELS = 5;

/** What the chart draws of an open position: its entry price, and its entry time and expiry in milliseconds UTC. */
export interface EntryMark {
  readonly id: string;
  readonly price: string;
  readonly isUp: boolean;
  readonly from: number;
  readonly until: number;
}

interface Label {
  readonly key: number;
  /** Position of an axis label, 0 to 1: from the top for prices, from the left for times. */
  readonly at: number;
  readonly value: number;
}

/**
 * The layout of the index chart. The positions of labels and the results of `x` and `y` are fractions of the chart's
 * width or height, as floating-point numbers.
 */
export interface Plot {
  readonly x: (at: number) => number;
  readonly y: (price: string) => number;
  /** SVG path of the index line in a 1000 by 1000 view box. */
  readonly path: string;
  /** SVG path of the generated prices before the index line; empty when the time span has none. */
  readonly pastPath: string;
  readonly prices: readonly Label[];
  /** Number of decimals with which the price labels are distinct. */
  readonly priceDigits: number;
  readonly times: readonly Label[];
}

/**
 * Computes the layout for the newest `span` seconds of index prices; undefined when none of these seconds has a price.
 */
export function plotOf(
  points: readonly LinePoint[],
  marks: readonly EntryMark[],
  span: Span,
  past: readonly PastPoint[] = [],
): Plot | undefined {
  const end = points.at(-1)?.t ?? 0;
  const begin = end - span * 1_000;
  const drawnPoints = thinPoints(
    points.filter(({ t }) => t >= begin),
    POINT_EVERY_S[span] * 1_000,
  );
  const firstPriced = drawnPoints.find(({ price }) => price !== null);
  if (firstPriced === undefined) return undefined;
  const before = past.filter(({ t }) => t >= begin && t < firstPriced.t);
  const figures = [...before, ...drawnPoints, ...marks].flatMap(({ price }) =>
    price === null ? [] : [Number(price)],
  );
  const [low, high] = [Math.min(...figures), Math.max(...figures)];
  const height = Math.max(high - low, high * 0.00005);
  const middle = (low + high) / 2;
  const x = (at: number) => (at - begin) / (span * 1_000 * (1 + FUTURE_SHARE));
  const placeOf = (price: number) => 0.5 - ((price - middle) / height) * (1 - 2 * MARGIN);
  const step = niceStep(height / PRICE_LABELS);
  const labelEveryMs = LABEL_EVERY_S[span] * 1_000;
  return {
    x,
    y: (price) => placeOf(Number(price)),
    path: pathOf(drawnPoints, POINT_EVERY_S[span] * 1_000, x, placeOf),
    // The path begins at its newer end, so that its dashes do not move while its older end leaves the chart.
    pastPath: before.length === 0 ? '' : unbrokenPath([firstPriced, ...before.toReversed()], x, placeOf),
    priceDigits: digitsOf(step),
    prices: multiples(step, middle - height / 2, middle + height / 2).map((value) => ({
      key: Math.round(value / step),
      value,
      at: placeOf(value),
    })),
    times: multiples(labelEveryMs, begin, end).map((value) => ({ key: value, value, at: x(value) })),
  };
}

/** Height of an entry price tag, as a fraction of the height of the smallest chart. */
const TAG_HEIGHT = 0.09;

/**
 * Positions of the lower edges of entry price tags that do not overlap: each edge is at its price or as close
 * to it as possible. `places` are the prices' positions; both are fractions from the top, and the result is
 * in the order of `places`.
 */
export function tagPlaces(places: readonly number[]): readonly number[] {
  const height = Math.min(TAG_HEIGHT, 1 / Math.max(1, places.length));
  const order = places.map((_, index) => index).sort((a, b) => places[a]! - places[b]!);
  const tagTops = [...places];
  // A tag extends upwards from its position. The first loop moves overlapping tags down; the second loop moves tags
  // below the chart's bottom back up.
  let minTop = height;
  for (const index of order) {
    tagTops[index] = Math.max(tagTops[index]!, minTop);
    minTop = tagTops[index] + height;
  }
  let maxTop = 1;
  for (const index of order.toReversed()) {
    tagTops[index] = Math.min(tagTops[index]!, maxTop);
    maxTop = tagTops[index] - height;
  }
  return tagTops;
}

/**
 * Reduces the points to the last price of each interval, at the interval's beginning; an interval without any
 * price remains a gap.
 */
export function thinPoints(points: readonly LinePoint[], everyMs: number): readonly LinePoint[] {
  const lastPoints = new Map<number, LinePoint>();
  for (const { t, price } of points) {
    const at = Math.floor(t / everyMs) * everyMs;
    if (price !== null || !lastPoints.has(at)) lastPoints.set(at, { t: at, price });
  }
  return [...lastPoints.values()];
}

/**
 * Returns an SVG path through index prices; it is interrupted where an interval is missing or has no price.
 */
export function pathOf(
  points: readonly LinePoint[],
  everyMs: number,
  x: (t: number) => number,
  y: (price: number) => number,
): string {
  let before = 0;
  return points
    .map(({ t, price }) => {
      if (price === null) {
        before = 0;
        return '';
      }
      const step = `${before === t - everyMs ? 'L' : 'M'}${placeIn(x(t), y(Number(price)))}`;
      before = t;
      return step;
    })
    .join('');
}

function unbrokenPath(
  points: readonly (LinePoint | PastPoint)[],
  x: (t: number) => number,
  y: (price: number) => number,
): string {
  return `M${points.map(({ t, price }) => placeIn(x(t), y(Number(price)))).join('L')}`;
}

/**
 * Formats a point, given as fractions of the chart's width and height, in the coordinates of the SVG paths,
 * whose view box is 1000 by 1000.
 */
function placeIn(x: number, y: number): string {
  return `${(1_000 * x).toFixed(1)} ${(1_000 * y).toFixed(1)}`;
}
