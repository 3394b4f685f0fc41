import { Decimal } from '@exchange/core/decimal.ts';
import { DAY_MS, instant } from '@exchange/core/time.ts';
import { describe, expect, it } from 'vitest';
import { FINANCE_KIND } from './finance-kind.ts';
import { purchaseProblems, purchaseResult, shareOfAvailable, type PurchaseContext } from './purchase.ts';
import { NOW, PRODUCT } from './testing/samples.ts';

const moment = (available: string | undefined, product: Partial<typeof PRODUCT> = {}): PurchaseContext => ({
  product: { ...PRODUCT, ...product },
  available: available === undefined ? undefined : Decimal.parse(available),
  now: instant(NOW),
});
const amountOf = (amount: string, at: PurchaseContext) =>
  purchaseProblems({ amount, agree: true }, at).amount;

describe('a purchase', () => {
  it.each([
    ['', '500', 'l.amount_required', {}],
    ['abc', '500', 'l.field_number', {}],
    ['99.99999999', '500', 'l.amount_min', { limit: '100', value: '99.99999999', unit: 'USDT' }],
    ['100.000000001', '500', 'l.field_decimals', { limit: '8' }],
    ['1000.00000001', '5000', 'l.finance_user_max', { limit: '1000', value: '1000.00000001' }],
    ['500.00000001', '500', 'l.insufficient_balance', { limit: '500', value: '500.00000001' }],
  ])('FIN-202 refuses %j with %s available: %s', (amount, available, key, parameters) => {
    const problem = amountOf(amount, moment(available));
    expect(problem).toMatchObject({ key, parameters });
  });

  it('FIN-202 names the product limit when it is below the limit of the user', () => {
    const problem = amountOf('900', moment('5000', { remaining: '800' }));
    expect(problem).toMatchObject({
      key: 'l.finance_product_max',
      parameters: { limit: '800', value: '900' },
    });
  });

  it('FIN-202 does not check an unknown balance', () => {
    expect(amountOf('900', moment(undefined))).toBeUndefined();
    expect(amountOf('900', moment('0'))).toMatchObject({ key: 'l.insufficient_balance' });
  });

  it('FIN-204 requires the agreement', () => {
    expect(purchaseProblems({ amount: '100', agree: true }, moment('500'))).toEqual({});
    expect(purchaseProblems({ amount: '', agree: false }, moment('500'))).toMatchObject({
      amount: { key: 'l.amount_required' },
      agree: { key: 'l.agree_required' },
    });
  });

  it.each([
    [25, '333.33333333', '83.33333333'],
    [100, '333.33333333', '333.33333333'],
    [100, '99999', '1000'],
    [50, '99999', '1000'],
    [100, '0', '0'],
  ])('FIN-202 %d percent of %s is %s', (percent, available, amount) => {
    expect(shareOfAvailable(percent, moment(available))).toBe(amount);
  });

  it('FIN-202 is limited to the remaining supply, and undefined for unknown values', () => {
    expect(shareOfAvailable(100, moment('99999', { remaining: '12.5' }))).toBe('12.5');
    expect(shareOfAvailable(100, moment(undefined))).toBeUndefined();
  });

  it('FIN-203 shows income and dates of a product with daily payments', () => {
    const result = purchaseResult(
      { amount: '333.33333333', agree: false },
      moment('500'),
      FINANCE_KIND.schedule,
    );
    expect(result?.daily.toString()).toBe('0.06666666');
    expect(result?.total.toString()).toBe('1.9999998');
    expect(result?.back.toString()).toBe('335.33333313');
    expect(result?.startAt).toBe(Date.UTC(2026, 10, 24));
    expect(result?.endAt).toBe(Date.UTC(2026, 11, 24));
    expect(result?.payments.map(({ at }) => at)).toEqual(
      Array.from({ length: 30 }, (_, day) => Date.UTC(2026, 10, 25) + day * DAY_MS),
    );
  });

  it('FIN-203 has one payment when interest is paid at maturity, and no result without an amount', () => {
    const result = purchaseResult(
      { amount: '100', agree: false },
      moment('0', { payMode: 1 }),
      FINANCE_KIND.schedule,
    );
    expect(result?.payments).toHaveLength(1);
    expect(result?.payments[0]?.interest.toString()).toBe('0.6');
    for (const amount of ['', '0', 'abc', '1.123456789'])
      expect(
        purchaseResult({ amount, agree: false }, moment('500'), FINANCE_KIND.schedule),
        amount,
      ).toBeUndefined();
  });
});
