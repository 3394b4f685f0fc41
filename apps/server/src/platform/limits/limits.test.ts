import { instant } from '@exchange/core/time.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Limits, RateLimiter } from './limits.ts';

function limitsAt(start: number) {
  let nowMs = start;
  const limits = new Limits({ now: () => instant(0), monotonicMs: () => nowMs });
  const pass = (ms: number) => {
    nowMs += ms;
  };
  return { limits, pass };
}

const visitor = { addressGroup: '203.0.113.9', userId: undefined };
const user = { addressGroup: '203.0.113.9', userId: 'u1' };

describe('limits', () => {
  it('EDGE-030 let 3,000 weights a minute of public reads through per address, then say how long to wait', () => {
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

  it('EDGE-031 let a user place 20 orders at once and 10 a second after that, from however many addresses', () => {
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

  it('never let more through in any time than the burst and what has accrued since', () => {
    const steps = fc.array(fc.record({ afterMs: fc.nat(3_000), weight: fc.integer({ min: 1, max: 5 }) }));
    fc.assert(
      fc.property(steps, (taken) => {
        const limiter = new RateLimiter({ perSecond: 2, burst: 6 });
        let nowMs = 0;
        let passed = 0;
        for (const { afterMs, weight } of taken) {
          nowMs += afterMs;
          const waitMs = limiter.take('k', weight, nowMs);
          if (waitMs === 0) passed += weight;
          expect(waitMs === 0 || limiter.take('k', weight, nowMs + waitMs - 1) > 0).toBe(true);
          expect(passed).toBeLessThanOrEqual(6 + (nowMs / 1_000) * 2 + 1e-6);
        }
      }),
    );
  });

  it('EDGE-032 keep a bounded number of callers in mind and forget the idle ones', () => {
    const limiter = new RateLimiter({ perSecond: 1, burst: 1 }, 1_000);
    for (let n = 0; n < 5_000; n += 1) limiter.take(`k${n}`, 1, 0);
    expect(limiter.size).toBe(1_000);
    expect(limiter.take('k4999', 1, 0)).toBeGreaterThan(0);
    for (let n = 0; n < 600; n += 1) limiter.take('one', 1, 10_000 + n * 1_000);
    expect(limiter.size).toBe(1);
  });
});
