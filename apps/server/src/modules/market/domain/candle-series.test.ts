import { CANDLE_SECONDS, CANDLE_TIMERS, candleStart, type CandleTimer } from '@exchange/core/candle.ts';
import { instant, later, type Instant } from '@exchange/core/time.ts';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CandleSeries, CANDLES_KEPT, fillGaps, type CountedDeal } from './candle-series.ts';
import { CANDLE_FIELDS, emptyCandle, joinCandles, writeCandle, type Candle } from './candle-record.ts';

const T = candleStart('1week', instant(1_800_000_000_000));

/** A trade whose taker buys if the price is even. */
const deal = (offsetMs: number, price: bigint, amount = 1n): CountedDeal => ({
  at: later(T, offsetMs),
  price,
  amount,
  turnover: price * amount,
  takerSide: price % 2n === 0n ? 'buy' : 'sell',
});

function candlesOf(series: CandleSeries): Candle[] {
  return Array.from({ length: series.length }, (_, at) => series.at(at));
}

const ohlc = ({ open, high, low, close }: Candle) => [open, high, low, close].map(Number);

/** Simple reference implementation of candles, for comparison. */
function referenceCandles(timer: CandleTimer, deals: readonly CountedDeal[], until: Instant): Candle[] {
  const candles: Candle[] = [];
  const [firstDeal] = deals;
  if (firstDeal === undefined) return [];
  const lengthMs = CANDLE_SECONDS[timer] * 1_000;
  for (let opened: number = candleStart(timer, firstDeal.at); opened <= until; opened += lengthMs) {
    const inside = deals.filter(({ at }) => at >= opened && at < opened + lengthMs);
    const prices = inside.map(({ price }) => price).toSorted((a, b) => (a < b ? -1 : 1));
    const [first] = inside;
    const last = inside.at(-1);
    const [low] = prices;
    const high = prices.at(-1);
    if (first === undefined || last === undefined || low === undefined || high === undefined) {
      candles.push(emptyCandle(opened / 1_000, candles.at(-1)?.close ?? 0n));
      continue;
    }
    const bought = inside.filter(({ takerSide }) => takerSide === 'buy');
    candles.push({
      opened: opened / 1_000,
      open: first.price,
      close: last.price,
      high,
      low,
      volume: inside.reduce((total, { amount }) => total + amount, 0n),
      turnover: inside.reduce((total, { turnover }) => total + turnover, 0n),
      count: inside.length,
      seeded: false,
      takerVolume: bought.reduce((total, { amount }) => total + amount, 0n),
      takerTurnover: bought.reduce((total, { turnover }) => total + turnover, 0n),
    });
  }
  return candles;
}

