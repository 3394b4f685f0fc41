import { Decimal } from '@exchange/core/decimal.ts';
import {
  averageTerms,
  candlesNeeded,
  type AverageKind,
  type AverageTerms,
} from '@exchange/core/price-alert.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { indicatorOf } from './indicators.ts';

const d = (text: string) => Decimal.parse(text);

function terms(kind: AverageKind, numbers: Partial<AverageTerms> = {}): AverageTerms {
  return averageTerms({ kind, period: 14, level: d('70'), timer: '60min', ...numbers });
}

function valuesOf(wanted: AverageTerms, closes: readonly string[]) {
  const indicator = indicatorOf(wanted);
  return closes.map((close) => indicator.add(d(close)));
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/**
 * Returns exponential averages by their definition, with floating point numbers; undefined for the first
 * values.
 */
function exponential(values: readonly number[], period: number): (number | undefined)[] {
  let average: number | undefined;
  return values.map((value, n) => {
    if (n + 1 === period) average = mean(values.slice(0, period));
    else if (average !== undefined) average += ((value - average) * 2) / (period + 1);
    return average;
  });
}

/**
 * Returns the two values that the indicator compares at the last close, computed by their definitions from
 * all closes with floating point numbers; undefined if there are too few closes.
 */
function expectedOf({ kind, period, slow = 0 }: AverageTerms, closes: readonly number[]) {
  const last = closes.length - 1;
  const close = closes[last]!;
  if (kind === 'macd') {
    const [fast, long] = [exponential(closes, period), exponential(closes, slow)];
    const differences = closes.flatMap((_, n) => (long[n] === undefined ? [] : [fast[n]! - long[n]]));
    const signal = exponential(differences, 9).at(-1);
    return signal === undefined ? undefined : [differences.at(-1)!, signal];
  }
  if (kind === 'bollUpper' || kind === 'bollLower') {
    const window = closes.slice(-20);
    if (window.length < 20) return undefined;
    const middle = mean(window);
    const width = 2 * Math.sqrt(mean(window.map((value) => (value - middle) ** 2)));
    return [close, kind === 'bollUpper' ? middle + width : middle - width];
  }
  if (kind === 'maPair')
    return closes.length < slow ? undefined : [mean(closes.slice(-period)), mean(closes.slice(-slow))];
  if (kind === 'emaPair') {
    const target = exponential(closes, slow)[last];
    return target === undefined ? undefined : [exponential(closes, period)[last]!, target];
  }
  if (closes.length <= period) return undefined;
  const changes = closes.slice(1).map((value, n) => value - closes[n]!);
  const smoothed = (part: (change: number) => number) =>
    changes
      .slice(period)
      .reduce(
        (average, change) => (average * (period - 1) + part(change)) / period,
        mean(changes.slice(0, period).map(part)),
      );
  const [gain, loss] = [
    smoothed((change) => Math.max(change, 0)),
    smoothed((change) => Math.max(-change, 0)),
  ];
  return [gain + loss === 0 ? 50 : 100 - 100 / (1 + gain / loss), 70];
}

describe('indicators of closed candles', () => {
  it("ALRT-129 the relative strength index is Wilder's, as in a published example", () => {
    // The closing prices of the example of StockCharts, rounded to cents, and their relative strength indices
    // over 14 days.
    const closes =
      '44.34 44.09 44.15 43.61 44.33 44.83 45.10 45.42 45.84 46.08 45.89 46.03 45.61 46.28 46.28 46.00 46.03 46.41 46.22 45.64'.split(
        ' ',
      );
    const values = valuesOf(terms('rsi'), closes);
    expect(values.slice(0, 14)).toEqual(Array(14).fill(undefined));
    expect(values.slice(14).map((value) => value!.subject.rounded(2, 'halfEven').toPlaces(2))).toEqual([
      '70.46',
      '66.25',
      '66.48',
      '69.35',
      '66.29',
      '57.92',
    ]);
    expect(values.at(-1)!.target.toString()).toBe('70');
  });

  it('ALRT-129 the index is 100 without falls, 0 without rises, and 50 without changes', () => {
    const last = (closes: readonly string[]) =>
      valuesOf(terms('rsi', { period: 2 }), closes)
        .at(-1)!
        .subject.toString();
    expect([last(['1', '2', '3']), last(['3', '2', '1']), last(['2', '2', '2'])]).toEqual(['100', '0', '50']);
  });

  it('ALRT-129 bands of equal prices meet at the price, and wide ones are exact', () => {
    const upper = (closes: readonly string[]) =>
      valuesOf(terms('bollUpper'), closes).at(-1)!.target.toString();
    expect(upper(Array<string>(20).fill('50000.5'))).toBe('50000.5');
    // Ten prices of 1 and ten of 3 have the mean 2 and the standard deviation 1.
    expect(upper([...Array<string>(10).fill('1'), ...Array<string>(10).fill('3')])).toBe('4');
  });

  it('ALRT-129 all are those of their definitions, for any closes, with as many candles as said', () => {
    const close = fc.integer({ min: 5_000, max: 15_000 });
    const wanted = fc.oneof(
      fc.constantFrom(terms('macd'), terms('bollUpper'), terms('bollLower')),
      fc.integer({ min: 2, max: 9 }).map((period) => terms('rsi', { period })),
      fc
        .record({
          kind: fc.constantFrom('maPair' as const, 'emaPair' as const),
          period: fc.integer({ min: 2, max: 6 }),
          more: fc.integer({ min: 1, max: 9 }),
        })
        .map(({ kind, period, more }) => terms(kind, { period, slow: period + more })),
    );
    fc.assert(
      fc.property(fc.array(close, { maxLength: 60, size: 'max' }), wanted, (cents, average) => {
        const indicator = indicatorOf(average);
        for (const [n, value] of cents.entries()) {
          const values = indicator.add(Decimal.ofScaled(BigInt(value), 2));
          const expected = expectedOf(
            average,
            cents.slice(0, n + 1).map((each) => each / 100),
          );
          // A crossing needs the values of two candles, so the first values exist one candle earlier than the
          // first possible crossing.
          expect(values === undefined).toBe(n + 2 < candlesNeeded(average));
          const rounded = values && [values.subject, values.target].map((each) => Number(each.toString()));
          const isNear = expected?.map((each, index) => Math.abs(each - rounded![index]!) < 1e-8);
          expect(isNear).toEqual(rounded && [true, true]);
        }
      }),
    );
  });
});
