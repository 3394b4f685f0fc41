import { expect, it } from 'vitest';
import { barPoints } from './book-columns.tsx';

it('WEB-051 bars start at the right edge, are as long as the share, and have a gap of one pixel', () => {
  const points = barPoints([{ share: 0.25 }, { share: 1 }], 20, 2);
  expect(points).toContain('100,1 75,1 75,19 100,19');
  expect(points).toContain('100,21 0,21 0,39 100,39');
});

it('WEB-051 the bounding box of all bars always equals the side', () => {
  const points = barPoints([{ share: 0 }, { share: 0.01 }], 21, 0).split(' ');
  const numbers = points.map((point) => point.split(',').map(Number));
  const xs = numbers.map(([x = -1]) => x);
  const ys = numbers.map(([, y = -1]) => y);
  expect([Math.min(...xs), Math.min(...ys)]).toEqual([0, 0]);
  expect([Math.max(...xs), Math.max(...ys)]).toEqual([100, 42]);
});