describe('candles', () => {
  it('MKT-010 combine the deals of an interval, and repeat the last close in empty intervals', () => {
    const series = new CandleSeries('1min');
    for (const each of [deal(0, 10n), deal(1_000, 12n), deal(59_999, 9n), deal(180_000, 11n)])
      series.add(each);
    series.rollTo(later(T, 240_000));
    expect(candlesOf(series).map(ohlc)).toEqual([
      [10, 12, 9, 9],
      [9, 9, 9, 9],
      [9, 9, 9, 9],
      [11, 11, 11, 11],
      [11, 11, 11, 11],
    ]);
    expect(candlesOf(series).map(({ volume, count }) => [Number(volume), count])).toEqual([
      [3, 3],
      [0, 0],
      [0, 0],
      [1, 1],
      [0, 0],
    ]);
  });

  it('MKT-010 add a late deal to its interval and carry its close forward', () => {
    const series = new CandleSeries('1min');
    series.add(deal(0, 10n));
    series.rollTo(later(T, 120_000));
    series.add(deal(59_000, 15n));
    expect(candlesOf(series).map(ohlc)).toEqual([
      [10, 15, 10, 15],
      [15, 15, 15, 15],
      [15, 15, 15, 15],
    ]);
  });

  it('MKT-010 match a simple reference implementation for any deals, in every interval', () => {
    const steps = fc.array(
      fc.record({
        gap: fc.integer({ min: 0, max: 400_000 }),
        price: fc.bigInt(1n, 50n),
        amount: fc.bigInt(1n, 9n),
      }),
      {
        minLength: 1,
        maxLength: 40,
      },
    );
    fc.assert(
      fc.property(fc.constantFrom(...CANDLE_TIMERS), steps, (timer, records) => {
        let at = 0;
        const deals = records.map(({ gap, price, amount }) => deal((at += gap), price, amount));
        const series = new CandleSeries(timer);
        for (const each of deals) series.add(each);
        series.rollTo(later(T, at + 100_000));
        expect(candlesOf(series)).toEqual(referenceCandles(timer, deals, later(T, at + 100_000)));
      }),
    );
  });

  it('MKT-011 keep at least the latest 2,000 candles after long activity and long pauses', () => {
    const series = new CandleSeries('1min');
    for (let minute = 0; minute < 5_000; minute += 1) series.add(deal(minute * 60_000, BigInt(minute + 1)));
    expect(series.length).toBeGreaterThanOrEqual(CANDLES_KEPT);
    expect(series.last()?.close).toBe(5_000n);
    expect(series.at(series.length - CANDLES_KEPT).close).toBe(3_001n);
    series.rollTo(later(T, 30_000 * 60_000));
    expect(series.length).toBe(CANDLES_KEPT);
    expect(new Set(candlesOf(series).map(({ close }) => close))).toEqual(new Set([5_000n]));
  });

  it('MKT-013 return each changed candle once, never empty candles, and again after a failed save', () => {
    const series = new CandleSeries('1min');
    series.add(deal(0, 10n));
    series.add(deal(1_000, 11n));
    series.rollTo(later(T, 180_000));
    const changed = series.drainChanged();
    expect(changed.map(({ close }) => close)).toEqual([11n]);
    expect(series.drainChanged()).toEqual([]);
    series.markChanged(changed);
    expect(series.drainChanged()).toEqual(changed);
  });

  it('MKT-010 fill gaps between stored candles', () => {
    const stored = [emptyCandle(0, 5n), emptyCandle(180, 7n)];
    expect(fillGaps('1min', stored).map(({ opened, close }) => [opened, Number(close)])).toEqual([
      [0, 5],
      [60, 5],
      [120, 5],
      [180, 7],
    ]);
    const series = new CandleSeries('1min');
    series.load(stored);
    expect(candlesOf(series)).toEqual(fillGaps('1min', stored));
  });

  it('MKT-012 load stored blocks with and without gaps, and replace older versions of candles', () => {
    const gaps = fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(gaps, fc.integer({ min: 1, max: 25 }), (gapSizes, size) => {
        let minute = 0;
        const stored = gapSizes.map((gap, at) => ({
          ...emptyCandle((minute += gap) * 60, BigInt(at + 1)),
          volume: 1n,
          count: 1,
        }));
        const [series, expected] = [new CandleSeries('1min'), new CandleSeries('1min')];
        expected.load(stored);
        for (let start = 0; start < stored.length; start += size) {
          const block = stored.slice(start, start + size);
          const records = new BigInt64Array(block.length * CANDLE_FIELDS);
          for (const [at, candle] of block.entries()) writeCandle(records, at, candle);
          series.loadBlocks([records]);
        }
        expect(candlesOf(series)).toEqual(candlesOf(expected));
        for (const candle of stored.slice(-5)) series.restore(candle);
        expect(candlesOf(series)).toEqual(candlesOf(expected));
      }),
    );
  });

  it('MKT-012 join finer candles to the coarser candle of the same deals', () => {
    const deals = Array.from({ length: 50 }, (_, at) =>
      deal(at * 6_000, BigInt(100 + ((at * 37) % 23)), BigInt(at + 1)),
    );
    const [minutes, fives] = [new CandleSeries('1min'), new CandleSeries('5min')];
    for (const each of deals) {
      minutes.add(each);
      fives.add(each);
    }
    expect(joinCandles(fives.at(0).opened, candlesOf(minutes).slice(0, 5))).toEqual(fives.at(0));
  });
});
