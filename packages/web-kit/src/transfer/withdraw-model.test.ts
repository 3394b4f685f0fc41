import { expect, it } from 'vitest';
import {
  isValidDestination,
  bookEntryOf,
  withdrawContext,
  NOTHING_TYPED,
  withdrawProblems,
} from './withdraw-model.ts';

const KEPT = 'TXWDBkB9Aqx23TWujNGkTedEogxzD2MkEc';
const OTHER = 'TNPeeaaFB7K9cmo4uQpcU32zGK8G1NYqeL';
const NOW = 1_000_000_000_000;
const HOUR = 3_600_000;

const config = {
  min: '10',
  max: '100000',
  fee: '1',
  precision: 6,
  available: '500',
  price: '1',
  dayLimit: '50000',
  dayUsed: '0',
  monthLimit: '750000',
  monthUsed: '0',
  autoLimit: '1000',
  holdUntil: 0,
  memoNeeded: 0 as const,
  paused: 0 as const,
  whitelistOnly: 0 as const,
  channel: 'demo' as const,
  requestLimit: 20,
  requestsUsed: 0,
  nextRequestTime: 0,
};
const row = (activeTime: number) => ({
  id: '1',
  currency: 'USDT',
  network: 'TRC20',
  address: KEPT,
  activeTime,
  createTime: NOW - HOUR,
});
const at = (activeTime: number, whitelistOnly: 0 | 1 = 0) =>
  withdrawContext('USDT', 'TRC20', {
    config: { ...config, whitelistOnly },
    book: [row(activeTime)],
    now: NOW,
  });
const problemOf = (address: string, moment = at(NOW)) =>
  withdrawProblems({ ...NOTHING_TYPED, amount: '20', address }, moment).address?.key;

it('ADDR-006 validates an address like the server: format, waiting period and whitelist', () => {
  expect(problemOf('')).toBe('l.address_required');
  expect(problemOf(`${KEPT.slice(0, -1)}u`)).toBe('l.address_invalid');
  expect(problemOf(KEPT)).toBeUndefined();
  expect(problemOf(OTHER)).toBeUndefined();
  expect(problemOf(OTHER, at(NOW, 1))).toBe('l.address_unlisted');
  expect(problemOf(KEPT, at(NOW, 1))).toBeUndefined();
  const beforeEnd = withdrawProblems(
    { ...NOTHING_TYPED, amount: '20', address: KEPT },
    at(NOW + 5 * HOUR - 1),
  );
  expect(beforeEnd.address).toMatchObject({ key: 'l.address_waits', parameters: { hours: '5' } });
  expect(withdrawProblems({ ...NOTHING_TYPED, address: OTHER }, undefined)).toEqual({});
});

it('WEB-312 explains an invalid amount and requires a missing one', () => {
  const amountOf = (amount: string) =>
    withdrawProblems({ ...NOTHING_TYPED, amount, address: KEPT }, at(NOW)).amount?.key;
  expect(['', '1e5', 'abc', '-20', '20.1234567', '20'].map(amountOf)).toEqual([
    'l.amount_required',
    'l.field_number',
    'l.field_number',
    'l.field_positive',
    'l.field_decimals',
    undefined,
  ]);
});

it('ADDR-006 finds an address book entry by address and memo, and validates addresses independently', () => {
  const { terms, book } = at(NOW)!;
  expect(bookEntryOf({ address: KEPT, memo: '' }, book)?.id).toBe('1');
  expect(bookEntryOf({ address: KEPT, memo: '7' }, book)).toBeUndefined();
  expect(isValidDestination({ address: OTHER, memo: '' }, terms)).toBe(true);
  expect(isValidDestination({ address: OTHER.slice(1), memo: '' }, terms)).toBe(false);
  expect(isValidDestination({ address: '', memo: '' }, terms)).toBe(false);
});

it('ADDR-812 ADDR-813 refuses lossy destinations, accepts an X-address, and requires a tag or its waiver', () => {
  const xrp = withdrawContext('XRP', 'XRP', { config: { ...config, memoNeeded: 1 }, book: [], now: NOW });
  const typed = { ...NOTHING_TYPED, amount: '20', address: 'rGWrZyQqhTp9Xu7G5Pkayo7bXjH4k4QYpf' };
  expect(withdrawProblems(typed, xrp).memo?.key).toBe('l.memo_required');
  expect(withdrawProblems({ ...typed, withoutMemo: '1' }, xrp).memo).toBeUndefined();
  const tagged = { ...typed, address: 'XVLhHMPHU98es4dbozjVtdWzVrDjtV8AqEL4xcZj5whKbmc' };
  expect(withdrawProblems(tagged, xrp)).toEqual({});
  expect(withdrawProblems({ ...tagged, memo: '7' }, xrp).address?.key).toBe('l.address_invalid');
  expect(
    withdrawProblems({ ...typed, memo: '7', address: 'rrrrrrrrrrrrrrrrrrrrrhoLvTp' }, xrp).address?.key,
  ).toBe('l.address_burns');
  expect(problemOf('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t')).toBe('l.address_contract');
});
