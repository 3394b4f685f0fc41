import { Decimal } from '@exchange/core/decimal.ts';
import { describe, expect, it } from 'vitest';
import { amendableExits } from './amend-exits.ts';
import {
  amendableFields,
  amendFormProblem,
  amendPayloadOf,
  canAmend,
  initialAmend,
  summariseAmend,
  type AmendForm,
} from './amend-form.ts';
import { MARKET, order, PAIR } from './testing/fixtures.ts';

const BUY = order('a', { price: '99', amount: '4', filledAmount: '1', status: 1 });
const SELL = order('b', { tradeType: 2, price: '101', amount: '2' });
const NO_EXITS = { takeProfitPrice: '', stopLossPrice: '', stopLossLimitPrice: '' };
const form = (price: string, amount: string, stopPrice = ''): AmendForm => ({
  price,
  amount,
  stopPrice,
  ...NO_EXITS,
});
const NOTHING = { takeProfitPrice: null, stopLossPrice: null, stopLossLimitPrice: null };
const STOP = order('s', {
  tradeType: 2,
  orderType: 'stopLimit',
  price: '89',
  stopPrice: '90',
  amount: '2',
  direction: 'lte',
  stopStatus: 'waiting',
});
const BUY_STOP = order('m', {
  orderType: 'stopMarket',
  price: '',
  stopPrice: '110',
  amount: '2',
  timeInForce: 'IOC',
  direction: 'gte',
  stopStatus: 'waiting',
});
const TRAILING = order('t', {
  tradeType: 2,
  orderType: 'trailing',
  price: '',
  stopPrice: '95',
  trailPct: '5',
  amount: '2',
  timeInForce: 'IOC',
  direction: 'lte',
  stopStatus: 'waiting',
});
const holdTexts = ({ heldBefore, heldAfter, difference }: ReturnType<typeof summariseAmend>) =>
  [heldBefore, heldAfter, difference].map(String);

describe('the amendment of a list that waits', () => {
  it('PAPI-142 is offered for the working order and not for a pending one', () => {
    expect(canAmend({ ...BUY, listRole: 'working' })).toBe(true);
    expect(canAmend({ ...SELL, listRole: 'pending' })).toBe(false);
    expect(canAmend({ ...STOP, listRole: 'pending' })).toBe(false);
  });
});

describe('the amendment of an order of an iceberg or a chase order', () => {
  it('ALGO-057 is not offered, neither its price and amount nor its take-profit and stop-loss', () => {
    expect(canAmend({ ...BUY, parentId: 'iceberg' })).toBe(false);
    expect(amendableExits(BUY).length).toBe(3);
    expect(amendableExits({ ...BUY, parentId: 'iceberg' })).toEqual([]);
  });
});

