import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Decimal } from './decimal.ts';
import { feeOn, tierFor } from './fee.ts';
import type { Pair, PairFilters } from './pair.ts';
import {
  guardPrice,
  holdFor,
  orderProblem,
  percentOfTrail,
  trailOfPercent,
  type MarketView,
  type OrderRequest,
} from './spot.ts';

const d = (text: string): Decimal => Decimal.parse(text);
const pair: Pair = { symbol: 'btcusdt', base: 'BTC', quote: 'USDT', priceDigits: 2, amountDigits: 5 };
const filters: PairFilters = {
  minAmount: d('0.00001'),
  maxAmount: d('100'),
  minTotal: d('5'),
  priceBand: d('0.2'),
  marketGuard: d('0.05'),
  maxOpenOrders: 200,
  maxStopOrders: 10,
  minTrail: Decimal.parse('0.001'),
  maxTrail: Decimal.parse('0.2'),
  maxLifetimeMs: 90 * 86_400_000,
};
const market: MarketView = { status: 'open', reference: d('50000'), best: d('50001') };
const limit = (changes: Partial<OrderRequest> = {}): OrderRequest => ({
  side: 'buy',
  type: 'limit',
  price: d('50000'),
  amount: d('0.1'),
  timeInForce: 'GTC',
  postOnly: false,
  ...changes,
});
const atMarket = (changes: Partial<OrderRequest> = {}): OrderRequest => ({
  side: 'buy',
  type: 'market',
  amount: d('0.1'),
  timeInForce: 'IOC',
  postOnly: false,
  ...changes,
});
const problem = (request: OrderRequest, view: MarketView = market) =>
  orderProblem(pair, filters, request, view);

describe('limits of an order', () => {
  it('SPOT-001 a valid order has no problem', () => {
    expect(problem(limit())).toBeUndefined();
    expect(problem(atMarket())).toBeUndefined();
    expect(problem(atMarket({ amount: undefined, total: d('100') }))).toBeUndefined();
  });

  it.each([
    ['l.price_required', limit({ price: undefined })],
    ['l.amount_required', limit({ amount: undefined })],
    ['l.amount_required', limit({ total: d('10') })],
    ['l.amount_or_total', atMarket({ total: d('10') })],
    ['l.amount_or_total', atMarket({ amount: undefined })],
    ['l.time_in_force', atMarket({ timeInForce: 'GTC' })],
    ['l.time_in_force', atMarket({ postOnly: true })],
  ])('SPOT-002 names the field that is missing or not allowed: %s', (key, request) => {
    expect(problem(request)?.key).toBe(key);
  });

  it.each([
    ['l.amount_decimals', limit({ amount: d('0.000001') }), { limit: '5', value: '0.000001' }],
    ['l.amount_max', limit({ amount: d('100.00001') }), { limit: '100', value: '100.00001', unit: 'BTC' }],
    ['l.price_decimals', limit({ price: d('50000.001') }), { limit: '2', value: '50000.001' }],
    [
      'l.price_band_low',
      limit({ price: d('39999.99') }),
      { limit: '40000.00', value: '39999.99', unit: 'USDT' },
    ],
    ['l.price_band_high', limit({ price: d('60000.01') }), { limit: '60000.00', value: '60000.01' }],
    ['l.total_min', limit({ amount: d('0.00009') }), { limit: '5', value: '4.5', unit: 'USDT' }],
    [
      'l.total_min',
      atMarket({ amount: undefined, total: d('4.99') }),
      { limit: '5', value: '4.99', field: 'total' },
    ],
  ])('SPOT-003 names the limit and the submitted value: %s', (key, request, parameters) => {
    const refused = problem(request);
    expect(refused?.key).toBe(key);
    expect(refused?.parameters).toMatchObject(parameters);
  });

  it('SPOT-004 a closed or halted market accepts no orders', () => {
    expect(problem(limit(), { ...market, status: 'closed' })?.key).toBe('l.pair_closed');
    expect(problem(limit(), { ...market, status: 'cancelOnly' })?.key).toBe('l.pair_cancel_only');
  });

  it('SPOT-005 a market order needs opposite orders', () => {
    expect(problem(atMarket(), { ...market, best: undefined })?.key).toBe('l.no_liquidity');
  });
});

