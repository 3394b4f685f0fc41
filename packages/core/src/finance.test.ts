import { describe, expect, it } from 'vitest';
import { Decimal, sum } from './decimal.ts';
import {
  dailyInterest,
  daysEarned,
  daysLeft,
  interestOf,
  mostBuyable,
  purchaseProblem,
  saleStatus,
  scheduleOf,
  yearlyRate,
  type FinanceTerms,
  type ProductOnSale,
} from './finance.ts';
import { SeededGenerator } from './seeded-generator.ts';
import { DAY_MS, HOUR_MS, instant, later, type Instant } from './time.ts';

const d = (text: string): Decimal => Decimal.parse(text);
const at = (text: string): Instant => instant(Date.parse(text));
const USDT: FinanceTerms = { period: 30, dailyRate: d('0.0002'), payMode: 'maturity' };

describe('the term of an order', () => {
  it('FIN-001 earns from 00:00 UTC of the next day for whole days, and matures after the period', () => {
    const { startAt, endAt } = scheduleOf(USDT, d('1000'), at('2028-02-20T00:00:00Z'));
    expect([startAt, endAt]).toEqual([at('2028-02-21T00:00:00Z'), at('2028-03-22T00:00:00Z')]);
    const late = scheduleOf(USDT, d('1000'), at('2028-02-20T23:59:59.999Z'));
    expect([late.startAt, late.endAt]).toEqual([startAt, endAt]);
    expect(daysEarned(startAt, 30, later(startAt, DAY_MS - 1))).toBe(0);
    expect(daysEarned(startAt, 30, later(startAt, DAY_MS))).toBe(1);
    expect(daysEarned(startAt, 30, later(endAt, 400 * DAY_MS))).toBe(30);
    expect(daysLeft(endAt, later(endAt, -1))).toBe(1);
    expect(daysLeft(endAt, endAt)).toBe(0);
  });

  it('FIN-002 daily interest is simple and rounded down to 8 decimals, which can be zero for tiny amounts', () => {
    expect(dailyInterest(d('1000'), d('0.0002')).toString()).toBe('0.2');
    expect(dailyInterest(d('333.33333333'), d('0.00013')).toString()).toBe('0.04333333');
    expect(dailyInterest(d('0.00001'), d('0.0001')).toString()).toBe('0');
    expect(interestOf(d('333.33333333'), d('0.00013'), 90).toString()).toBe('3.8999997');
    expect(yearlyRate(d('0.0002')).toString()).toBe('0.073');
  });

  it('FIN-003 pays at maturity, or daily for the previous day with the principal in the last payment', () => {
    const bought = at('2026-12-30T12:00:00Z');
    const atMaturity = scheduleOf({ ...USDT, period: 3 }, d('1000'), bought);
    expect(atMaturity.payments).toEqual([
      { at: at('2027-01-03T00:00:00Z'), interest: d('0.6'), principal: d('1000') },
    ]);
    const daily = scheduleOf({ ...USDT, period: 3, payMode: 'daily' }, d('1000'), bought);
    expect(
      daily.payments.map(({ at: when, interest, principal }) => [when, `${interest} ${principal}`]),
    ).toEqual([
      [at('2027-01-01T00:00:00Z'), '0.2 0'],
      [at('2027-01-02T00:00:00Z'), '0.2 0'],
      [at('2027-01-03T00:00:00Z'), '0.2 1000'],
    ]);
  });
});

