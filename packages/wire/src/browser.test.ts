import { expect, it } from 'vitest';
import { BALANCES_VISIBLE_KEY, SESSION_KEYS, VISITOR_PATHS } from './browser.ts';

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

it('SPEC-001 visitors open the pages of the specification, the announcements, the times of withdrawals, the fees, the proof of liabilities, and the page that freezes an account from a mail', () => {
  expect(VISITOR_PATHS).toEqual([
    '/main',
    '/home',
    '/market',
    '/trade',
    '/scontract',
    '/finance/list',
    '/pool/list',
    '/fund/list',
    '/fund/detail',
    '/subscribe/list',
    '/subscribe/detail',
    '/subscribe/preview',
    '/about/announcements',

    '/about/withdrawals',
    '/about/fees',
    '/about/proofs',
    '/about/us',
    '/about/connect',
    '/about/protocol',
    '/about/legal',
    '/login/login',
    '/login/register',
    '/login/forget',
    '/setting/freeze',
  ]);
});
