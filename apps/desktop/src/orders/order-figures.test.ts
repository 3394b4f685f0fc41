import { ORDER_STATUS } from '@exchange/wire/spot.ts';
import { describe, expect, it } from 'vitest';
import { distanceOf, filledShare } from './order-figures.ts';

describe('the distance to a trigger', () => {
  it('DESK-121 is the signed distance from the last price', () => {
    expect(distanceOf('100', '95')).toBe('-0.05');
    expect(distanceOf('100', '102.5')).toBe('0.025');
    expect(distanceOf(undefined, '95')).toBeUndefined();
    expect(distanceOf('100', '')).toBeUndefined();
    expect(distanceOf('0', '95')).toBeUndefined();
  });
});

const order = {
  amount: '0.4',
  total: '',
  filledAmount: '0.1',
  filledTotal: '10',
  status: ORDER_STATUS.partlyFilled,
};

describe('the progress of an order', () => {
  it('DESK-122 is the filled fraction by amount or by total, truncated', () => {
    expect(filledShare(order)).toBe('0.25');
    expect(filledShare({ ...order, amount: '', total: '30' })).toBe('0.3333');
    expect(filledShare({ ...order, amount: '', total: '' })).toBe('0');
    const done = { ...order, amount: '', total: '10.1', status: ORDER_STATUS.filled };
    expect(filledShare(done)).toBe('1');
  });
});
