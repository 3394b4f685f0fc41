import { Decimal, sum } from '@exchange/core/decimal.ts';
import { gridPrices } from '@exchange/core/spot-grid.ts';
import { SECOND_MS, later } from '@exchange/core/time.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Grid } from './domain/grid.ts';
import { BareExchange, refusalOf, type GridText } from './testing/bare-exchange.ts';

const REQUEST: GridText = {
  lowerPrice: '48000',
  upperPrice: '52000',
  levels: 5,
  investment: '10000',
};

describe('grids', () => {
  let bare: BareExchange;

  beforeEach(async () => {
    bare = await BareExchange.open();
    bare.place(2, { side: 'buy', price: '49990', amount: '10' });
    bare.place(2, { side: 'sell', price: '50010', amount: '10' });
  });

  const openOf = ({ cells }: Grid) =>
    cells.map(({ orderId }) => {
      const order = orderId && bare.exchange.orders.get(orderId);
      return order === undefined ? '–' : `${order.side} ${order.price}`;
    });
  const sellTo = (price: string, amount: string) =>
    bare.place(3, { side: 'sell', price, amount, timeInForce: 'IOC' });
  const buyUpTo = (price: string, amount: string) =>
    bare.place(3, { side: 'buy', price, amount, timeInForce: 'IOC' });

  /** User 0 withdraws everything that no order holds. */
  const withdrawAll = () => {
    bare.withdrawAll(0, 'USDT');
    bare.withdrawAll(0, 'BTC');
  };

  it('GRID-010 buys for its sales, rests its orders with its id as their name, and leaves the nearest level empty', () => {
    const grid = bare.grid(0, REQUEST);
    expect(openOf(grid)).toEqual(['buy 48000', 'buy 49000', 'sell 51000', 'sell 52000']);
    const open = bare.exchange.orders.ofOwner(bare.ownerOf(0));
    expect(open.every(({ clientId, parentId }) => clientId === grid.id && parentId === grid.id)).toBe(true);
    expect([...new Set(open.map(({ amount }) => String(amount)))]).toEqual([String(grid.amount)]);
    expect(String(grid.startCost)).toBe(
      String(Decimal.parse('50010').times(grid.startBase.plus(grid.baseFee), 'down')),
    );
    // Only the amount that the grid's orders need is used; the rest of the investment stays available.
    expect(bare.balanceText(0, 'USDT')).toBe(
      `${Decimal.parse('1000000').minus(grid.invested)} + ${grid.startQuote}`,
    );
    expect(grid.invested.isMore(Decimal.parse('10000'))).toBe(false);
    expect(bare.problems()).toEqual([]);
  });

  it('GRID-011 GRID-012 a filled purchase is followed by a sale one level higher in the same step, and that by a purchase', () => {
    const grid = bare.grid(0, REQUEST);
    sellTo('49000', '11');
    expect(openOf(grid)).toEqual(['buy 48000', 'sell 50000', 'sell 51000', 'sell 52000']);
    const sale = bare.exchange.orders.get(grid.cells[1]!.orderId!)!;
    // The fee of the purchase was charged in the base coin, so the following sale is smaller; its amount is rounded
    // down to the amount step.
    expect(sale.amount!.isLess(grid.amount)).toBe(true);
    expect(grid.rounds).toBe(0);
    buyUpTo('50000', '11');
    expect(openOf(grid)).toEqual(['buy 48000', 'buy 49000', 'sell 51000', 'sell 52000']);
    expect(grid.rounds).toBe(1);
    const bought = grid.amount.minus(grid.amount.times(Decimal.parse('0.001'), 'up', 8));
    const cost = Decimal.parse('49000').timesExact(grid.amount);
    const expected = sale.filledTotal
      .minus(sale.fee)
      .minus(cost.times(sale.filledAmount, 'up').over(bought, 'up'));
    expect(String(grid.roundProfit)).toBe(String(expected));
    expect(grid.roundProfit.isPositive()).toBe(true);
    expect(bare.problems()).toEqual([]);
  });

  it('GRID-011 a partly filled order waits for the rest, and one step can fill several levels', () => {
    const grid = bare.grid(0, REQUEST);
    sellTo('49000', `${Decimal.parse('10').plus(Decimal.parse('0.01'))}`);
    expect(openOf(grid)).toEqual(['buy 48000', 'buy 49000', 'sell 51000', 'sell 52000']);
    sellTo('48000', '10');
    expect(openOf(grid)).toEqual(['sell 49000', 'sell 50000', 'sell 51000', 'sell 52000']);
    buyUpTo('52000', '20');
    expect(openOf(grid)).toEqual(['buy 48000', 'buy 49000', 'buy 50000', 'buy 51000']);
    // The first two sales sold coins that were bought at the start, so they complete no round (a purchase by an order
    // of the grid and the following sale).
    expect(grid.rounds).toBe(2);
    expect(bare.problems()).toEqual([]);
  });

  it('GRID-013 a grid uses no more than it has, also when the owner has spent what it could have used', () => {
    const grid = bare.grid(0, REQUEST);
    for (let turn = 0; turn < 3; turn += 1) {
      withdrawAll();
      sellTo('48000', '15');
      withdrawAll();
      buyUpTo('50000', '15');
    }
    expect(openOf(grid)).toEqual(['buy 48000', 'buy 49000', 'sell 51000', 'sell 52000']);
    const held = sum(
      bare.exchange.orders
        .ofOwner(bare.ownerOf(0))
        .filter(({ parentId, side }) => parentId === grid.id && side === 'buy')
        .map((order) => order.held),
    );
    expect(held.isMore(grid.quote)).toBe(false);
    expect(bare.problems()).toEqual([]);
  });

  it('GRID-013 GRID-014 a grid whose last order cannot be followed by one of the least size ends', () => {
    const wanted = { lowerPrice: '48000', upperPrice: '50500', levels: 2 };
    const { limit } = refusalOf(() => bare.grid(0, { ...wanted, investment: '1' }));
    const run = (grid: Grid) => {
      let steps = 0;
      for (; steps < 12 && grid.ending === undefined; steps += 1) {
        if (grid.owner === bare.ownerOf(0)) withdrawAll();
        sellTo('48000', '15');
        buyUpTo('50500', '15');
      }
      return [grid.ending, grid.rounds];
    };
    // What is left of the investment after rounding to amount steps is enough for the next orders of the grid although
    // they pay fees, unless the owner withdraws it.
    expect(run(bare.grid(1, { ...wanted, investment: limit! }))).toEqual([undefined, 12]);
    bare.run('cancelGrid', { owner: bare.ownerOf(1), id: [...bare.exchange.grids][0]!.id });
    bare.place(2, { side: 'buy', price: '49990', amount: '1' });
    bare.place(2, { side: 'sell', price: '50010', amount: '1' });
    const [ending, rounds] = run(bare.grid(0, { ...wanted, investment: limit! }));
    expect(ending).toBe('rest');
    expect(Number(rounds)).toBeGreaterThan(1);
    expect(bare.problems()).toEqual([]);
  });

  it('GRID-014 one cancellation ends it once; a level that is cancelled alone stays empty; the last one ends it', () => {
    const cancel = (grid: Grid, user = 0) =>
      bare.run('cancelGrid', { owner: bare.ownerOf(user), id: grid.id }).count;
    const grid = bare.grid(0, REQUEST);
    expect([cancel(grid, 1), cancel(grid), cancel(grid)]).toEqual([0, 1, 0]);
    expect([grid.ending, String(grid.endPrice)]).toEqual(['user', '50010']);
    expect(bare.balanceText(0, 'USDT').endsWith(' + 0')).toBe(true);
    const alone = bare.grid(0, REQUEST);
    bare.cancel(0, bare.exchange.orders.get(alone.cells[0]!.orderId!)!);
    expect(openOf(alone)).toEqual(['–', 'buy 49000', 'sell 51000', 'sell 52000']);
    expect(alone.ending).toBeUndefined();
    bare.cancelAll(0);
    expect(alone.ending).toBe('user');
    const counted = bare.grid(0, REQUEST);
    bare.countdown(0, 5_000);
    bare.now = later(bare.now, 6 * SECOND_MS);
    bare.endCountdowns();
    expect(counted.ending).toBe('countdown');
    expect(bare.exchange.grids.size).toBe(0);
    expect(bare.problems()).toEqual([]);
  });

  it('GRID-015 never trades with its owner: an own order in the way refuses the start or empties a level', () => {
    bare.cancelAll(2);
    bare.place(2, { side: 'buy', price: '49990', amount: '1' });
    bare.place(0, { side: 'sell', price: '50010', amount: '1' });
    expect(refusalOf(() => bare.grid(0, REQUEST)).key).toBe('l.self_trade');
    bare.cancelAll(0);
    bare.place(2, { side: 'sell', price: '50010', amount: '1' });
    const grid = bare.grid(0, REQUEST);
    bare.cancelAll(2);
    bare.place(0, { side: 'sell', price: '49000', amount: '0.01', selfTrade: 'cancelMaker' });
    expect(openOf(grid)).toEqual(['buy 48000', '–', 'sell 51000', 'sell 52000']);
    expect(bare.problems()).toEqual([]);
  });

  it('GRID-006 GRID-016 a thin book, too little balance, a halt and too many grids are refused without a change', () => {
    expect(refusalOf(() => bare.grid(0, { ...REQUEST, investment: '1000001' }))).toMatchObject({
      key: 'l.insufficient_balance',
      field: 'investment',
    });
    bare.cancelAll(2);
    bare.place(2, { side: 'buy', price: '49990', amount: '1' });
    bare.place(2, { side: 'sell', price: '50010', amount: '0.01' });
    expect(refusalOf(() => bare.grid(0, REQUEST))).toMatchObject({
      key: 'l.grid_liquidity',
      field: 'slippage',
    });
    bare.place(2, { side: 'sell', price: '50010', amount: '10' });
    bare.setStatus('cancelOnly');
    expect(refusalOf(() => bare.grid(0, REQUEST)).key).toBe('l.pair_cancel_only');
    bare.setStatus('open');
    expect(bare.balanceText(0, 'USDT')).toBe('1000000 + 0');
    const first = bare.grid(0, REQUEST);
    const order = bare.exchange.orders.get(first.cells[0]!.orderId!)!;
    expect(refusalOf(() => bare.amend(0, order, { price: '47000' })).key).toBe('l.amend_type');
    for (let count = 1; count < 10; count += 1) bare.grid(0, REQUEST);
    expect(refusalOf(() => bare.grid(0, REQUEST))).toMatchObject({ key: 'l.grid_max', limit: '10' });
    expect(bare.problems()).toEqual([]);
  });

  it('GRID-017 orders that one step places for several grids keep their places after a load', () => {
    const [first, second] = [bare.grid(0, REQUEST), bare.grid(1, REQUEST)];
    sellTo('49000', '40');
    const resting = [...bare.market.book.resting('sell')].filter(({ price }) => price === 5_000_000n);
    expect(resting.map(({ owner }) => owner)).toEqual([bare.ownerOf(0), bare.ownerOf(1)]);
    expect([first, second].map(({ cells }) => cells[1]!.turn)).toEqual([1, 2]);
    expect(gridPrices(bare.market.pair, first).map(String)).toEqual([
      '48000',
      '49000',
      '50000',
      '51000',
      '52000',
    ]);
  });
});
