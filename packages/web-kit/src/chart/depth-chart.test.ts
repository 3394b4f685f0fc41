import { describe, expect, it } from 'vitest';
import { depthCurve, depthPath, levelAt } from './depth-chart.tsx';

describe('the depth chart', () => {
  const bids = [
    { price: '99', total: '1' },
    { price: '97', total: '4' },
  ];
  const asks = [
    { price: '101', total: '2' },
    { price: '102', total: '3' },
  ];

  it('DESK-041 shows the middle price in the centre and both sides to scale', () => {
    const curve = depthCurve(bids, asks)!;
    expect([curve.lowest, curve.highest, curve.deepest]).toEqual([97, 103, 4]);
    expect(depthPath(curve, 'bids', 600, 100)).toMatch(/^M200 100L200 100/);
    expect(depthPath(curve, 'asks', 600, 100)).toMatch(/Z$/);
  });

  it('DESK-049 a distant order does not flatten the curve', () => {
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

  it('DESK-042 the pointer shows the cumulative amount up to its price', () => {
    const curve = depthCurve(bids, asks)!;
    expect(levelAt(curve, 0)).toEqual({ price: 97, total: 4, side: 'bids' });
    expect(levelAt(curve, 0.4)).toEqual({ price: 99, total: 1, side: 'bids' });
    expect(levelAt(curve, 1)).toEqual({ price: 102, total: 3, side: 'asks' });
  });
});
