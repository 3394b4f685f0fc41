import { CANDLE_SECONDS, type ChartTimer, chartCandleStart, isCandleTimer } from '@exchange/core/candle.ts';
import { instant } from '@exchange/core/time.ts';
import type { DataLoader, DataLoaderGetBarsParams, KLineData, Period } from 'klinecharts';
import { steadyNow } from '../clock.ts';

/** Number of candles of the first request. Older candles are requested when the user scrolls to the left. */
const FIRST_PAGE = 600;
const NEXT_PAGE = 500;
/**
 * The chart spends at most about 1/60 of the time on drawing candle updates, so slow devices draw less often. The pause
 * between two drawings is at most `LONGEST_PAUSE_MS` even on a slower device.
 */
const PART_OF_TIME = 60;
const LONGEST_PAUSE_MS = 1_000;
/**
 * Number of microtasks after which the chart has certainly requested its animation frames. The chart needs about ten.
 */
const PROMISES = 32;

export type LoadState = 'loading' | 'shown' | 'empty' | 'failed';

interface LoaderOptions {
  readonly source: CandleSource;
  readonly symbol: string;
  readonly timer: ChartTimer;
  readonly onState: (state: LoadState) => void;
  /**
   * Called if more candles were missed than the source loads afterwards, so that the whole chart must be loaded again.
   */
  readonly onLost: () => void;
}

/**
 * Creates a loader that loads the candles of one pair and interval into a chart. Responses that arrive after the loader
 * was stopped are dropped.
 */
export function candleLoader(options: LoaderOptions): { loader: DataLoader; stop: () => void } {
  let isStopped = false;
  let unfollow: (() => void) | undefined;

  const getBars = async ({ type, timestamp, callback }: DataLoaderGetBarsParams): Promise<void> => {
    if (type === 'backward') return callback([], false);
    const isFirst = timestamp === null;
    if (isFirst) options.onState('loading');
    try {
      const size = isFirst ? FIRST_PAGE : NEXT_PAGE;
      const beforeSeconds = isFirst ? undefined : Math.floor(timestamp / 1_000);
      const candles = await options.source.load(options.symbol, options.timer, size, beforeSeconds);
      if (isStopped) return;
      callback(candles.map(barOf), { forward: candles.length >= size, backward: false });
      if (isFirst) options.onState(candles.length === 0 ? 'empty' : 'shown');
    } catch {
      // If the request for the newest candles fails, the chart offers a retry. If a request for older candles fails,
      // the history ends there.
      if (isStopped) return;
      if (isFirst) options.onState('failed');
      else callback([], { forward: false, backward: false });
    }
  };

  const loader: DataLoader = {
    getBars,
    subscribeBar: ({ callback }) => {
      unfollow?.();
      const throttledCandles = throttledByDrawing((candle: CandleLike) => callback(barOf(candle)));
      const drawNext = (candle: CandleLike): void => {
        options.onState('shown');
        throttledCandles.next(candle);
      };
      const { source, symbol, timer, onLost } = options;
      const stopFollowing = source.follow(symbol, timer, drawNext, onLost);
      unfollow = () => {
        stopFollowing();
        throttledCandles.cancel();
      };
    },
    unsubscribeBar: () => unfollow?.(),
  };

  const stop = (): void => {
    isStopped = true;
    unfollow?.();
  };
  return { loader, stop };
}

/**
 * Passes candle updates to the chart: for each candle only the newest update, at most once per animation frame, and
 * less often on slow devices. If a candle closes meanwhile, its last update is drawn before the next candle. Updates
 * that arrive between two frames are passed on before the next frame, in which the chart draws them.
 */
function throttledByDrawing(draw: (candle: CandleLike) => void) {
  const waiting = new Map<number, CandleLike>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isFrameRequested = false;
  let nextMs = 0;
  const flush = (): void => {
    const candles = [...waiting.values()];
    waiting.clear();
    for (const candle of candles) draw(candle);
  };
  const onDrawn = (tookMs: number): void => {
    isFrameRequested = false;
    nextMs = steadyNow() + Math.min(LONGEST_PAUSE_MS, tookMs * (PART_OF_TIME - 1));
    if (waiting.size > 0) schedule();
  };
  const flushSoon = (): void => {
    timer = undefined;
    isFrameRequested = true;
    // Waits for the end of the current task, so that all candle updates of the task are passed to the chart together.
    queueMicrotask(() => void measureDrawing(flush, onDrawn));
  };
  const schedule = (): void => {
    const leftMs = nextMs - steadyNow();
    if (leftMs <= 0) flushSoon();
    else timer = setTimeout(flushSoon, leftMs);
  };
  return {
    next(candle: CandleLike): void {
      waiting.set(candle.id, candle);
      if (!isFrameRequested && timer === undefined) schedule();
    },
    cancel(): void {
      clearTimeout(timer);
      waiting.clear();
    },
  };
}

