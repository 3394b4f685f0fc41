import { type CandleTimer, type ChartTimer, chartCandleStart, isCandleTimer } from '@exchange/core/candle.ts';
import { instant } from '@exchange/core/time.ts';
import type { CandleLike, CandleSource } from '../chart/candle-loader.ts';

type AggregatedTimer = Exclude<ChartTimer, CandleTimer>;

interface Aggregate {
  readonly timer: CandleTimer;
  /** Maximum number of stored candles in one aggregated candle. */
  readonly maxParts: number;
}

/**
 * Chart intervals that the server does not store, each with the longest stored interval that divides it. A candle of
 * such an interval is aggregated from stored candles.
 */
const AGGREGATES: Readonly<Record<AggregatedTimer, Aggregate>> = {
  '2hour': { timer: '60min', maxParts: 2 },
  '6hour': { timer: '60min', maxParts: 6 },
  '12hour': { timer: '4hour', maxParts: 3 },
  '1mon': { timer: '1day', maxParts: 31 },
};

/**
 * Maximum number of stored candles per request; `PAGES_MOST` is the maximum number of requests for one page of the
 * chart.
 */
const PAGE_MOST = 2_000;
const PAGES_MOST = 4;

/** Source of the candles of those intervals that the server stores. */
interface FinerSource {
  readonly load: (
    symbol: string,
    timer: CandleTimer,
    size: number,
    endTimeSeconds?: number,
  ) => Promise<readonly CandleLike[]>;
  readonly follow: (
    symbol: string,
    timer: CandleTimer,
    onCandle: (candle: CandleLike) => void,
    onLost: () => void,
  ) => () => void;
}

/** Creates a source of candles for all chart intervals from a source of the stored intervals. */
export function chartSource(finer: FinerSource): CandleSource {
  return {
    load: (symbol, timer, size, endTimeSeconds) =>
      isCandleTimer(timer)
        ? finer.load(symbol, timer, size, endTimeSeconds)
        : loadAggregated(finer, symbol, timer, size, endTimeSeconds),
    follow: (symbol, timer, onCandle, onLost) =>
      isCandleTimer(timer)
        ? finer.follow(symbol, timer, onCandle, onLost)
        : followAggregated(finer, symbol, timer, onCandle, onLost),
  };
}

/**
 * Loads candles from newest to oldest until it has `size` complete aggregated candles, the history ends, or
 * `PAGES_MOST` requests are made. The oldest returned candle is incomplete only if the history starts within it.
 */
async function loadAggregated(
  finer: FinerSource,
  symbol: string,
  timer: AggregatedTimer,
  size: number,
  endTimeSeconds: number | undefined,
): Promise<readonly CandleLike[]> {
  const { timer: partTimer, maxParts } = AGGREGATES[timer];
  let parts: readonly CandleLike[] = [];
  let beforeSeconds = endTimeSeconds;
  for (let page = 0; page < PAGES_MOST; page += 1) {
    // Besides the candles for `size` intervals, the candles of one interval before them are requested. Only if those
    // have arrived, the oldest returned candle is known to be complete.
    const pageSize = Math.min(PAGE_MOST, (size + 1) * maxParts - parts.length);
    if (pageSize <= 0) break;
    const older = await finer.load(symbol, partTimer, pageSize, beforeSeconds);
    parts = [...older, ...parts];
    beforeSeconds = older[0]?.id;
    if (older.length < pageSize) return aggregateCandles(timer, parts);
  }
  const candles = aggregateCandles(timer, parts);
  return candles.length > size ? candles.slice(-size) : candles.slice(1);
}

function followAggregated(
  finer: FinerSource,
  symbol: string,
  timer: AggregatedTimer,
  onCandle: (candle: CandleLike) => void,
  onLost: () => void,
): () => void {
  const { timer: partTimer, maxParts } = AGGREGATES[timer];
  /** Stored candles that make up the newest aggregated candle, keyed by their opening time in seconds since 1970. */
  const parts = new Map<number, CandleLike>();
  let newestId: number | undefined;
  let isComplete = false;
  let isLoading = false;
  let isStopped = false;

  const emitCandle = (): void => {
    if (isStopped || newestId === undefined) return;
    const openingTime = startOf(timer, newestId);
    for (const id of parts.keys()) if (id < openingTime) parts.delete(id);
    const candle = aggregateCandles(
      timer,
      [...parts.values()].toSorted((left, right) => left.id - right.id),
    ).at(-1);
    if (candle !== undefined) onCandle(candle);
  };
  const loadParts = async (): Promise<void> => {
    if (isLoading) return;
    isLoading = true;
    try {
      const loaded = await finer.load(symbol, partTimer, maxParts + 1);
      for (const part of loaded) if (!parts.has(part.id)) parts.set(part.id, part);
      isComplete = true;
      emitCandle();
    } catch {
      // The request failed; it is repeated when the stream delivers the next candle of the shorter interval.
    } finally {
      isLoading = false;
    }
  };
  const stopFollowing = finer.follow(
    symbol,
    partTimer,
    (part) => {
      parts.set(part.id, part);
      newestId = Math.max(part.id, newestId ?? part.id);
      if (isComplete) emitCandle();
      else void loadParts();
    },
    onLost,
  );
  return () => {
    isStopped = true;
    stopFollowing();
  };
}

/**
 * Aggregates stored candles, given from oldest to newest, to a longer interval: first open, last close, highest high,
 * lowest low, summed volume.
 */
export function aggregateCandles(timer: ChartTimer, parts: readonly CandleLike[]): readonly CandleLike[] {
  const candles: CandleLike[] = [];
  for (const part of parts) {
    const id = startOf(timer, part.id);
    const last = candles.at(-1);
    if (last?.id === id) {
      candles[candles.length - 1] = {
        ...last,
        close: part.close,
        high: Math.max(Number(last.high), Number(part.high)),
        low: Math.min(Number(last.low), Number(part.low)),
        vol: Number(last.vol) + Number(part.vol),
      };
    } else {
      const { open, close, high, low, vol } = part;
      candles.push({ id, open, close, high, low, vol });
    }
  }
  return candles;
}

function startOf(timer: ChartTimer, seconds: number): number {
  return chartCandleStart(timer, instant(seconds * 1_000)) / 1_000;
}
