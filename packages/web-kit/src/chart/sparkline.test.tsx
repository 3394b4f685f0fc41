import { cleanup, render } from '@testing-library/react';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { Sparkline, sparkPath } from './sparkline.tsx';

afterEach(cleanup);

it.each([
  ['0.012', 'up'],
  ['-0.012', 'down'],
  ['0.00001', 'flat'],
  [undefined, 'flat'],
])(
  'WEB-221 has the colour of the change beside it, independent of its own slope: %s is %s',
  (change, way) => {
    const { container } = render(<Sparkline values={['10', '12', '9']} change={change} />);
    expect(container.querySelector('svg')?.dataset['direction']).toBe(way);
  },
);

const numbersIn = (path: string): number[] => (path.match(/-?\d+(\.\d+)?/g) ?? []).map(Number);
const price = fc.double({ min: 0.000001, max: 200_000, noNaN: true });

describe('sparkline', () => {
  it('DESK-040 stays inside its box and reaches both edges', () => {
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
