import { describe, expect, it } from 'vitest';
import { filledShare } from './filled-share.ts';

const order = { amount: '0.4', total: '', filledAmount: '0.1', filledTotal: '10' };

describe('the progress of an order', () => {
  it('DESK-122 is the filled part of what was ordered, by amount or by total, cut', () => {
    expect(filledShare(order)).toBe('0.25');
    expect(filledShare({ ...order, amount: '', total: '30' })).toBe('0.3333');
    expect(filledShare({ ...order, amount: '', total: '' })).toBe('0');
  });
});
