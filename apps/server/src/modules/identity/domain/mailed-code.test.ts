import { instant, later } from '@exchange/core/time.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  budgetOf,
  CODE_RULES,
  codeDecision,
  countOfTry,
  digitsOfNext,
  type AskedCodes,
} from './mailed-code.ts';

const NOW = instant(1_800_000_000_000);
const MINUTE_MS = 60_000;
const NOBODY: AskedCodes = {
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

/** The answer as one text: sent, the bits demanded, or the key of the refusal. */
function decided(asked: AskedCodes, workedBits?: number): string {
  const decision = codeDecision(asked, NOW, workedBits);
  if ('refused' in decision) return decision.refused.key;
  return 'work' in decision ? `${decision.work} bits` : 'sent';
}

interface Asker {
  free: number;
  worked: number;
}

/**
 * Codes that `networks` get in an hour, one after another, each as many as it can from `origins` addresses; `solves`
 * whether they do the work that is demanded. Gives the use of the budget and the digests that it took.
 */
function exhausted(networks: number, origins: number, solves: boolean): { used: number; digests: number } {
  let used = 0;
  let digests = 0;
  for (let at = 0; at < networks; at += 1) {
    const network: Asker = { free: 0, worked: 0 };
    for (let index = 0; index < origins; index += 1) {
      const origin: Asker = { free: 0, worked: 0 };
      for (;;) {
        const asked: AskedCodes = {
          ...NOBODY,
          byOriginLastHour: origin.free,
          byNetworkLastHour: network.free,
          workedByOriginLastHour: origin.worked,
          workedByNetworkLastHour: network.worked,
          ofBudgetLastHour: used,
        };
        const decision = codeDecision(asked, NOW, undefined);
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

describe('asking for codes', () => {
  it('ID-024 the next one may be asked for after exactly 60 s, and the wait is rounded up', () => {
    const asked = { ...NOBODY, byAddress: [NOW] };
    expect(codeDecision(asked, later(NOW, 59_001), undefined)).toMatchObject({
      refused: { parameters: { seconds: '1' } },
    });
    expect(codeDecision(asked, later(NOW, 60_000), undefined)).toEqual({ send: true });
  });

  it('ID-025 ID-026 ID-920 every share ends at its limit and not before, in work or in a refusal', () => {
    const old = (count: number, agoMs: number) => Array.from({ length: count }, () => later(NOW, -agoMs));
    const owner = { ...NOBODY, budget: 'owners' } as const;
    const cases = [
      [{ ...NOBODY, byAddress: old(4, 61_000) }, 'sent'],
      [{ ...NOBODY, byAddress: old(5, 61_000) }, 'l.code_wait'],
      [{ ...NOBODY, byAddress: old(5, 10 * MINUTE_MS) }, 'sent'],
      [{ ...NOBODY, byAddress: old(10, 60 * MINUTE_MS) }, 'sent'],
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
    for (const [asked, outcome] of cases) expect(decided(asked), JSON.stringify(asked)).toBe(outcome);
  });

  it('ID-920 work counts while it is at most one bit easier than what is demanded now, and never beyond the budget', () => {
    const crowded = { ...NOBODY, ofBudgetLastHour: 700 };
    expect(decided(crowded)).toBe('19 bits');
    expect(decided(crowded, 17)).toBe('19 bits');
    for (const bits of [18, 19, 20]) expect(decided(crowded, bits)).toBe('sent');
    expect(decided({ ...NOBODY, ofBudgetLastHour: 1_000 }, HARDEST)).toBe('l.code_budget');
  });

  it('ID-921 registrations, logins and resets of strangers, and owners have budgets of their own', () => {
    expect(budgetOf('stranger', 'register')).toBe('registration');
    expect(budgetOf('stranger', 'login')).toBe('access');
    expect(budgetOf('stranger', 'reset')).toBe('access');
    expect(budgetOf('known', 'login')).toBe('owners');
    expect(budgetOf('own', 'withdraw')).toBe('owners');
    const { registration, access, owners } = CODE_RULES.budgets;
    expect(registration + access + owners).toBe(3_000);
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
          const isSent = 'send' in codeDecision(asked, now, undefined);
          const isLastGood = now - (sent.at(-1) ?? 0) < CODE_RULES.validMs;
          expect(isSent || isLastGood).toBe(true);
          if (!isSent) continue;
          if (digitsOfNext(asked, now) === CODE_RULES.digits) short += 1;
          sent.push(now);
          const lastHour = sent.filter((at) => now - at < 60 * MINUTE_MS).length;
          expect(lastHour).toBeLessThanOrEqual(CODE_RULES.quickPerHour + 6);
          expect(now - NOW >= 86_400_000 || short <= CODE_RULES.quickPerDay).toBe(true);
        }
      }),
    );
  });

  it('ID-121 addresses and networks that ask as fast as they may leave room for one that has asked for little', () => {
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

  it('ID-920 fifty networks that do all the work leave codes for newcomers who work, and one network little', () => {
    for (const origins of [1, 20]) {
      const { used, digests } = exhausted(50, origins, true);
      expect(used).toBeLessThan(850);
      expect(digests).toBeGreaterThan(20_000_000);
      expect(decided({ ...NOBODY, ofBudgetLastHour: used }, HARDEST)).toBe('sent');
    }
    expect(exhausted(1, 20, true).used).toBeLessThanOrEqual(75);
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
