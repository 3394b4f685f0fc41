import { fieldsOf } from '@exchange/web-kit/spot/order-kinds.ts';
import { describe, expect, it } from 'vitest';
import { fieldTaking } from './taken-price.ts';

describe('a price picked from the book', () => {
  it('DESK-101 fills the last used price input', () => {
    expect(fieldTaking(fieldsOf('stopLimit', 'buy'), 'stopPrice')).toBe('stopPrice');
    expect(fieldTaking(fieldsOf('oco', 'sell'), 'stopLimitPrice')).toBe('stopLimitPrice');
    expect(fieldTaking(fieldsOf('market', 'buy'), 'takeProfit')).toBe('takeProfit');
    expect(fieldTaking(fieldsOf('limit', 'sell'), 'stopLossLimit')).toBe('stopLossLimit');
    expect(fieldTaking(fieldsOf('stopLimit', 'sell'), 'stopLoss')).toBe('price');
  });

  it('DESK-101 fills the limit price otherwise, or the trigger of a market order', () => {
    expect(fieldTaking(fieldsOf('limit', 'buy'), 'stopPrice')).toBe('price');
    expect(fieldTaking(fieldsOf('oco', 'buy'), undefined)).toBe('price');
    expect(fieldTaking(fieldsOf('takeProfitMarket', 'sell'), 'price')).toBe('stopPrice');
    expect(fieldTaking(fieldsOf('market', 'buy'), undefined)).toBeUndefined();
    expect(fieldTaking(fieldsOf('trailing', 'buy'), 'price')).toBeUndefined();
  });
});