describe('amending an order', () => {
  it('WEB-130 is possible for orders on the book and waiting stops, with the fields that they have', () => {
    expect(amendableFields(BUY)).toEqual(['price', 'amount']);
    expect(amendableFields(STOP)).toEqual(['stopPrice', 'price', 'amount']);
    expect(amendableFields(BUY_STOP)).toEqual(['stopPrice', 'amount']);
    expect(amendableFields({ ...BUY_STOP, amount: '', total: '200' })).toEqual(['stopPrice']);
    expect(amendableFields(TRAILING)).toEqual(['amount']);
    expect(amendableFields({ ...STOP, stopStatus: 'triggered' })).toEqual(['price', 'amount']);
    expect(canAmend(order('c', { groupId: 'g' }))).toBe(true);
    expect(canAmend(order('c', { status: 4 }))).toBe(false);
    expect(canAmend(order('c', { orderType: 'market', price: '' }))).toBe(false);
  });

  it('WEB-272 calculates the hold of an amended stop: a market buy up to its protection price; an OCO leg only on the server', () => {
    expect(holdTexts(summariseAmend(form('88', '1.5', '89'), STOP, MARKET))).toEqual(['2', '1.5', '-0.5']);
    expect(holdTexts(summariseAmend(form('', '2', '120'), BUY_STOP, MARKET))).toEqual(['231', '252', '21']);
    const leg = { ...BUY_STOP, groupId: 'g' };
    expect(holdTexts(summariseAmend(form('', '2', '120'), leg, MARKET))).toEqual(Array(3).fill('undefined'));
    expect(summariseAmend(form('99', '1', '90'), STOP, MARKET)).toMatchObject({ rests: false, takes: false });
  });

  it('WEB-131 calculates the holds before and after for the open amount', () => {
    expect(holdTexts(summariseAmend(form('98', '4'), BUY, MARKET))).toEqual(['297', '294', '-3']);
    expect(holdTexts(summariseAmend(form('99', '5'), BUY, MARKET))).toEqual(['297', '396', '99']);
    expect(holdTexts(summariseAmend(form('105', '2.5'), SELL, MARKET))).toEqual(['2', '2.5', '0.5']);
    expect(summariseAmend(form('', '2'), SELL, MARKET).total).toBeUndefined();
  });

  it('WEB-215 does not count cancelled amounts as open', () => {
    const decremented = order('d', { amount: '4', filledAmount: '1', cancelledAmount: '0.5', status: 1 });
    const { remainingBefore, remaining } = summariseAmend(form('100', '3'), decremented, MARKET);
    expect([remainingBefore, remaining].map(String)).toEqual(['2.5', '1.5']);
  });

  it('WEB-214 refuses invalid numbers by field', () => {
    expect(amendFormProblem(form('-1', '4'), BUY, MARKET)).toMatchObject({
      key: 'l.field_positive',
      parameters: { field: 'price' },
    });
    expect(amendFormProblem(form('99', '1e3'), BUY, MARKET)).toMatchObject({
      key: 'l.field_number',
      parameters: { field: 'amount' },
    });
  });

  it('WEB-131 keeps the queue position only for a lower amount, and reports a price that would trade', () => {
    expect(summariseAmend(form('99', '3'), BUY, MARKET)).toMatchObject({ keepsPlace: true, takes: false });
    expect(summariseAmend(form('99', '5'), BUY, MARKET).keepsPlace).toBe(false);
    expect(summariseAmend(form('98', '3'), BUY, MARKET).keepsPlace).toBe(false);
    expect(summariseAmend(form('100.5', '4'), BUY, MARKET).takes).toBe(true);
    expect(summariseAmend(form('99.5', '2'), SELL, MARKET).takes).toBe(true);
  });

  it.each<[string, AmendForm, typeof BUY]>([
    ['l.amend_nothing', initialAmend(BUY), BUY],
    ['l.amend_nothing', form('99.00', '4.0'), BUY],
    ['l.amend_filled', form('99', '1'), BUY],
    ['l.price_required', form('', '4'), BUY],
    ['l.amount_required', form('99', ''), BUY],
    ['l.price_band_low', form('79.99', '4'), BUY],
    ['l.total_min', form('99', '1.05'), BUY],
    ['l.amount_decimals', form('99', '4.000001'), BUY],
    ['l.post_only_crosses', form('100.5', '4'), { ...BUY, postOnly: 1 }],
    ['l.insufficient_balance', form('99', '14.2'), BUY],
    ['l.insufficient_balance', form('101', '4.1'), SELL],
    ['l.amend_type', form('98', '4'), { ...BUY, status: 2 }],
    ['l.amend_nothing', initialAmend(STOP), STOP],
    ['l.stop_price_required', form('89', '2'), STOP],
    ['l.stop_price_side', form('89', '2', '101'), STOP],
    ['l.insufficient_balance', form('89', '4.1', '90'), STOP],
    ['l.trail_max', form('', '1'), { ...TRAILING, trailPct: '50' }],
    ['l.amend_nothing', initialAmend(TRAILING), { ...TRAILING, groupId: 'g' }],
  ])('WEB-132 refuses with %s', (key, typed, order) => {
    expect(amendFormProblem(typed, order, MARKET)?.key).toBe(key);
  });

  it('WEB-132 accepts amendments within all limits, and refuses all while the pair is halted', () => {
    expect(amendFormProblem(form('98', '5'), BUY, MARKET)).toBeUndefined();
    const halted = { ...MARKET, pair: { ...PAIR, status: 'closed' } } as const;
    expect(amendFormProblem(form('98', '5'), BUY, halted)?.key).toBe('l.pair_closed');
  });

  it('WEB-133 sends only changes, as text', () => {
    expect(amendPayloadOf(form('99.0', '5'), BUY)).toEqual({
      id: 'a',
      price: null,
      amount: '5',
      stopPrice: null,
      ...NOTHING,
    });
    expect(amendPayloadOf(form('98.5', '4'), BUY)).toEqual({
      id: 'a',
      price: '98.5',
      amount: null,
      stopPrice: null,
      ...NOTHING,
    });
    expect(amendPayloadOf(form('', '3', '90'), TRAILING)).toEqual({
      id: 't',
      price: null,
      amount: '3',
      stopPrice: null,
      ...NOTHING,
    });
    expect(Decimal.parse('99.0').equals(Decimal.parse(BUY.price))).toBe(true);
  });
});
