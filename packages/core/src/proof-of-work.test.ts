import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ProofOfWorkSearch } from './proof-of-work.ts';

/** The zero bits that the SHA-256 of a text begins with, by another implementation. */
function zeroBits(text: string): number {
  const digest = createHash('sha256').update(text).digest();
  const first = digest.readUInt32BE(0);
  return first === 0 ? 32 + Math.clz32(digest.readUInt32BE(4)) : Math.clz32(first);
}

describe('a proof of work', () => {
  it('ID-925 is a number whose digest with the challenge begins with the demanded bits, and the first such number', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 80 }),
        fc.integer({ min: 0, max: 7 }),
        (challenge, bits) => {
          const solution = new ProofOfWorkSearch(challenge, bits).search(10_000)!;
          expect(solution).toMatch(/^\d{10}$/);
          expect(zeroBits(`${challenge}.${solution}`)).toBeGreaterThanOrEqual(bits);
          for (let before = 0; before < Number(solution); before += 1) {
            const tried = String(before).padStart(10, '0');
            expect(zeroBits(`${challenge}.${tried}`)).toBeLessThan(bits);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('ID-925 is found in pieces as it is found at once', () => {
    const whole = new ProofOfWorkSearch('pieces', 12).search(1_000_000);
    const pieces = new ProofOfWorkSearch('pieces', 12);
    let found: string | undefined;
    for (let piece = 0; found === undefined && piece < 10_000; piece += 1) found = pieces.search(97);
    expect(found).toBe(whole);
  });
});
