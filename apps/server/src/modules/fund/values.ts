import { candleStart, type CandleTimer } from '@exchange/core/candle.ts';
import { Decimal, greatest, least } from '@exchange/core/decimal.ts';
import { unitValue, type BasketPoint, type UnitValue } from '@exchange/core/fund.ts';
import { SECOND_MS, type Instant } from '@exchange/core/time.ts';
import type { Fund } from './domain.ts';

/** The candles that are stored; all others are made of them. */
export const STORED_TIMERS = ['1min', '60min', '1day'] as const satisfies readonly CandleTimer[];

export interface ValueCandle {
  /** Seconds. */
  readonly opened: number;
  readonly open: Decimal;
  readonly high: Decimal;
  readonly low: Decimal;
  readonly close: Decimal;
}

/** A candle of one fund with its length. */
export interface FundCandle extends ValueCandle {
  readonly fund: string;
  readonly timer: (typeof STORED_TIMERS)[number];
}

/** Every fund's unit value at one second. */
export interface ValuesAt {
  readonly t: Instant;
  readonly values: ReadonlyMap<string, UnitValue>;
}

/** The unit values of all funds at a second. */
export function valuesAt(
  t: Instant,
  funds: readonly Fund[],
  pointOf: (symbol: string) => BasketPoint | undefined,
): ValuesAt {
  return { t, values: new Map(funds.map((fund) => [fund.id, unitValue(fund, pointOf)])) };
}

/** What a line of the tape says of its second. */
export function pointOfLine(text: string): BasketPoint & { readonly t: number } {
  const { t, index, flags } = JSON.parse(text) as { t: number; index: string | null; flags: string[] };
  return { t, price: index === null ? null : Decimal.parse(index), isDegraded: flags.includes('degraded') };
}

/** The candles that run, of values that may be dealt at; what is taken is stored. */
export class RunningCandles {
  private readonly candles = new Map<string, FundCandle>();

  add({ t, values }: ValuesAt): void {
    for (const [fund, { value, isDegraded }] of values) {
      if (value === null || isDegraded) continue;
      for (const timer of STORED_TIMERS) {
        const opened = candleStart(timer, t) / SECOND_MS;
        const key = `${fund} ${timer} ${opened}`;
        const before = this.candles.get(key) ?? { open: value, high: value, low: value };
        const high = greatest(before.high, value);
        const low = least(before.low, value);
        this.candles.set(key, { fund, timer, opened, open: before.open, high, low, close: value });
      }
    }
  }

  /** Those that changed since they were last taken. */
  take(): readonly FundCandle[] {
    const taken = [...this.candles.values()];
    this.candles.clear();
    return taken;
  }
}
