import type { CandleTimer } from '@exchange/core/candle.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@exchange/core/time.ts';
import type { ApiInterval } from '@exchange/core/api-interval.ts';
import type { PublicCandle } from '../market/index.ts';
import type { TradedSeconds } from '../spot/index.ts';

/**
 * An interval of candles: the stored candles from which its candles are made, and their opening times in milliseconds
 * UTC.
 */
interface Interval {
  /**
   * Interval of the stored candles that are joined to candles of this interval; undefined for one second, whose candles
   * are made from trades.
   */
  readonly timer: CandleTimer | undefined;
  /** The opening time, in milliseconds UTC, of the candle that contains the time `ms`. */
  readonly openingOf: (ms: number) => number;
  /**
   * The opening time, in milliseconds UTC, of the candle that is `count` candles after the one with the given
   * opening time; before it if `count` is negative.
   */
  readonly step: (openingMs: number, count: number) => number;
}

/** 1970-01-05, the first Monday of Unix time. */
const FIRST_MONDAY_MS = 4 * DAY_MS;
const WEEK_MS = 7 * DAY_MS;

function fixed(timer: CandleTimer | undefined, lengthMs: number, offsetMs = 0): Interval {
  return {
    timer,
    openingOf: (ms) => Math.floor((ms - offsetMs) / lengthMs) * lengthMs + offsetMs,
    step: (openingMs, count) => openingMs + count * lengthMs,
  };
}

const MONTH: Interval = {
  timer: '1day',
  openingOf: (ms) => {
    const day = new Date(ms);
    return Date.UTC(day.getUTCFullYear(), day.getUTCMonth());
  },
  step: (openingMs, count) => {
    const day = new Date(openingMs);
    return Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + count);
  },
};

const INTERVALS: Readonly<Record<ApiInterval, Interval>> = {
  '1s': fixed(undefined, SECOND_MS),
  '1m': fixed('1min', MINUTE_MS),
  '3m': fixed('1min', 3 * MINUTE_MS),
  '5m': fixed('5min', 5 * MINUTE_MS),
  '15m': fixed('15min', 15 * MINUTE_MS),
  '30m': fixed('30min', 30 * MINUTE_MS),
  '1h': fixed('60min', HOUR_MS),
  '2h': fixed('60min', 2 * HOUR_MS),
  '4h': fixed('4hour', 4 * HOUR_MS),
  '6h': fixed('60min', 6 * HOUR_MS),
  '8h': fixed('4hour', 8 * HOUR_MS),
  '12h': fixed('4hour', 12 * HOUR_MS),
  '1d': fixed('1day', DAY_MS),
  '3d': fixed('1day', 3 * DAY_MS),
  '1w': fixed('1week', WEEK_MS, FIRST_MONDAY_MS),
  '1M': MONTH,
};

export function intervalOf(name: ApiInterval): Interval {
  return INTERVALS[name];
}

/** Bounds of candles' opening times, both inclusive, in milliseconds, and the greatest number of candles. */
export interface Bounds {
  readonly startMs?: number | undefined;
  readonly endMs?: number | undefined;
  readonly limit: number;
}

/** A range of candles' opening times in milliseconds UTC; `fromMs` is inclusive, `endMs` exclusive. */
interface OpeningRange {
  readonly fromMs: number;
  readonly endMs: number;
}

/**
 * The range of candles that a request selects, within those that exist: with a start, the oldest `limit` candles that
 * open at or after it and not after the end; without a start, the newest `limit` up to the candle that contains the
 * end. Undefined if there is no such candle.
 */
export function selectedRange(
  { openingOf, step }: Interval,
  bounds: Bounds,
  existing: { readonly oldestMs: number; readonly newestMs: number },
): OpeningRange | undefined {
  const { startMs, endMs, limit } = bounds;
  const oldest = openingOf(existing.oldestMs);
  const newest = openingOf(existing.newestMs);
  const last = endMs === undefined ? newest : Math.min(openingOf(endMs), newest);
  if (startMs === undefined) {
    const from = Math.max(oldest, step(last, 1 - limit));
    return from > last ? undefined : { fromMs: from, endMs: step(last, 1) };
  }
  const opening = openingOf(startMs);
  const from = Math.max(oldest, opening < startMs ? step(opening, 1) : opening);
  return from > last ? undefined : { fromMs: from, endMs: Math.min(step(from, limit), step(last, 1)) };
}

