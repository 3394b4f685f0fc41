import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { barOf, barTimeOf } from './candle-loader.ts';
import { depthCurve, depthPath, levelAt } from './depth-chart.tsx';
import { sparkPath } from './sparkline.tsx';

const numbersIn = (path: string): number[] => (path.match(/-?\d+(\.\d+)?/g) ?? []).map(Number);
const price = fc.double({ min: 0.000001, max: 200_000, noNaN: true });

describe('sparkline', () => {
  it('DESK-040 stays inside its box, from edge to edge', () => {
    fc.assert(
      fc.property(fc.array(price, { minLength: 2, maxLength: 60 }), (values) => {
        const numbers = numbersIn(sparkPath(values, 96, 32));
        const xs = numbers.filter((_, index) => index % 2 === 0);
        const ys = numbers.filter((_, index) => index % 2 === 1);
        expect(xs[0]).toBe(0);
        expect(xs.at(-1)).toBeCloseTo(96, 1);
        for (const y of ys) expect(y >= 0 && y <= 32).toBe(true);
      }),
    );
  });

  it('DESK-040 a flat day is a line in the middle, and fewer than two prices draw nothing', () => {
    expect(sparkPath([5, 5, 5], 100, 20)).toBe('M0 10L50 10L100 10');
    expect(sparkPath([5], 100, 20)).toBe('');
  });
});

describe('depth chart', () => {
  const bids = [
    { price: '99', total: '1' },
    { price: '97', total: '4' },
  ];
  const asks = [
    { price: '101', total: '2' },
    { price: '102', total: '3' },
  ];

  it('DESK-041 has the middle price in the middle and both sides to scale', () => {
    const curve = depthCurve(bids, asks)!;
    expect([curve.lowest, curve.highest, curve.deepest]).toEqual([97, 103, 4]);
    expect(depthPath(curve, 'bids', 600, 100)).toMatch(/^M200 100L200 100/);
    expect(depthPath(curve, 'asks', 600, 100)).toMatch(/Z$/);
  });

  it('DESK-049 a far order does not flatten the rest', () => {
    const curve = depthCurve(
      [...bids, { price: '1', total: '900' }],
      [...asks, { price: '5000', total: '9' }],
    )!;
    expect([curve.lowest, curve.highest, curve.deepest]).toEqual([97, 103, 4]);
    const wide = depthCurve([{ price: '50', total: '1' }], [{ price: '150', total: '2' }])!;
    expect([wide.lowest, wide.highest, wide.deepest]).toEqual([50, 150, 2]);
  });

  it('DESK-041 an empty side draws nothing', () => {
    expect(depthCurve([], asks)).toBeUndefined();
    expect(depthCurve(bids, [])).toBeUndefined();
  });

  it('DESK-042 the pointer tells what waits up to its price', () => {
    const curve = depthCurve(bids, asks)!;
    expect(levelAt(curve, 0)).toEqual({ price: 97, total: 4, side: 'bids' });
    expect(levelAt(curve, 0.4)).toEqual({ price: 99, total: 1, side: 'bids' });
    expect(levelAt(curve, 1)).toEqual({ price: 102, total: 3, side: 'asks' });
  });
});

describe('candles', () => {
  it('DESK-043 turnover is the mean of open, high, low and close times volume', () => {
    const bar = barOf({ id: 60, open: '10', close: 12, high: '14', low: 8, vol: '2.5' });
    expect(bar).toMatchObject({ timestamp: 60_000, open: 10, close: 12, high: 14, low: 8, volume: 2.5 });
    expect(bar.turnover).toBe(((10 + 14 + 8 + 12) / 4) * 2.5);
  });

  it('DESK-044 a fill stands on the candle it fell into, weeks counted from Mondays included', () => {
    const monday = Date.UTC(2026, 10, 16);
    expect(barTimeOf('1week', Date.UTC(2026, 10, 21, 12), monday)).toBe(monday);
    expect(barTimeOf('1week', Date.UTC(2026, 10, 15, 23), monday)).toBe(Date.UTC(2026, 10, 9));
    expect(barTimeOf('15min', Date.UTC(2026, 10, 16, 0, 29, 59), monday)).toBe(Date.UTC(2026, 10, 16, 0, 15));
  });
});
