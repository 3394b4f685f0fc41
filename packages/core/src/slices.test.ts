import fc from 'fast-check';
import { expect, it } from 'vitest';
import { finished, mapped, sorted, type Slices } from './slices.ts';

/** How often work stops. */
function stopsOf(slices: Slices<unknown>): number {
  let stops = 0;
  while (slices.next().done !== true) stops += 1;
  return stops;
}

it('SUB-021 work in slices gives what it gives at once, and stops often', () => {
  const numbers = fc.array(fc.record({ key: fc.nat(50), name: fc.nat() }), { maxLength: 3_000 });
  fc.assert(
    fc.property(numbers, (things) => {
      const compare = (one: { key: number }, other: { key: number }) => one.key - other.key;
      expect(finished(sorted(things, compare))).toEqual(things.toSorted(compare));
      expect(finished(mapped(things, ({ key }, at) => key * at))).toEqual(
        things.map(({ key }, at) => key * at),
      );
    }),
    { numRuns: 30 },
  );
  const many = Array.from({ length: 10_000 }, (_, at) => -at);
  expect(stopsOf(mapped(many, (one) => one))).toBe(20);
  expect(stopsOf(sorted(many, (one, other) => one - other))).toBeGreaterThan(100);
});
