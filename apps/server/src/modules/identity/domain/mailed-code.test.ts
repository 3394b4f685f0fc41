import { instant, later } from '@exchange/core/time.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CODE_RULES, codeProblem } from './mailed-code.ts';

const NOW = instant(1_800_000_000_000);
const NOBODY = { byAddress: [], byOriginLastHour: 0, byEverybodyLastHour: 0 };

describe('asking for codes', () => {
  it('ID-024 the next one may be asked for after exactly 60 s, and the wait is rounded up', () => {
    const asked = { ...NOBODY, byAddress: [NOW] };
    expect(codeProblem(asked, later(NOW, 59_001))?.parameters).toEqual({ seconds: '1' });
    expect(codeProblem(asked, later(NOW, 60_000))).toBeUndefined();
  });

  it('ID-025 ID-026 every budget refuses at its limit and not before', () => {
    const old = (count: number, agoMs: number) => Array.from({ length: count }, () => later(NOW, -agoMs));
    const cases = [
      [{ ...NOBODY, byAddress: old(4, 61_000) }, undefined],
      [{ ...NOBODY, byAddress: old(5, 61_000) }, 'l.code_budget'],
      [{ ...NOBODY, byAddress: old(9, 3_600_000) }, undefined],
      [{ ...NOBODY, byAddress: old(10, 3_600_000) }, 'l.code_budget'],
      [{ ...NOBODY, byOriginLastHour: 19 }, undefined],
      [{ ...NOBODY, byOriginLastHour: 20 }, 'l.code_budget'],
      [{ ...NOBODY, byEverybodyLastHour: 999 }, undefined],
      [{ ...NOBODY, byEverybodyLastHour: 1_000 }, 'l.code_budget'],
    ] as const;
    for (const [asked, key] of cases) expect(codeProblem(asked, NOW)?.key).toBe(key);
  });

  it('never let more than 5 an hour and 10 a day through, whenever they are asked for', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 30 * 60_000 }), { maxLength: 120 }), (pauses) => {
        let now = NOW;
        const sent: number[] = [];
        for (const pause of pauses) {
          now = later(now, pause);
          const byAddress = sent
            .filter((at) => now - at < 86_400_000)
            .reverse()
            .map((at) => instant(at));
          if (codeProblem({ ...NOBODY, byAddress }, now) === undefined) sent.push(now);
          expect(sent.filter((at) => now - at < 3_600_000).length).toBeLessThanOrEqual(
            CODE_RULES.perAddressHour,
          );
          expect(sent.filter((at) => now - at < 86_400_000).length).toBeLessThanOrEqual(
            CODE_RULES.perAddressDay,
          );
        }
      }),
    );
  });
});
