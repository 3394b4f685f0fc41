import { describe, expect, it } from 'vitest';
import { Decimal } from './decimal.ts';
import {
  isTimeZone,
  partsOf,
  recurringAmountProblem,
  recurringCoinsProblem,
  recurringResult,
  RecurringTimes,
  type RecurringSchedule,
} from './recurring.ts';
import { instant } from './time.ts';

const d = (text: string): Decimal => Decimal.parse(text);
const at = (text: string) => instant(Date.parse(text));

function scheduleOf(
  timeZone: string,
  time: string,
  days: Partial<RecurringSchedule> = {},
): RecurringSchedule {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return {
    frequency: days.frequency ?? 'day',
    weekday: days.weekday,
    monthDay: days.monthDay,
    minute: hour * 60 + minute,
    timeZone,
  };
}

/** Returns the first `count` times of a schedule after the time `after`, as text in UTC. */
function timesAfter(schedule: RecurringSchedule, after: string, count: number): string[] {
  const times = new RecurringTimes(schedule);
  const found: string[] = [];
  let last = at(after);
  for (let index = 0; index < count; index += 1) {
    last = times.next(last);
    found.push(new Date(last).toISOString().slice(0, 16));
  }
  return found;
}

describe('times of recurring buys', () => {
  it('RCB-002 keep the time on the owner’s clock when clocks are put forward and back', () => {
    const berlin = scheduleOf('Europe/Berlin', '09:00');
    expect(timesAfter(berlin, '2026-03-28T08:00:00Z', 2)).toEqual(['2026-03-29T07:00', '2026-03-30T07:00']);
    expect(timesAfter(berlin, '2026-10-24T07:00:00Z', 2)).toEqual(['2026-10-25T08:00', '2026-10-26T08:00']);
  });

  it('RCB-002 a time that clocks skip is later by the skipped duration, and of a time that occurs twice only the first is used', () => {
    const spring = scheduleOf('America/New_York', '02:30');
    expect(timesAfter(spring, '2026-03-07T12:00:00Z', 2)).toEqual(['2026-03-08T07:30', '2026-03-09T06:30']);
    const autumn = scheduleOf('America/New_York', '01:30');
    expect(timesAfter(autumn, '2026-10-31T12:00:00Z', 2)).toEqual(['2026-11-01T05:30', '2026-11-02T06:30']);
    // On Lord Howe Island clocks change by half an hour. In Cairo clocks are put forward at midnight, so that they
    // skip it.
    const island = scheduleOf('Australia/Lord_Howe', '02:15');
    expect(timesAfter(island, '2026-10-03T00:00:00Z', 2)).toEqual(['2026-10-03T15:45', '2026-10-04T15:15']);
    const cairo = scheduleOf('Africa/Cairo', '00:00');
    expect(timesAfter(cairo, '2026-04-23T00:00:00Z', 2)).toEqual(['2026-04-23T22:00', '2026-04-24T21:00']);
  });

  it('RCB-002 in a month without the selected day a monthly plan buys on the last day', () => {
    const last = scheduleOf('Asia/Tokyo', '00:00', { frequency: 'month', monthDay: 31 });
    expect(timesAfter(last, '2027-12-31T00:00:00Z', 5)).toEqual([
      '2028-01-30T15:00',
      '2028-02-28T15:00',
      '2028-03-30T15:00',
      '2028-04-29T15:00',
      '2028-05-30T15:00',
    ]);
  });

  it('RCB-002 a weekly plan buys on the selected weekday of the owner’s local time', () => {
    const monday = scheduleOf('Asia/Shanghai', '07:00', { frequency: 'week', weekday: 1 });
    // Monday, 2026-11-30, 07:00 in Shanghai is Sunday, 23:00 in UTC.
    expect(timesAfter(monday, '2026-11-27T00:00:00Z', 2)).toEqual(['2026-11-29T23:00', '2026-12-06T23:00']);
  });

  it('RCB-005 of several due times only the latest counts, and the others are missed', () => {
    const times = new RecurringTimes(scheduleOf('UTC', '09:00'));
    const first = at('2026-11-20T09:00:00Z');
    expect(times.due(first, first)).toEqual({ at: first, missed: 0, next: at('2026-11-21T09:00:00Z') });
    expect(times.due(first, at('2026-11-23T10:00:00Z'))).toEqual({
      at: at('2026-11-23T09:00:00Z'),
      missed: 3,
      next: at('2026-11-24T09:00:00Z'),
    });
  });

  it('RCB-002 knows time zones by name', () => {
    expect(['Asia/Seoul', 'UTC'].map(isTimeZone)).toEqual([true, true]);
    expect(['Mars/Base', ''].map(isTimeZone)).toEqual([false, false]);
  });
});

