import * as wire from '@exchange/wire/spot.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { anExchange, type Funds, type TestExchange, type TestTrader } from '../../../testing/exchange.ts';
import { depth, detail, balanceText, limit, market, place, requireEmptyBook } from './testing/orders.ts';

describe('spot trading', () => {
  let exchange: TestExchange;
  let traders: TestTrader[] = [];

  beforeAll(async () => {
    exchange = await anExchange();
  });

  afterEach(async () => {
    for (const trader of traders) await trader.request(wire.cancelAllOrders);
    traders = [];
    await requireEmptyBook(exchange);
  });

  afterAll(() => exchange.close());

  async function aTrader(funds: Funds): Promise<TestTrader> {
    const trader = await exchange.aUser(funds);
    traders.push(trader);
    return trader;
  }

  it('SPOT-030 a limit order that does not trade rests: funds are held, and it is shown in the book and as open', async () => {
    const buyer = await aTrader({ USDT: '1000' });
    const order = await place(buyer, limit('buy', '49000.5', '0.01'));
    expect(order).toMatchObject({
      symbol: 'btcusdt',
      tradeType: 1,
      orderType: 'limit',
      timeInForce: 'GTC',
      postOnly: 0,
      status: 0,

      price: '49000.50',
      amount: '0.01',
      total: '',
      filledAmount: '0',
      avgPrice: '',
      fee: '0',
      feeCoin: 'BTC',
    });
    expect(await balanceText(buyer, 'USDT')).toBe('509.995 + 490.005');
    expect(await depth(exchange)).toEqual({ bids: [[49_000.5, 0.01]], asks: [] });
    const open = await buyer.request(wire.orderRecords, { entryStatus: '0' });
    expect(open).toMatchObject({ totalRow: 1, list: [order] });
  });

  it('SPOT-031 a trade happens at the resting price and each side pays its fee rate on the received amount, exactly', async () => {
    const [maker, taker] = [await aTrader({ BTC: '1' }), await aTrader({ USDT: '100' })];
    const resting = await place(maker, limit('sell', '49999.37', '0.00123'));
    const taken = await place(taker, limit('buy', '50000', '0.00123'));
    // 49999.37 × 0.00123 = 61.4992251; 0.1 % of it, rounded up to 8 digits, is 0.06149923.
    expect(taken).toMatchObject({
      status: 2,
      filledAmount: '0.00123',
      filledTotal: '61.4992251',
      avgPrice: '49999.37',
      fee: '0.00000123',
      feeCoin: 'BTC',
    });
    expect(await detail(maker, resting)).toMatchObject({
      status: 2,
      filledTotal: '61.4992251',
      fee: '0.06149923',
      feeCoin: 'USDT',
      fills: [
        { price: '49999.37', amount: '0.00123', total: '61.4992251', fee: '0.06149923', role: 'maker' },
      ],
    });
    expect(await detail(taker, taken)).toMatchObject({ fills: [{ fee: '0.00000123', role: 'taker' }] });
    expect(await balanceText(taker, 'BTC')).toBe('0.00122877 + 0');
    expect(await balanceText(maker, 'USDT')).toBe('61.43772587 + 0');
    expect(await balanceText(maker, 'BTC')).toBe('0.99877 + 0');
  });

  it('SPOT-032 the amount saved by a price better than the limit is released at once', async () => {
    const [maker, taker] = [await aTrader({ BTC: '1' }), await aTrader({ USDT: '1000' })];
    await place(maker, limit('sell', '49000', '0.01'));
    const taken = await place(taker, limit('buy', '50000', '0.02'));
    expect(taken).toMatchObject({
      status: 1,
      filledAmount: '0.01',
      filledTotal: '490',
      avgPrice: '49000.00',
    });
    // 490 USDT were paid for the filled half, and 500 are held for the half that rests.
    expect(await balanceText(taker, 'USDT')).toBe('10 + 500');
    expect(await depth(exchange)).toEqual({ bids: [[50_000, 0.01]], asks: [] });
  });

  it('SPOT-033 of equal prices the first order trades first', async () => {
    const [first, second, taker] = [
      await aTrader({ BTC: '1' }),
      await aTrader({ BTC: '1' }),
      await aTrader({ USDT: '1000' }),
    ];
    const one = await place(first, limit('sell', '50000', '0.004'));
    const two = await place(second, limit('sell', '50000', '0.004'));
    await place(taker, market('buy', { amount: '0.005' }));
    expect(await detail(first, one)).toMatchObject({ status: 2, filledAmount: '0.004' });
    expect(await detail(second, two)).toMatchObject({ status: 1, filledAmount: '0.001' });
  });

  it('SPOT-034 a market buy by amount takes level by level and pays no more than it trades', async () => {
    const [maker, taker] = [await aTrader({ BTC: '1' }), await aTrader({ USDT: '2000' })];
    await place(maker, limit('sell', '50000', '0.01'));
    await place(maker, limit('sell', '50100', '0.01'));
    const taken = await place(taker, market('buy', { amount: '0.015' }));
    expect(taken).toMatchObject({ status: 2, price: '', timeInForce: 'IOC', filledTotal: '750.5' });
    expect(taken.avgPrice).toBe('50033.33');
    expect(await balanceText(taker, 'USDT')).toBe('1249.5 + 0');
    expect(await balanceText(taker, 'BTC')).toBe('0.014985 + 0');
  });

  it('SPOT-035 a market buy by total spends at most its total in whole lots and releases the rest', async () => {
    const [maker, taker] = [await aTrader({ BTC: '1' }), await aTrader({ USDT: '100.3' })];
    await place(maker, limit('sell', '50000', '0.01'));
    const taken = await place(taker, market('buy', { total: '100.3' }));
    // One lot (0.00001 BTC) costs 0.5 USDT: 200 lots cost 100, and the rest of 0.3 is too little
    // for a lot.
    expect(taken).toMatchObject({
      status: 2,
      amount: '',
      total: '100.3',
      filledAmount: '0.002',
      filledTotal: '100',
    });
    expect(await balanceText(taker, 'USDT')).toBe('0.3 + 0');
  });

  it('SPOT-036 a market sell by total sells no more than its total is worth', async () => {
    const [maker, taker] = [await aTrader({ USDT: '1000' }), await aTrader({ BTC: '0.01' })];
    await place(maker, limit('buy', '50000', '0.01'));
    const sold = await place(taker, market('sell', { total: '100.3' }));
    expect(sold).toMatchObject({ status: 2, total: '100.3', filledAmount: '0.002', filledTotal: '100' });
    expect(await balanceText(taker, 'BTC')).toBe('0.008 + 0');
    expect(await balanceText(taker, 'USDT')).toBe('99.9 + 0');
  });

  it('SPOT-037 a market order trades at most 5 % beyond the best price and cancels the rest', async () => {
    const [maker, taker] = [await aTrader({ BTC: '1' }), await aTrader({ USDT: '5000' })];
    await place(maker, limit('sell', '50000', '0.01'));
    await place(maker, limit('sell', '52500', '0.01'));
    await place(maker, limit('sell', '52500.01', '0.01'));
    const taken = await place(taker, market('buy', { amount: '0.03' }));
    expect(taken).toMatchObject({ status: 4, filledAmount: '0.02', reason: 'guardReached' });
    expect(await balanceText(taker, 'USDT')).toBe('3975 + 0');
    expect(await depth(exchange)).toEqual({ bids: [], asks: [[52_500.01, 0.01]] });
  });

  it('SPOT-007 SPOT-037 a market order does not trade further than 5 % from the index, and its funds are released', async () => {
    const [maker, taker] = [await aTrader({ BTC: '1' }), await aTrader({ USDT: '2000' })];
    await place(maker, limit('sell', '52500.01', '0.01'));
    const partial = await place(taker, market('buy', { amount: '0.01' }));
    expect(partial).toMatchObject({ status: 3, filledAmount: '0', reason: 'guardReached' });
    expect(await balanceText(taker, 'USDT')).toBe('2000 + 0');
    await place(maker, limit('sell', '52500', '0.01'));
    expect(await place(taker, market('buy', { amount: '0.02' }))).toMatchObject({
      status: 4,
      filledAmount: '0.01',
      reason: 'guardReached',
    });
  });

  it('SPOT-038 a market order without liquidity is refused, and so is one whose total buys no lot', async () => {
    const [maker, taker] = [await aTrader({ BTC: '1' }), await aTrader({ USDT: '100' })];
    const alone = await taker.call(wire.createOrder, market('buy', { amount: '0.001' }));
    expect(alone).toMatchObject({ code: -10, errKey: 'l.no_liquidity' });
    await place(maker, limit('sell', '50000', '0.01'));
    const small = await taker.call(wire.createOrder, market('buy', { total: '4.99' }));
    expect(small).toMatchObject({ code: -7, errKey: 'l.total_min', data: { limit: '5', value: '4.99' } });
    expect(await balanceText(taker, 'USDT')).toBe('100 + 0');
  });

  it('SPOT-039 a post-only order rests or is refused, and never takes', async () => {
    const [maker, other] = [await aTrader({ BTC: '1' }), await aTrader({ USDT: '1000' })];
    await place(maker, limit('sell', '50000', '0.01', { postOnly: '1' }));
    const crossing = await other.call(wire.createOrder, limit('buy', '50000', '0.01', { postOnly: '1' }));
    expect(crossing).toMatchObject({ code: 0, errKey: 'l.post_only_crosses' });
    expect(await balanceText(other, 'USDT')).toBe('1000 + 0');
    const resting = await place(other, limit('buy', '49999.99', '0.01', { postOnly: 'true' }));
    expect(resting).toMatchObject({ status: 0, postOnly: 1 });
  });

  it('SPOT-040 an immediate-or-cancel order takes what is there and releases the rest', async () => {
    const [maker, taker] = [await aTrader({ BTC: '1' }), await aTrader({ USDT: '1000' })];
    await place(maker, limit('sell', '50000', '0.005'));
    const taken = await place(taker, limit('buy', '50000', '0.01', { timeInForce: 'IOC' }));
    expect(taken).toMatchObject({ status: 4, filledAmount: '0.005', reason: 'noLiquidity' });
    expect(await balanceText(taker, 'USDT')).toBe('750 + 0');
    await place(maker, limit('sell', '50001', '0.005'));
    const untouched = await place(taker, limit('buy', '50000', '0.01', { timeInForce: 'IOC' }));
    expect(untouched).toMatchObject({ status: 3, filledAmount: '0', reason: 'limitReached' });
    expect(await balanceText(taker, 'USDT')).toBe('750 + 0');
  });

  it('SPOT-041 a fill-or-kill order trades in full or is refused and changes nothing', async () => {
    const [maker, taker] = [await aTrader({ BTC: '1' }), await aTrader({ USDT: '1000' })];
    await place(maker, limit('sell', '50000', '0.005'));
    const whole = limit('buy', '50000', '0.01', { timeInForce: 'FOK' });
    expect(await taker.call(wire.createOrder, whole)).toMatchObject({ code: 0, errKey: 'l.fok_unfilled' });
    expect(await balanceText(taker, 'USDT')).toBe('1000 + 0');
    expect(await depth(exchange)).toEqual({ bids: [], asks: [[50_000, 0.005]] });
    await place(maker, limit('sell', '50000', '0.005'));
    expect(await place(taker, whole)).toMatchObject({ status: 2, filledAmount: '0.01' });
  });

  it('SPOT-042 no user trades with themselves: the incoming order, the resting one or both are cancelled, as chosen', async () => {
    const trader = await aTrader({ BTC: '1', USDT: '1000' });
    const placeOwn = () => place(trader, limit('sell', '50000', '0.005'));
    const crossing = (more: { stp?: 'cancelTaker' | 'cancelMaker' | 'cancelBoth' }) =>
      place(trader, limit('buy', '50000', '0.005', more));

    const resting = await placeOwn();
    expect(await crossing({})).toMatchObject({ status: 3, filledAmount: '0', reason: 'selfTrade' });
    expect(await detail(trader, resting)).toMatchObject({ status: 0 });
    expect(await crossing({ stp: 'cancelBoth' })).toMatchObject({ status: 3, reason: 'selfTrade' });
    expect(await detail(trader, resting)).toMatchObject({ status: 3, reason: 'selfTrade' });
    const cancelled = await placeOwn();
    expect(await crossing({ stp: 'cancelMaker' })).toMatchObject({ status: 0 });
    expect(await detail(trader, cancelled)).toMatchObject({ status: 3, reason: 'selfTrade' });
    expect(await balanceText(trader, 'BTC')).toBe('1 + 0');
    expect(await balanceText(trader, 'USDT')).toBe('750 + 250');
  });

  it('SPOT-043 a limit price may lie at most 20 % from the index, wherever that moves', async () => {
    const trader = await aTrader({ USDT: '10000' });
    const low = await trader.call(wire.createOrder, limit('buy', '39999.99', '0.01'));
    expect(low).toMatchObject({
      code: -7,
      errKey: 'l.price_band_low',
      data: { limit: '40000.00', value: '39999.99' },
    });
    const high = await trader.call(wire.createOrder, limit('buy', '60000.01', '0.01'));
    expect(high).toMatchObject({ code: -8, errKey: 'l.price_band_high', data: { limit: '60000.00' } });
    expect(high.msg).toContain('60,000.00 USDT');
    await exchange.setPrice('btcusdt', '40000');
    expect(await place(trader, limit('buy', '39999.99', '0.01'))).toMatchObject({ status: 0 });
    await exchange.setPrice('btcusdt', '50000');
  });

  it('SPOT-044 an order is refused with the field, the limit and the value where it breaks one', async () => {
    const trader = await aTrader({ USDT: '1000' });
    const refused = async (fields: Parameters<typeof limit>[3]) => {
      const { code, errKey, data } = await trader.call(
        wire.createOrder,
        limit('buy', '50000', '0.01', fields),
      );
      return { code, errKey, data };
    };
    expect(await refused({ amount: '0.000001' })).toMatchObject({
      code: -1,
      data: { field: 'amount', limit: '5' },
    });
    expect(await refused({ price: '50000.001' })).toMatchObject({
      code: -1,
      data: { field: 'price', limit: '2' },
    });
    expect(await refused({ amount: '0.00009' })).toMatchObject({
      code: -7,
      data: { limit: '5', value: '4.5' },
    });
    expect(await refused({ amount: '100.00001' })).toMatchObject({ code: -8, errKey: 'l.amount_max' });
    expect(await refused({ amount: '0.02001' })).toMatchObject({
      code: -6,
      errKey: 'l.insufficient_balance',
      data: { unit: 'USDT', limit: '1000', value: '1000.5' },
    });
    expect(await refused({ baseCoin: 'XYZ' })).toMatchObject({ code: -1, errKey: 'l.unknown_pair' });
    expect(await refused({ timeInForce: 'IOC', postOnly: '1' })).not.toMatchObject({ code: 1 });
    expect(await balanceText(trader, 'USDT')).toBe('1000 + 0');
  });
});
