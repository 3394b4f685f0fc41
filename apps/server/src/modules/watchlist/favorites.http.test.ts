import { addFavorite, favoriteList, removeFavorite } from '@exchange/wire/watchlist.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anExchange, type TestExchange } from '../../../testing/exchange.ts';

describe('favourites', () => {
  let exchange: TestExchange;

  beforeAll(async () => {
    exchange = await anExchange();
  });

  afterAll(() => exchange.close());

  it('WATCH-001 keep the order in which they were added, per owner and across a restart', async () => {
    const [user, other] = [await exchange.aUser(), await exchange.aUser()];
    expect(await user.request(favoriteList)).toEqual({ symbols: [] });
    await user.request(addFavorite, { symbol: 'ethbtc' });
    await user.request(addFavorite, { symbol: 'btcusdt' });
    expect(await user.request(addFavorite, { symbol: 'ADAETH' })).toEqual({
      symbols: ['ethbtc', 'btcusdt', 'adaeth'],
    });
    expect(await user.request(addFavorite, { symbol: 'ethbtc' })).toEqual({
      symbols: ['ethbtc', 'btcusdt', 'adaeth'],
    });
    expect(await user.request(removeFavorite, { symbol: 'btcusdt' })).toEqual({
      symbols: ['ethbtc', 'adaeth'],
    });
    expect(await user.request(removeFavorite, { symbol: 'btcusdt' })).toEqual({
      symbols: ['ethbtc', 'adaeth'],
    });
    await exchange.restart();
    expect(await user.request(favoriteList)).toEqual({ symbols: ['ethbtc', 'adaeth'] });
    expect(await other.request(favoriteList)).toEqual({ symbols: [] });
  });

  it('WATCH-002 an unknown pair is refused, but a pair that is no longer listed can be removed', async () => {
    const user = await exchange.aUser();
    expect(await user.call(addFavorite, { symbol: 'btceur' })).toMatchObject({
      code: -1,
      errKey: 'l.unknown_pair',
      data: { field: 'symbol' },
    });
    await exchange.database.pool.query("insert into favorite_pair (user_id, symbol) values ($1, 'gonebtc')", [
      user.id,
    ]);
    expect(await user.request(favoriteList)).toEqual({ symbols: ['gonebtc'] });
    expect(await user.request(removeFavorite, { symbol: 'gonebtc' })).toEqual({ symbols: [] });
  });

  it('WATCH-003 there are at most a hundred, also with concurrent additions', async () => {
    const user = await exchange.aUser();
    await exchange.database.pool.query(
      "insert into favorite_pair (user_id, symbol) select $1, 'gone' || n from generate_series(1, 98) n",
      [user.id],
    );
    const pairs = ['btcusdt', 'ethusdt', 'ltcusdt', 'xrpusdt', 'btcusdt', 'adausdt'];
    const answers = await Promise.all(pairs.map((symbol) => user.call(addFavorite, { symbol })));
    const refused = answers.filter(({ code }) => code !== 1);
    expect((await user.request(favoriteList)).symbols).toHaveLength(100);
    for (const answer of refused)
      expect(answer).toMatchObject({ code: -8, errKey: 'l.favorites_max', data: { limit: '100' } });
    expect(refused.length).toBeGreaterThanOrEqual(3);
  });
});
