import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ProofOfWorkSearch } from './proof-of-work.ts';

/** Counts the leading zero bits of a text's SHA-256, with an independent implementation. */
function zeroBits(text: string): number {
  const digest = createHash('sha256').update(text).digest();
  const first = digest.readUInt32BE(0);
  return first === 0 ? 32 + Math.clz32(digest.readUInt32BE(4)) : Math.clz32(first);
}

describe('a proof of work', () => {
  it('ID-925 is the first number whose digest with the challenge starts with the required zero bits', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 80 }),
        fc.integer({ min: 0, max: 7 }),
        (challenge, bits) => {
          const solution = new ProofOfWorkSearch(challenge, bits).search(10_000)!;
          expect(solution).toMatch(/^\d{10}$/);
          expect(zeroBits(`${challenge}.${solution}`)).toBeGreaterThanOrEqual(bits);
          for (let candidate = 0; candidate < Number(solution); candidate += 1) {
            const text = String(candidate).padStart(10, '0');
            expect(zeroBits(`${challenge}.${text}`)).toBeLessThan(bits);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('ID-925 is the same when searched in portions', () => {
    const whole = new ProofOfWorkSearch('pieces', 12).search(1_000_000);
    const portions = new ProofOfWorkSearch('pieces', 12);
    let solution: string | undefined;
    for (let piece = 0; solution === undefined && piece < 10_000; piece += 1) solution = portions.search(97);
    expect(solution).toBe(whole);
  });
});