describe('the hold of an order', () => {
  it('SPOT-006 a sell holds its amount, a limit buy price × amount, a market buy its total or guard price × amount', () => {
    expect(holdFor(pair, limit({ side: 'sell' }), undefined)).toEqual({ asset: 'BTC', amount: d('0.1') });
    expect(holdFor(pair, limit(), undefined)).toEqual({ asset: 'USDT', amount: d('5000') });
    expect(holdFor(pair, atMarket({ amount: undefined, total: d('77.5') }), d('52501'))).toEqual({
      asset: 'USDT',
      amount: d('77.5'),
    });
    expect(holdFor(pair, atMarket(), d('52501.05'))).toEqual({ asset: 'USDT', amount: d('5250.105') });
  });

  it('SPOT-007 the guard price is 5 % beyond the best price and never further', () => {
    expect(guardPrice(pair, filters, 'buy', d('50001'), undefined).toString()).toBe('52501.05');
    expect(guardPrice(pair, filters, 'sell', d('50001'), undefined).toString()).toBe('47500.95');
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 9n }), (ticks) => {
        const best = Decimal.ofScaled(ticks, 2);
        const highest = guardPrice(pair, filters, 'buy', best, undefined);
        const lowest = guardPrice(pair, filters, 'sell', best, undefined);
        expect(highest.isMore(best.times(d('1.05'), 'up'))).toBe(false);
        expect(lowest.isLess(best.times(d('0.95'), 'down'))).toBe(false);
      }),
    );
  });

  it('SPOT-007 the guard is measured from the index if that is better than the best price', () => {
    const guard = (side: 'buy' | 'sell', best: string, index: string) =>
      guardPrice(pair, filters, side, d(best), d(index)).toString();
    expect([guard('buy', '60000', '50000'), guard('buy', '50000', '60000')]).toEqual(['52500', '52500']);
    expect([guard('sell', '40000', '50000'), guard('sell', '50000', '40000')]).toEqual(['47500', '47500']);
  });

  it('SPOT-105 a trailing distance converts from percent to fraction and back, and keeps excess decimals', () => {
    expect(trailOfPercent(d('5')).toString()).toBe('0.05');
    expect(percentOfTrail(d('0.0125')).toString()).toBe('1.25');
    expect(trailOfPercent(d('5.000000000000000001')).fits(4)).toBe(false);
  });
});

describe('fees', () => {
  it('SPOT-008 a fee is rate × received, rounded up to 8 digits, and at most the received amount', () => {
    expect(feeOn(d('0.00012345'), d('0.001')).toString()).toBe('0.00000013');
    expect(feeOn(d('0.000000000000000001'), d('0.001')).toString()).toBe('0.000000000000000001');
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 24n }),
        fc.integer({ min: 0, max: 1000 }),
        (atoms, points) => {
          const received = Decimal.ofAtoms(atoms);
          const rate = Decimal.ofScaled(BigInt(points), 5);
          const fee = feeOn(received, rate);
          expect(fee.isMore(received)).toBe(false);
          expect(fee.isLess(least(received, received.times(rate, 'down')))).toBe(false);
        },
      ),
    );
  });

  it('SPOT-009 the tier follows the 30-day volume', () => {
    expect(tierFor(d('0')).tier).toBe(0);
    expect(tierFor(d('49999.99')).tier).toBe(0);
    expect(tierFor(d('50000')).tier).toBe(1);
    expect(tierFor(d('50000000')).tier).toBe(4);
  });
});

function least(a: Decimal, b: Decimal): Decimal {
  return a.isLess(b) ? a : b;
}
