import { instant, later, type Instant } from '@exchange/core/time.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  accountDelayMs,
  GROWS_BACK_MS,
  originDelayMs,
  SIGN_IN_RULES,
  withAccountFailure,
  withOriginFailure,
  type Failures,
} from './sign-in-delay.ts';

const START = instant(1_800_000_000_000);

describe('delays after failed sign-ins', () => {
  it('ID-044 four failures cost nothing, the fifth 15 s', () => {
    let failures: Failures | undefined;
    for (let n = 0; n < 4; n += 1) failures = withAccountFailure(failures, START);
    expect(accountDelayMs(failures, START)).toBe(0);
    expect(accountDelayMs(withAccountFailure(failures, START), START)).toBe(15_000);
  });

  it('ID-047 allow a hundred attempts per account in any 24 hours, and no wait exceeds 28.8 minutes', () => {
    const waits = fc.array(fc.integer({ min: 0, max: 20 * 60_000 }), { minLength: 1, maxLength: 400 });
    fc.assert(
      fc.property(waits, (pauses) => {
        let failures: Failures | undefined;
        let now = START;
        const admitted: Instant[] = [];
        for (const pause of pauses) {
          now = later(now, pause);
          const delayMs = accountDelayMs(failures, now);
          expect(delayMs).toBeLessThanOrEqual(GROWS_BACK_MS);
          if (delayMs > 0) continue;
          failures = withAccountFailure(failures, now);
          admitted.push(now);
        }
        // Any six consecutive login attempts take at least as long as the first delay.
        for (let index = 5; index < admitted.length; index += 1) {
          const span = (admitted[index] ?? 0) - (admitted[index - 5] ?? 0);
          expect(span).toBeGreaterThanOrEqual(SIGN_IN_RULES.firstDelayMs);
        }
        for (const from of admitted) {
          const inADay = admitted.filter((at) => at >= from && at - from < 86_400_000);
          expect(inADay.length).toBeLessThanOrEqual(SIGN_IN_RULES.accountFailuresDay);
        }
        expect(accountDelayMs(failures, later(now, GROWS_BACK_MS))).toBe(0);
      }),
    );
  });

  it('ID-046 a network address has 20 failures in any window of 15 minutes that starts with one of them', () => {
    let failures: Failures | undefined;
    for (let n = 0; n < 20; n += 1) {
      expect(originDelayMs(failures, START)).toBe(0);
      failures = withOriginFailure(failures, START);
    }
    expect(originDelayMs(failures, later(START, 60_000))).toBe(14 * 60_000);
    expect(originDelayMs(failures, later(START, SIGN_IN_RULES.windowMs))).toBe(0);
    expect(withOriginFailure(failures, later(START, SIGN_IN_RULES.windowMs)).recent).toBe(1);
  });
});
