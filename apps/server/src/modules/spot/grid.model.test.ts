import { Decimal, sum } from '@exchange/core/decimal.ts';
import type { Side } from '@exchange/core/pair.ts';
import { Refused } from '@exchange/core/refusal.ts';
import { gridPrices } from '@exchange/core/spot-grid.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { byForm, commitSeed } from '../../../../../tools/test-form.ts';
import { openCount, type Grid } from './domain/grid.ts';
import type { SpotOrder } from './domain/order.ts';
import { BareExchange } from './testing/bare-exchange.ts';

const d = (text: string) => Decimal.parse(text);

type Action =
  | { readonly kind: 'sweep'; readonly side: 'buy' | 'sell'; readonly price: number; readonly lots: number }
  | { readonly kind: 'quote'; readonly price: number; readonly lots: number }
  | {
      readonly kind: 'grid';
      readonly user: number;
      readonly below: number;
      readonly above: number;
      readonly levels: number;
      readonly spacing: 'equal' | 'ratio';
      readonly investment: number;
      readonly slippage: number;
      /** Distances of the exit prices from the range, in hundreds of USDT; zero for none. */
      readonly stopLoss: number;
      readonly takeProfit: number;
      readonly sellsAtEnd: boolean;
    }
  | { readonly kind: 'own'; readonly user: number; readonly side: 'buy' | 'sell'; readonly price: number }
  | { readonly kind: 'cancelLevel'; readonly pick: number }
  | { readonly kind: 'cancelGrid'; readonly pick: number; readonly sells: boolean };

const price = fc.integer({ min: 470, max: 530 });
const lots = fc.integer({ min: 1, max: 400 });
const user = fc.constantFrom(0, 1);
const side = fc.constantFrom('buy' as const, 'sell' as const);
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('sweep' as const), side, price, lots }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('quote' as const), price, lots }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('grid' as const),
      user,
      below: fc.integer({ min: 1, max: 30 }),
      above: fc.integer({ min: 1, max: 30 }),
      levels: fc.integer({ min: 2, max: 14 }),
      spacing: fc.constantFrom('equal' as const, 'ratio' as const),
      investment: fc.integer({ min: 20, max: 3_000 }),
      slippage: fc.integer({ min: 1, max: 5 }),
      stopLoss: fc.integer({ min: 0, max: 8 }),
      takeProfit: fc.integer({ min: 0, max: 8 }),
      sellsAtEnd: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('own' as const), user: fc.constant(0), side, price }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancelLevel' as const), pick: fc.nat(100) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('cancelGrid' as const),
      pick: fc.nat(100),
      sells: fc.boolean(),
    }),
  },
);

/** Runs random actions on an exchange, and records its grids with the orders that they have placed. */
class Watched {
  readonly bare: BareExchange;
  readonly grids: Grid[] = [];
  private readonly orders = new Map<string, Map<string, SpotOrder>>();

  constructor(bare: BareExchange) {
    this.bare = bare;
  }

  run(act: Action): void {
    try {
      this.execute(act);
    } catch (cause) {
      if (!(cause instanceof Refused)) throw cause;
    }
    // The purchase at the start, a fill-or-kill order, is left out, because it is already part of the grid's holdings
    // at the start.
    for (const order of this.bare.parts)
      if (order.timeInForce !== 'FOK') this.ordersOf(order.parentId).set(order.id, order);
  }

