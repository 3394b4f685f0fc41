import { byForm } from '../../../../tools/test-form.ts';
import { CANDLE_SECONDS, type CandleTimer, chartCandleStart } from '@exchange/core/candle.ts';
import { instant } from '@exchange/core/time.ts';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { CandleLike, CandleSource } from '../chart/candle-loader.ts';
import { chartSource } from './aggregated-candles.ts';

const NOVEMBER = Date.UTC(2026, 10, 1) / 1_000;
const MADE = ['2hour', '6hour', '12hour', '1mon'] as const;
const PART = { '2hour': '60min', '6hour': '60min', '12hour': '4hour', '1mon': '1day' } as const;

/**
 * Test data: `count` consecutive candles; the last contains the time `until` (in seconds). Each candle's prices depend
 * on its position, so that tests can identify it.
 */
function history(timer: CandleTimer, count: number, until: number): CandleLike[] {
  const seconds = CANDLE_SECONDS[timer];
  const last = Math.floor(until / seconds) * seconds;
  return Array.from({ length: count }, (_, place) => {
    const id = last - (count - 1 - place) * seconds;
    const wave = (place * 7) % 11;
    return { id, open: place, close: place + 1, high: place + 2 + wave, low: place - wave, vol: 1 + wave };
  });
}

/** Mocks a server that stores the candles of a single interval, and returns at most 2,000 per request. */
function serverOf(storedCandles: readonly CandleLike[]) {
  const load = vi.fn<CandleSource['load']>(async (_symbol, _timer, size, before = Infinity) =>
    storedCandles.filter(({ id }) => id < before).slice(-Math.min(size, 2_000)),
  );
  return { load, follow: () => () => undefined };
}

/** Reference implementation: aggregates, for each interval, all stored candles that belong to it. */
function naive(timer: (typeof MADE)[number], storedCandles: readonly CandleLike[]): CandleLike[] {
  const starts = [
    ...new Set(storedCandles.map(({ id }) => chartCandleStart(timer, instant(id * 1_000)) / 1_000)),
  ];
  return starts.map((id) => {
    const parts = storedCandles.filter(
      (part) => chartCandleStart(timer, instant(part.id * 1_000)) / 1_000 === id,
    );
    return {
      id,
      open: parts[0]!.open,
      close: parts.at(-1)!.close,
      high: Math.max(...parts.map(({ high }) => Number(high))),
      low: Math.min(...parts.map(({ low }) => Number(low))),
      vol: parts.reduce((sum, { vol }) => sum + Number(vol), 0),
    };
  });
}

describe('aggregated intervals', () => {
  it('WEB-269 are paged like stored ones: every candle once and complete', async () => {
    const some = fc.tuple(
      fc.constantFrom(...MADE),
      fc.nat(400),
      fc.integer({ min: 1, max: 40 }),
      fc.nat(5_000),
    );
    await fc.assert(
      fc.asyncProperty(some, async ([timer, count, size, hours]) => {
        const storedCandles = history(PART[timer], count, NOVEMBER + hours * 3_600);
        const source = chartSource(serverOf(storedCandles));
        let loadedCandles: readonly CandleLike[] = [];
        let page = await source.load('btcusdt', timer, size);
        for (loadedCandles = page; page.length >= size; loadedCandles = [...page, ...loadedCandles]) {
          page = await source.load('btcusdt', timer, size, loadedCandles[0]!.id);
        }
        expect(loadedCandles).toEqual(naive(timer, storedCandles));
      }),
      { numRuns: byForm(60, 2_000) },
    );
  });

  it('WEB-269 a page larger than one response is loaded in several requests', async () => {
    const server = serverOf(history('60min', 5_000, NOVEMBER));
    const candles = await chartSource(server).load('btcusdt', '6hour', 600);
    expect(candles).toHaveLength(600);
    expect(server.load.mock.calls.map(([, timer, size]) => [timer, size])).toEqual([
      ['60min', 2_000],
      ['60min', 1_606],
    ]);
  });

  it('WEB-269 grow live, including the earlier parts of their interval, and start anew with each interval', async () => {
    const hour = (place: number, close: number): CandleLike => {
      return { id: NOVEMBER + place * 3_600, open: 10, close, high: Math.max(10, close), low: 10, vol: 1 };
    };
    let isAway = true;
    let live: (candle: CandleLike) => void = () => undefined;
    const emitted: CandleLike[] = [];
    const source = chartSource({
      load: async () => {
        if (isAway) throw new Error('away');
        return [hour(4, 90), hour(5, 80), hour(6, 30), hour(7, 12)];
      },
      follow: (_symbol, _timer, onCandle) => {
        live = onCandle;
        return () => undefined;
      },
    });
    const stopFollowing = source.follow('btcusdt', '6hour', (candle) => emitted.push(candle), vi.fn());
    const settled = () => new Promise((resolve) => setTimeout(resolve));
    live(hour(7, 11));
    await settled();
    expect(emitted).toEqual([]);
    isAway = false;
    live(hour(7, 13));
    await settled();
    const sixth = { id: NOVEMBER + 6 * 3_600, open: 10, low: 10 };
    expect(emitted).toEqual([{ ...sixth, close: 13, high: 30, vol: 2 }]);
    live(hour(8, 40));
    expect(emitted.at(-1)).toEqual({ ...sixth, close: 40, high: 40, vol: 3 });
    live(hour(12, 15));
    expect(emitted.at(-1)).toEqual({
      id: NOVEMBER + 12 * 3_600,
      open: 10,
      close: 15,
      high: 15,
      low: 10,
      vol: 1,
    });
    stopFollowing();
    live(hour(12, 16));
    expect(emitted).toHaveLength(3);
  });
});
