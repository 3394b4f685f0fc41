import { describe, expect, it } from 'vitest';
import { Decimal, sum } from './decimal.ts';
import type { Pair, PairFilters } from './pair.ts';
import {
  gridOrdersProblem,
  gridOutcomes,
  gridPlan,
  gridPrices,
  gridResults,
  gridStepProfits,
  type GridMarket,
  type GridRequest,
} from './spot-grid.ts';
import { DAY_MS } from './time.ts';

const d = (text: string) => Decimal.parse(text);
const PAIR: Pair = { symbol: 'btcusdt', base: 'BTC', quote: 'USDT', priceDigits: 2, amountDigits: 5 };
const FILTERS: PairFilters = {
  minAmount: d('0.00001'),
  maxAmount: d('100'),
  minTotal: d('5'),
  priceBand: d('0.2'),
  marketGuard: d('0.05'),
  maxOpenOrders: 60,
  maxStopOrders: 10,
  minTrail: d('0.001'),
  maxTrail: d('0.2'),
  maxLifetimeMs: 90 * DAY_MS,
};
const RATES = { maker: d('0.001'), taker: d('0.001') };
const MARKET: GridMarket = {
  status: 'open',
  reference: d('50000'),
  bid: d('49990'),
  ask: d('50010'),
  rates: RATES,
};
const REQUEST: GridRequest = {
  lowerPrice: d('48000'),
  upperPrice: d('52000'),
  levels: 5,
  spacing: 'equal',
  investment: d('1000'),
  slippage: d('0.01'),
};
const problemOf = (changes: Partial<GridRequest>, market: Partial<GridMarket> = {}, resting = 0) => {
  const problem = gridOrdersProblem(
    PAIR,
    FILTERS,
    { ...REQUEST, ...changes },
    { ...MARKET, ...market },
    resting,
  );
  return problem && { key: problem.key, ...problem.parameters };
};

describe('grid prices', () => {
  it('GRID-001 lie at equal differences or equal ratios, on the price step, with both bounds', () => {
    expect(gridPrices(PAIR, REQUEST).map(String)).toEqual(['48000', '49000', '50000', '51000', '52000']);
    const ratio = gridPrices(PAIR, {
      lowerPrice: d('100'),
      upperPrice: d('1600'),
      levels: 5,
      spacing: 'ratio',
    });
    expect(ratio.map(String)).toEqual(['100', '200', '400', '800', '1600']);
    const uneven = gridPrices(PAIR, { ...REQUEST, levels: 50, spacing: 'ratio' });
    expect([uneven[0], uneven.at(-1)].map(String)).toEqual(['48000', '52000']);
    for (const [level, price] of uneven.entries()) {
      // The exact price is the 49th root of 48000^(49 - level) × 52000^level. The grid's price must be this
      // root rounded down to two decimals.
      const ticks = price.toScaled(2);
      const exact = 4_800_000n ** BigInt(49 - level) * 5_200_000n ** BigInt(level);
      expect(ticks ** 49n <= exact && exact < (ticks + 1n) ** 49n).toBe(true);
    }
  });
});

