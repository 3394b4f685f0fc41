import { describe, expect, it } from 'vitest';
import { distanceOf } from './distance.ts';

describe('the distance to a trigger', () => {
  it('DESK-121 is told from the last price, with its sign', () => {
    expect(distanceOf('100', '95')).toBe('-0.05');
    expect(distanceOf('100', '102.5')).toBe('0.025');
    expect(distanceOf(undefined, '95')).toBeUndefined();
    expect(distanceOf('100', '')).toBeUndefined();
    expect(distanceOf('0', '95')).toBeUndefined();
  });
});
