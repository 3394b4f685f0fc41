import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Decimal, sum } from './decimal.ts';
import type { Pair, PairFilters } from './pair.ts';
import {
  TWAP_CHILDREN_MAX,
  TWAP_CHILDREN_MIN,
  TWAP_SPACING_MIN_MS,
  twapChildAfterMs,
  twapChildAmount,
  twapChildAt,
  twapChildPrice,
  twapChildren,
  twapEndsAt,
  twapFunds,
  twapProblem,
  twapSlippage,
  type TwapRequest,
} from './spot-twap.ts';
import { instant, later, MINUTE_MS } from './time.ts';

const d = (text: string) => Decimal.parse(text);
const PAIR: Pair = {
  symbol: 'btcusdt',
  base: 'BTC',
  quote: 'USDT',
  priceDigits: 2,
  amountDigits: 5,
};
const FILTERS: PairFilters = {
  minAmount: d('0.0001'),
  maxAmount: d('10'),
  minTotal: d('5'),
  priceBand: d('0.2'),
  marketGuard: d('0.05'),
  maxOpenOrders: 60,
  maxStopOrders: 10,
  minTrail: d('0.001'),
  maxTrail: d('0.2'),
  maxLifetimeMs: 1_000,
};
const MARKET = { status: 'open', reference: d('50000'), best: d('50001') } as const;
const START = instant(1_700_000_000_000);

interface Changes {
  readonly side?: 'buy' | 'sell';
  readonly amount?: string;
  readonly minutes?: number;
  readonly count?: number;
  readonly bound?: string;
  readonly limitPrice?: string;
}

function twap({
  side = 'buy',
  amount = '0.1',
  minutes = 60,
  count = 6,
  bound = '0.005',
  limitPrice,
}: Changes = {}): TwapRequest {
  return {
    side,
    amount: d(amount),
    minutes,
    count,
    bound: d(bound),
    limitPrice: limitPrice === undefined ? undefined : d(limitPrice),
  };
}

const planOf = (request: TwapRequest, price = '50000') =>
  twapChildren(PAIR, FILTERS, request, d(price)).map(({ afterMs, amount }) => [afterMs, amount.toString()]);
const problemOf = (changes: Changes, market: Parameters<typeof twapProblem>[3] = MARKET) =>
  twapProblem(PAIR, FILTERS, twap(changes), market);

describe('the children of a TWAP order', () => {
  it('ALGO-022 are spread evenly over the time, the first at once', () => {
    const minutes = 10 * MINUTE_MS;
    expect(planOf(twap())).toEqual([
      [0, '0.01666'],
      [minutes, '0.01666'],
      [2 * minutes, '0.01667'],
      [3 * minutes, '0.01667'],
      [4 * minutes, '0.01667'],
      [5 * minutes, '0.01667'],
    ]);
    expect(twapEndsAt(twap(), START)).toBe(later(START, 60 * MINUTE_MS));
  });

  it('ALGO-023 trade within the bound from the best price, on the tick, and never beyond the limit price', () => {
    const priceOf = (changes: Changes, best: string) =>
      twapChildPrice(PAIR, twap(changes), d(best))?.toString();
    expect(priceOf({}, '50000.01')).toBe('50250.01');
    expect(priceOf({ side: 'sell' }, '50000.01')).toBe('49750.01');
    expect(priceOf({ limitPrice: '50100' }, '50000')).toBe('50100');
    expect(priceOf({ limitPrice: '49999' }, '50000')).toBeUndefined();
    expect(priceOf({ side: 'sell', limitPrice: '49900' }, '50000')).toBe('49900');
    expect(priceOf({ side: 'sell', limitPrice: '50001' }, '50000')).toBeUndefined();
  });

  it('ALGO-024 include what earlier ones left unfilled, up to twice an equal share, and leave no remaining amount that is too small for an order', () => {
    const amountOf = (remaining: string, left: number, price = '50000', request = twap()) =>
      twapChildAmount(PAIR, FILTERS, request, { remaining: d(remaining), left, price: d(price) })?.toString();
    expect(amountOf('0.1', 5)).toBe('0.02');
    expect(amountOf('0.1', 1)).toBe('0.03334');
    // A share worth less than 5 USDT is increased to the minimum amount of an order on the pair.
    expect(amountOf('0.0006', 6, '40000', twap({ amount: '0.0006' }))).toBe('0.00013');
    expect(amountOf('0.0002', 2, '40000')).toBe('0.0002');
    expect(amountOf('0.00009', 1)).toBeUndefined();
  });

  it('ALGO-022 ALGO-024 add up to the amount, whatever the numbers are, within their schedule', () => {
    const request = fc
      .record({
        minutes: fc.integer({ min: 1, max: 1_440 }),
        count: fc.integer({ min: TWAP_CHILDREN_MIN, max: TWAP_CHILDREN_MAX }),
        share: fc.integer({ min: 10, max: 50_000 }),
        extra: fc.integer({ min: 0, max: 99 }),
        price: fc.integer({ min: 5_000_000, max: 9_000_000 }),
      })
      .filter(({ minutes, count }) => minutes * MINUTE_MS >= count * TWAP_SPACING_MIN_MS);
    fc.assert(
      fc.property(request, ({ minutes, count, share, extra, price: cents }) => {
        const amount = Decimal.ofScaled(BigInt(share * count + (extra % count)), 5);
        const wanted = { ...twap({ minutes, count }), amount };
        const price = Decimal.ofScaled(BigInt(cents), 2);
        const children = twapChildren(PAIR, FILTERS, wanted, price);
        expect(sum(children.map((child) => child.amount)).equals(amount)).toBe(true);
        for (const [index, child] of children.entries()) {
          expect(child.amount.isLess(FILTERS.minAmount)).toBe(false);
          expect(child.afterMs).toBe(twapChildAfterMs(wanted, index));
          const at = later(START, child.afterMs);
          expect(twapChildAt(wanted, START, at)).toBe(index);
          expect(twapChildAt(wanted, START, later(at, -1))).toBe(Math.max(0, index - 1));
        }
      }),
      { numRuns: 100 },
    );
  });

  it('ALGO-022 after any fills the next amount is between the minimum amount of an order and twice an equal share', () => {
    const shares = fc.record({
      count: fc.integer({ min: 2, max: 100 }),
      units: fc.integer({ min: 2_000, max: 900_000 }),
      left: fc.integer({ min: 1, max: 100 }),
      filled: fc.integer({ min: 0, max: 900_000 }),
    });
    fc.assert(
      fc.property(shares, ({ count, units, left, filled }) => {
        const remaining = Math.max(1, units - filled);
        const request = twap({ count, amount: Decimal.ofScaled(BigInt(units), 5).toString() });
        const amount = twapChildAmount(PAIR, FILTERS, request, {
          remaining: Decimal.ofScaled(BigInt(remaining), 5),
          left,
          price: d('50000'),
        });
        expect(amount === undefined).toBe(remaining < 10);
        if (amount === undefined) return;
        const child = Number(amount.toScaled(5));
        expect(child).toBeGreaterThanOrEqual(10);
        expect(child).toBeLessThanOrEqual(remaining);
        // After each child order the remaining amount must be zero or sufficient for another order.
        expect(child === remaining || remaining - child >= 10).toBe(true);
        expect(child).toBeLessThanOrEqual(Math.max(2 * Math.ceil(units / count), 10) + 9);
      }),
      { numRuns: 200 },
    );
  });
});

