import { waitFor } from '@testing-library/dom';
import type { DataLoaderGetBarsParams, KLineData } from 'klinecharts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { drawSoon } from '../feed/draw-queue.ts';
import {
  barOf,
  barTimeOf,
  type CandleLike,
  type CandleSource,
  candleLoader,
  periodOf,
} from './candle-loader.ts';

const candle = (id: number, close = 1): CandleLike => ({ id, open: 1, close, high: 2, low: 1, vol: 3 });
const page = (count: number): CandleLike[] => Array.from({ length: count }, (_, index) => candle(index * 60));
const SYMBOL = { ticker: 'btcusdt', pricePrecision: 2, volumePrecision: 2 };

function barsRequest(
  timestamp: number | null,
  callback: DataLoaderGetBarsParams['callback'],
): DataLoaderGetBarsParams {
  return {
    type: timestamp === null ? 'init' : 'forward',
    timestamp,
    symbol: SYMBOL,
    period: periodOf('1min'),
    callback,
  };
}

function wired(load: CandleSource['load'], follow: CandleSource['follow'] = () => () => undefined) {
  const states: string[] = [];
  const { loader, stop } = candleLoader({
    source: { load, follow },
    symbol: 'btcusdt',
    timer: '1min',
    onState: (state) => states.push(state),
    onLost: () => undefined,
  });
  return { loader, stop, states };
}

/**
 * Connects a candle loader to `callback`, which replaces the chart. Returns functions with which the test
 * publishes candle updates and ends the connection.
 */
function following(callback: (bar: KLineData) => void | Promise<void>) {
  let publish: (candle: CandleLike) => void = () => undefined;
  const { loader, stop } = wired(
    async () => page(1),
    (_symbol, _timer, onCandle) => {
      publish = onCandle;
      return () => undefined;
    },
  );
  loader.subscribeBar?.({ symbol: SYMBOL, period: periodOf('1min'), callback: (bar) => void callback(bar) });
  return { publish, stop };
}

