import { Decimal } from '@exchange/core/decimal.ts';
import { describe, expect, it } from 'vitest';
import { positionOf, resultAt } from './order-results.ts';
import { order, PAIR } from './testing/fixtures.ts';

const d = (text: string) => Decimal.parse(text);
/** Two coins that cost 80 each; the pair asks for 0.1 % of makers and 0.2 % of takers. */
const OWN = { pair: PAIR, cost: { amount: d('2'), cost: d('160'), realized: d('5') } };
const textAt = (...given: Parameters<typeof resultAt>) => resultAt(...given)?.toString();

describe('what an order would earn', () => {
  it('WEB-997 a sale earns what it brings after the fee, less the average cost of the coins', () => {
    const sell = order('s', { tradeType: 2, price: '100', amount: '1.5', filledAmount: '0.5' });
    // 100 − 0.1 − 80, of what is open.
    expect(textAt(sell, { field: 'price', price: '100' }, OWN)).toBe('19.9');
    expect(textAt(sell, { field: 'price', price: '70' }, OWN)).toBe('-10.07');
  });

  it('WEB-997 a stop that sells at market pays the taker’s fee at its trigger, one with a limit sells at the limit', () => {
    const stop = { tradeType: 2, stopStatus: 'waiting', stopPrice: '90', amount: '1' } as const;
    const atMarket = order('m', { ...stop, orderType: 'stopMarket', price: '' });
    expect(textAt(atMarket, { field: 'stopPrice', price: '90' }, OWN)).toBe('9.82');
    const limited = order('l', { ...stop, orderType: 'stopLimit', price: '85' });
    expect(textAt(limited, { field: 'stopPrice', price: '70' }, OWN)).toBe('4.83');
  });

  it('WEB-997 coins without a cost earn nothing: only those that were bought count', () => {
    const more = order('s', { tradeType: 2, price: '100', amount: '4' });
    expect(textAt(more, { field: 'price', price: '100' }, OWN)).toBe('39.8');
    expect(textAt(more, { field: 'price', price: '100' }, { ...OWN, cost: undefined })).toBeUndefined();
    const inBtc = { ...OWN, pair: { ...PAIR, quote: 'BTC' } };
    expect(textAt(more, { field: 'price', price: '100' }, inBtc)).toBeUndefined();
  });

  it('WEB-997 an exit of a buy is measured by that buy, and a buy itself earns nothing', () => {
    const buy = order('b', { price: '100', amount: '1', takeProfitPrice: '110', stopLossPrice: '90' });
    // 0.999 coins are sold again: at the maker’s rate where the profit is taken, at the taker’s where a loss ends.
    expect(textAt(buy, { field: 'takeProfitPrice', price: '110' }, OWN)).toBe('9.78011');
    expect(textAt(buy, { field: 'stopLossPrice', price: '90' }, OWN)).toBe('-10.26982');
    expect(textAt(buy, { field: 'price', price: '100' }, OWN)).toBeUndefined();
  });
});

describe('a position', () => {
  it('WEB-997 is as many of the bought coins as are there, at their average cost, and what they earn by now', () => {
    const position = positionOf(OWN, d('1.5'), d('100'));
    expect(position?.amount.toString()).toBe('1.5');
    expect(position?.averagePrice.toString()).toBe('80');
    expect(position?.profit.toString()).toBe('30');
  });

  it('WEB-997 is none where the coins are worth less than one, or none was bought', () => {
    expect(positionOf(OWN, d('0.009'), d('100'))).toBeUndefined();
    expect(positionOf({ ...OWN, cost: undefined }, d('1'), d('100'))).toBeUndefined();
  });
});
