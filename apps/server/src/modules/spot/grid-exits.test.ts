import { Decimal } from '@exchange/core/decimal.ts';
import { GRID_LEVELS_MAX } from '@exchange/core/spot-grid.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Grid } from './domain/grid.ts';
import { RunningGrids } from './domain/running-grids.ts';
import { CANCELLED_MOST } from './portions.ts';
import { BareExchange, refusalOf, type GridText } from './testing/bare-exchange.ts';

const d = (text: string) => Decimal.parse(text);
const REQUEST: GridText = {
  lowerPrice: '48000',
  upperPrice: '52000',
  levels: 5,
  investment: '10000',
  stopLoss: '47000',
  takeProfit: '53000',
  sellsAtEnd: true,
};

describe('grids that end by themselves', () => {
  let bare: BareExchange;

  beforeEach(async () => {
    bare = await BareExchange.open();
    bare.place(2, { side: 'buy', price: '49990', amount: '10' });
    bare.place(2, { side: 'sell', price: '50010', amount: '10' });
  });

  const ordersOf = (user: number) => bare.exchange.orders.ofOwner(bare.ownerOf(user));
  const sellTo = (price: string, amount: string) =>
    bare.place(3, { side: 'sell', price, amount, timeInForce: 'IOC' });
  const buyUpTo = (price: string, amount: string) =>
    bare.place(3, { side: 'buy', price, amount, timeInForce: 'IOC' });
  const bid = (price: string, amount: string, user = 2) => bare.place(user, { side: 'buy', price, amount });
  const ask = (price: string, amount: string) => bare.place(2, { side: 'sell', price, amount });
  const endOf = ({ ending, endPrice, soldBase, base }: Grid) => [
    ending,
    String(endPrice),
    soldBase.isPositive(),
    base.isLess(d('0.00001')),
  ];

  it('GRID-024 GRID-025 a trade at the stop-loss price ends it and sells its coins in the same step', () => {
    const grid = bare.grid(0, REQUEST);
    bid('47000', '1');
    bid('46990', '1');
    // This sale fills both purchases of the grid and then trades at the stop-loss price, so no sales follow the
    // purchases.
    const sweep = sellTo('47000', '10.5');
    expect(sweep.state).toBe('filled');
    expect(endOf(grid)).toEqual(['stopLoss', '47000', true, true]);
    expect(ordersOf(0)).toEqual([]);
    expect(
      bare.sales.map(({ parentId, price, takerRate }) => [parentId, String(price), String(takerRate)]),
    ).toEqual([[grid.id, '46530', String(grid.takerRate)]]);
    // Only the coins of the grid were sold, and the proceeds are in the owner's available balance.
    expect(bare.balanceText(0, 'BTC')).toBe(`${d('100').plus(grid.base)} + 0`);
    expect(bare.balanceText(0, 'USDT')).toBe(`${d('1000000').plus(grid.quote).minus(grid.invested)} + 0`);
    expect(String(grid.quote)).toBe(String(grid.soldQuote));
    expect(bare.problems()).toEqual([]);
  });

  it('GRID-024 a trade at the take-profit price ends it with all its orders; without the choice its coins stay', () => {
    const grid = bare.grid(0, { ...REQUEST, sellsAtEnd: false });
    sellTo('48000', '10.5');
    expect(ordersOf(0).map(({ side }) => side)).toEqual(['sell', 'sell', 'sell', 'sell']);
    ask('53000', '1');
    buyUpTo('52999.99', '1');
    expect(grid.ending).toBeUndefined();
    buyUpTo('53000', '20');
    expect(endOf(grid).slice(0, 3)).toEqual(['takeProfit', '53000', false]);
    expect(ordersOf(0)).toEqual([]);
    // The last order completed two rounds (purchase and sale); they are counted although no further purchases follow.
    expect(grid.rounds).toBe(2);
    expect(bare.balanceText(0, 'BTC')).toBe(`${d('100').plus(grid.base)} + 0`);
    expect(bare.problems()).toEqual([]);
  });

  it('GRID-025 sells within its slippage only; what finds no bid there stays as coins', () => {
    const grid = bare.grid(0, REQUEST);
    bid('47000', '0.001');
    bid('46530', '0.02');
    bid('46529.99', '5');
    sellTo('47000', '10.5');
    expect([grid.ending, String(grid.soldBase)]).toEqual(['stopLoss', '0.02']);
    expect(grid.base.isMore(d('0.1'))).toBe(true);
    expect(bare.balanceText(0, 'BTC')).toBe(`${d('100').plus(grid.base)} + 0`);
    const second = bare.grid(1, {
      ...REQUEST,
      lowerPrice: '46000',
      upperPrice: '60000',
      stopLoss: '45000',
      takeProfit: '61000',
    });
    bare.cancelAll(2);
    bid('45000', '0.1');
    sellTo('45000', '20');
    // The book has no bid left, so the grid's end places no order to sell its coins.
    expect([second.ending, String(second.soldBase), bare.sales.length]).toEqual(['stopLoss', '0', 1]);
    expect(bare.problems()).toEqual([]);
  });

  it('GRID-025 sells no other coins of its owner, and no more than is still available', () => {
    const grid = bare.grid(0, REQUEST);
    bare.place(0, { side: 'sell', price: '60000', amount: '99.95' });
    bare.withdrawAll(0, 'BTC');
    bid('47000', '1');
    sellTo('48500', '10.5');
    bare.withdrawAll(0, 'BTC');
    const before = bare.balanceText(0, 'BTC').split(' + ');
    expect(before[0]).toBe('0');
    bid('46990', '5');
    const open = ordersOf(0).filter(({ parentId, side }) => parentId === grid.id && side === 'sell');
    expect(open.length).toBeGreaterThan(1);
    sellTo('47000', '2');
    expect(grid.ending).toBe('stopLoss');
    expect(grid.base.isNegative()).toBe(false);
    expect(ordersOf(0).map(({ price }) => String(price))).toEqual(['60000']);
    expect(bare.problems()).toEqual([]);
  });

  it('GRID-025 an own order that the sale meets stops it; the order stays', () => {
    const grid = bare.grid(0, REQUEST);
    bid('46995', '0.03');
    const own = bid('46990', '1', 0);
    bid('46980', '5');
    bid('47000', '0.01');
    sellTo('47000', '10.5');
    expect([grid.ending, String(grid.soldBase)]).toEqual(['stopLoss', '0.03']);
    expect(ordersOf(0)).toEqual([own]);
    expect(bare.problems()).toEqual([]);
  });

  it('GRID-024 GRID-025 a sale that reaches the stop-loss price of another grid ends that one too, and fills others', () => {
    const first = bare.grid(0, REQUEST);
    const second = bare.grid(1, { ...REQUEST, stopLoss: '46900' });
    const third = bare.grid(1, { lowerPrice: '45000', upperPrice: '55000', levels: 11, investment: '3000' });
    bid('47000', '0.01');
    bid('46900', '0.01');
    bid('46800', '3');
    sellTo('47000', '10.6');
    expect([first, second, third].map(({ ending }) => ending)).toEqual(['stopLoss', 'stopLoss', undefined]);
    expect([first, second].map(({ base }) => base.isLess(d('0.00001')))).toEqual([true, true]);
    expect(bare.sales.map(({ parentId }) => parentId)).toEqual([first.id, second.id]);
    expect(ordersOf(1).every(({ parentId }) => parentId === third.id)).toBe(true);
    expect(bare.problems()).toEqual([]);
  });

  it('GRID-024 GRID-025 an iceberg whose trade ends a grid rests before the coins are sold, so that nothing crosses it', () => {
    const ended = bare.grid(0, {
      ...REQUEST,
      lowerPrice: '49500',
      upperPrice: '50500',
      levels: 3,
      slippage: '0.05',
      takeProfit: '50600',
    });
    bare.cancelAll(2);
    bid('50090', '1');
    ask('50110', '1');
    const other = bare.grid(1, { lowerPrice: '49950', upperPrice: '50150', levels: 2, investment: '3000' });
    expect(ordersOf(1).map(({ side, price }) => `${side} ${price}`)).toEqual(['buy 49950']);
    bare.cancelAll(2);
    // Cancels a sale of the grid, so that the grid still has its coins when the take-profit price is reached.
    bare.cancel(
      0,
      ordersOf(0).find(({ side }) => side === 'sell')!,
    );
    ask('50600', '0.001');
    // If the coins were sold before the iceberg rests, the other grid would buy them and place its sale at 50,150,
    // below the iceberg's price.
    const iceberg = bare.iceberg(3, { side: 'buy', price: '50600', amount: '2', visible: '0.5' });
    expect([ended.ending, iceberg.ending, other.ending]).toEqual(['takeProfit', undefined, undefined]);
    expect([ended.soldBase.isPositive(), ended.base.isLess(d('0.00001'))]).toEqual([true, true]);
    expect(
      bare.sales.map(({ filledTotal, filledAmount }) => String(filledTotal.over(filledAmount, 'down'))),
    ).toEqual(['50600']);
    expect(ordersOf(1).map(({ side, price }) => `${side} ${price}`)).toEqual(['buy 49950']);
    expect(bare.problems()).toEqual([]);
  });

  it('GRID-024 stops that a sale reaches are marked by later portions, and no earlier trade of the step is lost', () => {
    bare.mostMarked = 1;
    const grid = bare.grid(0, REQUEST);
    bid('47000', '0.01');
    bid('46950', '5');
    for (const stopPrice of ['47500', '47400', '46960'])
      bare.place(2, { side: 'sell', type: 'stopMarket', amount: '0.01', stopPrice });
    sellTo('47000', '10.5');
    expect(grid.ending).toBe('stopLoss');
    expect(bare.exchange.due.size).toBe(1);
    while (bare.exchange.unmarked.size > 0) bare.run('mark', { symbol: 'btcusdt', most: 1 });
    expect(bare.exchange.due.size).toBe(3);
    while (bare.trigger() !== undefined) bare.run('mark', { symbol: 'btcusdt', most: 9 });
    expect(bare.problems()).toEqual([]);
  });

  it('GRID-026 its owner chooses at a cancellation whether its coins are sold; a repeated one sells nothing', () => {
    const grid = bare.grid(0, REQUEST);
    const { startBase } = grid;
    const answer = bare.cancelGrid(grid, true);
    expect(answer.count).toBe(1);
    expect(String(answer.soldBase)).toBe(String(startBase.rounded(5, 'down')));
    expect([grid.ending, String(grid.soldQuote)]).toEqual(['user', String(answer.soldQuote)]);
    bare.place(0, { side: 'buy', price: '49900', amount: '0.1' });
    const { count, soldBase } = bare.cancelGrid(grid, true);
    expect([count, String(soldBase), bare.sales.length]).toEqual([0, '0', 1]);
    const kept = bare.grid(1, REQUEST);
    expect(String(bare.cancelGrid(kept).soldBase)).toBe('0');
    expect(bare.balanceText(1, 'BTC')).toBe(`${d('100').plus(kept.base)} + 0`);
    expect(bare.problems()).toEqual([]);
  });

  it('GRID-026 a pair that accepts cancellations only, or a halted coin, ends it and keeps its coins', () => {
    const [first, second] = [
      bare.grid(0, REQUEST),
      bare.grid(1, { ...REQUEST, lowerPrice: '49900', upperPrice: '50800', levels: 2, stopLoss: '49000' }),
    ];
    bare.setStatus('cancelOnly');
    expect(String(bare.cancelGrid(first, true).soldBase)).toBe('0');
    expect([first.ending, ordersOf(0).length]).toEqual(['user', 0]);
    bare.setStatus('open');
    expect(ordersOf(1).map(({ side }) => side)).toEqual(['sell']);
    bare.haltAsset('USDT');
    expect(String(bare.cancelGrid(second, true).soldBase)).toBe('0');
    expect([second.ending, ordersOf(1).length]).toEqual(['user', 0]);
    bare.liftHalt('USDT');
    expect(bare.sales).toEqual([]);
    expect(bare.problems()).toEqual([]);
  });

  it('GRID-029 its orders that hold a halted coin end with the halt, before anything trades, and the others at once', () => {
    const grid = bare.grid(0, REQUEST);
    const free = bare.balanceText(0, 'USDT');
    expect(ordersOf(0).map(({ side }) => side)).toEqual(['buy', 'buy', 'sell', 'sell']);
    bare.haltAsset('BTC');
    const answer = bare.cancelGrid(grid, true);
    expect([answer.count, answer.haltedOrders, String(answer.soldBase)]).toEqual([1, 2, '0']);
    expect([grid.ending, bare.sales.length]).toEqual(['user', 0]);
    expect(ordersOf(0).map(({ side }) => side)).toEqual(['sell', 'sell']);
    expect(bare.balanceText(0, 'USDT')).not.toBe(free);
    expect(bare.balanceText(0, 'USDT')).toMatch(/ \+ 0$/);
    expect(bare.cancelGrid(grid, true)).toMatchObject({ count: 0, haltedOrders: 0 });
    expect(bare.expire()).toBe(0);
    expect(bare.problems()).toEqual([]);
    bare.liftHalt('BTC');
    // The next order on the pair first ends the expired sales and then trades with the other orders only.
    buyUpTo('52000', '15');
    expect(ordersOf(0)).toEqual([]);
    expect(bare.balanceText(0, 'BTC')).toBe(`${d('100').plus(grid.base)} + 0`);
    expect(String(grid.soldBase)).toBe('0');
    expect(bare.problems()).toEqual([]);
  });

  it('GRID-030 the greatest grid has fewer orders than one portion of cancellations', () => {
    expect(GRID_LEVELS_MAX - 1).toBeLessThan(CANCELLED_MOST);
    const grid = bare.grid(0, {
      ...REQUEST,
      lowerPrice: '35000',
      upperPrice: '70000',
      levels: GRID_LEVELS_MAX,
      stopLoss: undefined,
      takeProfit: undefined,
      investment: '100000',
    });
    expect(ordersOf(0)).toHaveLength(GRID_LEVELS_MAX - 1);
    expect(bare.cancelGrid(grid)).toMatchObject({ count: 1, haltedOrders: 0 });
    expect(ordersOf(0)).toEqual([]);
    expect(bare.balanceText(0, 'USDT')).toMatch(/ \+ 0$/);
    expect(bare.problems()).toEqual([]);
  });

  it('GRID-023 an exit price that is not beyond the range is refused at its field without a change', () => {
    expect(refusalOf(() => bare.grid(0, { ...REQUEST, stopLoss: '48000' }))).toMatchObject({
      key: 'l.grid_stop_loss',
      field: 'stopLossPrice',
      limit: '48000.00',
    });
    expect(refusalOf(() => bare.grid(0, { ...REQUEST, takeProfit: '52000' }))).toMatchObject({
      key: 'l.grid_take_profit',
      field: 'takeProfitPrice',
      limit: '52000.00',
    });
    expect(bare.balanceText(0, 'USDT')).toBe('1000000 + 0');
  });

  it('GRID-024 finds the reached grids by price and id, each once, however they were added', () => {
    const gridOf = (id: string, stopLoss?: string, takeProfit?: string) =>
      ({
        id,
        owner: bare.ownerOf(0),
        symbol: 'btcusdt',
        stopLoss: stopLoss && d(stopLoss),
        takeProfit: takeProfit && d(takeProfit),
      }) as unknown as Grid;
    const all = [
      gridOf('a', '90', '110'),
      gridOf('b', '95'),
      gridOf('c', undefined, '105'),
      gridOf('d', '95', '105'),
      gridOf('e'),
    ];
    for (const order of [all, all.toReversed()]) {
      const running = new RunningGrids();
      for (const grid of order) running.add(grid);
      const reachedBy = (price: string) =>
        running.takeReached('btcusdt', d(price)).map(({ grid, ending }) => `${grid.id} ${ending}`);
      expect(reachedBy('100')).toEqual([]);
      expect(running.takeReached('ethusdt', d('1'))).toEqual([]);
      running.remove(all[1]!);
      running.add(all[1]!);
      expect(reachedBy('90')).toEqual(['b stopLoss', 'd stopLoss', 'a stopLoss']);
      expect(reachedBy('200')).toEqual(['c takeProfit']);
      expect([reachedBy('1'), reachedBy('200')]).toEqual([[], []]);
      expect(running.size).toBe(5);
    }
  });
});
