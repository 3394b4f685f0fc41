import { ACCOUNT_NAMES } from '@exchange/core/accounts.ts';
import { expect, it } from 'vitest';
import { addressesOf, ALL_SCREENS, PRODUCTS } from './screens.ts';

it('SPEC-001 visitors open the pages of the specification, the announcements, the times of withdrawals, the fees, the proof of liabilities, the replay, the desk, and the page that freezes an account from a mail', () => {
  const open = ALL_SCREENS.filter(([, { audience }]) => audience === 'everyone').map(([, { path }]) => path);
  expect(open.toSorted()).toEqual(
    [
      '/main',
      '/market',
      '/trade',
      '/trade/desk',
      '/scontract',
      '/finance/list',
      '/pool/list',
      '/replay',
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
    ].toSorted(),
  );
});

it('SPEC-001 no two screens have an address in common', () => {
  const addresses = ALL_SCREENS.flatMap(([, screen]) => addressesOf(screen));
  expect(new Set(addresses).size).toBe(addresses.length);
});

it('REPO-1141 every account of a product belongs to one product of the screens, and its holdings are on a screen', () => {
  const accounts = PRODUCTS.map(({ account }) => account);
  expect(accounts.toSorted()).toEqual(ACCOUNT_NAMES.filter((name) => name !== 'spot').toSorted());
  const paths: readonly string[] = ALL_SCREENS.map(([, { path }]) => path);
  expect(PRODUCTS.filter(({ holdings }) => !paths.includes(holdings))).toEqual([]);
});
