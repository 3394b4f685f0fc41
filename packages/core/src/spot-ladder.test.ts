import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Decimal, sum } from './decimal.ts';
import type { Pair, PairFilters } from './pair.ts';
import {
  LADDER_ORDERS_MAX,
  LADDER_ORDERS_MIN,
  LADDER_SIZES,
  ladderHold,
  ladderProblem,
  ladderRungs,
  type LadderRequest,
} from './spot-ladder.ts';

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
const MARKET = {
  status: 'open',
  reference: Decimal.parse('50000'),
  best: Decimal.parse('50001'),
} as const;

function ladder(changes: Partial<Record<keyof LadderRequest, string>> = {}): LadderRequest {
  const { side = 'buy', fromPrice = '49000', toPrice = '48000', count = '5' } = changes;
  return {
    side: side === 'buy' ? 'buy' : 'sell',
    fromPrice: Decimal.parse(fromPrice),
    toPrice: Decimal.parse(toPrice),
    count: Number(count),
    amount: Decimal.parse(changes.amount ?? '0.1'),
    sizes: changes.sizes === 'rising' ? 'rising' : 'equal',
  };
}

const textsOf = (request: LadderRequest) =>
  ladderRungs(PAIR, request).map(({ price, amount }) => `${price} ${amount}`);
const problemOf = (changes: Parameters<typeof ladder>[0], resting?: number) =>
  ladderProblem(PAIR, FILTERS, ladder(changes), MARKET, resting);

describe('the orders of a ladder', () => {
  it('ALGO-001 are spread evenly between two prices, with equal or rising amounts', () => {
    expect(textsOf(ladder())).toEqual(['49000 0.02', '48750 0.02', '48500 0.02', '48250 0.02', '48000 0.02']);
    expect(textsOf(ladder({ amount: '0.15', sizes: 'rising' }))).toEqual([
      '49000 0.01',
      '48750 0.02',
      '48500 0.03',
      '48250 0.04',
      '48000 0.05',
    ]);
    expect(textsOf(ladder({ count: '3', amount: '0.1', toPrice: '48999.98' }))).toEqual([
      '49000 0.03333',
      '48999.99 0.03333',
      '48999.98 0.03334',
    ]);
  });

  it('ALGO-002 add up to the amount exactly, on the grid, at different prices', () => {
    const requests = fc.record({
      from: fc.bigInt(1n, 10n ** 9n),
      span: fc.bigInt(BigInt(LADDER_ORDERS_MAX), 10n ** 9n),
      isFalling: fc.boolean(),
      count: fc.integer({ min: LADDER_ORDERS_MIN, max: LADDER_ORDERS_MAX }),
      units: fc.bigInt(1n, 10n ** 12n),
      sizes: fc.constantFrom(...LADDER_SIZES),
    });
    fc.assert(
      fc.property(requests, ({ from, span, isFalling, count, units, sizes }) => {
        const ends = [from, from + span].map((ticks) => Decimal.ofScaled(ticks, PAIR.priceDigits));
        const [fromPrice, toPrice] = isFalling ? ends.toReversed() : ends;
        const amount = Decimal.ofScaled(units, PAIR.amountDigits);
        const request: LadderRequest = {
          side: 'sell',
          fromPrice: fromPrice!,
          toPrice: toPrice!,
          count,
          amount,
          sizes,
        };
        const rungs = ladderRungs(PAIR, request);
        expect(rungs).toHaveLength(count);
        expect(String(sum(rungs.map((rung) => rung.amount)))).toBe(String(amount));
        expect(String(rungs[0]!.price)).toBe(String(fromPrice));
        expect(String(rungs.at(-1)!.price)).toBe(String(toPrice));
        expect(new Set(rungs.map(({ price }) => price.toString())).size).toBe(count);
        const isOnGrid = rungs.every(
          (rung) =>
            rung.price.fits(PAIR.priceDigits) &&
            rung.amount.fits(PAIR.amountDigits) &&
            !rung.amount.isNegative(),
        );
        expect(isOnGrid).toBe(true);
        // In a ladder with equal sizes, the amounts of two orders differ by at most one amount step.
        const share = units / BigInt(count);
        const steps = rungs.map((rung) => rung.amount.toScaled(PAIR.amountDigits) - share);
        expect(sizes === 'rising' || steps.every((step) => step === 0n || step === 1n)).toBe(true);
      }),
    );
  });

  it('ALGO-003 reserve the sum of their totals for a purchase, and the amount for a sale', () => {
    const buy = ladder({ count: '3' });
    const hold = ladderHold(PAIR, 'buy', ladderRungs(PAIR, buy));
    expect(`${hold.amount} ${hold.asset}`).toBe('4849.995 USDT');
    const sale = ladder({ side: 'sell' });
    expect(String(ladderHold(PAIR, 'sell', ladderRungs(PAIR, sale)).amount)).toBe('0.1');
  });
});

describe('the limits of a ladder', () => {
  it.each([
    ['one order', { count: '1' }, { key: 'l.ladder_count', parameters: { field: 'count', value: '1' } }],
    ['51 orders', { count: '51' }, { key: 'l.ladder_count' }],
    ['half an order', { count: '2.5' }, { key: 'l.ladder_count' }],
    ['equal prices', { toPrice: '49000' }, { key: 'l.ladder_range', parameters: { limit: '1', value: '5' } }],
    ['four prices for five orders', { toPrice: '48999.97' }, { key: 'l.ladder_range' }],
    ['a price off the grid', { toPrice: '48000.001' }, { key: 'l.price_decimals' }],
    ['a price of zero', { fromPrice: '0' }, { key: 'l.field_positive', parameters: { field: 'fromPrice' } }],
    ['an amount off the grid', { amount: '0.100001' }, { key: 'l.amount_decimals' }],
    ['no amount', { amount: '0' }, { key: 'l.field_positive', parameters: { field: 'amount' } }],
    ['orders below the minimum', { amount: '0.0004' }, { key: 'l.ladder_small' }],
    ['a first order below the minimum', { amount: '0.001', sizes: 'rising' }, { key: 'l.ladder_small' }],
    [
      'a price outside the band',
      { toPrice: '30000' },
      { key: 'l.price_band_low', parameters: { field: 'toPrice' } },
    ],
    [
      'a purchase that would trade',
      { fromPrice: '50001' },
      { key: 'l.ladder_crosses_buy', parameters: { field: 'fromPrice', limit: '50001.00' } },
    ],
    [
      'a purchase whose last order would trade',
      { toPrice: '50500' },
      { key: 'l.ladder_crosses_buy', parameters: { field: 'toPrice' } },
    ],
    ['a sale that would trade', { side: 'sell' }, { key: 'l.ladder_crosses_sell' }],
  ])('ALGO-004 refuse %s', (_name, changes, problem) => {
    expect(problemOf(changes)).toMatchObject(problem);
  });

  it('ALGO-004 refuse a ladder without room among the open orders', () => {
    expect(problemOf({}, 55)).toBeUndefined();
    expect(problemOf({}, 56)).toMatchObject({ key: 'l.open_orders_max' });
    expect(ladderProblem(PAIR, FILTERS, ladder(), { ...MARKET, status: 'cancelOnly' })).toMatchObject({
      key: 'l.pair_cancel_only',
    });
  });
});
