import { CANDLE_SECONDS, CANDLE_TIMERS, candleStart } from '@exchange/core/candle.ts';
import { SeededGenerator } from '@exchange/core/seeded-generator.ts';
import { instant } from '@exchange/core/time.ts';
import { describe, expect, it } from 'vitest';
import { createAssets } from '../../assets/index.ts';
import { emptyCandle, joined, type Candle } from './candle-record.ts';
import { generateHistory } from './history.ts';
import { DEALS_KEPT } from './pair-market.ts';
import { scaleOf, turnoverOf } from './pair-scale.ts';
import { simulatedCoin } from './simulated-path.ts';

const listed = createAssets({ mode: 'demo' }).pairs;
const pairs = listed.filter(({ isToken }) => !isToken).map(({ pair }) => pair);
const tokenPairs = listed.filter(({ isToken }) => isToken).map(({ pair }) => pair);
const FIELDS = Object.keys(emptyCandle(0, 1n)) as (keyof Candle)[];
const NOW = instant(1_795_219_200_000 + 45_296_789);
const history = generateHistory(NOW, [...pairs, ...tokenPairs], new SeededGenerator(3));
const dealsOf = (symbol: string) => history.deals.get(symbol) ?? [];
const candlesOf = (symbol: string, timer: (typeof CANDLE_TIMERS)[number]) =>
  history.candles.get(symbol)?.get(timer) ?? [];

/** For a hundred thousand candles `toEqual` takes seconds. */
const isSame = (one: Candle, other: Candle) =>
  FIELDS.every((field) => one[field] === other[field]) && Object.keys(one).length === FIELDS.length;

