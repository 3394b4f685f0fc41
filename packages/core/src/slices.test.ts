import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runToEnd, mapSliced, sortSliced, type Slices } from './slices.ts';

/** Runs a sliced computation and returns how often it pauses. */
function stopsOf(slices: Slices<unknown>): number {
  let stops = 0;
  while (slices.next().done !== true) stops += 1;
  return stops;
}

it('SUB-021 sliced work gives the same result as unsliced work, and pauses often', () => {
  const numbers = fc.array(fc.record({ key: fc.nat(50), name: fc.nat() }), { maxLength: 3_000 });
  fc.assert(
    fc.property(numbers, (items) => {
      const compare = (a: { key: number }, b: { key: number }) => a.key - b.key;
      expect(runToEnd(sortSliced(items, compare))).toEqual(items.toSorted(compare));
      expect(runToEnd(mapSliced(items, ({ key }, at) => key * at))).toEqual(
        items.map(({ key }, at) => key * at),
      );
    }),
    { numRuns: 30 },
  );
  const many = Array.from({ length: 10_000 }, (_, index) => -index);
  expect(stopsOf(mapSliced(many, (number) => number))).toBe(20);
  expect(stopsOf(sortSliced(many, (a, b) => a - b))).toBeGreaterThan(100);
});