describe('a planned grid', () => {
  it('GRID-002 buys the coins for its sales, leaves the nearest level empty, and costs at most the investment', () => {
    const plan = gridPlan(PAIR, REQUEST, MARKET)!;
    expect(plan.orders.map(({ side, price }) => `${side} ${price}`)).toEqual([
      'buy 48000',
      'buy 49000',
      'sell 51000',
      'sell 52000',
    ]);
    expect(String(plan.price)).toBe('50000');
    expect(String(plan.worstPrice)).toBe('50510.1');
    // The fee of 0.1 % is subtracted from the purchased coins. The planned purchase of 0.0101 delivers enough for the
    // two sell orders of 0.00504 each; one amount step less would not.
    const delivered = plan.purchase.times(d('0.999'), 'down');
    expect(delivered.isLess(plan.amount.times(d('2'), 'down'))).toBe(false);
    const purchases = plan.orders.filter(({ side }) => side === 'buy');
    const cost = sum(purchases.map(({ price, amount }) => price.timesExact(amount))).plus(
      plan.worstPrice.timesExact(plan.purchase),
    );
    expect(plan.invested.equals(cost)).toBe(true);
    expect(cost.isMore(d('1000'))).toBe(false);
    const greater = d('0.00001').plus(plan.amount);
    const more = greater
      .times(d('97000'), 'down')
      .plus(plan.worstPrice.times(greater.times(d('2'), 'down'), 'down'));
    expect(more.isMore(d('1000'))).toBe(true);
  });

  it('GRID-002 never buys at the price of its first sale or above it', () => {
    const plan = gridPlan(PAIR, { ...REQUEST, slippage: d('0.05') }, MARKET)!;
    expect(String(plan.worstPrice)).toBe('50999.99');
    const bottom = gridPlan(PAIR, { ...REQUEST, lowerPrice: d('50000') }, MARKET)!;
    expect(bottom.orders.every(({ side }) => side === 'sell')).toBe(true);
    const top = gridPlan(PAIR, { ...REQUEST, upperPrice: d('50000.5') }, MARKET)!;
    expect(top.orders.every(({ side }) => side === 'buy')).toBe(true);
    expect(top.purchase.isZero()).toBe(true);
  });

  it('GRID-003 names the profit of its steps after both fees', () => {
    const prices = [d('100'), d('101'), d('103')];
    const { lowest, highest } = gridStepProfits(prices, { maker: d('0.001') });
    expect([lowest, highest].map(String)).toEqual(['0.00798101', '0.01776339']);
  });

  it('GRID-004 says what it would have at the bounds and at half of the lower one, beside holding and buying all', () => {
    const plan = gridPlan(PAIR, REQUEST, MARKET)!;
    const outcomes = gridOutcomes(PAIR, plan, RATES);
    expect(outcomes.map(({ case: name, price }) => `${name} ${price}`)).toEqual([
      'lower 48000',
      'half 24000',
      'upper 52000',
    ]);
    const [lower, half, upper] = outcomes;
    const amount = plan.amount;
    const fee = amount.times(RATES.maker, 'up', 8);
    const startBase = plan.purchase.minus(plan.purchase.times(RATES.taker, 'up', 8));
    const coins = startBase.plus(amount.minus(fee)).plus(amount.minus(fee));
    expect(lower!.grid.value.equals(coins.times(d('48000'), 'down', 8))).toBe(true);
    expect(half!.grid.value.equals(coins.times(d('24000'), 'down', 8))).toBe(true);
    expect(lower!.grid.profit.isNegative()).toBe(true);
    expect(half!.grid.profit.isLess(lower!.grid.profit)).toBe(true);
    // If the price rises straight to the upper price, the grid has sold all its coins on the way, so holding gains
    // more.
    expect(upper!.grid.profit.isPositive()).toBe(true);
    expect(upper!.holding.profit.isMore(upper!.grid.profit)).toBe(true);
    expect(upper!.allIn.profit.isMore(upper!.holding.profit)).toBe(true);
    // If the price falls straight to the lower price, holding the coins of the start loses less than buying
    // coins for the whole investment, because part of the investment stays in the quote coin.
    expect(lower!.holding.profit.isMore(lower!.allIn.profit)).toBe(true);
  });

  it('GRID-028 says what it would have at its exit prices, sold at the lowest price that the slippage allows', () => {
    const plan = gridPlan(PAIR, REQUEST, MARKET)!;
    const exits = { stopLoss: d('40000'), takeProfit: d('55000'), slippage: d('0.01') };
    const kept = gridOutcomes(PAIR, plan, RATES, exits);
    const sold = gridOutcomes(PAIR, plan, RATES, { ...exits, sellsAtEnd: true });
    const names = ['lower 48000', 'half 24000', 'upper 52000', 'stopLoss 40000', 'takeProfit 55000'];
    for (const outcomes of [kept, sold])
      expect(outcomes.map(({ case: name, price }) => `${name} ${price}`)).toEqual(names);
    const start = plan.purchase.minus(plan.purchase.times(RATES.taker, 'up', 8));
    const bought = plan.amount.minus(plan.amount.times(RATES.maker, 'up', 8));
    const coins = start.plus(bought).plus(bought);
    expect(String(kept[3]!.grid.value)).toBe(String(coins.times(d('40000'), 'down', 8)));
    const whole = coins.rounded(5, 'down');
    const total = d('39600').timesExact(whole);
    const rest = coins.minus(whole);
    const received = total.minus(total.times(RATES.taker, 'up', 8));
    expect(String(sold[3]!.grid.value)).toBe(String(rest.times(d('40000'), 'down', 8).plus(received)));
    // Half of the lower price is 24,000. The stop-loss price of 40,000 is above it, so the result at 24,000
    // contains the proceeds of the sale at the stop-loss price.
    expect(String(sold[1]!.grid.value)).toBe(String(rest.times(d('24000'), 'down', 8).plus(received)));
    expect(kept[1]!.grid.profit.isLess(sold[1]!.grid.profit)).toBe(true);
    // A stop-loss price of 20,000 is below 24,000, which is half of the lower price, so it does not change
    // the result at 24,000.
    const far = gridOutcomes(PAIR, plan, RATES, { ...exits, stopLoss: d('20000'), sellsAtEnd: true });
    expect(String(far[1]!.grid.value)).toBe(String(kept[1]!.grid.value));
  });

  it('GRID-005 computes results with exact decimals, also negative ones', () => {
    const holdings = {
      invested: d('100'),
      base: d('2'),
      quote: d('10'),
      startBase: d('1'),
      startQuote: d('50'),
      allInBase: d('4'),
    };
    const { grid, holding, allIn } = gridResults(holdings, d('30'));
    expect([grid.value, grid.profit, grid.rate].map(String)).toEqual(['70', '-30', '-0.3']);
    expect([holding.value, holding.profit, holding.rate].map(String)).toEqual(['80', '-20', '-0.2']);
    expect([allIn.value, allIn.profit, allIn.rate].map(String)).toEqual(['120', '20', '0.2']);
  });
});

