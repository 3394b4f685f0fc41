import { describe, expect, it } from 'vitest';
import { activityGrade, isNickname, securityGrade, securityPoints } from './account-status.ts';

describe('security and activity grades', () => {
  it('ID-014 SEC-020 security is two points for an authenticator and one each for the rest; every grade is reachable', () => {
    const noProtection = {
      hasTradePassword: false,
      verified: false,
      hasSecondFactor: false,
      usesWhitelist: false,
    };
    const all = { hasTradePassword: true, verified: true, hasSecondFactor: true, usesWhitelist: true };
    expect(securityPoints(noProtection)).toBe(1);
    expect(securityPoints({ ...noProtection, hasSecondFactor: true })).toBe(3);
    expect(securityPoints({ ...noProtection, usesWhitelist: true })).toBe(2);
    expect(securityPoints({ ...all, usesWhitelist: false })).toBe(5);
    expect(securityPoints(all)).toBe(6);
    expect([1, 2, 3, 4, 5, 6].map(securityGrade)).toEqual(['low', 'low', 'medium', 'medium', 'high', 'high']);
  });

  it('ID-015 activity counts days of the last 30: below 5 low, below 15 medium', () => {
    expect([0, 4, 5, 14, 15, 30].map(activityGrade)).toEqual([
      'low',
      'low',
      'medium',
      'medium',
      'high',
      'high',
    ]);
  });

  it('ID-011 a nickname has 8 to 25 characters and starts with a letter', () => {
    expect(['Abcdefg1', `a${'1'.repeat(24)}`].every(isNickname)).toBe(true);
    expect(['Abcdefg', `a${'1'.repeat(25)}`, '1bcdefgh', 'Abcdefg_', 'Äbcdefgh'].some(isNickname)).toBe(
      false,
    );
  });
});