/**
 * Measures how long the chart needs for a candle update: the call, and the drawing in the next frame. The end of the
 * measurement is a frame callback that is requested after the chart's own, so that it runs after the drawing.
 */
async function measureDrawing(run: () => void, onDrawn: (tookMs: number) => void): Promise<void> {
  const startedMs = steadyNow();
  let frameStartedMs = 0;
  requestAnimationFrame(() => (frameStartedMs = steadyNow()));
  try {
    run();
  } finally {
    for (let count = 0; count < PROMISES; count += 1) await Promise.resolve();
    const tookMs = steadyNow() - startedMs;
    requestAnimationFrame(() => onDrawn(tookMs + steadyNow() - frameStartedMs));
  }
}

/** A candle as the server sends it. The history endpoint sends numbers, the live feed decimal text. */
export interface CandleLike {
  /** Opening time of the candle in seconds since 1970. */
  readonly id: number;
  readonly open: number | string;
  readonly close: number | string;
  readonly high: number | string;
  readonly low: number | string;
  readonly vol: number | string;
}

/**
 * The functions from which a chart gets its candles: `load` for past candles, and `follow` for live updates.
 */
export interface CandleSource {
  /**
   * Loads at most `size` candles, oldest first: the newest ones, or with `endTimeSeconds` the last ones that opened
   * before this time.
   */
  readonly load: (
    symbol: string,
    timer: ChartTimer,
    size: number,
    endTimeSeconds?: number,
  ) => Promise<readonly CandleLike[]>;
  /**
   * Calls `onCandle` with the current candle whenever it changes. After an interruption it is called with the missed
   * candles first. If more were missed than the source loads afterwards, calls `onLost` instead. Returns a function
   * that stops the updates.
   */
  readonly follow: (
    symbol: string,
    timer: ChartTimer,
    onCandle: (candle: CandleLike) => void,
    onLost: () => void,
  ) => () => void;
}

/** Converts a candle to the chart library's format. Turnover is (open + high + low + close) / 4 × volume. */
export function barOf(candle: CandleLike): KLineData {
  const open = Number(candle.open);
  const close = Number(candle.close);
  const high = Number(candle.high);
  const low = Number(candle.low);
  const volume = Number(candle.vol);
  const turnover = ((open + high + low + close) / 4) * volume;
  return { timestamp: candle.id * 1_000, open, close, high, low, volume, turnover };
}

const PERIODS: Readonly<Record<ChartTimer, Period>> = {
  '1min': { type: 'minute', span: 1 },
  '5min': { type: 'minute', span: 5 },
  '15min': { type: 'minute', span: 15 },
  '30min': { type: 'minute', span: 30 },
  '60min': { type: 'hour', span: 1 },
  '2hour': { type: 'hour', span: 2 },
  '4hour': { type: 'hour', span: 4 },
  '6hour': { type: 'hour', span: 6 },
  '12hour': { type: 'hour', span: 12 },
  '1day': { type: 'day', span: 1 },
  '1week': { type: 'week', span: 1 },
  '1mon': { type: 'month', span: 1 },
};

/** Converts a candle interval to the chart library's period. */
export function periodOf(timer: ChartTimer): Period {
  return PERIODS[timer];
}

/**
 * Returns the opening time in milliseconds of the candle that contains `atMs`. For an interval that the server stores
 * it is a whole number of interval lengths away from `knownBarMs`, the opening time of any candle. For an interval that
 * is aggregated from shorter ones (such as one month) it follows from the calendar.
 */
export function barTimeOf(timer: ChartTimer, atMs: number, knownBarMs: number): number {
  if (!isCandleTimer(timer)) return chartCandleStart(timer, instant(atMs));
  const lengthMs = CANDLE_SECONDS[timer] * 1_000;
  return knownBarMs + Math.floor((atMs - knownBarMs) / lengthMs) * lengthMs;
}
