import { Decimal, sum } from '@exchange/core/decimal.ts';
import { describe, expect, it } from 'vitest';
import { valueRecord, valueTotals } from './live-record.ts';
import type { FundRecord } from './queries.ts';

const HOLDING = {
  fundId: 'a',
  status: 1,
  leverage: 3,
  quantity: '3',
  buyPrice: '100',
  margin: '100',
  cost: '0.26',
  mmr: '0.01',
  profit: '0',
} as FundRecord;

const TOTALS = {
  margin: '0',
  equity: '0',
  profit: '0',
  held: [
    { fundId: 'a', rate: '1', margin: '150', quantity: '3.5', cost: '350', costs: '0.36', lost: '0' },
    { fundId: 'b', rate: '0.5', margin: '40', quantity: '1', cost: '20', costs: '0', lost: '20' },
  ],
};

describe('fund holdings', () => {
  it('WEB-950 equity is margin plus profit on each card and in the totals, at the same unit values', () => {
    const small = { ...HOLDING, quantity: '0.5', margin: '50', cost: '0.1' };
    const cards = [HOLDING, small].map((record) => valueRecord(record, '110'));
    expect(cards.map(({ profit, equity }) => [profit, equity])).toEqual([
      ['29.74', '129.74'],
      ['4.9', '54.9'],
    ]);
    const header = valueTotals({ ...TOTALS, held: TOTALS.held.slice(0, 1) }, new Map([['a', '110']]));
    expect(header.profit).toBe(sum(cards.map(({ profit }) => Decimal.parse(profit))).toString());
    expect(header).toEqual({ margin: '150', profit: '34.64', equity: '184.64' });
  });

  it('WEB-950 the loss is limited to the margin, and a lost holding has no equity', () => {
    expect(valueRecord(HOLDING, '50')).toMatchObject({ profit: '-100', equity: '0' });
    const values = new Map([
      ['a', '100'],
      ['b', '30'],
    ]);
    // The coin of fund b is worth 0.5 USDT. In this fund, the units have gained 10 coins, and positions whose loss is
    // limited to their margin have lost 20 coins.
    expect(valueTotals(TOTALS, values)).toEqual({ margin: '170', profit: '-5.36', equity: '164.64' });
    expect(valueTotals(TOTALS, new Map([['a', '100']]))).toBe(TOTALS);
  });

  it('WEB-950 a closed holding keeps its result, and a pending one is worth its margin', () => {
    const over = { ...HOLDING, status: 2, payout: '130', profit: '30', marketPrice: '110' } as FundRecord;
    expect(valueRecord(over, '110')).toMatchObject({ profit: '30', equity: undefined, profitShare: '0.3' });
    const waiting = { ...HOLDING, status: 0, buyPrice: undefined, quantity: '0', cost: '0' } as FundRecord;
    expect(valueRecord(waiting, '110')).toMatchObject({ profit: '0', equity: '100' });
  });
});
