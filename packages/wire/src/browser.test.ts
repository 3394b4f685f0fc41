import { expect, it } from 'vitest';
import { BALANCES_VISIBLE_KEY, SESSION_KEYS } from './browser.ts';

it('SPEC-001 the keys of the session in local storage do not change', () => {
  expect(Object.values(SESSION_KEYS).toSorted()).toEqual([
    'User-Email',
    'User-Id',
    'User-Lang',
    'User-Login',
    'User-Purchase',
    'User-Token',
  ]);
  expect(BALANCES_VISIBLE_KEY).toBe('canSeeAsserts');
});