describe('amounts of recurring buys', () => {
  it('RCB-001 shares add up to 100, and each coin is another one than the paid', () => {
    const coins = [
      { asset: 'BTC', share: 60 },
      { asset: 'ETH', share: 40 },
    ];
    expect(recurringCoinsProblem('USDT', coins)).toBeUndefined();
    expect(recurringCoinsProblem('ETH', coins)?.key).toBe('l.recurring_coins');
    expect(recurringCoinsProblem('USDT', [...coins, coins[0]!])?.key).toBe('l.recurring_coins');
    expect(recurringCoinsProblem('USDT', [])).toMatchObject({ parameters: { limit: '100', value: '0' } });
    expect(recurringCoinsProblem('USDT', coins.slice(1))?.key).toBe('l.recurring_shares');
    const zero = [
      { asset: 'BTC', share: 100 },
      { asset: 'ETH', share: 0 },
    ];
    expect(recurringCoinsProblem('USDT', zero)?.key).toBe('l.recurring_shares');
    const many = Array.from({ length: 9 }, (_, index) => ({ asset: `C${index}`, share: 10 }));
    expect(recurringCoinsProblem('USDT', many)).toMatchObject({ parameters: { limit: '8', value: '9' } });
  });

  it('RCB-001 the parts of an amount add up to it', () => {
    const coins = [33, 33, 34].map((share, index) => ({ asset: `C${index}`, share }));
    expect(partsOf(d('10.01'), coins, 2).map(String)).toEqual(['3.31', '3.3', '3.4']);
    expect(partsOf(d('0.01'), coins, 2).map(String)).toEqual(['0.01', '0', '0']);
  });

  it('RCB-001 a refused amount names the limit of the whole amount', () => {
    const from = { asset: 'USDT', digits: 2, index: d('1') };
    const sides = [
      { share: 90, side: { asset: 'BTC', digits: 8, index: d('100000') } },
      { share: 10, side: { asset: 'ETH', digits: 8, index: d('3000') } },
    ];
    expect(recurringAmountProblem(d('10'), from, sides)).toBeUndefined();
    expect(recurringAmountProblem(d('9'), from, sides)).toMatchObject({
      key: 'l.amount_min',
      parameters: { field: 'amount', limit: '10', value: '9', unit: 'USDT' },
    });
    expect(recurringAmountProblem(d('60000'), from, sides)).toMatchObject({
      key: 'l.amount_max',
      parameters: { limit: '55555.55' },
    });
  });

  it('RCB-007 compares the average price with a single buy at the first price', () => {
    const totals = { paid: d('300'), received: d('0.004'), firstPaid: d('100'), firstReceived: d('0.001') };
    expect(recurringResult(totals)).toEqual({
      averagePrice: d('75000'),
      firstPrice: d('100000'),
      singleReceived: d('0.003'),
    });
    const none = { paid: d('0'), received: d('0'), firstPaid: d('0'), firstReceived: d('0') };
    expect(recurringResult(none)).toBeUndefined();
  });
});
