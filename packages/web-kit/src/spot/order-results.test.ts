import { Decimal } from '@exchange/core/decimal.ts';
import { describe, expect, it } from 'vitest';
import { positionOf, resultAt } from './order-results.ts';
import { order, PAIR } from './testing/fixtures.ts';

const d = (text: string) => Decimal.parse(text);
/** Test data: the user has bought two coins for 80 each; the pair's fees are 0.1 % for makers and 0.2 % for takers. */
const OWN = { pair: PAIR, cost: { amount: d('2'), cost: d('160'), realized: d('5') } };
const textAt = (...callArguments: Parameters<typeof resultAt>) => resultAt(...callArguments)?.toString();

describe('the estimated result of an order', () => {
  it('WEB-997 a sale earns its proceeds after the fee less the average cost of the coins', () => {
    const sell = order('s', { tradeType: 2, price: '100', amount: '1.5', filledAmount: '0.5' });
    // Result of selling the open 1 coin at 100: price less fee less cost, 100 − 0.1 − 80.
    expect(textAt(sell, { field: 'price', price: '100' }, OWN)).toBe('19.9');
    expect(textAt(sell, { field: 'price', price: '70' }, OWN)).toBe('-10.07');
  });

  it('WEB-997 a stop-market pays the taker fee at its trigger price, a stop-limit sells at its limit', () => {
    const stop = { tradeType: 2, stopStatus: 'waiting', stopPrice: '90', amount: '1' } as const;
    const atMarket = order('m', { ...stop, orderType: 'stopMarket', price: '' });
    expect(textAt(atMarket, { field: 'stopPrice', price: '90' }, OWN)).toBe('9.82');
    const limited = order('l', { ...stop, orderType: 'stopLimit', price: '85' });
    expect(textAt(limited, { field: 'stopPrice', price: '70' }, OWN)).toBe('4.83');
  });

  it('WEB-997 coins without a cost earn nothing', () => {
    const more = order('s', { tradeType: 2, price: '100', amount: '4' });
    expect(textAt(more, { field: 'price', price: '100' }, OWN)).toBe('39.8');
    expect(textAt(more, { field: 'price', price: '100' }, { ...OWN, cost: undefined })).toBeUndefined();
    const inBtc = { ...OWN, pair: { ...PAIR, quote: 'BTC' } };
    expect(textAt(more, { field: 'price', price: '100' }, inBtc)).toBeUndefined();
  });

  it('WEB-997 an exit is compared with its entry, and a buy itself earns nothing', () => {
    const buy = order('b', { price: '100', amount: '1', takeProfitPrice: '110', stopLossPrice: '90' });
    // The exit sells 0.999 coins (1 coin less the fee of the purchase), at take-profit with the maker fee, at stop-loss
    // with the taker fee.
    expect(textAt(buy, { field: 'takeProfitPrice', price: '110' }, OWN)).toBe('9.78011');
    expect(textAt(buy, { field: 'stopLossPrice', price: '90' }, OWN)).toBe('-10.26982');
    expect(textAt(buy, { field: 'price', price: '100' }, OWN)).toBeUndefined();
  });
});

describe('a position', () => {
  it('WEB-997 is the held amount of bought coins with average cost and current profit', () => {
    const position = positionOf(OWN, d('1.5'), d('100'));
    expect(position?.amount.toString()).toBe('1.5');
    expect(position?.averagePrice.toString()).toBe('80');
    // 1.5 coins are worth 150 at a price of 100. The taker fee of 0.2 % is 0.3, and the coins cost 1.5 × 80 = 120.
    expect(position?.profit.toString()).toBe('29.7');
  });

  it('WEB-997 is undefined when the coins are worth less than one, or none was bought', () => {
    expect(positionOf(OWN, d('0.009'), d('100'))).toBeUndefined();
    expect(positionOf({ ...OWN, cost: undefined }, d('1'), d('100'))).toBeUndefined();
  });
});
