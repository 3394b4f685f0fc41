import { beforeEach, describe, expect, it } from 'vitest';
import { BareExchange, refusalOf } from './testing/bare-exchange.ts';

describe('one triggers the other', () => {
  let bare: BareExchange;

  beforeEach(async () => {
    bare = await BareExchange.open();
    bare.tradeAt('50000');
  });

  const WORKING = { side: 'buy', price: '49000', amount: '0.1' } as const;
  const LEGS = { side: 'sell', oco: { amount: '0.1', limitPrice: '52000', stopPrice: '48000' } } as const;
  const sellTo = (price: string, amount: string) => bare.place(1, { side: 'sell', price, amount });
  const oto = (more = {}) =>
    bare.oto(0, WORKING, { side: 'sell', type: 'limit', price: '51000', amount: '0.1', ...more });

  it('PAPI-133 the pending order holds nothing and is placed only when the working order is filled completely', () => {
    const [working, pending] = oto();
    expect(bare.balanceText(0, 'USDT')).toBe('995100 + 4900');
    expect(bare.balanceText(0, 'BTC')).toBe('100 + 0');
    expect(bare.market.book.size).toBe(1);
    // The pending order is not on the book, so an order at a better price does not fill it.
    expect(bare.place(1, { side: 'buy', price: '51000', amount: '0.1', timeInForce: 'IOC' }).reason).toBe(
      'noLiquidity',
    );
    sellTo('49000', '0.04');
    expect(bare.release()).toBeUndefined();
    sellTo('49000', '0.06');
    expect(working!.state).toBe('filled');
    expect(pending).toMatchObject({ state: 'open', oto: { releasedAt: undefined } });
    bare.release();
    expect(pending).toMatchObject({ state: 'open', oto: { role: 'pending', releasedAt: bare.now } });
    expect(bare.balanceText(0, 'BTC')).toBe('99.9999 + 0.1');
    bare.place(1, { side: 'buy', price: '51000', amount: '0.1' });
    expect(pending!.state).toBe('filled');
    expect(bare.release()).toBeUndefined();
    expect(bare.problems()).toEqual([]);
  });

  it('PAPI-134 the end of one order before the others are placed ends the whole list', () => {
    const [working, pending] = oto();
    bare.cancel(0, pending!);
    expect([pending!.reason, working!.reason]).toEqual(['user', 'oto']);
    const [second, limit, stop] = bare.oto(0, WORKING, LEGS);
    sellTo('49000', '0.04');
    bare.cancel(0, second!);
    expect([second!.reason, limit!.reason, stop!.reason]).toEqual(['user', 'oto', 'oto']);
    const unfilled = bare.oto(0, { ...WORKING, timeInForce: 'IOC' }, LEGS);
    expect(unfilled.map(({ state }) => state)).toEqual(['cancelled', 'cancelled', 'cancelled']);
    expect(bare.exchange.orders.countsOf(working!.owner, 'btcusdt')).toEqual(
      expect.objectContaining({ resting: 0, waiting: 0 }),
    );
    expect(bare.problems()).toEqual([]);
  });

  it('PAPI-134 a list that is filled and waits for its placement is cancelled with any of its orders', () => {
    const [, limit, stop] = bare.oto(0, WORKING, LEGS);
    sellTo('49000', '0.1');
    bare.cancel(0, stop!);
    expect([limit!.reason, stop!.reason]).toEqual(['oto', 'user']);
    expect(bare.release()).toBeUndefined();
    expect(bare.cancelAll(0)).toBe(0);
    oto();
    expect(bare.cancelAll(0)).toBe(2);
    expect(bare.problems()).toEqual([]);
  });

  it('PAPI-135 both pending orders of an OTOCO are placed as an OCO, with one hold', () => {
    const [, limit, stop] = bare.oto(0, WORKING, LEGS);
    sellTo('49000', '0.1');
    bare.release();
    expect(bare.balanceText(0, 'BTC')).toBe('99.9999 + 0.1');
    bare.place(1, { side: 'buy', price: '52000', amount: '0.02' });
    expect([limit!.state, stop!.reason]).toEqual(['open', 'oco']);
    expect(bare.problems()).toEqual([]);
  });

  it('PAPI-135 a leg that the market has reached when it is to be placed goes alone', () => {
    const [, limit, stop] = bare.oto(0, WORKING, LEGS);
    sellTo('49000', '0.1');
    bare.tradeAt('47500');
    bare.release();
    expect([limit!.reason, stop!.stop!.status]).toEqual(['oco', 'due']);
    bare.place(1, { side: 'buy', price: '47500', amount: '0.1' });
    bare.trigger();
    expect(stop!.state).toBe('filled');

    const [, profit, loss] = bare.oto(
      0,
      { ...WORKING, price: '47000' },
      {
        side: 'sell',
        oco: { amount: '0.1', limitPrice: '48000', stopPrice: '46000' },
      },
    );
    sellTo('47000', '0.1');
    bare.place(1, { side: 'buy', price: '48500', amount: '0.1' });
    bare.release();
    expect([String(profit!.filledTotal), profit!.state, loss!.reason]).toEqual(['4850', 'filled', 'oco']);
    expect(bare.problems()).toEqual([]);
  });

  it('PAPI-136 a pending order that lacks only the fee of the working order is lowered, and one that lacks more ends', () => {
    bare.place(0, { side: 'sell', price: '60000', amount: '100' });
    const [, pending] = oto();
    sellTo('49000', '0.1');
    bare.release();
    expect([pending!.state, String(pending!.amount)]).toEqual(['open', '0.0999']);
    const [, short] = oto({ amount: '0.2' });
    sellTo('49000', '0.1');
    bare.release();
    expect(short).toMatchObject({ state: 'cancelled', reason: 'balanceShort' });
    expect(bare.problems()).toEqual([]);
  });

  it('PAPI-137 on a halted pair or with a halted coin nothing is placed; the list waits for the coin and ends with the pair', () => {
    const [, pending] = oto();
    sellTo('49000', '0.1');
    bare.haltAsset('BTC');
    expect(bare.release()).toBeUndefined();
    expect(pending!.state).toBe('open');
    bare.liftHalt('BTC');
    bare.setStatus('cancelOnly');
    bare.release();
    expect(pending!.reason).toBe('pairHalted');
    bare.setStatus('open');
    // A pending sale can be cancelled only while the coin held by its working order is not halted.
    const [working, sale] = oto();
    bare.haltAsset('USDT');
    expect(refusalOf(() => bare.cancel(0, sale!))['key']).toBe('l.asset_halted');
    expect(bare.cancelAll(0)).toBe(0);
    expect(working!.state).toBe('open');
  });

  it('PAPI-138 pending orders are checked at the working price when the list is placed, and are not amended', () => {
    const wrong = (more: object) => refusalOf(() => oto(more))['key'];
    expect(wrong({ type: 'stopMarket', price: undefined, stopPrice: '49000', timeInForce: 'IOC' })).toBe(
      'l.stop_price_side',
    );
    expect(wrong({ amount: '0.000001' })).toBe('l.amount_decimals');
    expect(wrong({ price: '51000.001' })).toBe('l.price_decimals');
    const crossed = {
      side: 'sell',
      oco: { amount: '0.1', limitPrice: '48000', stopPrice: '52000' },
    } as const;
    expect(refusalOf(() => bare.oto(0, WORKING, crossed))['key']).toBe('l.oco_prices');
    expect(bare.market.book.size).toBe(0);
    const [, pending] = oto();
    expect(refusalOf(() => bare.amend(0, pending!, { price: '51500' }))['key']).toBe('l.amend_type');
    const stop = { type: 'stopMarket', price: undefined, stopPrice: '48000', timeInForce: 'IOC' } as const;
    for (let count = 1; count < bare.market.filters.maxStopOrders; count += 1) oto(stop);
    expect(wrong({})).toBe('l.stop_orders_max');
    expect(bare.problems()).toEqual([]);
  });
});
