import type { CandleTimer } from '@exchange/core/candle.ts';
import type { DataLoader, DataLoaderGetBarsParams } from 'klinecharts';
import { steadyNow } from '../clock.ts';
import { barOf, type CandleLike, type CandleSource } from './candle-source.ts';

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
  readonly timer: CandleTimer;
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
