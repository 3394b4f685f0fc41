import { CANDLE_SECONDS, CANDLE_TIMERS, candleStart } from '@exchange/core/candle.ts';
import { SeededChance } from '@exchange/core/seeded-chance.ts';
import { instant } from '@exchange/core/time.ts';
import { describe, expect, it } from 'vitest';
import { createAssets } from '../../assets/index.ts';
import { joined, type Candle } from './candle-record.ts';
import { generateHistory } from './history.ts';
import { simulatedCoin } from './simulated-path.ts';

const pairs = createAssets({ mode: 'demo' }).pairs.map(({ pair }) => pair);
const NOW = instant(1_795_219_200_000 + 45_296_789);
const history = generateHistory(NOW, pairs, new SeededChance(3));
const candlesOf = (symbol: string, timer: (typeof CANDLE_TIMERS)[number]) =>
  history.candles.get(symbol)?.get(timer) ?? [];

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

  it('MKT-020 tells one story in all charts: finer candles join to the coarser ones', () => {
    for (const { symbol } of pairs) {
      for (const [place, timer] of CANDLE_TIMERS.slice(1).entries()) {
        const finerTimer = CANDLE_TIMERS[place] ?? '1min';
        const finer = candlesOf(symbol, finerTimer);
        const from = finer[0]?.opened ?? 0;
        const whole = candlesOf(symbol, timer).filter(({ opened }) => opened >= from);
        expect(whole.length).toBeGreaterThan(100);
        for (const candle of whole) {
          const first = (candle.opened - from) / CANDLE_SECONDS[finerTimer];
          const parts = finer.slice(first, first + CANDLE_SECONDS[timer] / CANDLE_SECONDS[finerTimer]);
          expect(joined(candle.opened, parts)).toEqual(candle);
        }
      }
    }
  });

  it('MKT-020 ends where the hidden path goes on', () => {
    expect(candlesOf('btcusdt', '1min').at(-1)?.close).toBe(9_700_000n);
    expect(Object.values(history.path.coins).map(({ distance }) => distance)).toEqual(Array(8).fill(0));
    const ratio = simulatedCoin('ETH').anchor / simulatedCoin('BTC').anchor;
    expect(candlesOf('ethbtc', '1day').at(-1)?.close).toBe(BigInt(Math.round(ratio * 1e6)));
  });

  it('MKT-021 is the same for the same seed and another for another', () => {
    const [pair] = pairs;
    const again = generateHistory(NOW, pairs, new SeededChance(3));
    expect(again.candles.get(pair?.symbol ?? '')).toEqual(history.candles.get(pair?.symbol ?? ''));
    const other = generateHistory(NOW, pairs, new SeededChance(4));
    expect(other.candles.get('btcusdt')?.get('1day')).not.toEqual(
      history.candles.get('btcusdt')?.get('1day'),
    );
  });
});
