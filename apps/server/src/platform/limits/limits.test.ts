import { instant } from '@exchange/core/time.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Limits, RateLimiter } from './limits.ts';

function limitsAt(start: number) {
  let nowMs = start;
  const limits = new Limits({ now: () => instant(0), monotonicMs: () => nowMs });
  const advance = (ms: number) => {
    nowMs += ms;
  };
  return { limits, pass: advance };
}

const visitor = { addressGroup: '203.0.113.9', userId: undefined };
const user = { addressGroup: '203.0.113.9', userId: 'u1' };

describe('limits', () => {
  it('EDGE-030 an address may use 3,000 weights of public reads per minute, then is told how long to wait', () => {
    const { limits, pass } = limitsAt(1_000);
    for (let n = 0; n < 300; n += 1)
      expect(limits.charge({ limit: 'publicRead', weight: 10 }, visitor)).toBe(0);
    expect(limits.charge({ limit: 'publicRead', weight: 10 }, visitor)).toBe(1);
    expect(
      limits.charge({ limit: 'publicRead', weight: 1 }, { ...visitor, addressGroup: '198.51.100.1' }),
    ).toBe(0);
    pass(200);
    expect(limits.charge({ limit: 'publicRead', weight: 10 }, visitor)).toBe(0);
    pass(60_000);
    expect(limits.charge({ limit: 'publicRead', weight: 3_000 }, visitor)).toBe(0);
  });

  it('EDGE-031 a user may place 20 orders at once and then 10 per second, from any number of addresses', () => {
    const { limits, pass } = limitsAt(0);
    const admitted = (times: number) =>
      Array.from({ length: times }, (_, n) =>
        limits.charge({ limit: 'order', weight: 1 }, { ...user, addressGroup: `a${n}` }),
      ).filter((seconds) => seconds === 0).length;
    expect(admitted(30)).toBe(20);
    pass(1_000);
    expect(admitted(30)).toBe(10);
    expect(limits.charge({ limit: 'order', weight: 1 }, { ...user, userId: 'u2' })).toBe(0);
  });

  it('a limiter never admits more than the burst plus the accrued rate', () => {
    const steps = fc.array(fc.record({ afterMs: fc.nat(3_000), weight: fc.integer({ min: 1, max: 5 }) }));
    fc.assert(
      fc.property(steps, (taken) => {
        const limiter = new RateLimiter({ perSecond: 2, burst: 6 });
        let nowMs = 0;
        let passed = 0;
        for (const { afterMs, weight } of taken) {
          nowMs += afterMs;
          const waitMs = limiter.charge('k', weight, nowMs);
          if (waitMs === 0) passed += weight;
          expect(waitMs === 0 || limiter.charge('k', weight, nowMs + waitMs - 1) > 0).toBe(true);
          expect(passed).toBeLessThanOrEqual(6 + (nowMs / 1_000) * 2 + 1e-6);
        }
      }),
    );
  });

  it('EDGE-032 the number of stored keys is limited, and idle keys are removed', () => {
    const limiter = new RateLimiter({ perSecond: 1, burst: 1 }, 1_000);
    for (let n = 0; n < 5_000; n += 1) limiter.charge(`k${n}`, 1, 0);
    expect(limiter.size).toBe(1_000);
    expect(limiter.charge('k4999', 1, 0)).toBeGreaterThan(0);
    for (let n = 0; n < 600; n += 1) limiter.charge('one', 1, 10_000 + n * 1_000);
    expect(limiter.size).toBe(1);
  });
});
