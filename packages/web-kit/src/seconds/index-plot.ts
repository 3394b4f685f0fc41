import { digitsOf, multiples, niceStep } from '../chart/ticks.ts';
import type { LinePoint, PastPoint } from './index-line.ts';

/** How much of the index is drawn, in seconds. */
export const SPANS = [300, 900, 3600] as const;
export type Span = (typeof SPANS)[number];

/** Seconds between two points that are drawn: an hour has no room for each of its seconds. */
const POINT_EVERY_S: Readonly<Record<Span, number>> = { 300: 1, 900: 2, 3600: 6 };
/** Seconds between two moments at the foot of the chart. */
const LABEL_EVERY_S: Readonly<Record<Span, number>> = { 300: 60, 900: 180, 3600: 900 };
/** Room at the right, as a part of the span: where positions end that run now. */
const AHEAD = 0.2;
/** Room above and below the line, as a part of the height. */
const EDGE = 0.08;
const PRICE_LABELS = 5;

/** An open position: where and when it began, and when it ends. */
export interface EntryMark {
  readonly id: string;
  readonly price: string;
  readonly isUp: boolean;
  readonly from: number;
  readonly until: number;
}

interface Label {
  readonly key: number;
  /** From the top or from the left, 0 to 1. */
  readonly at: number;
  readonly value: number;
}

/** Where things lie on the chart; every place is a fraction of its width or height. Places decide about no money. */
export interface Plot {
  readonly x: (at: number) => number;
  readonly y: (price: string) => number;
  /** The line as a path of a box of 1000 by 1000. */
  readonly path: string;
  /** What was made up before it, up to where it begins; empty where none of that is within the span. */
  readonly pastPath: string;
  readonly prices: readonly Label[];
  /** Decimals that tell the price labels apart. */
  readonly priceDigits: number;
  readonly times: readonly Label[];
}

/** Lays the newest `span` seconds out; undefined where no second of them has a price. */
export function plotOf(
  points: readonly LinePoint[],
  marks: readonly EntryMark[],
  span: Span,
  past: readonly PastPoint[] = [],
): Plot | undefined {
  const end = points.at(-1)?.t ?? 0;
  const begin = end - span * 1_000;
  const shown = thinned(
    points.filter(({ t }) => t >= begin),
    POINT_EVERY_S[span] * 1_000,
  );
  const first = shown.find(({ price }) => price !== null);
  if (first === undefined) return undefined;
  const before = past.filter(({ t }) => t >= begin && t < first.t);
  const figures = [...before, ...shown, ...marks].flatMap(({ price }) =>
    price === null ? [] : [Number(price)],
  );
  const [low, high] = [Math.min(...figures), Math.max(...figures)];
  const height = Math.max(high - low, high * 0.00005);
  const middle = (low + high) / 2;
  const x = (at: number) => (at - begin) / (span * 1_000 * (1 + AHEAD));
  const placeOf = (price: number) => 0.5 - ((price - middle) / height) * (1 - 2 * EDGE);
  const step = niceStep(height / PRICE_LABELS);
  const every = LABEL_EVERY_S[span] * 1_000;
  return {
    x,
    y: (price) => placeOf(Number(price)),
    path: pathOf(shown, POINT_EVERY_S[span] * 1_000, x, placeOf),
    // From its newer end, so that its dashes stand still while the older one leaves the span.
    pastPath: before.length === 0 ? '' : unbrokenPath([first, ...before.toReversed()], x, placeOf),
    priceDigits: digitsOf(step),
    prices: multiples(step, middle - height / 2, middle + height / 2).map((value) => ({
      key: Math.round(value / step),
      value,
      at: placeOf(value),
    })),
    times: multiples(every, begin, end).map((value) => ({ key: value, value, at: x(value) })),
  };
}

/** So much of the height a tag takes on the lowest chart. */
const TAG_HEIGHT = 0.09;

/**
 * Where the tags of entry prices stand that none lies on another: each at its own price, or as near below or above as there is room.
 * @param places from the top, 0 to 1, in any order; the answer is in the same
 */
export function tagPlaces(places: readonly number[]): readonly number[] {
  const height = Math.min(TAG_HEIGHT, 1 / Math.max(1, places.length));
  const order = places.map((_, index) => index).sort((one, other) => places[one]! - places[other]!);
  const found = [...places];
  // A tag stands above its place. Downwards each leaves room for the one before it, and what that pushes out goes back up.
  let least = height;
  for (const index of order) {
    found[index] = Math.max(found[index]!, least);
    least = found[index] + height;
  }
  let most = 1;
  for (const index of order.toReversed()) {
    found[index] = Math.min(found[index]!, most);
    most = found[index] - height;
  }
  return found;
}

/** The last point of each interval with a price; one without any stays a gap. */
export function thinned(points: readonly LinePoint[], everyMs: number): readonly LinePoint[] {
  const last = new Map<number, LinePoint>();
  for (const { t, price } of points) {
    const at = Math.floor(t / everyMs) * everyMs;
    if (price !== null || !last.has(at)) last.set(at, { t: at, price });
  }
  return [...last.values()];
}

/** A path that breaks where an interval has no price or is missing. */
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

/** A place of the box that paths are drawn in. */
function placeIn(x: number, y: number): string {
  return `${(1_000 * x).toFixed(1)} ${(1_000 * y).toFixed(1)}`;
}
