import { Decimal } from '@exchange/core/decimal.ts';
import { describe, expect, it } from 'vitest';
import { amendableExits, entryAfter, type ExitField } from './amend-exits.ts';
import { amendFormProblem, amendPayloadOf, initialAmend, isAmended, summariseAmend } from './amend-form.ts';
import { exitResults } from './exit-words.ts';
import type { Order } from './shapes.ts';
import { MARKET, order, PAIR } from './testing/fixtures.ts';

const d = (text: string) => Decimal.parse(text);
const PLAIN = order('a', { price: '99.00', amount: '4', filledAmount: '1', filledTotal: '99', status: 1 });
const EXITS = { takeProfitPrice: '110.00', stopLossPrice: '95.00', exitStatus: 'waiting' } as const;
const BUY: Order = { ...PLAIN, ...EXITS };
const LIMITED: Order = { ...BUY, stopLossLimitPrice: '94.00' };

type Typed = Partial<Record<ExitField | 'price' | 'amount', string>>;
const formOf = (order: Order, change: Typed) => ({ ...initialAmend(order), ...change });
const problemOf = (order: Order, change: Typed) => {
  const problem = amendFormProblem(formOf(order, change), order, MARKET);
  return problem && `${problem.key} ${problem.parameters['field']}`;
};
const sentOf = (order: Order, change: Typed) => {
  const { id: _id, ...fields } = amendPayloadOf(formOf(order, change), order);
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
};

describe('amending the exits of an order', () => {
  it('WEB-283 WEB-983 is possible for limit orders of both sides on the book, with the limit of the stop-loss', () => {
    const allFields = ['takeProfitPrice', 'stopLossPrice', 'stopLossLimitPrice'];
    expect(amendableExits(PLAIN)).toEqual(allFields);
    expect(amendableExits({ ...PLAIN, tradeType: 2 })).toEqual(allFields);
    const others: Partial<Order>[] = [
      { status: 2 },
      { groupId: 'g' },
      { orderType: 'stopLimit', stopStatus: 'waiting' },
      { orderType: 'stopLimit', stopStatus: 'triggered' },
    ];
    for (const change of others) expect(amendableExits({ ...BUY, ...change })).toEqual([]);
    expect(initialAmend(BUY)).toMatchObject({ takeProfitPrice: '110.00', stopLossPrice: '95.00' });
  });

  it('WEB-283 sends only changes, and zero for an emptied exit', () => {
    expect(sentOf(BUY, { takeProfitPrice: '111', stopLossPrice: '95' })).toEqual({ takeProfitPrice: '111' });
    expect(sentOf(BUY, { takeProfitPrice: '', stopLossPrice: '' })).toEqual({
      takeProfitPrice: '0',
      stopLossPrice: '0',
    });
    expect(sentOf(PLAIN, { stopLossPrice: '90', price: '98', amount: '3' })).toEqual({
      price: '98',
      amount: '3',
      stopLossPrice: '90',
    });
    expect(sentOf(LIMITED, { stopLossLimitPrice: '' })).toEqual({ stopLossLimitPrice: '0' });
    expect(isAmended(formOf(BUY, { takeProfitPrice: '' }), BUY)).toBe(true);
    expect(isAmended(formOf(BUY, {}), BUY)).toBe(false);
    expect(isAmended(formOf(BUY, { takeProfitPrice: `0${BUY.takeProfitPrice}` }), BUY)).toBe(false);
  });

  it.each<[string | undefined, Order, Typed]>([
    [undefined, BUY, { takeProfitPrice: '111' }],
    [undefined, BUY, { takeProfitPrice: '', stopLossPrice: '' }],
    [undefined, PLAIN, { stopLossPrice: '90' }],
    [undefined, LIMITED, { stopLossPrice: '' }],
    ['l.amend_nothing price', BUY, {}],
    ['l.amend_nothing price', PLAIN, {}],
    ['l.field_positive takeProfitPrice', BUY, { takeProfitPrice: '0' }],
    ['l.field_positive stopLossPrice', PLAIN, { stopLossPrice: '-1' }],
    ['l.field_number takeProfitPrice', BUY, { takeProfitPrice: '1e3' }],
    ['l.price_decimals takeProfitPrice', BUY, { takeProfitPrice: '110.001' }],
    ['l.take_profit_side takeProfitPrice', BUY, { takeProfitPrice: '99' }],
    ['l.price_band_high takeProfitPrice', BUY, { takeProfitPrice: '118.81' }],
    ['l.stop_loss_side stopLossPrice', BUY, { stopLossPrice: '99' }],
    ['l.price_band_low stopLossLimitPrice', LIMITED, { stopLossLimitPrice: '50' }],
    // The stop-loss has not changed, but it must also be valid for the new price.
    ['l.stop_loss_side stopLossPrice', BUY, { price: '94' }],
    [undefined, BUY, { price: '94', stopLossPrice: '' }],
  ])('WEB-283 is refused with %s as the server would', (problem, order, change) => {
    expect(problemOf(order, change)).toBe(problem);
  });

  it('WEB-283 keeps the queue position and estimates each exit for the whole order', () => {
    const form = formOf(BUY, { takeProfitPrice: '110', stopLossPrice: '90' });
    const summary = summariseAmend(form, BUY, MARKET);
    expect(summary).toMatchObject({ keepsPlace: true, takes: false });
    // An amendment that does not change the price does not make the order trade, even if the best ask is now below that
    // price.
    const crossed = { ...MARKET, bestAsk: Decimal.parse('98') };
    expect(summariseAmend(form, BUY, crossed)).toMatchObject({ keepsPlace: true, takes: false });
    const bought = entryAfter({ ...BUY, fee: '0.001' }, summary, PAIR);
    // Received amount: 1 filled coin less the fee of 0.001, and 3 open coins less a fee of 0.1 % (0.003), together
    // 3.996. Total: 99 + 297.
    expect([bought.received, bought.total].map(String)).toEqual(['3.996', '396']);
    const results = exitResults({ takeProfit: '110', stopLoss: '', stopLossLimit: '' }, bought, PAIR);
    expect(String(results.takeProfit)).toBe('43.12044');
    expect(results.stopLoss).toBeUndefined();
  });

  it('WEB-983 calculates for a sale the amount bought back and the result of each exit', () => {
    const sale = { side: 'sell', amount: d('1'), total: d('100'), received: d('99.9') } as const;
    const results = exitResults({ takeProfit: '90', stopLoss: '110', stopLossLimit: '111' }, sale, PAIR);
    // At the highest exit price, 111, the proceeds buy back at most 0.9 coins, a whole number of amount steps.
    expect(String(results.boughtBack)).toBe('0.9');
    expect(String(results.takeProfit)).toBe('8.829');
    expect(String(results.stopLoss)).toBe('-10.1898');
    const takeProfitOnly = exitResults({ takeProfit: '90', stopLoss: '', stopLossLimit: '' }, sale, PAIR);
    expect(String(takeProfitOnly.boughtBack)).toBe('1');
    const withoutExits = exitResults({ takeProfit: '', stopLoss: '', stopLossLimit: '' }, sale, PAIR);
    expect(withoutExits).toEqual({ takeProfit: undefined, stopLoss: undefined, boughtBack: undefined });
  });
});
