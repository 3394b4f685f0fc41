import { describe, expect, it } from 'vitest';
import type { LinePoint } from './index-line.ts';
import { plotOf, tagPlaces, type EntryMark } from './index-plot.ts';

const END = 1_795_000_000_000;
/**
 * Test data: one index price per second for `seconds` seconds, the last at `END`; `priceOf` receives the number of
 * seconds before `END`.
 */
const line = (seconds: number, priceOf: (ago: number) => string | null): LinePoint[] =>
  Array.from({ length: seconds }, (_, at) => {
    const ago = seconds - 1 - at;
    return { t: END - ago * 1_000, price: priceOf(ago) };
  });
const rising = line(301, (ago) => (100 - ago / 100).toFixed(2));
const mark = (price: string): EntryMark => ({
  id: 'a',
  price,
  isUp: true,
  from: END - 10_000,
  until: END + 30_000,
});

describe('CON-040 the chart of the index', () => {
  it('places the newest second at the start of the future area, and expiries inside it', () => {
    const plot = plotOf(rising, [], 300)!;
    expect(plot.x(END)).toBeCloseTo(1 / 1.2);
    expect(plot.x(END - 300_000)).toBe(0);
    expect(plot.x(END + 60_000)).toBeCloseTo(1);
  });

  it('places higher prices higher and inside, including entry prices', () => {
    const plot = plotOf(rising, [mark('104')], 300)!;
    const places = ['104', '100', '97'].map(plot.y);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    for (const place of places) expect(place).toBeGreaterThan(0);
    for (const place of places) expect(place).toBeLessThan(1);
  });

  it('labels the axes with round prices and times and sufficient decimals', () => {
    const { prices, priceDigits, times } = plotOf(rising, [], 300)!;
    expect(prices.map(({ value }) => value.toFixed(priceDigits))).toEqual(['97', '98', '99', '100']);
    expect(times.map(({ value }) => value % 60_000)).toEqual([0, 0, 0, 0, 0]);
    expect(times).toHaveLength(5);
  });

  it('leaves a gap where seconds have no price', () => {
    const gap = line(301, (ago) => (ago >= 100 && ago < 110 ? null : '100'));
    expect(plotOf(gap, [], 300)!.path.match(/M/g)).toHaveLength(2);
    expect(
      plotOf(
        line(301, () => '100'),
        [],
        300,
      )!.path.match(/M/g),
    ).toHaveLength(1);
  });

  it('draws an hour with a point every six seconds, unbroken by single missing prices', () => {
    const { path } = plotOf(
      line(3_600, (ago) => (ago % 5 === 0 ? null : '100')),
      [],
      3600,
    )!;
    expect(path.match(/[ML]/g)?.length).toBeGreaterThan(599);
    expect(path.match(/[ML]/g)?.length).toBeLessThan(602);
    expect(path.match(/M/g)).toHaveLength(1);
  });

  it('is undefined while no second has a price', () => {
    expect(plotOf([], [], 300)).toBeUndefined();
    expect(
      plotOf(
        line(10, () => null),
        [mark('100')],
        300,
      ),
    ).toBeUndefined();
  });
});

describe('CON-042 the tags of entry prices', () => {
  it('are at their prices where possible, otherwise as close as possible without overlap', () => {
    expect(tagPlaces([0.5, 0.2])).toEqual([0.5, 0.2]);
    expect(tagPlaces([0.52, 0.5])).toEqual([expect.closeTo(0.59), 0.5]);
    expect(tagPlaces([0, 1, 0.99])).toEqual([0.09, 1, expect.closeTo(0.91)]);
    const manyTags = tagPlaces(Array.from({ length: 20 }, () => 0.5)).toSorted((a, b) => a - b);
    expect(manyTags[0]).toBeGreaterThan(0.049);
    expect(manyTags.at(-1)).toBeLessThanOrEqual(1);
    expect(manyTags.every((at, index) => index === 0 || at - manyTags[index - 1]! > 0.0499)).toBe(true);
  });
});

describe('CON-041 the chart of an index that has just begun', () => {
  const young = line(30, () => '100');
  const past = Array.from({ length: 60 }, (_, at) => ({
    t: END - 330_000 + at * 5_000,
    price: 90 + at / 10,
  }));

  it('CON-040 keeps the complete span however little data exists', () => {
    for (const span of [300, 900, 3600] as const) {
      const plot = plotOf(young, [], span)!;
      expect([plot.x(END - span * 1_000), plot.x(END)]).toEqual([0, expect.closeTo(1 / 1.2)]);
      expect(plot.times.length).toBeGreaterThan(3);
      expect(plot.pastPath).toBe('');
    }
  });

  it('draws the generated past as a separate path up to the start of the line', () => {
    const plot = plotOf(young, [], 300, past)!;
    const [begin] = plot.path.slice(1).split('L');
    const places = plot.pastPath.slice(1).split('L');
    expect(places[0]).toBe(begin);
    expect(places).toHaveLength(1 + past.filter(({ t }) => t >= END - 300_000 && t < END - 29_000).length);
    expect(Number(places.at(-1)!.split(' ')[0])).toBeLessThan(20);
    expect(plot.y('91')).toBeLessThan(1);
  });

  it('draws no past once the index fills the span', () => {
    expect(plotOf(rising, [], 300, past)!.pastPath).toBe('');
  });
});
