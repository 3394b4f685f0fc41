import { fieldsOf } from '@exchange/web-kit/spot/order-kinds.ts';
import { describe, expect, it } from 'vitest';
import { fieldForPrice } from './picked-price.ts';

describe('a price picked from the book', () => {
  it('DESK-101 fills the last used price input', () => {
    expect(fieldForPrice(fieldsOf('stopLimit', 'buy'), 'stopPrice')).toBe('stopPrice');
    expect(fieldForPrice(fieldsOf('oco', 'sell'), 'stopLimitPrice')).toBe('stopLimitPrice');
    expect(fieldForPrice(fieldsOf('market', 'buy'), 'takeProfit')).toBe('takeProfit');
    expect(fieldForPrice(fieldsOf('limit', 'sell'), 'stopLossLimit')).toBe('stopLossLimit');
    expect(fieldForPrice(fieldsOf('stopLimit', 'sell'), 'stopLoss')).toBe('price');
  });

  it('DESK-101 fills the limit price otherwise, or the trigger of a market order', () => {
    expect(fieldForPrice(fieldsOf('limit', 'buy'), 'stopPrice')).toBe('price');
    expect(fieldForPrice(fieldsOf('oco', 'buy'), undefined)).toBe('price');
    expect(fieldForPrice(fieldsOf('takeProfitMarket', 'sell'), 'price')).toBe('stopPrice');
    expect(fieldForPrice(fieldsOf('market', 'buy'), undefined)).toBeUndefined();
    expect(fieldForPrice(fieldsOf('trailing', 'buy'), 'price')).toBeUndefined();
  });
});