/** Joins consecutive stored candles into those of a longer interval. */
export function joinedCandles({ openingOf }: Interval, stored: readonly PublicCandle[]): PublicCandle[] {
  const joined: PublicCandle[] = [];
  for (const candle of stored) {
    const opened = openingOf(candle.opened * 1_000) / 1_000;
    const last = joined.at(-1);
    if (last?.opened === opened) joined[joined.length - 1] = joinTwo(last, candle);
    else joined.push({ ...candle, opened });
  }
  return joined;
}

/**
 * The candles of all seconds that were read. A second without trades repeats the last close. The seconds before the
 * first trade repeat `closeBefore`, or have no candle if that is undefined.
 */
export function secondCandles(
  { seconds, from, end }: TradedSeconds,
  closeBefore: Decimal | undefined,
): PublicCandle[] {
  const bySecond = new Map(seconds.map((traded) => [traded.second, traded]));
  const candles: PublicCandle[] = [];
  let close = closeBefore;
  for (let second = from; second < end; second += 1) {
    const traded = bySecond.get(second);
    if (traded !== undefined) candles.push(candleOfSecond(traded));
    else if (close !== undefined) candles.push(flatCandle(second, close));
    close = traded?.close ?? close;
  }
  return candles;
}

function candleOfSecond(traded: TradedSeconds['seconds'][number]): PublicCandle {
  return {
    opened: traded.second,
    open: traded.open,
    high: traded.high,
    low: traded.low,
    close: traded.close,
    volume: traded.volume,
    turnover: traded.turnover,
    count: traded.count,
    takerBuys: {
      volume: traded.takerVolume,
      turnover: traded.takerTurnover,
    },
  };
}

function flatCandle(opened: number, close: Decimal): PublicCandle {
  return {
    opened,
    open: close,
    high: close,
    low: close,
    close,
    volume: Decimal.zero,
    turnover: Decimal.zero,
    count: 0,
    takerBuys: {
      volume: Decimal.zero,
      turnover: Decimal.zero,
    },
  };
}

function joinTwo(first: PublicCandle, next: PublicCandle): PublicCandle {
  return {
    opened: first.opened,
    open: first.open,
    high: next.high.isMore(first.high) ? next.high : first.high,
    low: next.low.isLess(first.low) ? next.low : first.low,
    close: next.close,
    volume: first.volume.plus(next.volume),
    turnover: first.turnover.plus(next.turnover),
    count: first.count + next.count,
    takerBuys:
      first.takerBuys === undefined || next.takerBuys === undefined
        ? undefined
        : {
            volume: first.takerBuys.volume.plus(next.takerBuys.volume),
            turnover: first.takerBuys.turnover.plus(next.takerBuys.turnover),
          },
  };
}

/** One candle with all trades of consecutive candles; undefined if none of the candles has trades. */
export function foldedCandle(candles: readonly PublicCandle[]): PublicCandle | undefined {
  return candles
    .filter(({ count }) => count > 0)
    .reduce<PublicCandle | undefined>(
      (folded, candle) => (folded ? joinTwo(folded, candle) : candle),
      undefined,
    );
}

const WINDOW_UNITS: ReadonlyMap<string, number> = new Map([
  ['m', MINUTE_MS],
  ['h', HOUR_MS],
  ['d', DAY_MS],
]);

/** The opening, a full minute, of a rolling window such as `15m`, `4h` or `7d` that ends at `now`; in milliseconds. */
export function windowOpening(size: string, now: number): number {
  const lengthMs = Number(size.slice(0, -1)) * WINDOW_UNITS.get(size.slice(-1))!;
  return Math.floor((now - lengthMs) / MINUTE_MS) * MINUTE_MS;
}

/**
 * Volume-weighted average price (turnover ÷ volume), rounded down to the digits of a price;
 * undefined without volume.
 */
export function weightedPrice(
  { turnover, volume }: Pick<PublicCandle, 'turnover' | 'volume'>,
  digits: number,
): Decimal | undefined {
  return volume.isZero() ? undefined : turnover.over(volume, 'down', digits);
}
