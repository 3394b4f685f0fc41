import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Decimal } from './decimal.ts';
import type { Pair, PairFilters } from './pair.ts';
import { amendProblem } from './spot-amend.ts';
import { ocoLegs, ocoProblem, type OcoRequest } from './spot-oco.ts';
import { orderProblem, type MarketView, type OrderRequest } from './spot.ts';
import { resultingType, isStop, triggersStop, trailingStopPrice, defaultDirection } from './stop.ts';

const d = (text: string) => Decimal.parse(text);
const pair: Pair = { symbol: 'btcusdt', base: 'BTC', quote: 'USDT', priceDigits: 2, amountDigits: 5 };
const filters: PairFilters = {
  minAmount: d('0.00001'),
  maxAmount: d('100'),
  minTotal: d('5'),
  priceBand: d('0.2'),
  marketGuard: d('0.05'),
  maxOpenOrders: 200,
  maxStopOrders: 10,
  minTrail: d('0.001'),
  maxTrail: d('0.2'),
  maxLifetimeMs: 90 * 86_400_000,
};
const market: MarketView = { status: 'open', reference: d('50000'), best: d('50001'), last: d('50000') };
const keyOf = (request: OrderRequest, view = market) => orderProblem(pair, filters, request, view)?.key;

const stop: OrderRequest = {
  side: 'sell',
  type: 'stopLimit',
  timeInForce: 'GTC',
  postOnly: false,
  amount: d('1'),
  price: d('48900'),
  stopPrice: d('49000'),
};

describe('stops', () => {
  it('SPOT-100 have a resulting order type and a trigger direction', () => {
    expect((['limit', 'market', 'stopLimit', 'trailing'] as const).map(isStop)).toEqual([
      false,
      false,
      true,
      true,
    ]);
    expect((['takeProfitLimit', 'takeProfitMarket', 'trailing'] as const).map(resultingType)).toEqual([
      'limit',
      'market',
      'market',
    ]);
    expect(defaultDirection('stopMarket', 'sell')).toBe('lte');
    expect(defaultDirection('stopLimit', 'buy')).toBe('gte');
    expect(defaultDirection('takeProfitLimit', 'sell')).toBe('gte');
    expect(defaultDirection('takeProfitMarket', 'buy')).toBe('lte');
    expect(defaultDirection('trailing', 'sell')).toBe('lte');
    expect(triggersStop('gte', d('1'), d('1'))).toBe(true);
    expect(triggersStop('lte', d('1'), d('1.01'))).toBe(false);
  });

  it('SPOT-104 a trailing stop is at its distance on the price grid, never further than requested', () => {
    const prices = fc.bigInt({ min: 1_000n, max: 10n ** 12n }).map((ticks) => Decimal.ofScaled(ticks, 2));
    const trails = fc.bigInt({ min: 10n, max: 2_000n }).map((units) => Decimal.ofScaled(units, 4));
    fc.assert(
      fc.property(prices, trails, fc.constantFrom('buy', 'sell'), (extreme, trail, side) => {
        const price = trailingStopPrice(pair, side, extreme, trail);
        const distance = extreme.minus(price).absolute();
        expect(price.fits(pair.priceDigits)).toBe(true);
        expect(distance.isMore(extreme.times(trail, 'up'))).toBe(false);
        expect(distance.plus(d('0.01')).isMore(extreme.times(trail, 'down'))).toBe(true);
        expect(side === 'sell' ? price.isMore(extreme) : price.isLess(extreme)).toBe(false);
      }),
    );
  });

  it('SPOT-105 a trailing stop too close for the price grid is refused because it would trigger at once', () => {
    const trailing = { ...stop, type: 'trailing', price: undefined, stopPrice: undefined } as const;
    const request: OrderRequest = { ...trailing, timeInForce: 'IOC', trail: d('0.001'), amount: d('100') };
    expect(keyOf(request, { ...market, last: d('9.99') })).toBe('l.stop_price_side');
    expect(keyOf(request, { ...market, last: d('10') })).toBeUndefined();
  });

  it('SPOT-156 fields that a type does not have or lacks are refused by name', () => {
    const plain: OrderRequest = { ...stop, type: 'limit', stopPrice: undefined, price: d('50000') };
    const fieldOf = (request: OrderRequest) => {
      const problem = orderProblem(pair, filters, request, market);
      return `${problem?.key} ${problem?.parameters['field']}`;
    };
    expect(fieldOf(plain)).toBe('undefined undefined');
    expect(fieldOf({ ...plain, stopPrice: d('1') })).toBe('l.stop_unexpected stopPrice');
    expect(fieldOf({ ...plain, direction: 'gte' })).toBe('l.stop_unexpected direction');
    expect(fieldOf({ ...plain, trail: d('0.01') })).toBe('l.stop_unexpected trailPct');
    expect(fieldOf({ ...plain, timeInForce: 'FOK', postOnly: true })).toBe('l.time_in_force postOnly');
    expect(fieldOf({ ...stop, stopPrice: undefined })).toBe('l.stop_price_required stopPrice');
    expect(fieldOf({ ...stop, price: undefined })).toBe('l.price_required price');
    expect(fieldOf({ ...stop, type: 'stopMarket' })).toBe('l.stop_unexpected price');
    expect(fieldOf({ ...stop, type: 'trailing', price: undefined, timeInForce: 'IOC' })).toBe(
      'l.trail_required trailPct',
    );
  });
});

