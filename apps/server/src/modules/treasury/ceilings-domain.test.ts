import { Decimal } from '@exchange/core/decimal.ts';
import { describe, expect, it } from 'vitest';
import { ceilingOfRoles, ceilingsWith, type RoleCeiling } from './ceilings-domain.ts';

const set = (role: RoleCeiling['role'], most: string | undefined): RoleCeiling => ({
  role,
  version: 1,
  most: most === undefined ? undefined : Decimal.parse(most),
});

describe('ceilings of roles', () => {
  it('TRE-114 every role has its own ceiling, and a set one replaces the initial one', () => {
    const texts = (stored: readonly RoleCeiling[]) =>
      ceilingsWith(stored).map(
        ({ role, version, most }) => `${role} ${version} ${most?.toString() ?? 'none'}`,
      );
    expect(texts([])).toEqual(['finance 0 100000', 'approver 0 1000000', 'owner 0 none']);
    expect(texts([set('owner', '5000000'), set('finance', '0'), set('approver', undefined)])).toEqual([
      'finance 1 0',
      'approver 1 none',
      'owner 1 5000000',
    ]);
  });

  it('TRE-114 an operator with several roles has the highest of their ceilings, without any of them none at all', () => {
    const ceilings = ceilingsWith([set('finance', '250000.5')]);
    expect(ceilingOfRoles(['finance'], ceilings)?.toString()).toBe('250000.5');
    expect(ceilingOfRoles(['finance', 'approver'], ceilings)?.toString()).toBe('1000000');
    expect(ceilingOfRoles(['approver', 'owner'], ceilings)).toBeUndefined();
    expect(ceilingOfRoles(['owner'], ceilingsWith([set('owner', '7')]))?.toString()).toBe('7');
    expect(ceilingOfRoles(['support', 'product'], ceilings)?.toString()).toBe('0');
  });
});
