import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Decimal } from './decimal.ts';
import { composeIndex, quoteAt, type SourceQuote } from './index-price.ts';
import { instant } from './time.ts';

const T = instant(1_800_000_000_000);

function quotes(...entries: (readonly [price: string, ageMs?: number])[]): SourceQuote[] {
  return entries.map(([price, ageMs = 0], index) => ({
    id: `venue-${index}`,
    price: Decimal.parse(price),
    at: instant(T - ageMs),
  }));
}

function pointOf(sourceQuotes: readonly SourceQuote[], digits = 4) {
  const { price, flags } = composeIndex(T, sourceQuotes, digits);
  return [price?.toString() ?? null, ...flags];
}

describe('the index', () => {
  it.each([
    ['the median of three', quotes(['100'], ['101'], ['100.5']), ['100.5']],
    ['the mean of the two middle prices of four', quotes(['100'], ['103'], ['101'], ['102']), ['101.5']],
    ['the median of five', quotes(['5'], ['5.01'], ['5.02'], ['4.99'], ['4.98']), ['5']],
    ['the mean of two, degraded', quotes(['100'], ['101']), ['100.5', 'degraded']],
    ['null for one source', quotes(['100']), [null, 'insufficient']],
    ['null without sources', [], [null, 'insufficient']],
  ])('MKT-001 is %s', (_case, sourceQuotes, expected) => {
    expect(pointOf(sourceQuotes)).toEqual(expected);
  });

  it('MKT-001 flags a price more than 2 % away and still counts it', () => {
    const point = composeIndex(T, quotes(['100'], ['100'], ['102'], ['102.01']), 4);
    expect(point.price?.toString()).toBe('101');
    expect(point.flags).toEqual([]);
    const wild = composeIndex(T, quotes(['100'], ['100.1'], ['103'], ['97']), 4);
    expect(wild.price?.toString()).toBe('100.05');
    expect(wild.flags).toEqual(['outlier']);
    expect(wild.sources.map(({ outlier, used }) => [outlier, used])).toEqual([
      [false, true],
      [false, true],
      [true, true],
      [true, true],
    ]);
  });

  it('MKT-002 counts a quote that is exactly 3 s old, and none that is older, later than the second, or not positive', () => {
    expect(pointOf(quotes(['2', 3_000], ['2.01', 3_000], ['2.02', 3_000]))).toEqual(['2.01']);
    expect(pointOf(quotes(['1', 3_001], ['2'], ['4']))).toEqual(['3', 'degraded']);
    expect(pointOf(quotes(['1', -1], ['2'], ['4']))).toEqual(['3', 'degraded']);
    expect(pointOf(quotes(['0'], ['2'], ['4']))).toEqual(['3', 'degraded']);
    const { sources } = composeIndex(T, quotes(['1', 3_001], ['2'], ['4']), 4);
    expect(sources.map(({ used }) => used)).toEqual([false, true, true]);
  });

  it('MKT-001 rounds half-even to the digits it is given', () => {
    expect(pointOf(quotes(['0.12345'], ['0.12345'], ['9']), 4)).toEqual(['0.1234', 'outlier']);
    expect(pointOf(quotes(['0.12355'], ['0.12355'], ['9']), 4)).toEqual(['0.1236', 'outlier']);
  });

  it('MKT-001 rejects two quotes of one source', () => {
    const [quote] = quotes(['100']);
    expect(() => composeIndex(T, [quote!, quote!], 4)).toThrow('votes twice');
  });

  it('MKT-002 selects the newest quote of a source up to the second', () => {
    const history = quotes(['1', 2_000], ['2', 900], ['3', -100]);
    expect(quoteAt(T, history)?.price.toString()).toBe('2');
    expect(quoteAt(instant(T - 5_000), history)).toBeUndefined();
  });

  it('MKT-001 lies between the least and the greatest price, whatever the order of the quotes', () => {
    const price = fc.bigInt({ min: 1n, max: 10n ** 12n }).map((units) => Decimal.ofScaled(units, 6));
    fc.assert(
      fc.property(fc.array(price, { minLength: 2, maxLength: 9 }), (prices) => {
        const sourceQuotes = prices.map((value, index) => ({ id: `v${index}`, price: value, at: T }));
        const composedPrice = composeIndex(T, sourceQuotes, 9).price!;
        const sorted = prices.toSorted((a, b) => a.compare(b));
        expect(composedPrice.compare(sorted[0]!)).toBeGreaterThanOrEqual(0);
        expect(composedPrice.compare(sorted.at(-1)!)).toBeLessThanOrEqual(0);
        expect(composeIndex(T, sourceQuotes.toReversed(), 9)).toEqual(composeIndex(T, sourceQuotes, 9));
      }),
    );
  });
});