describe('a grid is refused', () => {
  it('GRID-006 with invalid numbers, without a market, or outside of its range or the price band', () => {
    expect(problemOf({})).toBeUndefined();
    expect(problemOf({ lowerPrice: d('48000.001') })).toMatchObject({
      key: 'l.price_decimals',
      field: 'lowerPrice',
    });
    expect(problemOf({ levels: 1 })).toMatchObject({ key: 'l.field_min', field: 'levels', limit: '2' });
    expect(problemOf({ levels: 51 })).toMatchObject({ key: 'l.field_max', field: 'levels', limit: '50' });
    expect(problemOf({ slippage: d('0.06') })).toMatchObject({ key: 'l.field_max', field: 'slippage' });
    expect(problemOf({ investment: d('0') })).toMatchObject({ key: 'l.field_positive', field: 'investment' });
    expect(problemOf({ investment: d('1000.000000001') })).toMatchObject({
      key: 'l.field_decimals',
      limit: '8',
    });
    expect(problemOf({}, { ask: undefined })).toMatchObject({ key: 'l.grid_no_price' });
    expect(problemOf({}, { status: 'cancelOnly' })).toMatchObject({ key: 'l.pair_cancel_only' });
    expect(problemOf({ upperPrice: d('47000') })).toMatchObject({ key: 'l.grid_range', field: 'upperPrice' });
    const narrow = { lowerPrice: d('49999.9'), upperPrice: d('50000.1'), levels: 50 };
    expect(problemOf(narrow)).toMatchObject({ key: 'l.grid_range', value: '50' });
    expect(problemOf({ lowerPrice: d('50000') })).toMatchObject({
      key: 'l.grid_outside',
      field: 'lowerPrice',
    });
    expect(problemOf({ upperPrice: d('49900') })).toMatchObject({
      key: 'l.grid_outside',
      field: 'upperPrice',
      limit: '50000.00',
    });
    expect(problemOf({ lowerPrice: d('39000') })).toMatchObject({
      key: 'l.price_band_low',
      field: 'lowerPrice',
    });
    expect(problemOf({ upperPrice: d('61000') })).toMatchObject({
      key: 'l.price_band_high',
      field: 'upperPrice',
    });
  });

  it('GRID-003 GRID-006 when a step does not pay its fees, an order is too small or too large, or there are too many', () => {
    expect(problemOf({ stopLoss: d('47999.99'), takeProfit: d('52000.01') })).toBeUndefined();
    expect(problemOf({ stopLoss: d('47900') }, { last: d('47800') })).toMatchObject({
      key: 'l.grid_stop_loss',
      field: 'stopLossPrice',
      limit: '47800.00',
      value: '47900',
    });
    expect(problemOf({ takeProfit: d('53000') }, { last: d('53000') })).toMatchObject({
      key: 'l.grid_take_profit',
      field: 'takeProfitPrice',
      limit: '53000.00',
    });
    for (const field of ['stopLoss', 'takeProfit'])
      expect(problemOf({ [field]: d('60000.001') })).toMatchObject({
        key: 'l.price_decimals',
        field: `${field}Price`,
      });
    expect(problemOf({ levels: 50 })).toMatchObject({ key: 'l.grid_fees', field: 'levels' });
    const free = gridOrdersProblem(
      PAIR,
      FILTERS,
      { ...REQUEST, levels: 50 },
      { ...MARKET, rates: { maker: Decimal.zero, taker: Decimal.zero } },
    );
    expect(free).toBeUndefined();
    const small = problemOf({ investment: d('20') });
    expect(small).toMatchObject({ key: 'l.grid_small', field: 'investment', value: '20' });
    // The refusal states the smallest sufficient investment as its limit. A grid with this investment is accepted.
    expect(problemOf({ investment: d(small!['limit' as keyof typeof small]) })).toBeUndefined();
    expect(problemOf({ investment: d('100000000') })).toMatchObject({
      key: 'l.amount_max',
      field: 'investment',
    });
    expect(problemOf({}, {}, 56)).toBeUndefined();
    expect(problemOf({}, {}, 57)).toMatchObject({ key: 'l.open_orders_max' });
  });
});
