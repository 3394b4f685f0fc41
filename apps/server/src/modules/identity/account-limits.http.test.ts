import { addAlert, addFavorite, alertList, favoriteList } from '@exchange/wire/watchlist.ts';
import { createOrder, spotBasics } from '@exchange/wire/spot.ts';
import { sessions, userInfo } from '@exchange/wire/user.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anExchange, type TestExchange } from '../../../testing/exchange.ts';
import { NO_LIMITS } from '../../platform/limits/limits.ts';

/**
 * A rate limit that differs from the normal one, so that the test detects if the normal one was used. It is so slow
 * that nothing is replenished during the test.
 */
const SLOW = { per: 'user', perSecond: 0.01, burst: 7 } as const;

describe('the limits of an account', () => {
  let exchange: TestExchange;
  beforeAll(async () => {
    exchange = await anExchange({ limits: { ...NO_LIMITS, order: SLOW } });
  });
  afterAll(() => exchange.close());

  const BUY = { baseCoin: 'BTC', quoteCoin: 'USDT', tradeType: 'buy', amount: '0.001' } as const;

  it('ID-016 are reported as they are enforced: values within are accepted, one more is refused with the reported limit', async () => {
    const trader = await exchange.aUser({ USDT: '100000' });
    const { limits } = await trader.request(userInfo);
    expect(limits).toMatchObject({ ordersPerSecond: 0.01, ordersAtOnce: 7 });
    const basics = await exchange.call(spotBasics, {});
    for (const { maxOpenOrders, maxStopOrders } of basics.data) {
      expect(limits.openOrdersPerPair).toBeLessThanOrEqual(maxOpenOrders);
      expect(limits.stopOrdersPerPair).toBeLessThanOrEqual(maxStopOrders);
    }
    const orders = await Promise.all(
      Array.from({ length: limits.ordersAtOnce + 5 }, (_, n) =>
        trader.call(createOrder, { ...BUY, price: `${48_000 + n}` }),
      ),
    );
    expect(orders.filter(({ code }) => code === 1)).toHaveLength(limits.ordersAtOnce);
    expect(orders.filter(({ status }) => status === 429)).toHaveLength(5);
    expect((await trader.request(alertList)).limit).toBe(limits.priceAlerts);
    for (let n = 0; n < limits.priceAlerts; n += 1)
      await trader.request(addAlert, { symbol: 'btcusdt', condition: 'gte', price: `${60_000 + n}` });
    const alert = await trader.call(addAlert, { symbol: 'btcusdt', condition: 'gte', price: '70000' });
    expect(alert).toMatchObject({ code: -8, data: { limit: String(limits.priceAlerts) } });

    await exchange.database.pool.query(
      "insert into favorite_pair (user_id, symbol) select $1, 'gone' || n from generate_series(1, $2) n",
      [trader.id, limits.favorites],
    );
    const favorite = await trader.call(addFavorite, { symbol: 'btcusdt' });
    expect(favorite).toMatchObject({ code: -8, data: { limit: String(limits.favorites) } });
    expect((await trader.request(favoriteList)).symbols).toHaveLength(limits.favorites);
    expect((await trader.request(sessions)).list.length).toBeLessThanOrEqual(limits.sessions);
  });
});
