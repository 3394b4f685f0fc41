import { NO_COST, type CoinCost } from '@exchange/core/cost.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventsOfEntry } from './domain/tax-events.ts';
import { averageAfter } from './domain/tax-totals.ts';

const d = (text: string): Decimal => Decimal.parse(text);

interface Entry {
  readonly reference: string | null;
  readonly changes: ReadonlyMap<string, Decimal>;
}

const entry = (changes: Readonly<Record<string, string>>, reference: string | null = null): Entry => ({
  reference,
  changes: new Map(Object.entries(changes).map(([coin, amount]) => [coin, d(amount)])),
});

function costsAfter(entries: readonly Entry[], values: Readonly<Record<string, string>> = {}) {
  const costs = new Map<string, CoinCost>();
  const worths = new Map(Object.entries(values).map(([reference, value]) => [reference, d(value)]));
  for (const counted of entries) countEntry(costs, counted, worths);
  return costs;
}

function countEntry(
  costs: Map<string, CoinCost>,
  { reference, changes }: Entry,
  values: ReadonlyMap<string, Decimal>,
): void {
  const counted = {
    entry: 1,
    at: 0,
    kind: 'deposit.credited',
    reference,
    entries: 1,
    changes,
    account: undefined,
    fees: [],
  };
  for (const event of eventsOfEntry(counted, values.get(reference ?? ''), () => undefined))
    if (event.asset !== 'USDT')
      costs.set(event.asset, averageAfter(costs.get(event.asset) ?? NO_COST, event, undefined));
}

const texts = ({ amount, cost, realized, uncosted }: CoinCost) =>
  [amount, cost, realized, uncosted].map(String);

describe('cost basis of coins', () => {
  it('PORT-950 follows every kind of movement, as calculated by hand', () => {
    const entries = [
      // 2 BTC arrive without a cost; 3 are bought for 30,000 USDT, minus a fee of 0.003 BTC.
      entry({ BTC: '2' }),
      entry({ USDT: '-30000', BTC: '2.997' }),
      entry({ BTC: '0.003' }),
      // 1 of the 5 BTC is withdrawn: a fifth of the coins with a cost and of those without one, and a
      // fifth of the cost.
      entry({ BTC: '-1' }),
      // Moves to the seconds account and into a product do not change the cost basis.
      entry({ BTC: '0' }),
      // 0.5 BTC are converted to ETH at a value of 6,000 USDT, and 1 BTC is sold for 12,000 USDT.
      entry({ BTC: '-0.5', ETH: '3' }, 'quote'),
      entry({ BTC: '-1', USDT: '12000' }),
      // Interest is paid in ETH, a quarter of the ETH is withdrawn, and the rest is sold.
      entry({ ETH: '1' }),
      entry({ ETH: '-1' }),
      entry({ ETH: '-3', USDT: '7500' }),
    ];
    const worths = { quote: '6000' };
    expect(texts(costsAfter(entries.slice(0, 3)).get('BTC')!)).toEqual(['2.997', '30000', '0', '2.003']);
    expect(texts(costsAfter(entries.slice(0, 4)).get('BTC')!)).toEqual(['2.3976', '24000', '0', '1.6024']);
    expect(texts(costsAfter(entries.slice(0, 5)).get('BTC')!)).toEqual(['2.3976', '24000', '0', '1.6024']);
    // BTC bought at 10,010.01001 each: 0.5 cost 5,005.00500501 and 1 cost 10,010.01001001, rounded
    // up.
    const btc = costsAfter(entries, worths).get('BTC')!;
    expect(texts(btc)).toEqual(['0.8976', '8984.98498498', '2984.98498498', '1.6024']);
    // A quarter of both the 3 ETH bought for 6,000 and the 1 ETH of interest was withdrawn; of the rest, 2.25 had cost
    // 4,500 and sold for 5,625.
    const eth = costsAfter(entries, worths).get('ETH')!;
    expect(texts(eth)).toEqual(['0', '0', '1125', '0']);
  });

  it('PORT-951 exchanges of unknown value and coins without a cost yield no profit', () => {
    const costs = costsAfter([
      entry({ USDT: '-100', BTC: '1' }),
      entry({ BTC: '-0.5', ETH: '2' }, 'unknown'),
      entry({ ETH: '-2', USDT: '500' }),
    ]);
    expect(texts(costs.get('BTC')!)).toEqual(['0.5', '50', '0', '0']);
    expect(texts(costs.get('ETH')!)).toEqual(['0', '0', '0', '0']);
  });

  /**
   * Reference implementation of the average cost method in floating point, for one coin traded against USDT.
   */
  function recounted(entries: readonly Entry[], coin: string) {
    let [bought, uncosted] = [0, 0];
    let [cost, realized] = [0, 0];
    for (const { changes } of entries) {
      const amount = Number((changes.get(coin) ?? Decimal.zero).toString());
      const usdt = Math.abs(Number((changes.get('USDT') ?? Decimal.zero).toString()));
      if (amount > 0 && usdt > 0) [bought, cost] = [bought + amount, cost + usdt];
      else if (amount > 0) uncosted += amount;
      else if (amount < 0 && usdt > 0) {
        const sold = Math.min(-amount, bought);
        const share = bought === 0 ? 0 : sold / bought;
        realized += (usdt * sold) / -amount - cost * share;
        [bought, cost] = [bought - sold, cost * (1 - share)];
        uncosted -= -amount - sold;
      } else if (amount < 0) {
        const share = -amount / (bought + uncosted);
        [bought, uncosted, cost] = [bought * (1 - share), uncosted * (1 - share), cost * (1 - share)];
      }
    }
    return { bought, uncosted, cost, realized };
  }

  it('PORT-952 in any order of entries, each coin matches a full recount', () => {
    const step = fc.record({
      way: fc.constantFrom('buy', 'sell', 'arrive', 'leave', 'move'),
      share: fc.integer({ min: 1, max: 100 }),
      usdt: fc.integer({ min: 1, max: 100_000 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), fc.integer({ min: 0, max: 60 }), (steps, stop) => {
        const entries: Entry[] = [];
        let held = 0;
        for (const { way, share, usdt } of steps) {
          const removed = Math.floor((held * share) / 100);
          const change = way === 'buy' || way === 'arrive' ? share : way === 'move' ? 0 : -removed;
          if (change === 0 && way !== 'move') continue;
          held += change;
          const isTrade = way === 'buy' || way === 'sell';
          const coins = { BTC: String(change) };
          const sign = way === 'buy' ? -usdt : usdt;
          entries.push(entry(isTrade ? { BTC: coins.BTC, USDT: String(sign) } : coins));
        }
        const all = costsAfter(entries).get('BTC') ?? NO_COST;
        expect(all.amount.plus(all.uncosted).toString()).toBe(String(held));
        expect([all.amount, all.cost, all.uncosted].some((figure) => figure.isNegative())).toBe(false);
        const expected = recounted(entries, 'BTC');
        expect(Number(all.amount.toString())).toBeCloseTo(expected.bought, 6);
        expect(Number(all.uncosted.toString())).toBeCloseTo(expected.uncosted, 6);
        expect(Number(all.cost.toString())).toBeCloseTo(expected.cost, 3);
        expect(Number(all.realized.toString())).toBeCloseTo(expected.realized, 3);
        // Counts the entries in two parts, as two successive requests would; the result must equal the count in one
        // part.
        const costs = costsAfter(entries.slice(0, stop));
        for (const entry of entries.slice(stop)) countEntry(costs, entry, new Map());
        expect(costs.get('BTC') ?? NO_COST).toEqual(all);
      }),
    );
  });
});
