import { SeededGenerator } from '@exchange/core/seeded-generator.ts';
import { MINUTE_MS, SECOND_MS } from '@exchange/core/time.ts';
import { useMemo } from 'react';
import { useRead } from '../api/query-client.ts';
import { loadCandles, type Candle } from '../market/queries.ts';
import type { IndexLine, LinePoint, PastPoint } from './index-line.ts';
import type { Span } from './index-plot.ts';

/** Minutes of the longest span, and the ones it begins and ends in. */
const MINUTES = 62;
const POINTS_A_MINUTE = 12;
/** How far the way wanders from the straight one, as a part of its minute's range. */
const WANDER = 0.08;
/** A line that begins so little behind the span's beginning leaves nothing to fill. */
const SLACK_MS = 5 * SECOND_MS;
const NONE: readonly PastPoint[] = [];

interface PastOf {
  readonly symbol: string;
  readonly line: IndexLine;
  readonly span: Span;
  /** Only a demo market has one. */
  readonly isDemo: boolean;
}

/** What the demo market made up before its index began, where the span reaches behind that; else nothing. */
export function usePastLine({ symbol, line, span, isDemo }: PastOf): readonly PastPoint[] {
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
    () => (t === undefined || candles === undefined ? NONE : pastLine(candles, { t, price: Number(price) })),
    [candles, t, price],
  );
}

/**
 * A way through the generated candles up to the first price of the index, the same for the same candles. Nothing where
 * they do not reach that far: what lies between is then a gap, as any other.
 */
export function pastLine(candles: readonly Candle[], first: PastPoint): readonly PastPoint[] {
  const made = candles.filter(({ id, isSeeded }) => isSeeded && id * SECOND_MS < first.t);
  const last = made.at(-1);
  if (last === undefined || first.t - last.id * SECOND_MS > 2 * MINUTE_MS) return NONE;
  return made.flatMap((candle, at) => {
    const next = made[at + 1];
    if (next !== undefined) return wayThrough(candle, { t: next.id * SECOND_MS, price: next.open });
    // Of the last minute a part was traded already: its high and low may be of those deals.
    const ends = [candle.open, first.price];
    return wayThrough({ ...candle, high: Math.max(...ends), low: Math.min(...ends) }, first);
  });
}

/** From a minute's open to where the next begins, by its high and low; the end itself is the next one's. */
function wayThrough({ id, open, high, low }: Candle, end: PastPoint): readonly PastPoint[] {
  const random = new SeededGenerator(id);
  const begin = id * SECOND_MS;
  const [one, other] = random.next() < 0.5 ? [high, low] : [low, high];
  const early = 1 + Math.floor(random.next() * (POINTS_A_MINUTE / 2 - 1));
  const late = POINTS_A_MINUTE / 2 + Math.floor(random.next() * (POINTS_A_MINUTE / 2));
  const stops = [
    { at: 0, price: open },
    { at: early, price: one },
    { at: late, price: other },
    { at: POINTS_A_MINUTE, price: end.price },
  ];
  return Array.from({ length: POINTS_A_MINUTE }, (_, at) => {
    const next = stops.findIndex((stop) => stop.at > at);
    const [from, to] = [stops[next - 1]!, stops[next]!];
    const straight = from.price + ((to.price - from.price) * (at - from.at)) / (to.at - from.at);
    const wandered = at === from.at ? straight : straight + (high - low) * WANDER * random.normal();
    const price = Math.min(high, Math.max(low, wandered));
    return { t: begin + ((end.t - begin) * at) / POINTS_A_MINUTE, price };
  });
}

function hasPrice(point: LinePoint): point is LinePoint & { readonly price: string } {
  return point.price !== null;
}
