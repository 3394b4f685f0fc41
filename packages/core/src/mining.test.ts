import { describe, expect, it } from 'vitest';
import { byForm } from '../../../tools/test-form.ts';
import { Decimal, sum } from './decimal.ts';
import { creditedAt, daysToCredit, incomeSchedule, miningStatus } from './mining.ts';
import { SeededGenerator } from './seeded-generator.ts';
import { DAY_MS, HOUR_MS, instant, later, type Instant } from './time.ts';

const at = (text: string): Instant => instant(Date.parse(text));
const d = (text: string): Decimal => Decimal.parse(text);

describe('the cycle of a mining order', () => {
  const bought = at('2026-12-30T15:20:00Z');

  it('MIN-001 MIN-002 earns from 00:00 UTC of the next day; each day is credited at 00:10 UTC of the day after', () => {
    const schedule = incomeSchedule({ cycle: 3, dailyRate: d('0.0002') }, d('1000'), bought);
    expect(schedule).toMatchObject({
      startAt: at('2026-12-31T00:00:00Z'),
      endAt: at('2027-01-03T00:00:00Z'),
    });
    expect(schedule.payments.map((payment) => [payment.at, payment.interest.toString()])).toEqual([
      [at('2027-01-01T00:10:00Z'), '0.2'],
      [at('2027-01-02T00:10:00Z'), '0.2'],
      [at('2027-01-03T00:10:00Z'), '0.2'],
    ]);
    expect(schedule.total.toString()).toBe('0.6');
  });

  it('MIN-003 is redeemable from the end of its cycle until it is redeemed', () => {
    const endAt = at('2027-01-03T00:00:00Z');
    const status = (now: Instant, redeemedAt?: Instant) => miningStatus({ endAt, redeemedAt }, now);
    expect(status(later(endAt, -1))).toBe('earning');
    expect(status(endAt)).toBe('redeemable');
    expect(status(later(endAt, 4_000 * DAY_MS))).toBe('redeemable');
    expect(status(later(endAt, 2), later(endAt, 1))).toBe('redeemed');
  });
});

describe('orders compared with a naive reference', () => {
  it('MIN-001 MIN-002 every day is credited once at 00:10 UTC, across leap days and ends of years', () => {
    const differing: string[] = [];
    const random = new SeededGenerator(20_281);
    const below = (bound: number) => Math.floor(random.next() * bound);
    for (let round = 0; round < byForm(2_000, 10_000); round += 1) {
      const boughtAt = instant(Date.UTC(2023, 0, 1) + below(12 * 366) * DAY_MS + below(24 * HOUR_MS));
      const cycle = 1 + below(366);
      const amount = BigInt(1 + below(2 ** 31)) * 10n ** BigInt(below(12));
      const rate = BigInt(below(1_000));
      const terms = { cycle, dailyRate: Decimal.ofScaled(rate, 7) };
      const schedule = incomeSchedule(terms, Decimal.ofScaled(amount, 8), boughtAt);
      const now = instant(boughtAt + below((cycle + 12) * 24 * 60) * 60_000);
      // Reference implementation: steps through calendar days from the midnight after the purchase. The income of each
      // day is credited ten minutes after the day's end.
      const midnight = new Date(boughtAt);
      midnight.setUTCHours(24, 0, 0, 0);
      const credits: number[] = [];
      for (let day = 0; day < cycle; day += 1) {
        midnight.setUTCDate(midnight.getUTCDate() + 1);
        credits.push(midnight.getTime() + 600_000);
      }
      const total = ((amount * rate) / 10_000_000n) * BigInt(cycle);
      const expected = [
        credits.join(),
        midnight.getTime(),
        total,
        credits.filter((when) => when <= now).length,
      ];
      const paid = sum(schedule.payments.map(({ interest }) => interest));
      const actual = [
        schedule.payments.map((payment) => payment.at).join(),
        schedule.endAt,
        paid.atoms / 10n ** 10n,
        daysToCredit(schedule.startAt, cycle, now),
      ];
      if (actual.join() !== expected.join() || paid.compare(schedule.total) !== 0)
        differing.push(`round ${round}`);
      if (creditedAt(schedule.startAt, cycle) !== credits.at(-1)) differing.push(`end of round ${round}`);
    }
    expect(differing).toEqual([]);
  });
});
