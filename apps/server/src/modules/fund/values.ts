import { candleStart, type CandleTimer } from '@exchange/core/candle.ts';
import { Decimal, greatest, least } from '@exchange/core/decimal.ts';
import { unitValue, type BasketPoint, type UnitValue } from '@exchange/core/fund.ts';
import { SECOND_MS, type Instant } from '@exchange/core/time.ts';
import type { Fund } from './domain.ts';

/** Intervals of the stored candles of unit values; candles of all other intervals are computed from these. */
export const STORED_TIMERS = ['1min', '60min', '1day'] as const satisfies readonly CandleTimer[];

export interface ValueCandle {
  /** Opening time of the candle, in seconds since 1970. */
  readonly opened: number;
  readonly open: Decimal;
  readonly high: Decimal;
  readonly low: Decimal;
  readonly close: Decimal;
}

/** A candle of a fund's unit values, with the id of the fund and the candle's interval. */
export interface FundCandle extends ValueCandle {
  readonly fund: string;
  readonly timer: (typeof STORED_TIMERS)[number];
}

/** The unit values of all funds at one second of the index tape. */
export interface ValuesAt {
  readonly t: Instant;
  readonly values: ReadonlyMap<string, UnitValue>;
}

/** Computes the unit values of all funds at one second of the index tape. */
export function valuesAt(
  t: Instant,
  funds: readonly Fund[],
  pointOf: (symbol: string) => BasketPoint | undefined,
): ValuesAt {
  return { t, values: new Map(funds.map((fund) => [fund.id, unitValue(fund, pointOf)])) };
}

/**
 * Parses a line of the index tape: an index point of a coin. `price` is null if the line has no index price.
 * Throws if the line is not JSON.
 */
export function pointOfLine(text: string): BasketPoint & { readonly t: number } {
  const { t, index, flags } = JSON.parse(text) as { t: number; index: string | null; flags: string[] };
  return { t, price: index === null ? null : Decimal.parse(index), isDegraded: flags.includes('degraded') };
}

/**
 * The candles of unit values, per fund and stored interval, as far as their changes are not stored yet. Missing and
 * degraded unit values are not added.
 */
export class RunningCandles {
  private readonly candles = new Map<string, FundCandle>();

  add({ t, values }: ValuesAt): void {
    for (const [fund, { value, isDegraded }] of values) {
      if (value === null || isDegraded) continue;
      for (const timer of STORED_TIMERS) {
        const opened = candleStart(timer, t) / SECOND_MS;
        const key = candleKey({ fund, timer, opened });
        const candle = this.candles.get(key) ?? { open: value, high: value, low: value };
        const high = greatest(candle.high, value);
        const low = least(candle.low, value);
        this.candles.set(key, { fund, timer, opened, open: candle.open, high, low, close: value });
      }
    }
  }

  /** Returns the candles that changed since the last call, and removes them. */
  dequeueChanged(): readonly FundCandle[] {
    const changed = [...this.candles.values()];
    this.candles.clear();
    return changed;
  }

  /**
   * Merges candles that `dequeueChanged` returned and that could not be stored with the candles of the values added
   * since; the values of the returned candles count as earlier.
   */
  putBack(changed: readonly FundCandle[]): void {
    for (const candle of changed) {
      const { fund, timer, opened, open } = candle;
      const key = candleKey(candle);
      const later = this.candles.get(key) ?? candle;
      this.candles.set(key, {
        fund,
        timer,
        opened,
        open,
        high: greatest(candle.high, later.high),
        low: least(candle.low, later.low),
        close: later.close,
      });
    }
  }
}

function candleKey({ fund, timer, opened }: Pick<FundCandle, 'fund' | 'timer' | 'opened'>): string {
  return `${fund} ${timer} ${opened}`;
}
