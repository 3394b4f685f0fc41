import { Decimal } from '@exchange/core/decimal.ts';
import { describe, expect, it } from 'vitest';
import { amendableExits, entryAfter, type ExitField } from './amend-exits.ts';
import { amendFormProblem, amendPayloadOf, initialAmend, isAmended, summariseAmend } from './amend-form.ts';
import { exitResults } from './exit-words.ts';
import type { Order } from './shapes.ts';
import { MOMENT, order, PAIR } from './testing/fixtures.ts';

const d = (text: string) => Decimal.parse(text);
const PLAIN = order('a', { price: '99.00', amount: '4', filledAmount: '1', filledTotal: '99', status: 1 });
const EXITS = { takeProfitPrice: '110.00', stopLossPrice: '95.00', exitStatus: 'waiting' } as const;
const BUY: Order = { ...PLAIN, ...EXITS };
const LIMITED: Order = { ...BUY, stopLossLimitPrice: '94.00' };

type Typed = Partial<Record<ExitField | 'price' | 'amount', string>>;
const typed = (of: Order, change: Typed) => ({ ...initialAmend(of), ...change });
const problemOf = (of: Order, change: Typed) => {
  const problem = amendFormProblem(typed(of, change), of, MOMENT);
  return problem && `${problem.key} ${problem.parameters['field']}`;
};
const sentOf = (of: Order, change: Typed) => {
  const { id: _id, ...fields } = amendPayloadOf(typed(of, change), of);
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
};

describe('changing the exits of an order', () => {
  it('WEB-283 WEB-983 is offered for limit orders of both sides on the book, with the limit of the stop-loss', () => {
    const all = ['takeProfitPrice', 'stopLossPrice', 'stopLossLimitPrice'];
    expect(amendableExits(PLAIN)).toEqual(all);
    expect(amendableExits({ ...PLAIN, tradeType: 2 })).toEqual(all);
    const others: Partial<Order>[] = [
      { status: 2 },
      { groupId: 'g' },
      { orderType: 'stopLimit', stopStatus: 'waiting' },
      { orderType: 'stopLimit', stopStatus: 'triggered' },
    ];
    for (const change of others) expect(amendableExits({ ...BUY, ...change })).toEqual([]);
    expect(initialAmend(BUY)).toMatchObject({ takeProfitPrice: '110.00', stopLossPrice: '95.00' });
  });

  it('WEB-283 sends what differs, and zero for the one that was emptied', () => {
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
    expect(isAmended(typed(BUY, { takeProfitPrice: '' }), BUY)).toBe(true);
    expect(isAmended(typed(BUY, {}), BUY)).toBe(false);
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
    // The exits that it has are judged by its new price, too.
    ['l.stop_loss_side stopLossPrice', BUY, { price: '94' }],
    [undefined, BUY, { price: '94', stopLossPrice: '' }],
  ])('WEB-283 is refused with %s as the server would', (problem, of, change) => {
    expect(problemOf(of, change)).toBe(problem);
  });

  it('WEB-283 keeps the place in the queue, and says what each exit would bring of the whole order', () => {
    const form = typed(BUY, { takeProfitPrice: '110', stopLossPrice: '90' });
    const summary = summariseAmend(form, BUY, MOMENT);
    expect(summary).toMatchObject({ keepsPlace: true, takes: false });
    // At a price that would meet the market, what does not move does not trade.
    const crossed = { ...MOMENT, bestAsk: Decimal.parse('98') };
    expect(summariseAmend(form, BUY, crossed)).toMatchObject({ keepsPlace: true, takes: false });
    const bought = entryAfter({ ...BUY, fee: '0.001' }, summary, PAIR);
    // 1 less its fee, and 3 less 0.1 %: 3.996 for 99 + 297.
    expect([bought.received, bought.total].map(String)).toEqual(['3.996', '396']);
    const results = exitResults({ takeProfit: '110', stopLoss: '', stopLossLimit: '' }, bought, PAIR);
    expect(String(results.takeProfit)).toBe('43.12044');
    expect(results.stopLoss).toBeUndefined();
  });

  it('WEB-983 says of a sale how much it buys back with its proceeds, and what each exit gains or loses', () => {
    const sale = { side: 'sell', amount: d('1'), total: d('100'), received: d('99.9') } as const;
    const results = exitResults({ takeProfit: '90', stopLoss: '110', stopLossLimit: '111' }, sale, PAIR);
    // 99.9 pays for 0.9 at 111; of the proceeds those 0.9 are worth 89.91.
    expect(String(results.boughtBack)).toBe('0.9');
    expect(String(results.takeProfit)).toBe('8.829');
    expect(String(results.stopLoss)).toBe('-10.1898');
    const alone = exitResults({ takeProfit: '90', stopLoss: '', stopLossLimit: '' }, sale, PAIR);
    expect(String(alone.boughtBack)).toBe('1');
    const none = exitResults({ takeProfit: '', stopLoss: '', stopLossLimit: '' }, sale, PAIR);
    expect(none).toEqual({ takeProfit: undefined, stopLoss: undefined, boughtBack: undefined });
  });
});
