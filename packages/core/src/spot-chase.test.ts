import { describe, expect, it } from 'vitest';
import { Decimal } from './decimal.ts';
import type { Pair, PairFilters, Side } from './pair.ts';
import {
  chaseFunds,
  chasePrice,
  chaseProblem,
  chaseWorstPrice,
  nextChasePrice,
  type ChaseRequest,
} from './spot-chase.ts';

const PAIR: Pair = {
  symbol: 'btcusdt',
  base: 'BTC',
  quote: 'USDT',
  priceDigits: 2,
  amountDigits: 5,
};
const FILTERS: PairFilters = {
  minAmount: Decimal.parse('0.0001'),
  maxAmount: Decimal.parse('10'),
  minTotal: Decimal.parse('5'),
  priceBand: Decimal.parse('0.2'),
  marketGuard: Decimal.parse('0.05'),
  maxOpenOrders: 60,
  maxStopOrders: 10,
  minTrail: Decimal.parse('0.001'),
  maxTrail: Decimal.parse('0.2'),
  maxLifetimeMs: 1_000,
};
const d = (text: string) => Decimal.parse(text);
const MARKET = { status: 'open', reference: d('50000'), best: d('50000') } as const;

function chase(
  changes: Partial<Record<'amount' | 'distance' | 'limitPrice' | 'minutes', string>> = {},
): ChaseRequest {
  return {
    side: 'buy',
    amount: d(changes.amount ?? '1'),
    distance: d(changes.distance ?? '0.01'),
    limitPrice: changes.limitPrice === undefined ? undefined : d(changes.limitPrice),
    minutes: Number(changes.minutes ?? '60'),
  };
}

describe('chase orders', () => {
  it.each([
    ['buy', '50000.01', '0.0001', undefined, '50005.01'],
    ['sell', '50000.01', '0.0001', undefined, '49995.01'],
    ['buy', '50000', '0.01', '50100', '50100'],
    ['buy', '50000', '0.01', '51000', '50500'],
    ['sell', '50000', '0.01', '49900', '49900'],
    ['buy', '50000', '0.01', '49000', '49000'],
  ] as const)(
    'ALGO-049 the worst price of a %s order from %s is its distance %s, or the limit price %s: %s',
    (side, best, distance, limitPrice, worst) => {
      const request = { side, distance: d(distance), limitPrice: limitPrice && d(limitPrice) };
      expect(String(chaseWorstPrice(PAIR, request, d(best)))).toBe(worst);
    },
  );

  it.each([
    ['buy', '100', '101', '105', '101'],
    ['buy', '100', '106', '105', '105'],
    ['buy', '105', '106', '105', undefined],
    ['buy', '100', '100', '105', undefined],
    ['buy', '101', '100', '105', undefined],
    ['sell', '100', '99', '95', '99'],
    ['sell', '100', '90', '95', '95'],
    ['sell', '99', '100', '95', undefined],
  ] as const)(
    'ALGO-048 a %s order at %s follows the best price %s up to %s: %s',
    (side: Side, price, best, worst, next) => {
      const moved = nextChasePrice(side, { price: d(price), best: d(best), worst: d(worst) });
      expect(moved?.toString()).toBe(next);
    },
  );

  it('ALGO-049 it starts at its worst price if the best price is beyond, and needs the funds of its worst price', () => {
    expect(String(chasePrice('buy', d('50000'), d('49000')))).toBe('49000');
    expect(chaseFunds(PAIR, chase(), d('50500'))).toEqual({ asset: 'USDT', amount: d('50500') });
    expect(chaseFunds(PAIR, { side: 'sell', amount: d('2') }, d('1'))).toEqual({
      asset: 'BTC',
      amount: d('2'),
    });
  });

  it.each([
    [chase({ minutes: '0' }), 'l.field_min', 'minutes'],
    [chase({ minutes: '1441' }), 'l.field_max', 'minutes'],
    [chase({ distance: '0.0004' }), 'l.field_min', 'distance'],
    [chase({ distance: '0.0501' }), 'l.field_max', 'distance'],
    [chase({ distance: '0.00555' }), 'l.field_decimals', 'distance'],
    [chase({ limitPrice: '50000.001' }), 'l.price_decimals', 'limitPrice'],
    [chase({ limitPrice: '39000' }), 'l.price_band_low', 'limitPrice'],
    [chase({ amount: '0.00009' }), 'l.amount_min', 'amount'],
    [chase({ amount: '11' }), 'l.amount_max', 'amount'],
  ])('ALGO-050 refuses what breaks a limit, at its field: %#', (request, key, field) => {
    expect(chaseProblem(PAIR, FILTERS, request, MARKET)).toMatchObject({ key, parameters: { field } });
  });

  it('ALGO-050 refuses a side without orders, a closed pair and too many open orders', () => {
    expect(chaseProblem(PAIR, FILTERS, chase(), MARKET, 59)).toBeUndefined();
    expect(chaseProblem(PAIR, FILTERS, chase(), { ...MARKET, best: undefined })?.key).toBe(
      'l.chase_no_price',
    );
    expect(chaseProblem(PAIR, FILTERS, chase(), { ...MARKET, status: 'closed' })?.key).toBe('l.pair_closed');
    expect(chaseProblem(PAIR, FILTERS, chase(), MARKET, 60)?.key).toBe('l.open_orders_max');
  });
});
