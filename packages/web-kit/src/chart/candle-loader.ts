import { CANDLE_SECONDS, type ChartTimer, chartCandleStart, isCandleTimer } from '@exchange/core/candle.ts';
import { instant } from '@exchange/core/time.ts';
import type { DataLoader, DataLoaderGetBarsParams, KLineData, Period } from 'klinecharts';
import { steadyNow } from '../clock.ts';

/** The first screenful and some history; older pages follow as one scrolls left. */
const FIRST_PAGE = 600;
const NEXT_PAGE = 500;
/** Drawing candles may take one part in so many of the time: a slow device draws them less often. */
const PART_OF_TIME = 60;
const LONGEST_PAUSE_MS = 1_000;
/** So many promises after a candle a chart has asked for all of its frames; it takes about ten. */
const PROMISES = 32;

export type LoadState = 'loading' | 'shown' | 'empty' | 'failed';

interface Wiring {
  readonly source: CandleSource;
  readonly symbol: string;
  readonly timer: ChartTimer;
  readonly onState: (state: LoadState) => void;
  /** So many candles were missed that the chart is to be loaded anew. */
  readonly onLost: () => void;
}

/**
 * Feeds one symbol and interval to a chart. Each symbol or interval gets a loader of its own, so an answer
 * that arrives late belongs to a stopped loader and is dropped.
 */
export function candleLoader(wiring: Wiring): { loader: DataLoader; stop: () => void } {
  let isStopped = false;
  let unfollow: (() => void) | undefined;

  const getBars = async ({ type, timestamp, callback }: DataLoaderGetBarsParams): Promise<void> => {
    if (type === 'backward') return callback([], false);
    const isFirst = timestamp === null;
    if (isFirst) wiring.onState('loading');
    try {
      const size = isFirst ? FIRST_PAGE : NEXT_PAGE;
      const before = isFirst ? undefined : Math.floor(timestamp / 1_000);
      const candles = await wiring.source.load(wiring.symbol, wiring.timer, size, before);
      if (isStopped) return;
      callback(candles.map(barOf), { forward: candles.length >= size, backward: false });
      if (isFirst) wiring.onState(candles.length === 0 ? 'empty' : 'shown');
    } catch {
      // A refused or failed page: the first one shows the retry, an older one simply ends the history.
      if (isStopped) return;
      if (isFirst) wiring.onState('failed');
      else callback([], { forward: false, backward: false });
    }
  };

  const loader: DataLoader = {
    getBars,
    subscribeBar: ({ callback }) => {
      unfollow?.();
      const draw = asOftenAsDrawn((candle: CandleLike) => callback(barOf(candle)));
      const drawNext = (candle: CandleLike): void => {
        wiring.onState('shown');
        draw.next(candle);
      };
      const { source, symbol, timer, onLost } = wiring;
      const stopFollowing = source.follow(symbol, timer, drawNext, onLost);
      unfollow = () => {
        stopFollowing();
        draw.cancel();
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
 * Hands over at most one value per animation frame for each candle, on a slow device less often: the newest. A
 * candle that closes meanwhile is still drawn before the next one opens. What arrives between two frames is handed
 * over before the second, in which the chart draws it beside all else that arrived.
 */
function asOftenAsDrawn(draw: (candle: CandleLike) => void) {
  const waiting = new Map<number, CandleLike>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isAsked = false;
  let nextMs = 0;
  const flush = (): void => {
    const candles = [...waiting.values()];
    waiting.clear();
    for (const candle of candles) draw(candle);
  };
  const drawn = (tookMs: number): void => {
    isAsked = false;
    nextMs = steadyNow() + Math.min(LONGEST_PAUSE_MS, tookMs * (PART_OF_TIME - 1));
    if (waiting.size > 0) schedule();
  };
  const ask = (): void => {
    timer = undefined;
    isAsked = true;
    // What else arrives in this moment is handed over with it.
    queueMicrotask(() => void timed(flush, drawn));
  };
  const schedule = (): void => {
    const leftMs = nextMs - steadyNow();
    if (leftMs <= 0) ask();
    else timer = setTimeout(ask, leftMs);
  };
  return {
    next(candle: CandleLike): void {
      waiting.set(candle.id, candle);
      if (!isAsked && timer === undefined) schedule();
    },
    cancel(): void {
      clearTimeout(timer);
      waiting.clear();
    },
  };
}

/**
 * Measures how long a chart took for what it was handed: the handing over and what it draws in the next frame. It asks
 * for that frame some promises later, so that its drawings lie between one that was asked for before and one after.
 */
async function timed(hand: () => void, onDrawn: (tookMs: number) => void): Promise<void> {
  const handedMs = steadyNow();
  let beganMs = 0;
  requestAnimationFrame(() => (beganMs = steadyNow()));
  try {
    hand();
  } finally {
    for (let passed = 0; passed < PROMISES; passed += 1) await Promise.resolve();
    const tookMs = steadyNow() - handedMs;
    requestAnimationFrame(() => onDrawn(tookMs + steadyNow() - beganMs));
  }
}

/** A candle as it arrives: numbers from the history call, decimal text from the feed. */
export interface CandleLike {
  /** Opening time in seconds. */
  readonly id: number;
  readonly open: number | string;
  readonly close: number | string;
  readonly high: number | string;
  readonly low: number | string;
  /** In the base coin. */
  readonly vol: number | string;
}

/** Where a chart gets its candles from. */
export interface CandleSource {
  /** Candles oldest first; with `endTimeSeconds`, those that opened before it. */
  readonly load: (
    symbol: string,
    timer: ChartTimer,
    size: number,
    endTimeSeconds?: number,
  ) => Promise<readonly CandleLike[]>;
  /**
   * Calls back with the current candle whenever it changes, and before it with those that were missed; with `onLost`
   * where too many were, so that all have to be loaded anew. Gives the function that stops it.
   */
  readonly follow: (
    symbol: string,
    timer: ChartTimer,
    onCandle: (candle: CandleLike) => void,
    onLost: () => void,
  ) => () => void;
}

/** A candle in the chart's own form. Turnover is (open + high + low + close) / 4 × volume. */
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

/** The chart library's name of an interval. */
export function periodOf(timer: ChartTimer): Period {
  return PERIODS[timer];
}

/** The opening time (ms) of the candle that contains `atMs`, counted from the last known bar. */
export function barTimeOf(timer: ChartTimer, atMs: number, knownBarMs: number): number {
  if (!isCandleTimer(timer)) return chartCandleStart(timer, instant(atMs));
  const lengthMs = CANDLE_SECONDS[timer] * 1_000;
  return knownBarMs + Math.floor((atMs - knownBarMs) / lengthMs) * lengthMs;
}