  private execute(act: Action): void {
    const { bare, grids } = this;
    if (act.kind === 'sweep') {
      const amount = String(Decimal.ofScaled(BigInt(act.lots), 3));
      bare.place(3, { side: act.side, price: `${act.price}00`, amount, timeInForce: 'IOC' });
    } else if (act.kind === 'quote') {
      const amount = String(Decimal.ofScaled(BigInt(act.lots), 4));
      bare.place(2, { side: 'buy', price: `${act.price}00`, amount, postOnly: true });
      bare.place(2, { side: 'sell', price: `${act.price}50`, amount, postOnly: true });
    } else if (act.kind === 'own') {
      const selfTrade = act.price % 2 === 0 ? 'cancelMaker' : 'decrement';
      bare.place(act.user, { side: act.side, price: `${act.price}00`, amount: '0.005', selfTrade });
    } else if (act.kind === 'grid') {
      const last = bare.market.last ?? d('50000');
      const away = (hundreds: number) => Decimal.ofWhole(hundreds * 100);
      grids.push(
        bare.grid(act.user, {
          lowerPrice: last.minus(away(act.below)).toPlaces(2),
          upperPrice: last.plus(away(act.above)).toPlaces(2),
          stopLoss: act.stopLoss > 0 ? last.minus(away(act.below + act.stopLoss)).toPlaces(2) : undefined,
          takeProfit:
            act.takeProfit > 0 ? last.plus(away(act.above + act.takeProfit)).toPlaces(2) : undefined,
          sellsAtEnd: act.sellsAtEnd,
          levels: act.levels,
          spacing: act.spacing,
          investment: String(act.investment),
          slippage: `0.0${act.slippage}`,
        }),
      );
    } else {
      const running = grids.filter(({ ending }) => ending === undefined);
      const grid = running[act.pick % Math.max(running.length, 1)];
      const order = grid && bare.exchange.orders.get(grid.cells.find(({ orderId }) => orderId)!.orderId!);
      if (grid === undefined || order === undefined) return;
      if (act.kind === 'cancelLevel') bare.run('cancel', { owner: grid.owner, order: order.id });
      else bare.cancelGrid(grid, act.sells);
    }
  }

  ordersOf(grid: string): Map<string, SpotOrder> {
    const known = this.orders.get(grid);
    if (known !== undefined) return known;
    const created = new Map<string, SpotOrder>();
    this.orders.set(grid, created);
    return created;
  }
}

/** The holdings and fees of a grid, computed again from its holdings at the start and the fills of its orders. */
function figuresOf(grid: Grid, placed: readonly SpotOrder[]) {
  const of = (wanted: 'buy' | 'sell') => placed.filter((order) => order.side === wanted);
  const total = (orders: readonly SpotOrder[], figure: (order: SpotOrder) => Decimal) =>
    sum(orders.map(figure));
  const [buys, sells] = [of('buy'), of('sell')];
  const quoteFee = total(sells, ({ fee }) => fee);
  return {
    base: grid.startBase
      .plus(total(buys, ({ filledAmount, fee }) => filledAmount.minus(fee)))
      .minus(total(sells, ({ filledAmount }) => filledAmount)),
    quote: grid.startQuote
      .minus(total(buys, ({ filledTotal }) => filledTotal))
      .plus(total(sells, ({ filledTotal }) => filledTotal))
      .minus(quoteFee),
    quoteFee,
  };
}

/**
 * The number of completed rounds (purchase and following sale) of a grid and their profit, computed again from the
 * sequence of orders between each two neighbouring prices.
 */
function roundsOf(all: readonly SpotOrder[], prices: readonly Decimal[]) {
  const placed = all.filter(({ timeInForce }) => timeInForce !== 'IOC');
  let [rounds, profit] = [0, Decimal.zero];
  for (const [level, low] of prices.slice(0, -1).entries()) {
    const high = prices[level + 1]!;
    const chain = placed
      .filter((order) => order.price!.equals(order.side === 'buy' ? low : high))
      .toSorted((first, second) => first.rank - second.rank);
    for (const [index, sale] of chain.entries()) {
      const purchase = chain[index - 1];
      if (sale.side !== 'sell' || sale.state !== 'filled' || purchase?.side !== 'buy') continue;
      const bought = purchase.filledAmount.minus(purchase.fee);
      const cost = purchase.filledTotal.times(sale.filledAmount, 'up').over(bought, 'up');
      rounds += 1;
      profit = profit.plus(sale.filledTotal.minus(sale.fee).minus(cost));
    }
  }
  return { rounds, profit: profit.toString() };
}