describe('the generated past', () => {
  it('MKT-020 fills every chart of every pair up to now', () => {
    for (const { symbol } of pairs) {
      for (const timer of CANDLE_TIMERS) {
        const candles = candlesOf(symbol, timer);
        expect(candles.length).toBe(timer === '1week' ? 286 : 2_000);
        expect((candles.at(-1)?.opened ?? 0) * 1_000).toBe(candleStart(timer, NOW));
        expect(candles.every(({ seeded, volume }) => seeded && volume > 0n)).toBe(true);
      }
    }
  });

  it('MKT-020 has no gap, no impossible candle, and opens where the last one closed', () => {
    const wrong =
      (timer: (typeof CANDLE_TIMERS)[number]) => (candle: Candle, at: number, list: readonly Candle[]) => {
        const before = list[at - 1];
        const { open, high, low, close } = candle;
        if (low > open || low > close || high < open || high < close || low <= 0n) return true;
        return (
          before !== undefined &&
          (candle.opened !== before.opened + CANDLE_SECONDS[timer] || open !== before.close)
        );
      };
    for (const { symbol } of pairs) {
      for (const timer of CANDLE_TIMERS) expect(candlesOf(symbol, timer).filter(wrong(timer))).toEqual([]);
    }
  });

  it('MKT-020 shows one story in all charts: finer candles join to the coarser ones', () => {
    for (const { symbol } of pairs) {
      for (const [place, timer] of CANDLE_TIMERS.slice(1).entries()) {
        const finerTimer = CANDLE_TIMERS[place] ?? '1min';
        const finer = candlesOf(symbol, finerTimer);
        const from = finer[0]?.opened ?? 0;
        const whole = candlesOf(symbol, timer).filter(({ opened }) => opened >= from);
        expect(whole.length).toBeGreaterThan(100);
        const partsOf = ({ opened }: Candle) => {
          const first = (opened - from) / CANDLE_SECONDS[finerTimer];
          return finer.slice(first, first + CANDLE_SECONDS[timer] / CANDLE_SECONDS[finerTimer]);
        };
        expect(whole.filter((candle) => !isSame(joined(candle.opened, partsOf(candle)), candle))).toEqual([]);
      }
    }
  });

  it('MKT-1070 begins on the listing date for a token of a sale, in all charts alike, and ends near its last price', () => {
    expect(tokenPairs.map(({ symbol }) => symbol)).toEqual(['orchusdt']);
    const { listedDaysAgo, anchor } = simulatedCoin('ORCH');
    const listedAt = NOW / 1_000 - listedDaysAgo! * 86_400;
    for (const timer of CANDLE_TIMERS) {
      const candles = candlesOf('orchusdt', timer);
      expect(candles.length).toBeLessThanOrEqual(2_000);
      expect((candles.at(-1)?.opened ?? 0) * 1_000).toBe(candleStart(timer, NOW));
      expect(candles.at(-1)?.close).toBe(BigInt(Math.round(anchor * 1e6)));
      const gaps = candles.filter(
        ({ opened }, at) => at > 0 && opened !== candles[at - 1]!.opened + CANDLE_SECONDS[timer],
      );
      expect(gaps).toEqual([]);
      // A coarse candle may open before the listing and hold what came after it.
      expect(candles[0]!.opened).toBeGreaterThan(listedAt - CANDLE_SECONDS[timer]);
    }
    expect(candlesOf('orchusdt', '1day')).toHaveLength(listedDaysAgo! + 1);
  });

  it('MKT-020 ends where the hidden path goes on', () => {
    expect(candlesOf('btcusdt', '1min').at(-1)?.close).toBe(9_700_000n);
    expect(Object.values(history.path.coins).map(({ distance }) => distance)).toEqual(Array(9).fill(0));
    const ratio = simulatedCoin('ETH').anchor / simulatedCoin('BTC').anchor;
    expect(candlesOf('ethbtc', '1day').at(-1)?.close).toBe(BigInt(Math.round(ratio * 1e6)));
  });

  it('MKT-022 has the latest deals of every pair, newest first, numbered below zero and none later than now', () => {
    for (const { symbol } of pairs) {
      const deals = dealsOf(symbol);
      expect(deals).toHaveLength(DEALS_KEPT);
      expect(deals.map(({ sequence }) => sequence)).toEqual(deals.map((_, place) => -(place + 1)));
      expect(new Set(deals.map(({ tradeId }) => tradeId)).size).toBe(DEALS_KEPT);
      const times = deals.map(({ at }) => at);
      expect(times).toEqual(times.toSorted((one, other) => other - one));
      expect(times[0]).toBeLessThanOrEqual(NOW);
      expect(deals[0]?.price).toBe(candlesOf(symbol, '1min').at(-1)?.close);
      expect(deals.every(({ amount, price }) => amount > 0n && price > 0n)).toBe(true);
    }
  });

  it('MKT-022 has in every minute just the deals that its candle is made of', () => {
    let checked = 0;
    for (const { symbol, ...pair } of pairs) {
      const deals = dealsOf(symbol).toReversed();
      const oldest = Math.floor(deals[0]!.at / 60_000) * 60;
      // The list may begin within the oldest minute.
      for (const candle of candlesOf(symbol, '1min').filter(({ opened }) => opened > oldest)) {
        const own = deals.filter(({ at }) => Math.floor(at / 60_000) * 60 === candle.opened);
        const prices = own.map(({ price }) => price).toSorted((one, other) => (one < other ? -1 : 1));
        const scale = scaleOf({ symbol, ...pair });
        expect({
          ...candle,
          open: own[0]?.price,
          high: prices.at(-1),
          low: prices[0],
          close: own.at(-1)?.price,
          volume: own.reduce((sum, { amount }) => sum + amount, 0n),
          turnover: own.reduce((sum, { price, amount }) => sum + turnoverOf(scale, price, amount), 0n),
          count: own.length,
        }).toEqual(candle);
        checked += 1;
      }
    }
    expect(checked).toBeGreaterThan(2 * pairs.length);
  });

  it('MKT-021 is the same for the same seed and another for another', () => {
    const few = pairs.filter(({ symbol }) => symbol === 'btcusdt' || symbol === 'ethbtc');
    const drawn = (seed: number) => generateHistory(NOW, few, new SeededGenerator(seed));
    const [first, again, other] = [drawn(3), drawn(3), drawn(4)];
    for (const timer of CANDLE_TIMERS) {
      const [one, same] = [first, again].map(({ candles }) => candles.get('ethbtc')?.get(timer) ?? []);
      expect(one!.length).toBeGreaterThan(0);
      expect(one!.every((candle, place) => isSame(candle, same![place]!))).toBe(true);
      expect(same).toHaveLength(one!.length);
    }
    expect(again.deals).toEqual(first.deals);
    expect(other.candles.get('btcusdt')?.get('1day')).not.toEqual(first.candles.get('btcusdt')?.get('1day'));
  });
});
