import { describe, expect, it } from 'vitest';
import { snapToQuarter } from './share-slider.tsx';

describe('the slider', () => {
  it('MOB-103 snaps a slide to quarters and leaves other values unchanged', () => {
    expect([2, 23, 28, 51, 72, 97].map((percent) => snapToQuarter(percent, 40))).toEqual([
      0, 25, 25, 50, 75, 100,
    ]);
    expect([10, 33, 60, 88].map((percent) => snapToQuarter(percent, 0))).toEqual([10, 33, 60, 88]);
  });

  it('MOB-103 allows keys to leave a quarter by single percents', () => {
    expect(snapToQuarter(26, 25)).toBe(26);
    expect(snapToQuarter(24, 25)).toBe(24);
    expect(snapToQuarter(99, 100)).toBe(99);
  });
});
