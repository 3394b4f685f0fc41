import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { AverageTerms } from '@exchange/core/price-alert.ts';
import { instant, later } from '@exchange/core/time.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AlertChange, PriceAlert } from './alert.ts';
import { closeOf, CrossWatch, type ClosedCandle } from './cross-watch.ts';

const START = instant(1_800_000_000_000);
const NAME = { symbol: 'btcusdt', timer: '5min' } as const;
const LENGTH_MS = 300_000;
const d = (text: string) => Decimal.parse(text);

function candle(n: number, close: string): ClosedCandle {
  return { opened: later(START, n * LENGTH_MS), close: d(close) };
}

function anAlert(
  id: string,
  condition: 'crossUp' | 'crossDown',
  overrides: Partial<PriceAlert> = {},
): PriceAlert {
  return {
    id,
    owner: 'someone' as UserId,
    symbol: NAME.symbol,
    condition,
    price: Decimal.zero,
    from: d('100'),
    source: 'last',
    average: { kind: 'ma', period: 3, timer: NAME.timer },
    pauseMinutes: 1,
    repeats: false,
    channels: ['inbox'],
    order: undefined,
    createdAt: START,
    triggeredAt: undefined,
    isArmed: true,
    sequence: 0,
    ...overrides,
  };
}

/** Passes candles with these closing prices to the watch. Returns the ids of the alerts that each candle triggers. */
function feed(watch: CrossWatch, closes: readonly string[], from = 0): string[][] {
  return closes.map((close, n) =>
    watch.addCandle(NAME, candle(from + n, close), 7).map(({ before }) => before.id),
  );
}

/**
 * Returns the moving average at the last closing price, computed by its definition from all closing prices.
 * Undefined if there are fewer prices than its period.
 */
function averageOf(
  closes: readonly Decimal[],
  { kind, period }: Pick<AverageTerms, 'kind' | 'period'>,
): number | undefined {
  const values = closes.map((close) => Number(close.toString()));
  if (values.length < period) return undefined;
  const mean = (part: readonly number[]) => part.reduce((sum, value) => sum + value, 0) / part.length;
  if (kind === 'ma') return mean(values.slice(-period));
  return values
    .slice(period)
    .reduce(
      (average, value) => average + ((value - average) * 2) / (period + 1),
      mean(values.slice(0, period)),
    );
}

/**
 * Returns the crossings of the average at the last closing price. Undefined if floating point numbers are too
 * imprecise to decide.
 */
function crossingsAt(
  closes: readonly Decimal[],
  terms: Pick<AverageTerms, 'kind' | 'period'>,
): readonly string[] | undefined {
  const [before, now] = [averageOf(closes.slice(0, -1), terms), averageOf(closes, terms)];
  if (before === undefined || now === undefined) return [];
  const [last, present] = [Number(closes.at(-2)!.toString()), Number(closes.at(-1)!.toString())];
  if (Math.abs(last - before) < 1e-9 || Math.abs(present - now) < 1e-9) return undefined;
  if (present > now && last <= before) return ['crossUp'];
  return present < now && last >= before ? ['crossDown'] : [];
}

describe('crossings of averages', () => {
  it('ALRT-110 trigger when a closed candle is beyond the average and the one before was not', () => {
    const watch = new CrossWatch();
    watch.add(anAlert('up', 'crossUp'), []);
    watch.add(anAlert('down', 'crossDown'), []);
    // The averages of three closing prices, from the third one on, are 100, 99, 99, 98.67 and 99.
    expect(feed(watch, ['100', '100', '100', '97', '100', '99', '98'])).toEqual([
      [],
      [],
      [],
      ['down'],
      ['up'],
      [],
      [],
    ]);
    expect(watch.size).toBe(0);
    expect(watch.watched()).toEqual([]);
  });

  it('ALRT-110 the change holds the close, the average and the instant at which the candle closed', () => {
    const watch = new CrossWatch();
    watch.add(anAlert('down', 'crossDown'), [candle(0, '100'), candle(1, '100'), candle(2, '100')]);
    const [change] = watch.addCandle(NAME, candle(3, '97'), 7) as [AlertChange];
    expect(change).toMatchObject({ kind: 'triggered', after: undefined });
    expect([change.point.price.toString(), change.base?.toString(), change.point.sequence]).toEqual([
      '97',
      '99',
      7,
    ]);
    expect(change.point.at).toBe(closeOf('5min', candle(3, '97').opened));
  });

  it('ALRT-111 a candle that closed before the alert was set, or that comes again, triggers nothing', () => {
    const watch = new CrossWatch();
    const afterSecond = later(START, 2 * LENGTH_MS + 1);
    const closes = [candle(0, '100'), candle(1, '100')];
    watch.add(
      anAlert('a', 'crossDown', {
        createdAt: closeOf('5min', candle(2, '90').opened),
        average: { kind: 'ma', period: 2, timer: '5min' },
      }),
      closes,
    );
    expect(watch.addCandle(NAME, candle(2, '90'), 1)).toEqual([]);
    expect(watch.addCandle(NAME, candle(2, '90'), 1)).toEqual([]);
    expect(feed(watch, ['100', '90'], 3)).toEqual([[], ['a']]);
    const second = new CrossWatch();
    second.add(
      anAlert('b', 'crossDown', {
        triggeredAt: closeOf('5min', candle(2, '90').opened),
        repeats: true,
        createdAt: afterSecond,
      }),
      closes,
    );
    // After a restart, a new watch receives the candle that triggered the alert once more, and triggers nothing.
    expect(feed(second, ['100', '90'], 1)).toEqual([[], []]);
  });

  it('ALRT-112 a repeating alert triggers at each crossing, and never within its pause', () => {
    const watch = new CrossWatch();
    watch.add(anAlert('a', 'crossUp', { repeats: true, pauseMinutes: 15 }), []);
    const triggered = feed(watch, ['100', '100', '100', '101', '99', '103', '99', '90', '101', '90', '101']);
    expect(triggered.map((ids) => ids.length)).toEqual([0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0]);
  });

  it('ALRT-110 averages are those of their definitions, for any closes, kind and period', () => {
    const close = fc.integer({ min: 50, max: 150 }).map((units) => Decimal.ofWhole(units));
    const terms = fc.record({
      kind: fc.constantFrom('ma' as const, 'ema' as const),
      period: fc.integer({ min: 2, max: 6 }),
    });
    fc.assert(
      fc.property(fc.array(close, { maxLength: 40 }), terms, fc.nat(40), (closes, average, warmUp) => {
        const watch = new CrossWatch();
        const all = closes.map((value, n) => ({ opened: later(START, n * LENGTH_MS), close: value }));
        const alerts = { average: { ...average, timer: NAME.timer }, repeats: true };
        for (const condition of ['crossUp', 'crossDown'] as const)
          watch.add(anAlert(condition, condition, alerts), all.slice(0, warmUp));
        for (let n = Math.min(warmUp, all.length); n < all.length; n += 1) {
          const changes = watch.addCandle(NAME, all[n]!, 0);
          const expected = crossingsAt(closes.slice(0, n + 1), average);
          const triggered = changes.map(({ before: { condition } }) => condition);
          expect(expected === undefined ? undefined : triggered).toEqual(expected);
        }
      }),
    );
  });
});