describe('one cancels the other', () => {
  const oco: OcoRequest = { side: 'sell', amount: d('1'), limitPrice: d('52000'), stopPrice: d('49000') };
  const view = { ...market, best: d('49999') };
  const problemOf = (changes: Partial<OcoRequest>) => {
    const problem = ocoProblem(pair, filters, { ...oco, ...changes }, view);
    return `${problem?.key} ${problem?.parameters['field']}`;
  };

  it('SPOT-124 names the field of the leg that violates a limit', () => {
    expect(problemOf({})).toBe('undefined undefined');
    expect(problemOf({ limitPrice: d('60000.01') })).toBe('l.price_band_high limitPrice');
    expect(problemOf({ stopLimitPrice: d('39199.99') })).toBe('l.price_band_low stopLimitPrice');
    expect(problemOf({ stopPrice: d('49000.001') })).toBe('l.price_decimals stopPrice');
    expect(problemOf({ amount: d('0.0001') })).toBe('l.total_min amount');
    expect(problemOf({ side: 'buy' })).toBe('l.oco_prices limitPrice');
    expect(problemOf({ side: 'buy', limitPrice: d('49000'), stopPrice: d('51000') })).toBe(
      'undefined undefined',
    );
    expect(ocoLegs(oco).stop.type).toBe('stopMarket');
    expect(ocoLegs({ ...oco, stopLimitPrice: d('1') }).stop).toMatchObject({
      type: 'stopLimit',
      timeInForce: 'GTC',
    });
  });
});

describe('amending', () => {
  it('SPOT-132 checks the whole amount by the filters, and the remaining amount by the minimum total', () => {
    const order = {
      side: 'buy',
      type: 'limit',
      price: d('50000'),
      amount: d('0.1'),
      done: d('0.04'),
    } as const;
    const keyOfChange = (change: { price?: Decimal; amount?: Decimal }) =>
      amendProblem(pair, filters, order, change, market)?.key;
    expect(keyOfChange({ amount: d('0.0401') })).toBeUndefined();
    expect(keyOfChange({ amount: d('0.04009') })).toBe('l.total_min');
    expect(keyOfChange({ amount: d('0.04') })).toBe('l.amend_filled');
    expect(keyOfChange({ amount: d('100.1') })).toBe('l.amount_max');
    expect(keyOfChange({ price: d('39999.99') })).toBe('l.price_band_low');
    expect(keyOfChange({ price: d('50000') })).toBe('l.amend_nothing');
  });
});