describe('candle loader', () => {
  it('DESK-045 loads older pages until one is incomplete', async () => {
    const load = vi.fn<CandleSource['load']>(async (_symbol, _timer, size) => page(size > 500 ? size : 20));
    const { loader, states } = wired(load);
    const more: unknown[] = [];
    await loader.getBars(barsRequest(null, (_, hasMore) => more.push(hasMore)));
    await loader.getBars(barsRequest(600_000, (_, hasMore) => more.push(hasMore)));
    expect(more).toEqual([
      { forward: true, backward: false },
      { forward: false, backward: false },
    ]);
    expect(load.mock.calls[1]?.[3]).toBe(600);
    expect(states).toEqual(['loading', 'shown']);
  });

  it('DESK-046 an answer for a pair that is no longer shown draws nothing', async () => {
    let answer: (candles: CandleLike[]) => void = () => undefined;
    const { loader, stop, states } = wired(() => new Promise((resolve) => (answer = resolve)));
    const drawnBars = vi.fn<DataLoaderGetBarsParams['callback']>();
    const request = loader.getBars(barsRequest(null, drawnBars));
    stop();
    answer(page(3));
    await request;
    expect(drawnBars).not.toHaveBeenCalled();
    expect(states).toEqual(['loading']);
  });

  it('DESK-047 a failed first page offers a retry; a failed older page ends the history', async () => {
    const { loader, states } = wired(() => Promise.reject(new Error('cut')));
    const drawnBars = vi.fn<DataLoaderGetBarsParams['callback']>();
    await loader.getBars(barsRequest(null, drawnBars));
    expect(states).toEqual(['loading', 'failed']);
    expect(drawnBars).not.toHaveBeenCalled();
    await loader.getBars(barsRequest(600_000, drawnBars));
    expect(drawnBars).toHaveBeenCalledWith([], { forward: false, backward: false });
  });

  it('DESK-048 draws the newest state of each candle once per animation frame', async () => {
    const drawnBars: KLineData[] = [];
    const { publish, stop } = following((bar) => void drawnBars.push(bar));
    publish(candle(60, 1));
    publish(candle(60, 2));
    publish(candle(120, 5));
    expect(drawnBars).toEqual([]);
    await waitFor(() =>
      expect(drawnBars.map(({ timestamp, close }) => [timestamp, close])).toEqual([
        [60_000, 2],
        [120_000, 5],
      ]),
    );
    stop();
  });

  describe('on fast and slow devices', () => {
    const FRAME_MS = 16;
    /** The mocked time starts in the future, because the clock that the draw queue uses must never go back. */
    let nowMs = performance.now() + 60_000;
    let frames: FrameRequestCallback[];
    /** Milliseconds that the simulated chart needs to draw in the frame after it received a candle. */
    let canvasesMs: number;

    beforeEach(() => {
      frames = [];
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
      vi.stubGlobal('requestAnimationFrame', (callback: FrameRequestCallback) => frames.push(callback));
    });
    afterEach(() => {
      vi.useRealTimers();
      vi.unstubAllGlobals();
      vi.restoreAllMocks();
    });

    /** Runs the callbacks of the next animation frame, and everything that they schedule. */
    async function frame() {
      for (const run of frames.splice(0)) run(nowMs);
      await vi.advanceTimersByTimeAsync(0);
    }

    it('WEB-222 the chart draws a candle in the same frame as the other updates of the page', async () => {
      const drawnBars: string[] = [];
      const { publish, stop } = following(async ({ close }) => {
        await Promise.resolve();
        requestAnimationFrame(() => drawnBars.push(`chart ${close}`));
      });
      drawSoon(() => void drawnBars.push('header'));
      publish(candle(60, 7));
      await vi.advanceTimersByTimeAsync(0);
      expect(drawnBars).toEqual([]);
      await frame();
      expect(drawnBars).toEqual(['header', 'chart 7']);
      stop();
    });

    it('WEB-170 a chart uses the browser’s own requestAnimationFrame', async () => {
      const browsers = window.requestAnimationFrame;
      const requestFrames: unknown[] = [];
      const { publish, stop } = following(async () => {
        requestFrames.push(window.requestAnimationFrame);
        await Promise.resolve();
        requestFrames.push(window.requestAnimationFrame);
      });
      publish(candle(60));
      for (let count = 0; count < 3; count += 1) await frame();
      expect(requestFrames).toHaveLength(2);
      for (const requestFrame of requestFrames) expect(requestFrame).toBe(browsers);
      stop();
    });

    it('WEB-170 a chart is throttled by its own drawing time only, not by other drawings in its frame', async () => {
      const drawnBars: number[] = [];
      const { publish, stop } = following(({ close }) => {
        drawnBars.push(close);
        requestAnimationFrame(() => (nowMs += 1));
      });
      requestAnimationFrame(() => (nowMs += 100));
      publish(candle(60, 1));
      await vi.advanceTimersByTimeAsync(0);
      requestAnimationFrame(() => (nowMs += 100));
      await frame();
      publish(candle(60, 2));
      nowMs += 59;
      await vi.advanceTimersByTimeAsync(59);
      expect(drawnBars).toEqual([1, 2]);
      await frame();
      stop();
    });

    /**
     * Publishes up to ten updates a second of one candle, for ten seconds. Returns how often the chart was drawn, and
     * the longest time between two drawings in milliseconds.
     */
    async function drawnInTenSeconds() {
      const drawnMs: number[] = [];
      const { publish, stop } = following(() => {
        drawnMs.push(nowMs);
        requestAnimationFrame(() => (nowMs += canvasesMs));
      });
      const endMs = nowMs + 10_000;
      let tickMs = nowMs;
      const frame = async () => {
        if (nowMs >= tickMs && nowMs < endMs) {
          publish(candle(60, tickMs));
          tickMs += 100;
        }
        const beganMs = nowMs;
        for (const run of frames.splice(0)) run(beganMs);
        // Timers that are overdue after the frame run before timers that are set later.
        await vi.advanceTimersByTimeAsync(nowMs - beganMs);
        nowMs += FRAME_MS;
        await vi.advanceTimersByTimeAsync(FRAME_MS);
      };
      const isOver = () => nowMs >= endMs && frames.length === 0;
      while (!isOver()) await frame();
      stop();
      const pauses = drawnMs.slice(1).map((atMs, index) => atMs - (drawnMs[index] ?? 0));
      return { times: drawnMs.length, longestMs: Math.max(...pauses) };
    }

    it.each([
      { ms: 1, least: 85, most: 100 },
      { ms: 10, least: 14, most: 18 },
      { ms: 200, least: 7, most: 9 },
    ])('DESK-048 candles that take $ms ms are drawn $least to $most times', async ({ ms, least, most }) => {
      canvasesMs = ms;
      const { times, longestMs } = await drawnInTenSeconds();
      expect(times).toBeGreaterThanOrEqual(least);
      expect(times).toBeLessThanOrEqual(most);
      expect(longestMs).toBeLessThan(1_000 + canvasesMs + 3 * FRAME_MS);
    });
  });
});

describe('candles', () => {
  it('DESK-043 turnover is the mean of open, high, low and close times volume', () => {
    const bar = barOf({ id: 60, open: '10', close: 12, high: '14', low: 8, vol: '2.5' });
    expect(bar).toMatchObject({ timestamp: 60_000, open: 10, close: 12, high: 14, low: 8, volume: 2.5 });
    expect(bar.turnover).toBe(((10 + 14 + 8 + 12) / 4) * 2.5);
  });

  it('DESK-044 a fill is marked at its candle, also for weeks that start on Mondays', () => {
    const monday = Date.UTC(2026, 10, 16);
    expect(barTimeOf('1week', Date.UTC(2026, 10, 21, 12), monday)).toBe(monday);
    expect(barTimeOf('1week', Date.UTC(2026, 10, 15, 23), monday)).toBe(Date.UTC(2026, 10, 9));
    expect(barTimeOf('15min', Date.UTC(2026, 10, 16, 0, 29, 59), monday)).toBe(Date.UTC(2026, 10, 16, 0, 15));
  });
});