/** The balance of user 1 in a coin: available amount plus the amount held for orders. */
function totalOf(bare: BareExchange, asset: 'BTC' | 'USDT'): string {
  return String(sum(bare.balanceText(1, asset).split(' + ').map(d)));
}

describe('grids in a random market', () => {
  it('GRID-018 GRID-024 GRID-025 conserve money, never trade at once or with their owner, and show what their fills say', async () => {
    let completed = 0;
    const ended = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 60, maxLength: 150, size: 'max' }), async (actions) => {
        const bare = await BareExchange.open();
        const watched = new Watched(bare);
        bare.tradeAt('50000');
        watched.run({ kind: 'quote', price: 500, lots: 400 });
        for (const act of actions) {
          watched.run(act);
          const last = bare.market.last!;
          // No grid must be running although the last price has reached its stop-loss or take-profit price,
          // and no work of grids must be left for a later step.
          for (const { stopLoss, takeProfit } of bare.exchange.grids) {
            expect(stopLoss === undefined || stopLoss.isLess(last)).toBe(true);
            expect(takeProfit === undefined || takeProfit.isMore(last)).toBe(true);
          }
          const { reachedGrids, gridSales, filledGridOrders } = bare.exchange;
          expect([reachedGrids.length, gridSales.length, filledGridOrders.length]).toEqual([0, 0, 0]);
        }
        expect(bare.problems()).toEqual([]);
        // User 1 has no orders besides those of grids, so the balances follow from the holdings of the grids.
        const own = watched.grids.filter(({ owner }) => owner === bare.ownerOf(1));
        expect(totalOf(bare, 'BTC')).toBe(String(sum([d('100'), ...own.map(({ base }) => base)])));
        expect(totalOf(bare, 'USDT')).toBe(
          String(sum([d('1000000'), ...own.map(({ quote, invested }) => quote.minus(invested))])),
        );
        for (const grid of watched.grids) {
          const placed = [...watched.ordersOf(grid.id).values()];
          const prices = gridPrices(bare.market.pair, grid);
          const { base, quote, quoteFee } = figuresOf(grid, placed);
          expect([grid.base, grid.quote, grid.quoteFee].map(String)).toEqual(
            [base, quote, quoteFee].map(String),
          );
          expect({ rounds: grid.rounds, profit: grid.roundProfit.toString() }).toEqual(
            roundsOf(placed, prices),
          );
          completed += grid.rounds;
          const sold = placed.filter(({ timeInForce }) => timeInForce === 'IOC');
          expect([grid.soldBase, grid.soldQuote].map(String)).toEqual([
            String(sum(sold.map(({ filledAmount }) => filledAmount))),
            String(sum(sold.map(({ filledTotal, fee }) => filledTotal.minus(fee)))),
          ]);
          const kind = `${grid.ending}${grid.soldBase.isPositive() ? ' and sold' : ''}`;
          ended.set(kind, (ended.get(kind) ?? 0) + 1);
          const open = placed.filter(({ state }) => state === 'open');
          expect(open.length).toBe(grid.ending === undefined ? openCount(grid) : 0);
          const heldBy = (side: Side) =>
            sum(open.filter((order) => order.side === side).map(({ held }) => held));
          expect(heldBy('buy').isMore(grid.quote)).toBe(false);
          expect(heldBy('sell').isMore(grid.base)).toBe(false);
        }
      }),
      { numRuns: byForm(100, 1_500), seed: commitSeed },
    );
    expect(completed).toBeGreaterThan(50);
    for (const kind of ['stopLoss', 'stopLoss and sold', 'takeProfit', 'user and sold'])
      expect([kind, ended.has(kind)]).toEqual([kind, true]);
  });
});
