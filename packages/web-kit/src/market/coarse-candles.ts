import { type CandleTimer, type ChartTimer, chartCandleStart, isCandleTimer } from '@exchange/core/candle.ts';
import { instant } from '@exchange/core/time.ts';
import type { CandleLike, CandleSource } from '../chart/candle-loader.ts';

type MadeTimer = Exclude<ChartTimer, CandleTimer>;

interface Made {
  readonly of: CandleTimer;
  /** So many finer candles make one, at most. */
  readonly most: number;
}

/** What the server does not keep is put together from the coarsest interval that divides it. */
const MADE: Readonly<Record<MadeTimer, Made>> = {
  '2hour': { of: '60min', most: 2 },
  '6hour': { of: '60min', most: 6 },
  '12hour': { of: '4hour', most: 3 },
  '1mon': { of: '1day', most: 31 },
};

/** The most finer candles of one call, and the most calls for one page. */
const PAGE_MOST = 2_000;
const PAGES_MOST = 4;

/** Finer candles of one kind, where the server keeps them. */
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

/** A source of every interval of a chart over one of those that the server keeps. */
export function chartSource(finer: FinerSource): CandleSource {
  return {
    load: (symbol, timer, size, endTimeSeconds) =>
      isCandleTimer(timer)
        ? finer.load(symbol, timer, size, endTimeSeconds)
        : loadMade(finer, symbol, timer, size, endTimeSeconds),
    follow: (symbol, timer, onCandle, onLost) =>
      isCandleTimer(timer)
        ? finer.follow(symbol, timer, onCandle, onLost)
        : followMade(finer, symbol, timer, onCandle, onLost),
  };
}

/**
 * Pages back until there are `size` whole candles or no more history: fewer than `size` says that the history ends.
 * The oldest may begin within its interval only where the history does.
 */
async function loadMade(
  finer: FinerSource,
  symbol: string,
  timer: MadeTimer,
  size: number,
  endTimeSeconds: number | undefined,
): Promise<readonly CandleLike[]> {
  const { of, most } = MADE[timer];
  let parts: readonly CandleLike[] = [];
  let before = endTimeSeconds;
  for (let page = 0; page < PAGES_MOST; page += 1) {
    // One interval more than asked for: its beginning shows that the oldest one handed over is whole.
    const wanted = Math.min(PAGE_MOST, (size + 1) * most - parts.length);
    if (wanted <= 0) break;
    const older = await finer.load(symbol, of, wanted, before);
    parts = [...older, ...parts];
    before = older[0]?.id;
    if (older.length < wanted) return madeOf(timer, parts);
  }
  const candles = madeOf(timer, parts);
  return candles.length > size ? candles.slice(-size) : candles.slice(1);
}

function followMade(
  finer: FinerSource,
  symbol: string,
  timer: MadeTimer,
  onCandle: (candle: CandleLike) => void,
  onLost: () => void,
): () => void {
  const { of, most } = MADE[timer];
  /** The parts of the newest candle, by their opening time. */
  const parts = new Map<number, CandleLike>();
  let newest: number | undefined;
  let isWhole = false;
  let isAsking = false;
  let isStopped = false;

  const hand = (): void => {
    if (isStopped || newest === undefined) return;
    const opened = startOf(timer, newest);
    for (const id of parts.keys()) if (id < opened) parts.delete(id);
    const candle = madeOf(
      timer,
      [...parts.values()].toSorted((one, other) => one.id - other.id),
    ).at(-1);
    if (candle !== undefined) onCandle(candle);
  };
  const askForParts = async (): Promise<void> => {
    if (isAsking) return;
    isAsking = true;
    try {
      const loaded = await finer.load(symbol, of, most + 1);
      for (const part of loaded) if (!parts.has(part.id)) parts.set(part.id, part);
      isWhole = true;
      hand();
    } catch {
      // Reason: the server is away; the next candle asks again.
    } finally {
      isAsking = false;
    }
  };
  const stop = finer.follow(
    symbol,
    of,
    (part) => {
      parts.set(part.id, part);
      newest = Math.max(part.id, newest ?? part.id);
      if (isWhole) hand();
      else void askForParts();
    },
    onLost,
  );
  return () => {
    isStopped = true;
    stop();
  };
}

/** Finer candles, oldest first, put together: first open, last close, the highest, the lowest and the sum. */
export function madeOf(timer: ChartTimer, parts: readonly CandleLike[]): readonly CandleLike[] {
  const made: CandleLike[] = [];
  for (const part of parts) {
    const id = startOf(timer, part.id);
    const open = made.at(-1);
    if (open?.id === id) {
      made[made.length - 1] = {
        ...open,
        close: part.close,
        high: Math.max(Number(open.high), Number(part.high)),
        low: Math.min(Number(open.low), Number(part.low)),
        vol: Number(open.vol) + Number(part.vol),
      };
    } else {
      const { open: opens, close, high, low, vol } = part;
      made.push({ id, open: opens, close, high, low, vol });
    }
  }
  return made;
}

function startOf(timer: ChartTimer, seconds: number): number {
  return chartCandleStart(timer, instant(seconds * 1_000)) / 1_000;
}
