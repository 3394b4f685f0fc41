import { instant, later } from '@exchange/core/time.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  budgetOf,
  CODE_RULES,
  codeDecision,
  countOfTry,
  digitsOfNext,
  type CodeRequestCounts,
} from './mailed-code.ts';

const NOW = instant(1_800_000_000_000);
const MINUTE_MS = 60_000;
const NOBODY: CodeRequestCounts = {
  budget: 'registration',
  byAddress: [],
  isGuessedAt: false,
  byOriginLastHour: 0,
  byNetworkLastHour: 0,
  workedByOriginLastHour: 0,
  workedByNetworkLastHour: 0,
  byOriginToAddressLastDay: 0,
  ofBudgetLastHour: 0,
};
const HARDEST = Math.max(...CODE_RULES.workSteps.map(({ bits }) => bits));

/**
 * The decision about a request for a code as text: `sent`, the required bits of proof of work, or the key of the
 * refusal.
 */
function decided(counts: CodeRequestCounts, workedBits?: number): string {
  const decision = codeDecision(counts, NOW, workedBits);
  if ('refused' in decision) return decision.refused.key;
  return 'work' in decision ? `${decision.work} bits` : 'sent';
}

interface Asker {
  free: number;
  worked: number;
}

/**
 * Simulates an hour in which each of `networks` networks requests as many codes as possible from `origins` IP
 * addresses; `solves` states whether they solve the challenges. Returns the number of codes that they used up
 * and the number of hashes that this took.
 */
function exhausted(networks: number, origins: number, solves: boolean): { used: number; digests: number } {
  let used = 0;
  let digests = 0;
  for (let at = 0; at < networks; at += 1) {
    const network: Asker = { free: 0, worked: 0 };
    for (let index = 0; index < origins; index += 1) {
      const origin: Asker = { free: 0, worked: 0 };
      for (;;) {
        const counts: CodeRequestCounts = {
          ...NOBODY,
          byOriginLastHour: origin.free,
          byNetworkLastHour: network.free,
          workedByOriginLastHour: origin.worked,
          workedByNetworkLastHour: network.worked,
          ofBudgetLastHour: used,
        };
        const decision = codeDecision(counts, NOW, undefined);
        if ('refused' in decision || ('work' in decision && !solves)) break;
        const kind = 'work' in decision ? 'worked' : 'free';
        if ('work' in decision) digests += 2 ** decision.work;
        origin[kind] += 1;
        network[kind] += 1;
        used += 1;
      }
    }
  }
  return { used, digests };
}

