import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashOf, KeyFilter, LayeredKeyFilter } from './key-filter.ts';

describe('the key filter', () => {
  it('an added name is never reported as new', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (names) => {
        const filter = new KeyFilter(12);
        for (const name of names) filter.add(hashOf(name));
        expect(names.every((name) => filter.mayHave(hashOf(name)))).toBe(true);
      }),
    );
  });

  it('few new names are reported as added', () => {
    const filter = new KeyFilter(17);
    const nameOf = (index: number) =>
      `0199aa00-0000-7000-8000-${String(index % 50).padStart(12, '0')} spot.place c-${index}`;
    for (let index = 0; index < 10_000; index += 1) filter.add(hashOf(nameOf(index)));
    let wrong = 0;
    for (let index = 10_000; index < 60_000; index += 1)
      if (filter.mayHave(hashOf(nameOf(index)))) wrong += 1;
    // The test uses 13 bits per name and 5 probes, for which theory predicts 0.3 % false positives.
    expect(wrong).toBeLessThan(500);
  });

  it('SEQ-790 the filter grows by layers, finds every name, and drops layers whose names are all old', () => {
    const filter = new LayeredKeyFilter(14);
    const hashes = Array.from({ length: 12_000 }, (_, index) => hashOf(`name ${index}`));
    for (const [index, hash] of hashes.entries()) filter.add(hash, index);
    expect(filter.layerCount).toBe(10);
    expect(hashes.every((hash) => filter.mayHave(hash))).toBe(true);
    filter.dropBefore(6_000);
    expect(filter.layerCount).toBe(6);
    expect(hashes.slice(6_000).every((hash) => filter.mayHave(hash))).toBe(true);
    filter.dropBefore(12_000);
    expect(filter.layerCount).toBe(0);
    expect(filter.mayHave(hashes[11_999]!)).toBe(false);
  });
});
