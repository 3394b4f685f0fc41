import { expect, it } from 'vitest';
import { BALANCES_VISIBLE_KEY, SESSION_KEYS } from './browser.ts';

it('SPEC-001 devices keep the session under the names that they have always used', () => {
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
