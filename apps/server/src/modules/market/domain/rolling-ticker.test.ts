import { candleStart } from '@exchange/core/candle.ts';
import { instant, later } from '@exchange/core/time.ts';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CandleSeries } from './candle-series.ts';
import { RollingTicker, sparkOf } from './rolling-ticker.ts';

const T = candleStart('1day', instant(1_800_000_000_000));
const MINUTE = 60_000;

function aTicker() {
  const minutes = new CandleSeries('1min');
  const ticker = new RollingTicker(minutes);
  const trade = (minute: number, price: bigint, amount = 1n) => {
    const deal = {
      at: later(T, minute * MINUTE),
      price,
      amount,
      turnover: price * amount,
      takerSide: 'buy' as const,
    };
    minutes.add(deal);
    ticker.add(deal);
  };
  return { minutes, ticker, trade };
}

describe('the 24-hour ticker', () => {
  it('MKT-014 is undefined before the first deal', () => {
    expect(aTicker().ticker.current()).toBeUndefined();
  });

  it('MKT-014 drops deals older than 1,440 minutes, minute by minute', () => {
    const { minutes, ticker, trade } = aTicker();
    trade(0, 100n, 5n);
    trade(1, 50n, 7n);
    trade(700, 80n, 1n);
    expect(ticker.current()).toMatchObject({
      open: 100n,
      close: 80n,
      high: 100n,
      low: 50n,
      volume: 13n,
      count: 3,
    });
    minutes.rollTo(later(T, 1_440 * MINUTE));
    expect(ticker.current()).toMatchObject({ open: 50n, high: 80n, low: 50n, volume: 8n, turnover: 430n });
    minutes.rollTo(later(T, 1_441 * MINUTE));
    expect(ticker.current()).toMatchObject({ open: 50n, high: 80n, low: 50n, volume: 1n });
  });

  it('MKT-014 equals a ticker computed from the whole window after every deal', () => {
    const steps = fc.array(fc.tuple(fc.integer({ min: 0, max: 90 }), fc.bigInt(1n, 99n)), {
      minLength: 1,
      maxLength: 60,
    });
    fc.assert(
      fc.property(steps, (trades) => {
        const { minutes, ticker, trade } = aTicker();
        let minute = 0;
        for (const [gap, price] of trades) {
          trade((minute += gap), price);
          expect(ticker.current()).toEqual(new RollingTicker(minutes).current());
        }
      }),
    );
  });

  it('MKT-014 returns the hourly closes of the last 24 hours', () => {
    const hours = new CandleSeries('60min');
    for (let hour = 0; hour < 30; hour += 1) {
      hours.add({
        at: later(T, hour * 3_600_000),
        price: BigInt(hour + 1),
        amount: 1n,
        turnover: 1n,
        takerSide: 'buy',
      });
    }
    expect(sparkOf(hours).map(Number)).toEqual(Array.from({ length: 24 }, (_, at) => at + 7));
  });
});
