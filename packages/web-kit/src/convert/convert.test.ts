import { expect, it } from 'vitest';
import { amountProblem, estimateOf, inverseOf } from './convert.ts';

const parts = { rate: '0.00000999', feeRate: '0.001', digits: { from: 8, to: 8 } };

it('CONV-009 estimates the other amount like the exchange, and nothing for invalid input', () => {
  expect(estimateOf({ side: 'from', amount: '1000' }, parts)).toBe('0.00998001');
  expect(estimateOf({ side: 'to', amount: '0.00998001' }, parts)).toBe('1000');
  for (const amount of ['', '0', '1e5', '-1', '.'])
    expect(estimateOf({ side: 'from', amount }, parts), amount).toBeUndefined();
  expect(estimateOf({ side: 'from', amount: '1' }, { ...parts, rate: undefined })).toBeUndefined();
});

it('CONV-009 computes the rate in both directions, and none for an invalid rate', () => {
  expect(inverseOf('0.00001')).toBe('100000');
  expect(inverseOf('3')).toMatch(/^0\.3{8,18}$/);
  for (const rate of [undefined, '0', '']) expect(inverseOf(rate)).toBeUndefined();
});

it('CONV-009 reports an invalid amount at its field, with the available amount when it is too high', () => {
  const request = { from: 'USDT', to: 'BTC', side: 'from' as const };
  const moment = { digits: 8, paid: '11', available: '10' };
  expect(amountProblem({ ...request, amount: '' }, moment)?.key).toBe('l.amount_required');
  expect(amountProblem({ ...request, amount: '0' }, moment)?.key).toBe('l.field_positive');
  expect(amountProblem({ ...request, amount: '1e5' }, moment)?.key).toBe('l.field_number');
  expect(amountProblem({ ...request, amount: '1.123456789' }, moment)?.parameters['field']).toBe(
    'fromAmount',
  );
  expect(amountProblem({ ...request, amount: '11' }, moment)).toMatchObject({
    key: 'l.insufficient_balance',
    parameters: { limit: '10', value: '11', unit: 'USDT' },
  });
  expect(amountProblem({ ...request, amount: '10' }, { ...moment, paid: '10' })).toBeUndefined();
  expect(amountProblem({ ...request, amount: '10' }, { ...moment, available: undefined })).toBeUndefined();
});
