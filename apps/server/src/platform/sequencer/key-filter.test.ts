import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashOf, KeyFilter, LayeredKeyFilter } from './key-filter.ts';

describe('the key filter', () => {
  it('never calls a name new that was added', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (names) => {
        const filter = new KeyFilter(12);
        for (const name of names) filter.add(hashOf(name));
        expect(names.every((name) => filter.mayHave(hashOf(name)))).toBe(true);
      }),
    );
  });

  it('takes few new names for old ones', () => {
    const filter = new KeyFilter(17);
    const nameOf = (at: number) =>
      `0199aa00-0000-7000-8000-${String(at % 50).padStart(12, '0')} spot.place c-${at}`;
    for (let at = 0; at < 10_000; at += 1) filter.add(hashOf(nameOf(at)));
    let wrong = 0;
    for (let at = 10_000; at < 60_000; at += 1) if (filter.mayHave(hashOf(nameOf(at)))) wrong += 1;
    // 13 bits a name and 5 probes: 0.3 % in theory.
    expect(wrong).toBeLessThan(500);
  });

  it('SEQ-790 grows by layers, finds every name, and drops a layer whose names are all old', () => {
    const filter = new LayeredKeyFilter(14);
    const hashes = Array.from({ length: 12_000 }, (_, at) => hashOf(`name ${at}`));
    for (const [at, hash] of hashes.entries()) filter.add(hash, at);
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
