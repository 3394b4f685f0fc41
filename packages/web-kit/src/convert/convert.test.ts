import { expect, it } from 'vitest';
import { amountProblem, estimateOf, inverseOf } from './convert.ts';

const parts = { rate: '0.00000999', feeRate: '0.001', digits: { from: 8, to: 8 } };

it('CONV-009 estimates the other amount as the house would work it out, and nothing from what is no amount', () => {
  expect(estimateOf({ side: 'from', amount: '1000' }, parts)).toBe('0.00998001');
  expect(estimateOf({ side: 'to', amount: '0.00998001' }, parts)).toBe('1000');
  for (const amount of ['', '0', '1e5', '-1', '.'])
    expect(estimateOf({ side: 'from', amount }, parts), amount).toBeUndefined();
  expect(estimateOf({ side: 'from', amount: '1' }, { ...parts, rate: undefined })).toBeUndefined();
});

it('CONV-009 tells the rate from either coin, and none from what is no rate', () => {
  expect(inverseOf('0.00001')).toBe('100000');
  expect(inverseOf('3')).toMatch(/^0\.3{8,18}$/);
  for (const rate of [undefined, '0', '']) expect(inverseOf(rate)).toBeUndefined();
});

it('CONV-009 names what is wrong with an amount at its field, and what there is where it is too much', () => {
  const asked = { from: 'USDT', to: 'BTC', side: 'from' as const };
  const moment = { digits: 8, paid: '11', available: '10' };
  expect(amountProblem({ ...asked, amount: '' }, moment)?.key).toBe('l.amount_required');
  expect(amountProblem({ ...asked, amount: '0' }, moment)?.key).toBe('l.field_positive');
  expect(amountProblem({ ...asked, amount: '1e5' }, moment)?.key).toBe('l.field_number');
  expect(amountProblem({ ...asked, amount: '1.123456789' }, moment)?.parameters['field']).toBe('fromAmount');
  expect(amountProblem({ ...asked, amount: '11' }, moment)).toMatchObject({
    key: 'l.insufficient_balance',
    parameters: { limit: '10', value: '11', unit: 'USDT' },
  });
  expect(amountProblem({ ...asked, amount: '10' }, { ...moment, paid: '10' })).toBeUndefined();
  expect(amountProblem({ ...asked, amount: '10' }, { ...moment, available: undefined })).toBeUndefined();
});
