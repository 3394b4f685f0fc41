import { instant } from '@exchange/core/time.ts';
import { createChase } from '@exchange/wire/chase.ts';
import { cancelGrid, createGrid } from '@exchange/wire/grid.ts';
import { cancelIceberg, createIceberg } from '@exchange/wire/iceberg.ts';
import { createLadder } from '@exchange/wire/ladder.ts';
import { cancelAllOrders } from '@exchange/wire/spot.ts';
import { createTwap } from '@exchange/wire/twap.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import { anExchange, type TestExchange } from '../../../testing/exchange.ts';
import { createAssets } from '../assets/index.ts';
import { PriceTimeBook } from '../matching/index.ts';
import { OpenLadders } from './domain/ladder.ts';
import { SpotExchange } from './exchange.ts';
import { FollowedExchange } from './following.ts';
import { loadExchange } from './loading.ts';
import { BTC_USDT, limit, place } from './testing/orders.ts';

/** The pause between two price changes of a chase order, in milliseconds. */
const PAUSE_MS = 2_000;
/** An instant at which the next child of every TWAP order is due. */
const LAST = instant(8_640_000_000_000_000);
const { signal } = new AbortController();
const { pairs } = createAssets({ mode: 'demo' });

/** The running algo orders of an exchange with their open orders and the books, in a comparable form. */
function stateOf(exchange: SpotExchange) {
  const byId = <Item extends { readonly id: string }>(items: Iterable<Item>) =>
    [...items].toSorted((one, two) => (one.id < two.id ? -1 : 1));
  const { book } = exchange.market('btcusdt');
  return {
    orders: byId(exchange.orders),
    icebergs: byId(exchange.icebergs),
    chases: byId(exchange.chases),
    grids: byId(exchange.grids),
    twaps: byId(exchange.twaps.due(LAST)),
    ladders: exchange.ladders,
    bids: [...book.resting('buy')],
    asks: [...book.resting('sell')],
    problems: book.validate(),
  };
}

describe('a standby', () => {
  let exchange: TestExchange;
  beforeAll(async () => {
    exchange = await anExchange();
  });
  afterAll(() => exchange.close());

  /** Creates an exchange in memory without orders, with the pairs and the ledger of the test exchange. */
  function emptyExchange(): SpotExchange {
    const empty = new SpotExchange(exchange.doors.ledger);
    for (const { pair, filters } of pairs) empty.list(pair, filters, new PriceTimeBook());
    return empty;
  }

  it('CLU-104 follows icebergs, chase, TWAP and ladder orders and grids with their orders, as a load would read them', async () => {
    const { database, ledger } = exchange.doors;
    const standby = emptyExchange();
    const followed = new FollowedExchange({ exchange: standby, database, ledger });
    await database.copying((copy) => followed.load({ copy, signal }));
    /**
     * Updates the standby and requires that it equals an exchange that is loaded now. A due TWAP or chase order may act
     * between the update and the load, so both are repeated until they are equal.
     */
    const requireFollowed = () =>
      eventually(async () => {
        await database.copying((copy) => followed.update({ copy, signal }));
        await database.copying((copy) => followed.confirm({ copy, signal }));
        const loaded = emptyExchange();
        await loadExchange(loaded, database, ledger);
        expect(stateOf(standby)).toEqual(stateOf(loaded));
        return stateOf(standby);
      });

    const trader = await exchange.aUser({ BTC: '1', USDT: '20000' });
    const other = await exchange.aUser({ BTC: '1', USDT: '100000' });
    const iceberg = await trader.request(createIceberg, {
      ...BTC_USDT,
      tradeType: 'sell',
      price: '50000',
      amount: '0.05',
      visible: '0.02',
    });
    const first = await requireFollowed();
    expect(first.orders.map(({ parentId }) => parentId)).toEqual([iceberg.id]);

    // Fills the first slice of 0.02 BTC completely and the second one partly.
    await place(other, limit('buy', '50000', '0.025'));
    const second = await requireFollowed();
    expect(second.asks.length).toBe(1);
    expect(second.orders.map(({ id }) => id)).not.toEqual(first.orders.map(({ id }) => id));

    await place(other, limit('buy', '49000', '0.01'));
    const { id } = await trader.request(createChase, {
      ...BTC_USDT,
      tradeType: 'buy',
      amount: '0.1',
      distance: '1',
      minutes: '10',
    });
    await requireFollowed();
    await place(other, limit('buy', '49100', '0.01'));
    await exchange.advanceTime(PAUSE_MS);
    const price = async () =>
      String((await requireFollowed()).chases.find((chase) => chase.id === id)?.moves);
    await eventually(async () => expect(await price()).toBe('1'));

    await trader.request(createTwap, {
      ...BTC_USDT,
      tradeType: 'sell',
      amount: '0.1',
      count: '5',
      minutes: '10',
      slippage: '1',
    });
    await trader.request(createLadder, {
      ...BTC_USDT,
      tradeType: 'sell',
      fromPrice: '51000',
      toPrice: '52000',
      count: '4',
      amount: '0.2',
    });
    const all = await requireFollowed();
    expect([all.icebergs.length, all.chases.length, all.twaps.length]).toEqual([1, 1, 1]);
    expect(all.ladders).not.toEqual(new OpenLadders());

    await trader.request(cancelIceberg, { id: iceberg.id });
    expect((await requireFollowed()).icebergs).toEqual([]);
    await trader.request(cancelAllOrders, {});
    await other.request(cancelAllOrders, {});
    const none = await requireFollowed();
    expect([none.orders, none.chases, none.bids, none.asks]).toEqual([[], [], [], []]);

    await place(other, limit('buy', '49990', '0.1'));
    await place(other, limit('sell', '50010', '0.1'));
    const terms = {
      ...BTC_USDT,
      lowerPrice: '48000',
      upperPrice: '52000',
      levels: '5',
      investment: '1000',
      slippage: '1',
      stopLossPrice: '47000',
      sellAtEnd: '1',
    } as const;
    const grid = await trader.request(createGrid, terms);
    const started = await requireFollowed();
    expect(started.grids[0]!.cells.map(({ orderId }) => typeof orderId)).toEqual(Array(4).fill('string'));
    await other.request(cancelAllOrders, {});
    await place(other, limit('sell', '49000', '0.1'));
    const continued = await requireFollowed();
    expect(continued.grids[0]!.cells[1]!.purchase).toBeDefined();
    expect(continued.orders.filter(({ parentId }) => parentId === grid.id)).toHaveLength(4);
    await trader.request(cancelGrid, { id: grid.id });
    expect((await requireFollowed()).grids).toEqual([]);
    await other.request(cancelAllOrders, {});

    await place(other, limit('buy', '49990', '0.1'));
    await place(other, limit('sell', '50010', '0.1'));
    await trader.request(createGrid, terms);
    expect((await requireFollowed()).grids[0]).toMatchObject({ sellsAtEnd: true });
    await other.request(cancelAllOrders, {});
    await place(other, limit('buy', '47000', '0.001'));
    await place(other, limit('buy', '46950', '0.01'));
    const seller = await exchange.aUser({ BTC: '0.2' });
    await place(seller, limit('sell', '47000', '0.2', { timeInForce: 'IOC' }));
    const ended = await requireFollowed();
    expect([ended.grids, ended.bids]).toEqual([[], []]);
    await other.request(cancelAllOrders, {});
  });
});