describe('10,000 orders compared with a naive reference', () => {
  it('FIN-001 FIN-002 FIN-003 every day earns interest once, across leap days and ends of years', () => {
    const differing: string[] = [];
    const random = new SeededGenerator(20_271);
    const below = (bound: number) => Math.floor(random.next() * bound);
    for (let round = 0; round < 10_000; round += 1) {
      // The purchases are at random times within 12 years, which include several leap days.
      const bought = instant(Date.UTC(2023, 0, 1) + below(12 * 366) * DAY_MS + below(24 * HOUR_MS));
      const period = 1 + below(366);
      const principal = BigInt(1 + below(2 ** 31)) * 10n ** BigInt(below(12));
      const rate = BigInt(below(1_000));
      const payMode = below(2) === 0 ? 'daily' : 'maturity';
      const terms: FinanceTerms = { period, dailyRate: Decimal.ofScaled(rate, 7), payMode };
      const schedule = scheduleOf(terms, Decimal.ofScaled(principal, 8), bought);
      const now = instant(bought + below((period + 12) * 24) * HOUR_MS);
      // Reference implementation: steps through calendar days from the midnight after the purchase and adds the rounded
      // daily interest.
      const midnight = new Date(bought);
      midnight.setUTCHours(24, 0, 0, 0);
      let earned = 0n;
      let earnedByNow = 0;
      for (let day = 0; day < period; day += 1) {
        midnight.setUTCDate(midnight.getUTCDate() + 1);
        earned += (principal * rate) / 10_000_000n;
        if (midnight.getTime() <= now) earnedByNow += 1;
      }
      const { payments } = schedule;
      const actual = [
        schedule.endAt,
        payments.at(-1)!.at,
        schedule.total.atoms,
        sum(payments.map(({ interest }) => interest)).atoms,
        payments.length,
        daysEarned(schedule.startAt, period, now),
      ];
      const total = Decimal.ofScaled(earned, 8).atoms;
      const ends = midnight.getTime();
      const expected = [ends, ends, total, total, payMode === 'daily' ? period : 1, earnedByNow];
      if (actual.join() !== expected.join())
        differing.push(`round ${round}: ${actual.join()} for ${expected.join()}`);
    }
    expect(differing).toEqual([]);
  });
});

describe('a purchase', () => {
  const now = at('2027-05-01T10:00:00Z');
  const product: ProductOnSale = {
    asset: 'USDT',
    digits: 8,
    startAmount: d('100'),
    remaining: d('5000'),
    opensAt: at('2027-05-01T00:00:00Z'),
    closesAt: undefined,
    isCovered: true,
  };
  const may = { userRemaining: d('2000'), available: d('1500') };
  const problem = (amount: string, changes: Partial<ProductOnSale> = {}, funds = may) =>
    purchaseProblem({ ...product, ...changes }, d(amount), funds, now);

  it.each([
    ['99.99', 'l.amount_min', { limit: '100', value: '99.99' }],
    ['100.000000001', 'l.amount_decimals', { limit: '8' }],
    ['2000.1', 'l.finance_user_max', { limit: '2000', value: '2000.1' }],
    ['1500.1', 'l.insufficient_balance', { limit: '1500', value: '1500.1' }],
  ])('FIN-004 of %s is refused with limit and submitted value: %s', (amount, key, data) => {
    expect(problem(amount)).toMatchObject({ key, parameters: { ...data, unit: 'USDT' } });
  });

  it('FIN-004 of more than the remaining amount is refused, of a possible amount accepted', () => {
    expect(problem('900', { remaining: d('800') })).toMatchObject({
      key: 'l.finance_product_max',
      parameters: { limit: '800', value: '900' },
    });
    expect(problem('100')).toBeUndefined();
    expect(problem('1500')).toBeUndefined();
    expect(mostBuyable({ ...may, remaining: d('800') }).toString()).toBe('800');
  });

  it.each([
    ['soon', 'l.finance_soon', { opensAt: later(now, 1) }],
    ['ended', 'l.finance_ended', { closesAt: now }],
    ['soldOut', 'l.finance_sold_out', { remaining: d('99') }],
    ['onSale', 'l.finance_not_selling', { isCovered: false }],
  ])('FIN-005 of a product with status %s is refused: %s', (status, key, changes) => {
    expect(saleStatus({ ...product, ...changes }, now)).toBe(status);
    expect(problem('100', changes)).toMatchObject({ kind: 'closed', key });
  });
});
