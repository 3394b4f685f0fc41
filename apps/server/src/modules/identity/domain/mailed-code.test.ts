import { instant, later } from '@exchange/core/time.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CODE_RULES, codeProblem, countOfTry, digitsOfNext, type AskedCodes } from './mailed-code.ts';

const NOW = instant(1_800_000_000_000);
const MINUTE_MS = 60_000;
const NOBODY: AskedCodes = {
  lane: 'stranger',
  byAddress: [],
  isGuessedAt: false,
  byOriginLastHour: 0,
  byNetworkLastHour: 0,
  byOriginToAddressLastDay: 0,
  byStrangersLastHour: 0,
  byEverybodyLastHour: 0,
};

describe('asking for codes', () => {
  it('ID-024 the next one may be asked for after exactly 60 s, and the wait is rounded up', () => {
    const asked = { ...NOBODY, byAddress: [NOW] };
    expect(codeProblem(asked, later(NOW, 59_001))?.parameters).toEqual({ seconds: '1' });
    expect(codeProblem(asked, later(NOW, 60_000))).toBeUndefined();
  });

  it('ID-025 ID-026 every budget refuses at its limit and not before', () => {
    const old = (count: number, agoMs: number) => Array.from({ length: count }, () => later(NOW, -agoMs));
    const owner = { ...NOBODY, lane: 'known' } as const;
    const cases = [
      [{ ...NOBODY, byAddress: old(4, 61_000) }, undefined],
      [{ ...NOBODY, byAddress: old(5, 61_000) }, 'l.code_wait'],
      [{ ...NOBODY, byAddress: old(5, 10 * MINUTE_MS) }, undefined],
      [{ ...NOBODY, byAddress: old(10, 60 * MINUTE_MS) }, undefined],
      [{ ...NOBODY, byOriginLastHour: 19 }, undefined],
      [{ ...NOBODY, byOriginLastHour: 20 }, 'l.code_budget'],
      [{ ...NOBODY, byNetworkLastHour: 99 }, undefined],
      [{ ...NOBODY, byNetworkLastHour: 100 }, 'l.code_budget'],
      [{ ...NOBODY, byOriginToAddressLastDay: 10 }, 'l.code_budget'],
      [{ ...NOBODY, byStrangersLastHour: 799, byEverybodyLastHour: 799 }, undefined],
      [{ ...NOBODY, byStrangersLastHour: 800, byEverybodyLastHour: 800 }, 'l.code_budget'],
      [{ ...owner, byStrangersLastHour: 800, byEverybodyLastHour: 999 }, undefined],
      [{ ...owner, byEverybodyLastHour: 1_000 }, 'l.code_budget'],
    ] as const;
    for (const [asked, key] of cases) expect(codeProblem(asked, NOW)?.key, JSON.stringify(asked)).toBe(key);
  });

  it('ID-025 whoever asks, and how often, nobody waits longer than the last code is good', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 30 * MINUTE_MS }), { maxLength: 120 }), (pauses) => {
        let now = NOW;
        let sent: number[] = [];
        let short = 0;
        for (const pause of pauses) {
          now = later(now, pause);
          sent = sent.filter((at) => now - at < 86_400_000);
          const asked = { ...NOBODY, byAddress: sent.toReversed().map((at) => instant(at)) };
          const problem = codeProblem(asked, now);
          const isLastGood = now - (sent.at(-1) ?? 0) < CODE_RULES.validMs;
          expect(problem === undefined || isLastGood).toBe(true);
          if (problem !== undefined) continue;
          if (digitsOfNext(asked, now) === CODE_RULES.digits) short += 1;
          sent.push(now);
          const lastHour = sent.filter((at) => now - at < 60 * MINUTE_MS).length;
          expect(lastHour).toBeLessThanOrEqual(CODE_RULES.quickPerHour + 6);
          expect(now - NOW >= 86_400_000 || short <= CODE_RULES.quickPerDay).toBe(true);
        }
      }),
    );
  });

  it('ID-121 a few addresses that ask as fast as they may leave room for one that has asked for little', () => {
    for (const addresses of [10, 50, 200, 700]) {
      const asked = Array.from({ length: addresses }, () => 0);
      let total = 0;
      for (let round = 0; round < 20; round += 1) {
        for (const [index, own] of asked.entries()) {
          const counts = { byOriginLastHour: own, byStrangersLastHour: total, byEverybodyLastHour: total };
          if (codeProblem({ ...NOBODY, ...counts }, NOW) !== undefined) continue;
          asked[index] = own + 1;
          total += 1;
        }
      }
      const counts = { byStrangersLastHour: total, byEverybodyLastHour: total };
      expect(codeProblem({ ...NOBODY, ...counts }, NOW), `${addresses}`).toBeUndefined();
    }
  });

  it('ID-122 a code that is guessed at, or asked for all the time, is followed by one nobody guesses', () => {
    expect(digitsOfNext(NOBODY, NOW)).toBe(6);
    expect(digitsOfNext({ ...NOBODY, isGuessedAt: true }, NOW)).toBe(16);
    expect(digitsOfNext({ ...NOBODY, byAddress: Array(5).fill(later(NOW, -MINUTE_MS)) }, NOW)).toBe(16);
  });

  it('ID-122 strangers use up none of the tries of whoever asked, and fifty a day in all', () => {
    const code = { lane: 'known', digits: 6, tries: 0, strangerTries: 5 } as const;
    expect(countOfTry(code, 'stranger', 5)).toBeUndefined();
    expect(countOfTry(code, 'known', 50)).toBe('tries');
    expect(countOfTry({ ...code, tries: 5 }, 'known', 0)).toBeUndefined();
    expect(countOfTry({ ...code, strangerTries: 0 }, 'stranger', 49)).toBe('strangerTries');
    expect(countOfTry({ ...code, strangerTries: 0 }, 'stranger', 50)).toBeUndefined();
    const long = { ...code, lane: 'stranger', digits: 16, tries: 1_000_000 } as const;
    expect(countOfTry(long, 'stranger', 50)).toBe('tries');
  });
});