describe('requests for codes', () => {
  it('ID-024 the next code can be requested after exactly 60 s, and the remaining wait is rounded up', () => {
    const counts = { ...NOBODY, byAddress: [NOW] };
    expect(codeDecision(counts, later(NOW, 59_001), undefined)).toMatchObject({
      refused: { parameters: { seconds: '1' } },
    });
    expect(codeDecision(counts, later(NOW, 60_000), undefined)).toEqual({ send: true });
  });

  it('ID-025 ID-026 ID-920 every share ends exactly at its limit, with required work or a refusal', () => {
    const requestTimes = (count: number, agoMs: number) =>
      Array.from({ length: count }, () => later(NOW, -agoMs));
    const owner = { ...NOBODY, budget: 'owners' } as const;
    const cases = [
      [{ ...NOBODY, byAddress: requestTimes(4, 61_000) }, 'sent'],
      [{ ...NOBODY, byAddress: requestTimes(5, 61_000) }, 'l.code_wait'],
      [{ ...NOBODY, byAddress: requestTimes(5, 10 * MINUTE_MS) }, 'sent'],
      [{ ...NOBODY, byAddress: requestTimes(10, 60 * MINUTE_MS) }, 'sent'],
      [{ ...NOBODY, byOriginLastHour: 19 }, 'sent'],
      [{ ...NOBODY, byOriginLastHour: 20 }, '16 bits'],
      [{ ...NOBODY, byOriginLastHour: 20, workedByOriginLastHour: 19 }, '20 bits'],
      [{ ...NOBODY, byOriginLastHour: 20, workedByOriginLastHour: 20 }, 'l.code_budget'],
      [{ ...NOBODY, byNetworkLastHour: 49 }, 'sent'],
      [{ ...NOBODY, byNetworkLastHour: 50 }, '16 bits'],
      [{ ...NOBODY, byNetworkLastHour: 50, workedByNetworkLastHour: 13 }, '18 bits'],
      [{ ...NOBODY, byNetworkLastHour: 50, workedByNetworkLastHour: 25 }, 'l.code_budget'],
      [{ ...NOBODY, byOriginToAddressLastDay: 10 }, 'l.code_budget'],
      [{ ...NOBODY, ofBudgetLastHour: 299 }, 'sent'],
      [{ ...NOBODY, ofBudgetLastHour: 300 }, '17 bits'],
      [{ ...NOBODY, ofBudgetLastHour: 999 }, '20 bits'],
      [{ ...NOBODY, ofBudgetLastHour: 1_000 }, 'l.code_budget'],
      [{ ...owner, byOriginLastHour: 19 }, 'sent'],
      [{ ...owner, byOriginLastHour: 20 }, 'l.code_budget'],
      [{ ...owner, ofBudgetLastHour: 999 }, 'sent'],
      [{ ...owner, ofBudgetLastHour: 1_000 }, 'l.code_budget'],
    ] as const;
    for (const [counts, outcome] of cases) expect(decided(counts), JSON.stringify(counts)).toBe(outcome);
  });

  it('ID-920 a solution counts while it is at most one bit easier than required, and never beyond the budget', () => {
    const crowded = { ...NOBODY, ofBudgetLastHour: 700 };
    expect(decided(crowded)).toBe('19 bits');
    expect(decided(crowded, 17)).toBe('19 bits');
    for (const bits of [18, 19, 20]) expect(decided(crowded, bits)).toBe('sent');
    expect(decided({ ...NOBODY, ofBudgetLastHour: 1_000 }, HARDEST)).toBe('l.code_budget');
  });

  it('ID-921 registrations, sign-ins and resets of strangers, and owners have separate budgets', () => {
    expect(budgetOf('stranger', 'register')).toBe('registration');
    expect(budgetOf('stranger', 'login')).toBe('access');
    expect(budgetOf('stranger', 'reset')).toBe('access');
    expect(budgetOf('known', 'login')).toBe('owners');
    expect(budgetOf('own', 'withdraw')).toBe('owners');
    const { registration, access, owners } = CODE_RULES.budgets;
    expect(registration + access + owners).toBe(3_000);
  });

  it('ID-025 nobody waits longer than the last code is valid, whoever requests how often', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 30 * MINUTE_MS }), { maxLength: 120 }), (pauses) => {
        let now = NOW;
        let sentTimes: number[] = [];
        let shortCount = 0;
        for (const pause of pauses) {
          now = later(now, pause);
          sentTimes = sentTimes.filter((at) => now - at < 86_400_000);
          const counts = { ...NOBODY, byAddress: sentTimes.toReversed().map((at) => instant(at)) };
          const isSent = 'send' in codeDecision(counts, now, undefined);
          const isLastGood = now - (sentTimes.at(-1) ?? 0) < CODE_RULES.validMs;
          expect(isSent || isLastGood).toBe(true);
          if (!isSent) continue;
          if (digitsOfNext(counts, now) === CODE_RULES.digits) shortCount += 1;
          sentTimes.push(now);
          const lastHour = sentTimes.filter((at) => now - at < 60 * MINUTE_MS).length;
          expect(lastHour).toBeLessThanOrEqual(CODE_RULES.quickPerHour + 6);
          expect(now - NOW >= 86_400_000 || shortCount <= CODE_RULES.quickPerDay).toBe(true);
        }
      }),
    );
  });

  it('ID-121 the fastest callers leave room for one that has requested little', () => {
    for (const [networks, origins] of [
      [1, 1],
      [1, 200],
      [10, 1],
      [50, 1],
      [50, 20],
      [700, 1],
    ] as const) {
      const { used } = exhausted(networks, origins, false);
      const outcome = decided({ ...NOBODY, ofBudgetLastHour: used });
      expect(used, `${networks}`).toBeLessThanOrEqual(300);
      expect(['sent', '17 bits'], `${networks}`).toContain(outcome);
    }
  });

  it('ID-920 fifty networks that solve every challenge leave codes for newcomers, and one network gets few', () => {
    for (const origins of [1, 20]) {
      const { used, digests } = exhausted(50, origins, true);
      expect(used).toBeLessThan(850);
      expect(digests).toBeGreaterThan(20_000_000);
      expect(decided({ ...NOBODY, ofBudgetLastHour: used }, HARDEST)).toBe('sent');
    }
    expect(exhausted(1, 20, true).used).toBeLessThanOrEqual(75);
  });

  it('ID-122 a code that is guessed at or requested all the time is followed by an unguessable one', () => {
    expect(digitsOfNext(NOBODY, NOW)).toBe(6);
    expect(digitsOfNext({ ...NOBODY, isGuessedAt: true }, NOW)).toBe(16);
    expect(digitsOfNext({ ...NOBODY, byAddress: Array(5).fill(later(NOW, -MINUTE_MS)) }, NOW)).toBe(16);
  });

  it('ID-122 strangers use up none of the requester’s attempts, and have fifty a day in total', () => {
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
