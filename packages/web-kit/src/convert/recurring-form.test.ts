import { Decimal } from '@exchange/core/decimal.ts';
import { expect, it } from 'vitest';
import {
  initialRecurring,
  nextTimes,
  recurringPayload,
  recurringProblems,
  relativeDifference,
  withCoin,
  withoutCoin,
} from './recurring-form.ts';

const FORM = { ...initialRecurring('Europe/Berlin'), amount: '50' };

it('RCB-008 the form reports each problem at its field before anything is sent', () => {
  expect(recurringProblems(FORM, 2)).toEqual({});
  expect(recurringProblems({ ...FORM, amount: '' }, 2).amount?.key).toBe('l.amount_required');
  expect(recurringProblems({ ...FORM, amount: '0' }, 2).amount?.key).toBe('l.field_positive');
  expect(recurringProblems({ ...FORM, amount: '1.234' }, 2).amount?.parameters['field']).toBe('amount');
  expect(recurringProblems({ ...FORM, time: '' }, 2).time?.key).toBe('l.field_required');
  const coins = [
    { coin: 'BTC', share: '60' },
    { coin: 'ETH', share: '30.5' },
  ];
  expect(recurringProblems({ ...FORM, coins }, 2).coins?.key).toBe('l.recurring_shares');
  expect(recurringProblems({ ...FORM, currency: 'BTC' }, 2).coins?.key).toBe('l.recurring_coins');
});

it('RCB-008 sends the day of the chosen frequency only', () => {
  const daily = recurringPayload(FORM);
  expect(daily).toEqual({
    currency: 'USDT',
    amount: '50',
    coins: 'BTC:100',
    frequency: 'day',
    time: '09:00',
    timeZone: 'Europe/Berlin',
  });
  expect(recurringPayload({ ...FORM, frequency: 'week' })).toMatchObject({ weekday: '1' });
  expect(recurringPayload({ ...FORM, frequency: 'month' })).not.toHaveProperty('weekday');
});

it('RCB-008 shows the next times while they are chosen', () => {
  const now = Date.parse('2026-03-28T12:00:00Z');
  expect(nextTimes(FORM, now, 2).map((at) => new Date(at).toISOString())).toEqual([
    '2026-03-29T07:00:00.000Z',
    '2026-03-30T07:00:00.000Z',
  ]);
  expect(nextTimes({ ...FORM, time: '' }, now, 2)).toEqual([]);
});

it('RCB-008 splits the shares of a basket evenly when a coin is added or removed', () => {
  const two = withCoin(FORM.coins, 'ETH');
  expect(two.map(({ share }) => share)).toEqual(['50', '50']);
  const three = withCoin(two, 'LTC');
  expect(three.map(({ share }) => share)).toEqual(['34', '33', '33']);
  expect(withoutCoin(three, 'BTC').map(({ coin }) => coin)).toEqual(['ETH', 'LTC']);
  expect(withoutCoin(FORM.coins, 'BTC')).toBe(FORM.coins);
  const eight = Array.from({ length: 8 }, (_, index) => ({ coin: `C${index}`, share: '1' }));
  expect(withCoin(eight, 'ETH')).toBe(eight);
});

it('RCB-007 the difference to a single buy is a fraction of it', () => {
  expect(relativeDifference(Decimal.parse('0.004'), Decimal.parse('0.003'))).toBe('0.333333');
  expect(relativeDifference(Decimal.parse('1'), Decimal.zero)).toBeUndefined();
});
