import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Decimal, sum } from './decimal.ts';
import type { Pair, PairFilters } from './pair.ts';
import {
  ICEBERG_SLICES_MAX,
  ICEBERG_SLICES_MIN,
  icebergHold,
  icebergProblem,
  slicesOf,
  type IcebergRequest,
} from './spot-iceberg.ts';
import { leastAmount } from './spot.ts';

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

function iceberg(
  changes: Partial<Record<'price' | 'amount' | 'visible', string>> = {},
  isSale = false,
): IcebergRequest {
  const texts = { price: '50000', amount: '1', visible: '0.1', ...changes };
  return {
    side: isSale ? 'sell' : 'buy',
    price: Decimal.parse(texts.price),
    amount: Decimal.parse(texts.amount),
    visible: Decimal.parse(texts.visible),
    postOnly: false,
  };
}

const slicesText = (request: IcebergRequest) => slicesOf(PAIR, FILTERS, request, request.amount).map(String);

describe('icebergs', () => {
  it('ALGO-036 slices have the visible amount; the last one has the rest', () => {
    expect(slicesText(iceberg({ amount: '0.35' }))).toEqual(['0.1', '0.1', '0.1', '0.05']);
    expect(slicesText(iceberg({ amount: '0.2' }))).toEqual(['0.1', '0.1']);
    // A last slice of 0.00009 would be below the minimum amount of an order, so it is joined with the slice before.
    expect(slicesText(iceberg({ amount: '0.20009' }))).toEqual(['0.1', '0.10009']);
  });

  it('ALGO-036 the amounts of the slices add up, and none is below the minimum of an order or much above the visible amount', () => {
    const lots = (max: number) =>
      fc.integer({ min: 10, max }).map((units) => Decimal.ofScaled(BigInt(units), 5));
    fc.assert(
      fc.property(
        lots(1_000_000),
        lots(100_000),
        fc.integer({ min: 1, max: 9_000_000 }),
        (amount, visible, ticks) => {
          const price = Decimal.ofScaled(BigInt(ticks), 2);
          const request = { ...iceberg(), price, amount, visible };
          if (icebergProblem(PAIR, FILTERS, request, { status: 'open' }) !== undefined) return;
          const slices = slicesOf(PAIR, FILTERS, request, amount);
          const least = leastAmount(PAIR, FILTERS, price);
          expect(sum(slices).toString()).toBe(amount.toString());
          expect(slices.length).toBeGreaterThanOrEqual(ICEBERG_SLICES_MIN);
          expect(slices.length).toBeLessThanOrEqual(ICEBERG_SLICES_MAX);
          expect(slices.some((slice) => slice.isLess(least) || !slice.isLess(visible.plus(least)))).toBe(
            false,
          );
        },
      ),
      { numRuns: 3_000 },
    );
  });

  it('ALGO-037 it reserves what a limit order over the whole amount reserves', () => {
    expect(icebergHold(PAIR, iceberg())).toMatchObject({ asset: 'USDT', amount: Decimal.parse('50000') });
    expect(icebergHold(PAIR, iceberg({}, true))).toMatchObject({ asset: 'BTC', amount: Decimal.parse('1') });
  });

  it.each([
    [iceberg({ visible: '0.6', amount: '0.6' }), 'l.iceberg_slices', 'visible', '1'],
    [iceberg({ visible: '0.9', amount: '0.90009' }), 'l.iceberg_slices', 'visible', '1'],
    [iceberg({ visible: '2' }), 'l.iceberg_slices', 'visible', '1'],
    [iceberg({ visible: '0.0099' }), 'l.iceberg_slices', 'visible', '102'],
    [iceberg({ visible: '0' }), 'l.field_positive', 'visible', '0'],
    [iceberg({ visible: '0.000001' }), 'l.amount_decimals', 'visible', '0.000001'],
    [iceberg({ visible: '0.00009' }), 'l.amount_min', 'visible', '0.00009'],
    [iceberg({ price: '40000', visible: '0.00012', amount: '0.001' }), 'l.total_min', 'visible', '4.8'],
    [iceberg({ amount: '10.1', visible: '1' }), 'l.amount_max', 'amount', '10.1'],
    [iceberg({ price: '39999.99' }), 'l.price_band_low', 'price', '39999.99'],
  ])('ALGO-038 refuses what breaks a limit, at its field: %#', (request, key, field, value) => {
    expect(icebergProblem(PAIR, FILTERS, request, MARKET)).toMatchObject({
      key,
      parameters: { field, value },
    });
  });

  it('ALGO-038 ALGO-041 refuses a post-only iceberg that would trade, a closed pair and too many open orders', () => {
    const crossing = { ...iceberg({ price: '50001' }), postOnly: true };
    expect(icebergProblem(PAIR, FILTERS, crossing, MARKET)?.key).toBe('l.post_only_crosses');
    expect(icebergProblem(PAIR, FILTERS, { ...crossing, postOnly: false }, MARKET)).toBeUndefined();
    expect(icebergProblem(PAIR, FILTERS, iceberg(), { ...MARKET, status: 'closed' })?.key).toBe(
      'l.pair_closed',
    );
    expect(icebergProblem(PAIR, FILTERS, iceberg(), MARKET, 59)).toBeUndefined();
    expect(icebergProblem(PAIR, FILTERS, iceberg(), MARKET, 60)?.key).toBe('l.open_orders_max');
  });
});
