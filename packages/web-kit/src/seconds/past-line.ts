import { SeededGenerator } from '@exchange/core/seeded-generator.ts';
import { MINUTE_MS, SECOND_MS } from '@exchange/core/time.ts';
import { useMemo } from 'react';
import { useRead } from '../api/query-client.ts';
import { loadCandles, type Candle } from '../market/queries.ts';
import type { IndexLine, LinePoint, PastPoint } from './index-line.ts';
import type { Span } from './index-plot.ts';

/**
 * Number of minute candles to load: the minutes of the longest time span, and the partial minutes at its beginning and
 * end.
 */
const MINUTES = 62;
const POINTS_A_MINUTE = 12;
/**
 * Standard deviation of a generated point from the straight line between its neighbours' prices, as a fraction of the
 * minute's price range.
 */
const DEVIATION = 0.08;
/**
 * Gap in milliseconds at the beginning of the displayed time span that stays empty. Only a longer gap is filled with
 * generated prices.
 */
const SLACK_MS = 5 * SECOND_MS;
const NONE: readonly PastPoint[] = [];

interface PastLineOptions {
  readonly symbol: string;
  readonly line: IndexLine;
  readonly span: Span;
  /** True for a demo market, the only market with generated history. */
  readonly isDemo: boolean;
}

/**
 * Generated prices of a demo market for the time in the chart before the index's first price; empty if this
 * time is at most `SLACK_MS`, for other markets, and until the candles have loaded.
 */
export function useGeneratedPast({ symbol, line, span, isDemo }: PastLineOptions): readonly PastPoint[] {
  const { points, reach } = line;
  const first = points.find(hasPrice);
  const newest = points.at(-1);
  const begin = (newest?.t ?? 0) - span * SECOND_MS;
  const isShort = isDemo && reach >= span && first !== undefined && first.t > begin + SLACK_MS;
  const candles = useRead({
    queryKey: ['seconds', 'past', symbol],
    queryFn: () => loadCandles(symbol, '1min', MINUTES),
    enabled: isShort,
    staleTime: Number.POSITIVE_INFINITY,
  }).data;
  const [t, price] = isShort ? [first.t, first.price] : [undefined, undefined];
  return useMemo(
    () =>
      t === undefined || candles === undefined ? NONE : interpolatePast(candles, { t, price: Number(price) }),
    [candles, t, price],
  );
}

/**
 * Interpolates the demo market's generated candles until the first index price; the result is always the same for the
 * same candles. Empty unless a generated candle opens within the two minutes before that price; the gap in the chart
 * then stays open.
 */
export function interpolatePast(candles: readonly Candle[], first: PastPoint): readonly PastPoint[] {
  const generated = candles.filter(({ id, isSeeded }) => isSeeded && id * SECOND_MS < first.t);
  const lastCandle = generated.at(-1);
  if (lastCandle === undefined || first.t - lastCandle.id * SECOND_MS > 2 * MINUTE_MS) return NONE;
  return generated.flatMap((candle, at) => {
    const nextCandle = generated[at + 1];
    if (nextCandle !== undefined)
      return pathThrough(candle, { t: nextCandle.id * SECOND_MS, price: nextCandle.open });
    // The last minute before the first index price also contains real trades, so the high and low of its candle may be
    // real prices; they are not used.
    const ends = [candle.open, first.price];
    return pathThrough({ ...candle, high: Math.max(...ends), low: Math.min(...ends) }, first);
  });
}

/**
 * Returns the generated points of a minute: from its open, through its high and low, up to the next minute's
 * open, which is not included.
 */
function pathThrough({ id, open, high, low }: Candle, end: PastPoint): readonly PastPoint[] {
  const random = new SeededGenerator(id);
  const begin = id * SECOND_MS;
  const [firstStop, secondStop] = random.next() < 0.5 ? [high, low] : [low, high];
  const early = 1 + Math.floor(random.next() * (POINTS_A_MINUTE / 2 - 1));
  const late = POINTS_A_MINUTE / 2 + Math.floor(random.next() * (POINTS_A_MINUTE / 2));
  const stops = [
    { at: 0, price: open },
    { at: early, price: firstStop },
    { at: late, price: secondStop },
    { at: POINTS_A_MINUTE, price: end.price },
  ];
  return Array.from({ length: POINTS_A_MINUTE }, (_, at) => {
    const nextIndex = stops.findIndex((stop) => stop.at > at);
    const [before, after] = [stops[nextIndex - 1]!, stops[nextIndex]!];
    const straight =
      before.price + ((after.price - before.price) * (at - before.at)) / (after.at - before.at);
    const wandered = at === before.at ? straight : straight + (high - low) * DEVIATION * random.normal();
    const price = Math.min(high, Math.max(low, wandered));
    return { t: begin + ((end.t - begin) * at) / POINTS_A_MINUTE, price };
  });
}

function hasPrice(point: LinePoint): point is LinePoint & { readonly price: string } {
  return point.price !== null;
}
