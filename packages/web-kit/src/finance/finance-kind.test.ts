import { expect, it } from 'vitest';
import { ordersCsv } from './use-csv.ts';
import { FINANCE_KIND, nextCredit, redeemableAmount } from './finance-kind.ts';
import { HOLDING } from './testing/samples.ts';

it('FIN-208 the next credit is one day of interest, and the last one includes the principal', () => {
  expect(nextCredit(HOLDING).toString()).toBe('0.5');
  expect(nextCredit({ ...HOLDING, nextPayTime: HOLDING.endTime }).toString()).toBe('2500.5');
  const atMaturity = { ...HOLDING, payMode: 1 as const, nextPayTime: HOLDING.endTime };
  expect(nextCredit(atMaturity).toString()).toBe('2515');
});

it('FIN-209 the redeemable amount is the principal plus unpaid interest', () => {
  expect(redeemableAmount(HOLDING).toString()).toBe('2509');
  expect(redeemableAmount({ ...HOLDING, paidProfit: '15' }).toString()).toBe('2500');
});

it('FIN-211 the CSV file has exact amounts and UTC times, and no formula', () => {
  const text = ordersCsv([{ ...HOLDING, name: '=1+1, "30"' }], FINANCE_KIND, (key) => key);
  const [head, row, end] = text.split('\r\n');
  expect(head?.split(',')).toHaveLength(13);
  expect(row).toBe(
    `o1,2026-11-10T23:59:59.999Z,"'=1+1, ""30""",USDT,2500,0.0002,30,payMode2,2026-11-11T00:00:00.000Z,2026-12-11T00:00:00.000Z,6,15,hosting`,
  );
  expect(end).toBe('');
});