describe('a TWAP order', () => {
  it('ALGO-025 needs its amount for a sale, and its amount times the worst price for a buy', () => {
    expect(twapFunds(PAIR, twap(), d('50250')).amount.toString()).toBe('5025');
    expect(twapFunds(PAIR, twap({ side: 'sell' }), d('49750'))).toEqual({ asset: 'BTC', amount: d('0.1') });
  });

  it('ALGO-026 is refused with the field, the limit and the value', () => {
    expect(problemOf({})).toBeUndefined();
    expect(problemOf({ amount: '0' })).toMatchObject({ key: 'l.field_positive' });
    expect(problemOf({ amount: '0.000001' })).toMatchObject({ key: 'l.amount_decimals' });
    expect(problemOf({ amount: '0.0005' })).toMatchObject({ key: 'l.ladder_small' });
    expect(problemOf({ minutes: 0 })).toMatchObject({ parameters: { field: 'minutes', limit: '1' } });
    expect(problemOf({ minutes: 1_441 })).toMatchObject({ parameters: { field: 'minutes', limit: '1440' } });
    expect(problemOf({ count: 1 })).toMatchObject({ parameters: { field: 'count', limit: '2' } });
    expect(problemOf({ count: 101 })).toMatchObject({ parameters: { field: 'count', limit: '100' } });
    expect(problemOf({ count: 13, minutes: 1 })).toMatchObject({
      key: 'l.twap_spacing',
      parameters: { field: 'count', limit: '12', value: '13', seconds: '5' },
    });
    expect(problemOf({ bound: '0.0001' })).toMatchObject({
      parameters: { field: 'slippage', limit: '0.05' },
    });
    expect(problemOf({ bound: '0.06' })).toMatchObject({ parameters: { field: 'slippage', limit: '5' } });
    expect(problemOf({ bound: '0.0051' })).toBeUndefined();
    expect(problemOf({ bound: '0.00501' })).toMatchObject({ key: 'l.field_decimals' });
    expect(problemOf({ limitPrice: '50000.001' })).toMatchObject({ parameters: { field: 'limitPrice' } });
    expect(problemOf({ limitPrice: '30000' })).toMatchObject({
      key: 'l.price_band_low',
      parameters: { field: 'limitPrice', limit: '40000.00' },
    });
    expect(problemOf({}, { status: 'cancelOnly', best: d('1') })).toMatchObject({
      key: 'l.pair_cancel_only',
    });
    expect(problemOf({}, { status: 'open' })).toMatchObject({ key: 'l.no_liquidity' });
  });

  it('ALGO-030 says how much worse its average is than the price at the start', () => {
    expect(twapSlippage('buy', d('50000'), d('50025')).toString()).toBe('5');
    expect(twapSlippage('buy', d('50000'), d('49990')).toString()).toBe('-2');
    expect(twapSlippage('sell', d('50000'), d('49990')).toString()).toBe('2');
  });
});
