import { CANDLE_SECONDS, CANDLE_TIMERS, candleStart } from '@exchange/core/candle.ts';
import { SeededGenerator } from '@exchange/core/seeded-generator.ts';
import { instant } from '@exchange/core/time.ts';
import { describe, expect, it } from 'vitest';
import { createAssets } from '../../assets/index.ts';
import { emptyCandle, joinCandles, type Candle } from './candle-record.ts';
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

/** Compares candles faster than `toEqual`, which takes seconds for a hundred thousand candles. */
const isSame = (a: Candle, b: Candle) =>
  FIELDS.every((field) => a[field] === b[field]) && Object.keys(a).length === FIELDS.length;

describe('the generated history', () => {
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

  it('MKT-020 has no gaps and no impossible candles, and each candle opens at the previous close', () => {
    const isWrong =
      (timer: (typeof CANDLE_TIMERS)[number]) => (candle: Candle, at: number, list: readonly Candle[]) => {
        const previous = list[at - 1];
        const { open, high, low, close } = candle;
        if (low > open || low > close || high < open || high < close || low <= 0n) return true;
        return (
          previous !== undefined &&
          (candle.opened !== previous.opened + CANDLE_SECONDS[timer] || open !== previous.close)
        );
      };
    for (const { symbol } of pairs) {
      for (const timer of CANDLE_TIMERS) expect(candlesOf(symbol, timer).filter(isWrong(timer))).toEqual([]);
    }
  });

  it('MKT-020 is the same in all charts: finer candles join to the coarser candles', () => {
    for (const { symbol } of pairs) {
      for (const [index, timer] of CANDLE_TIMERS.slice(1).entries()) {
        const finerTimer = CANDLE_TIMERS[index] ?? '1min';
        const finer = candlesOf(symbol, finerTimer);
        const start = finer[0]?.opened ?? 0;
        const coarser = candlesOf(symbol, timer).filter(({ opened }) => opened >= start);
        expect(coarser.length).toBeGreaterThan(100);
        const partsOf = ({ opened }: Candle) => {
          const first = (opened - start) / CANDLE_SECONDS[finerTimer];
          return finer.slice(first, first + CANDLE_SECONDS[timer] / CANDLE_SECONDS[finerTimer]);
        };
        expect(
          coarser.filter((candle) => !isSame(joinCandles(candle.opened, partsOf(candle)), candle)),
        ).toEqual([]);
      }
    }
  });

  it('MKT-1070 begins on the listing date of a sold token, in all charts, and ends near its last price', () => {
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
      // The first candle of a long interval may open before the listing date, by less than the interval.
      expect(candles[0]!.opened).toBeGreaterThan(listedAt - CANDLE_SECONDS[timer]);
    }
    expect(candlesOf('orchusdt', '1day')).toHaveLength(listedDaysAgo! + 1);
  });

  it('MKT-020 ends where the simulated prices continue', () => {
    expect(candlesOf('btcusdt', '1min').at(-1)?.close).toBe(9_700_000n);
    expect(Object.values(history.path.coins).map(({ distance }) => distance)).toEqual(Array(9).fill(0));
    const ratio = simulatedCoin('ETH').anchor / simulatedCoin('BTC').anchor;
    expect(candlesOf('ethbtc', '1day').at(-1)?.close).toBe(BigInt(Math.round(ratio * 1e6)));
  });

  it('MKT-022 has the latest deals of every pair, newest first, with negative sequence numbers and none later than now', () => {
    for (const { symbol } of pairs) {
      const deals = dealsOf(symbol);
      expect(deals).toHaveLength(DEALS_KEPT);
      expect(deals.map(({ sequence }) => sequence)).toEqual(deals.map((_, place) => -(place + 1)));
      expect(new Set(deals.map(({ tradeId }) => tradeId)).size).toBe(DEALS_KEPT);
      const times = deals.map(({ at }) => at);
      expect(times).toEqual(times.toSorted((a, b) => b - a));
      expect(times[0]).toBeLessThanOrEqual(NOW);
      expect(deals[0]?.price).toBe(candlesOf(symbol, '1min').at(-1)?.close);
      expect(deals.every(({ amount, price }) => amount > 0n && price > 0n)).toBe(true);
    }
  });

  it('MKT-022 has in every minute exactly the deals of its candle', () => {
    let checked = 0;
    for (const { symbol, ...pair } of pairs) {
      const deals = dealsOf(symbol).toReversed();
      const oldest = Math.floor(deals[0]!.at / 60_000) * 60;
      // The generated deals may begin in the middle of their oldest minute, which is therefore left out.
      for (const candle of candlesOf(symbol, '1min').filter(({ opened }) => opened > oldest)) {
        const minuteDeals = deals.filter(({ at }) => Math.floor(at / 60_000) * 60 === candle.opened);
        const prices = minuteDeals.map(({ price }) => price).toSorted((a, b) => (a < b ? -1 : 1));
        const scale = scaleOf({ symbol, ...pair });
        expect({
          ...candle,
          open: minuteDeals[0]?.price,
          high: prices.at(-1),
          low: prices[0],
          close: minuteDeals.at(-1)?.price,
          volume: minuteDeals.reduce((sum, { amount }) => sum + amount, 0n),
          turnover: minuteDeals.reduce(
            (sum, { price, amount }) => sum + turnoverOf(scale, price, amount),
            0n,
          ),
          count: minuteDeals.length,
        }).toEqual(candle);
        checked += 1;
      }
    }
    expect(checked).toBeGreaterThan(2 * pairs.length);
  });

  it('MKT-021 is the same for the same seed and differs for another seed', () => {
    const fewPairs = pairs.filter(({ symbol }) => symbol === 'btcusdt' || symbol === 'ethbtc');
    const generate = (seed: number) => generateHistory(NOW, fewPairs, new SeededGenerator(seed));
    const [first, again, other] = [generate(3), generate(3), generate(4)];
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
